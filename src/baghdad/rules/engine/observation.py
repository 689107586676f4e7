"""What a learner sees: a row of small numbers, written for one seat by the rules' own compiler.

The row begins with six palaces, then come four seats, then what belongs to the whole table. Seats
are counted from the observer on, so that every seat sees itself as the first. Nothing is written
that the seat's `View` does not have.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from .actions import ACTION_COUNT, ACTION_TABLE_VERSION
from .compiled import rule
from .legality import (
    Rows,
    guards_at,
    legal_mask,
    legal_rows,
)
from .material import (
    CARDS_OF_A_PALACE,
    CHESTS,
    CHESTS_TO_WIN,
    DANCER,
    DANCERS,
    GUARD_FIELDS,
    GUARDS_OF_A_PLAYER,
    HEAVIEST_CHEST,
    LARGEST_HAND,
    NEUTRAL,
    NEUTRALS_TO_PLACE,
    OVER,
    THIEF_ACTIONS,
    THIEVES,
    Seat,
)
from .state import State

OBSERVATION_VERSION = 2
"""Changes when a number of the row changes its place or meaning."""

Row = npt.NDArray[Any]
"""[OBSERVATION_SIZE], int8 unless the caller wants another type."""

_MOST_CARDS = 6 * CARDS_OF_A_PALACE

PALACE_FEATURES = {
    "guards of the observer": GUARD_FIELDS,
    "guards of the next seat": GUARD_FIELDS,
    "guards of the seat after": GUARD_FIELDS,
    "guards of the last seat": GUARD_FIELDS,
    "neutral guards": GUARD_FIELDS,
    "free guard fields": GUARD_FIELDS,
    "thieves of the observer": THIEVES,
    "thieves of the next seat": THIEVES,
    "thieves of the seat after": THIEVES,
    "thieves of the last seat": THIEVES,
    "chests left": CHESTS,
    "thieves that the top chest needs": HEAVIEST_CHEST,
    "cards in the observer's hand": CARDS_OF_A_PALACE,
    "cards in the discard pile": CARDS_OF_A_PALACE,
    "cards unseen": CARDS_OF_A_PALACE,
}
"""What is written of each palace, and the most that it can be."""
SEAT_FEATURES = {
    "plays": 1,
    "is on turn": 1,
    "cards in hand": _MOST_CARDS + DANCERS,
    "dancers in hand": DANCERS,
    "thieves in stock": THIEVES,
    "chests taken": max(CHESTS_TO_WIN),
    "chests to go": max(CHESTS_TO_WIN),
    "own guards to place": max(GUARDS_OF_A_PLAYER),
    "neutral guards to place": NEUTRALS_TO_PLACE,
}
"""What is written of each seat, the observer first; zeros where nobody sits."""
TABLE_FEATURES = {
    "2 players": 1,
    "3 players": 1,
    "4 players": 1,
    "neutral variant": 1,
    "only smugglers rob": 1,
    "hands are seen": 1,
    "guards are placed": 1,
    "hands are dealt": 1,
    "a turn": 1,
    "cards are drawn": 1,
    "over": 1,
    "thief actions left": THIEF_ACTIONS,
    "an action was taken": 1,
    "cards to come": LARGEST_HAND,
    "turns without action and gain": 4,
    "dancers in the supply": DANCERS,
    "cards in the stack": _MOST_CARDS,
    "cards in the discard pile": _MOST_CARDS,
}
"""What is written of the table: options, phase, and what lies in the middle."""
LATER_FEATURES = {
    "table: a card may be named": 1,
    **{f"palace {palace + 1}: named": 1 for palace in range(6)},
    **{f"seat {'+' * seat}: first hand": LARGEST_HAND for seat in range(4)},
}
"""What version 2 has added, at the end: a model that knows version 1 reads what is before it."""

PALACE_SIZE, SEAT_SIZE = len(PALACE_FEATURES), len(SEAT_FEATURES)
SEATS_AT = 6 * PALACE_SIZE
TABLE_AT = SEATS_AT + 4 * SEAT_SIZE
LATER_AT = TABLE_AT + len(TABLE_FEATURES)
OBSERVATION_SIZE = LATER_AT + len(LATER_FEATURES)

HIGH: npt.NDArray[np.int8] = np.array(
    [*PALACE_FEATURES.values()] * 6
    + [*SEAT_FEATURES.values()] * 4
    + [*TABLE_FEATURES.values()]
    + [*LATER_FEATURES.values()],
    np.int8,
)
"""[OBSERVATION_SIZE]: the most that each number can be. The least is 0."""
HIGH.flags.writeable = False

FEATURES: tuple[str, ...] = (
    *(f"palace {palace + 1}: {name}" for palace in range(6) for name in PALACE_FEATURES),
    *(f"seat {'+' * seat}: {name}" for seat in range(4) for name in SEAT_FEATURES),
    *(f"table: {name}" for name in TABLE_FEATURES),
    *LATER_FEATURES,
)
"""What each number of the row is."""


def _column(feature: str) -> int:
    """Where a feature stands in the row; of a palace or a seat, where the first one's stands."""
    return FEATURES.index(feature)


