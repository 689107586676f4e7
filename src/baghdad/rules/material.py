"""What is in the box: palaces, seats, cards, pieces and the options of a table (R1 to R8)."""

from dataclasses import dataclass
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
FIRST_HAND = 6
"""Cards dealt to seat 1; every further seat gets one more (R7)."""
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


@dataclass(frozen=True, slots=True)
class Options:
    """What is agreed before a game begins.

    >>> Options(players=3, rob="smuggle")
    Options(players=3, variant='standard', rob='smuggle', hands='hidden')
    >>> Options(players=5)
    Traceback (most recent call last):
    ValueError: players: 2, 3 or 4, not 5
    """

    players: int = 2
    variant: Variant = "standard"
    rob: Rob = "arrival"
    hands: Hands = "hidden"

    def __post_init__(self) -> None:
        if isinstance(self.players, float) or self.players not in (2, 3, 4):
            raise ValueError(f"players: 2, 3 or 4, not {self.players!r}")
        object.__setattr__(self, "players", int(self.players))
        for name, value, values in (
            ("variant", self.variant, VARIANTS),
            ("rob", self.rob, ROBS),
            ("hands", self.hands, HANDS),
        ):
            if value not in values:
                raise ValueError(f"{name}: {' or '.join(values)}, not {value!r}")
