"""What is in the box: palaces, seats, cards and pieces (R1 to R8)."""

from typing import Literal, TypeAlias, get_args

Palace: TypeAlias = int
PALACES: tuple[Palace, ...] = (0, 1, 2, 3, 4, 5)
RED, GREEN, WHITE, PURPLE, YELLOW, BLUE = PALACES
PALACE_NAMES = ("red", "green", "white", "purple", "yellow", "blue")
PALACE_LETTERS = "RGWPYB"

Card: TypeAlias = int
"""A palace card has its palace's number; the dancer comes after them (R2)."""
CARDS: tuple[Card, ...] = (0, 1, 2, 3, 4, 5, 6)
DANCER: Card = 6
CARD_LETTERS = "RGWPYB*"
CARDS_OF_A_PALACE = 17
DANCERS = 8

Seat: TypeAlias = int
"""A seat counts from 0 in Python and from 1 in text: records, JSON, the command line."""
SEATS: tuple[Seat, ...] = (0, 1, 2, 3)
SEAT_NAMES = ("green", "blue", "red", "yellow")
NEUTRAL = 4
"""Owner of the black guards, after the four seats."""
OWNERS = 5

GUARD_FIELDS = 4
"""Guards that fit in front of a palace (R1)."""
THIEVES = 12
THIEF_ACTIONS = 3
"""Actions with a thief in one turn (R11)."""
CHESTS = 4
HEAVIEST_CHEST = 7
"""Thieves that the bottom chest needs; each chest above it needs one less (R1)."""
NEUTRALS_TO_PLACE = 2
"""Neutral guards each player places in the tactical variant (R8)."""
FIRST_HANDS = (6, 7, 8, 9)
"""Cards dealt by seat (R7)."""
LARGEST_HAND = 25
"""Cards that the option `deal` may give a seat: four such hands are in the stack."""
CARDS_AFTER_ACTIONS = 3
CARDS_AFTER_NONE = 4

# By number of players; there is no game of 0 or 1.
GUARDS_OF_A_PLAYER = (0, 0, 4, 3, 2)
CHESTS_TO_WIN = (0, 0, 6, 5, 4)

# Values of the record's `phase` field.
PLACING, DEALING, TURN, DRAWING, OVER = range(5)

Variant: TypeAlias = Literal["standard", "neutral"]
Rob: TypeAlias = Literal["arrival", "smuggle"]
Hands: TypeAlias = Literal["hidden", "seen"]
VARIANTS: tuple[Variant, ...] = get_args(Variant)
ROBS: tuple[Rob, ...] = get_args(Rob)
HANDS: tuple[Hands, ...] = get_args(Hands)
Spare: TypeAlias = Literal["stack", "chosen"]
SPARES: tuple[Spare, ...] = get_args(Spare)
Deal: TypeAlias = tuple[int, ...]
"""Cards of the first hands, by seat."""
BALANCED: dict[int, Deal] = {2: (6, 8), 3: (6, 7, 9), 4: (8, 7, 8, 9)}
"""By number of players: first hands with which strong players win alike often in every seat."""
BALANCED_DEAL = "balanced"