GUARDS_AT = _column("palace 1: guards of the observer")
NEUTRALS_AT = _column("palace 1: neutral guards")
FREE_FIELDS_AT = _column("palace 1: free guard fields")
THIEVES_AT = _column("palace 1: thieves of the observer")
CHESTS_AT = _column("palace 1: chests left")
NEEDED_AT = _column("palace 1: thieves that the top chest needs")
HELD_AT = _column("palace 1: cards in the observer's hand")
DISCARDED_AT = _column("palace 1: cards in the discard pile")
UNSEEN_AT = _column("palace 1: cards unseen")

PLAYS_AT = _column("seat : plays")
ON_TURN_AT = _column("seat : is on turn")
HAND_AT = _column("seat : cards in hand")
DANCERS_AT = _column("seat : dancers in hand")
STOCK_AT = _column("seat : thieves in stock")
LOOT_AT = _column("seat : chests taken")
TO_GO_AT = _column("seat : chests to go")
OWN_TO_PLACE_AT = _column("seat : own guards to place")
NEUTRALS_TO_PLACE_AT = _column("seat : neutral guards to place")

PLAYERS_AT = _column("table: 2 players")
VARIANT_AT = _column("table: neutral variant")
ROB_AT = _column("table: only smugglers rob")
SEEN_AT = _column("table: hands are seen")
PHASES_AT = _column("table: guards are placed")
THIEF_ACTIONS_AT = _column("table: thief actions left")
ACTED_AT = _column("table: an action was taken")
DUE_AT = _column("table: cards to come")
IDLE_AT = _column("table: turns without action and gain")
SUPPLY_AT = _column("table: dancers in the supply")
DECK_AT = _column("table: cards in the stack")
DISCARD_AT = _column("table: cards in the discard pile")

SPARE_AT = _column("table: a card may be named")
NAMED_AT = _column("palace 1: named")
FIRST_HANDS_AT = _column("seat : first hand")


class VersionError(ValueError):
    """A model was made for another observation or another action table."""


def versions() -> dict[str, int]:
    """What a model depends on: keep it beside the weights, and check it when they are loaded."""
    return {
        "observation": OBSERVATION_VERSION,
        "observation_size": OBSERVATION_SIZE,
        "action_table": ACTION_TABLE_VERSION,
        "action_count": ACTION_COUNT,
    }


def check_versions(saved: Mapping[str, object]) -> None:
    """Refuse what was made for other numbers than those written today.

    >>> check_versions(versions())
    >>> check_versions({**versions(), "observation": 0})
    Traceback (most recent call last):
    baghdad.rules.engine.observation.VersionError: made for observation 0, and this is observation 2
    """
    for name, number in versions().items():
        if saved.get(name) != number:
            raise VersionError(f"made for {name} {saved.get(name)}, and this is {name} {number}")


