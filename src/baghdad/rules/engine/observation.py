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
    players = state.players
    deck, discard = 0, 0
    for palace in range(6):
        deck += state.deck[palace]
        discard += state.discard[palace]
        at = palace * PALACE_SIZE
        for place in range(4):
            seat = observer + place
            seat -= players if seat >= players else 0
            there = place < players
            row[at + place] = state.guards[palace, seat] if there else 0
            row[at + 6 + place] = state.thieves[palace, seat] if there else 0
        row[at + 4] = state.guards[palace, NEUTRAL]
        row[at + 5] = GUARD_FIELDS - guards_at(state, palace)
        chests = state.chests[palace]
        row[at + 10] = chests
        row[at + 11] = HEAVIEST_CHEST + 1 - chests if chests > 0 else 0
        row[at + 12] = state.hands[observer, palace]
        row[at + 13] = state.discard[palace]
        row[at + 14] = CARDS_OF_A_PALACE - state.discard[palace] - state.hands[observer, palace]
    goal = CHESTS_TO_WIN[players]
    for place in range(4):
        at = SEATS_AT + place * SEAT_SIZE
        if place >= players:
            for feature in range(SEAT_SIZE):
                row[at + feature] = 0
            continue
        seat = observer + place
        seat -= players if seat >= players else 0
        cards = 0
        for card in range(7):
            cards += state.hands[seat, card]
        row[at] = 1
        row[at + 1] = 1 if state.seat == seat and state.phase != OVER else 0
        row[at + 2] = cards
        row[at + 3] = state.hands[seat, DANCER]
        row[at + 4] = state.stock[seat]
        row[at + 5] = state.loot[seat]
        row[at + 6] = goal - state.loot[seat]
        row[at + 7] = state.unplaced[seat, 0]
        row[at + 8] = state.unplaced[seat, 1]
    at = TABLE_AT
    for count in range(3):
        row[at + count] = 1 if players == 2 + count else 0
    row[at + 3] = state.variant
    row[at + 4] = state.rob
    row[at + 5] = state.seen
    for phase in range(5):
        row[at + 6 + phase] = 1 if state.phase == phase else 0
    row[at + 11] = THIEF_ACTIONS - state.thief_actions
    row[at + 12] = state.acted
    row[at + 13] = state.due
    row[at + 14] = state.idle
    row[at + 15] = state.dancers
    row[at + 16] = deck
    row[at + 17] = discard
    at = LATER_AT
    row[at] = state.spare
    for palace in range(6):
        row[at + 1 + palace] = 1 if state.named == palace else 0
    for place in range(4):
        seat = observer + place
        seat -= players if seat >= players else 0
        row[at + 7 + place] = state.first_hands[seat] if place < players else 0


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