@rule
def observe(state: State, observer: Seat, row: Row) -> None:
    """Write what `observer` may know of `state` (R7, R26) into `row`."""
    _observe_palaces(state, observer, row)
    _observe_seats(state, observer, row)
    _observe_table(state, row)


@rule
def _observe_palaces(state: State, observer: Seat, row: Row) -> None:
    players = state.players
    for palace in range(6):
        at = palace * PALACE_SIZE
        for place in range(4):
            seat = observer + place
            seat -= players if seat >= players else 0
            there = place < players
            row[at + GUARDS_AT + place] = state.guards[palace, seat] if there else 0
            row[at + THIEVES_AT + place] = state.thieves[palace, seat] if there else 0
        row[at + NEUTRALS_AT] = state.guards[palace, NEUTRAL]
        row[at + FREE_FIELDS_AT] = GUARD_FIELDS - guards_at(state, palace)
        chests = state.chests[palace]
        row[at + CHESTS_AT] = chests
        row[at + NEEDED_AT] = HEAVIEST_CHEST + 1 - chests if chests > 0 else 0
        held, discarded = state.hands[observer, palace], state.discard[palace]
        row[at + HELD_AT] = held
        row[at + DISCARDED_AT] = discarded
        row[at + UNSEEN_AT] = CARDS_OF_A_PALACE - discarded - held
        row[NAMED_AT + palace] = 1 if state.named == palace else 0


@rule
def _observe_seats(state: State, observer: Seat, row: Row) -> None:
    players = state.players
    goal = CHESTS_TO_WIN[players]
    for place in range(4):
        at = place * SEAT_SIZE
        if place >= players:
            for feature in range(SEAT_SIZE):
                row[SEATS_AT + at + feature] = 0
            row[FIRST_HANDS_AT + place] = 0
            continue
        seat = observer + place
        seat -= players if seat >= players else 0
        cards = 0
        for card in range(7):
            cards += state.hands[seat, card]
        row[at + PLAYS_AT] = 1
        row[at + ON_TURN_AT] = 1 if state.seat == seat and state.phase != OVER else 0
        row[at + HAND_AT] = cards
        row[at + DANCERS_AT] = state.hands[seat, DANCER]
        row[at + STOCK_AT] = state.stock[seat]
        row[at + LOOT_AT] = state.loot[seat]
        row[at + TO_GO_AT] = goal - state.loot[seat]
        row[at + OWN_TO_PLACE_AT] = state.unplaced[seat, 0]
        row[at + NEUTRALS_TO_PLACE_AT] = state.unplaced[seat, 1]
        row[FIRST_HANDS_AT + place] = state.first_hands[seat]


@rule
def _observe_table(state: State, row: Row) -> None:
    deck, discard = 0, 0
    for palace in range(6):
        deck += state.deck[palace]
        discard += state.discard[palace]
    for count in range(3):
        row[PLAYERS_AT + count] = 1 if state.players == 2 + count else 0
    row[VARIANT_AT] = state.variant
    row[ROB_AT] = state.rob
    row[SEEN_AT] = state.seen
    for phase in range(5):
        row[PHASES_AT + phase] = 1 if state.phase == phase else 0
    row[THIEF_ACTIONS_AT] = THIEF_ACTIONS - state.thief_actions
    row[ACTED_AT] = state.acted
    row[DUE_AT] = state.due
    row[IDLE_AT] = state.idle
    row[SUPPLY_AT] = state.dancers
    row[DECK_AT] = deck
    row[DISCARD_AT] = discard
    row[SPARE_AT] = state.spare


@rule
def write_mask(state: State, observer: Seat, rows: Rows, mask: Row) -> None:
    """Write into `mask` [ACTION_COUNT] what `observer` may do now, and into `rows` the same.

    Nothing for a seat that is not on turn: others' choices tell about their cards.
    """
    if observer == state.seat:
        legal_rows(state, rows)
    else:
        for row in range(len(rows)):
            rows[row] = 0
    legal_mask(rows, mask)
