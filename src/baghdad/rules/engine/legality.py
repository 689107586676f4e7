"""Which actions a position allows (R6, R8, R9 to R17, R22, R23)."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from .actions import (
    ACTION_COUNT,
    CARRY_ROW,
    END_PLACE,
    ENTERING,
    LEAVING,
    MOVE_ROW,
    NAME_ROW,
    NEUTRAL_ROW,
    PASS_DANCER_PLACE,
    PASS_PLACE,
    ROW_START,
    ROWS,
    SETUP_ROW,
    SMUGGLE_PLACE,
    SMUGGLE_ROW,
    Action,
)
from .compiled import rule
from .material import (
    DANCER,
    GUARD_FIELDS,
    NEUTRAL,
    OWNERS,
    PLACING,
    THIEF_ACTIONS,
    TURN,
    Palace,
)
from .state import State
from .steps import cards_there

Rows: TypeAlias = npt.NDArray[Any]
"""[ROWS], int64: the legal actions as bits, a row of the action table in each number."""


FEWER_DANCERS = tuple(sum(1 << 6 * dancers for dancers in range(most)) for most in range(5))
"""[number]: the payments for a thief with fewer dancers than that, from `SMUGGLE_PLACE` on."""


ALL_NAMES = (1 << 6) - 1
"""Every palace may be named: what is legal tells nothing of the stack."""


@rule
def guards_at(state: State, palace: Palace) -> int:
    guards = 0
    for owner in range(OWNERS):
        guards += state.guards[palace, owner]
    return guards


@rule
def legal_rows(state: State, rows: Rows) -> None:
    """Fill `rows` with the legal actions; none of them at a chance step and after the end."""
    for row in range(ROWS):
        rows[row] = 0
    if state.phase == TURN:
        _turn_rows(state, rows)
    elif state.phase == PLACING:
        rows[SETUP_ROW] = _placements(state)


@rule
def _placements(state: State) -> int:
    """R6, R8: a guard of one's own, or in the variant a neutral one, on a free field."""
    places = 0
    for palace in range(6):
        if guards_at(state, palace) < GUARD_FIELDS:
            if state.unplaced[state.seat, 0] > 0:
                places |= 1 << palace
            if state.unplaced[state.seat, 1] > 0:
                places |= 1 << (6 + palace)
    return places


@rule
def _turn_rows(state: State, rows: Rows) -> None:
    seat = state.seat
    dancers = state.hands[seat, DANCER]
    thief_may_act = state.thief_actions < THIEF_ACTIONS  # R11
    thief_at_home = state.stock[seat] > 0

    # Sets of ways between two palaces: where a guard can go, who stands there, what can be paid.
    free, own, neutral, thief, pay_leaving, pay_entering = 0, 0, 0, 0, 0, 0
    smuggle = 0
    for palace in range(6):
        leaving, entering = LEAVING[palace], ENTERING[palace]
        guards = guards_at(state, palace)
        own_guards = state.guards[palace, seat]
        cards = state.hands[seat, palace]
        if guards < GUARD_FIELDS:
            free |= entering
        if own_guards > 0:
            own |= leaving
        if state.guards[palace, NEUTRAL] > 0:
            neutral |= leaving
        if state.thieves[palace, seat] > 0:
            thief |= leaving
        if cards > 0:
            pay_leaving |= leaving
            pay_entering |= entering
        # R12: an own and a foreign guard; a card of the palace, or a dancer, for each foreign one.
        foreign = guards - own_guards
        if own_guards > 0 and foreign > 0:
            fewest, most = max(foreign - cards, 0), min(foreign, dancers)
            if fewest <= most:
                payments = FEWER_DANCERS[most + 1] - FEWER_DANCERS[fewest]
                smuggle |= payments << (SMUGGLE_PLACE[foreign] + palace)
    rows[SMUGGLE_ROW] = smuggle if thief_may_act and thief_at_home else 0

    pay_dancer = -1 if dancers > 0 else 0
    own &= free  # R13: an own guard, for a card of either palace
    rows[MOVE_ROW] = own & pay_leaving
    rows[MOVE_ROW + 1] = own & pay_entering
    rows[MOVE_ROW + 2] = own & pay_dancer
    if thief_may_act:  # R14: the same with a thief
        own &= thief
        rows[CARRY_ROW] = own & pay_leaving
        rows[CARRY_ROW + 1] = own & pay_entering
        rows[CARRY_ROW + 2] = own & pay_dancer
    neutral &= free  # R15: a neutral guard, for a card of both
    rows[NEUTRAL_ROW] = neutral & pay_leaving & pay_entering
    rows[NEUTRAL_ROW + 1] = neutral & pay_dancer & pay_entering
    rows[NEUTRAL_ROW + 2] = neutral & pay_leaving & pay_dancer
    rows[NEUTRAL_ROW + 3] = neutral if dancers > 1 else 0

    if state.acted:  # R22
        rows[SETUP_ROW] = 1 << END_PLACE
    elif state.dancers > 0:  # R23
        rows[SETUP_ROW] = 1 << PASS_PLACE | 1 << PASS_DANCER_PLACE
    else:
        rows[SETUP_ROW] = 1 << PASS_PLACE
        if state.spare and cards_there(state) > 0:
            rows[NAME_ROW] = ALL_NAMES


@rule
def ones(bits: int) -> int:
    """How many bits are set. In these very words compilers recognise a single instruction."""
    bits = int(bits)
    bits = bits - ((bits >> 1) & 0x5555555555555555)
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((bits * 0x0101010101010101) >> 56) & 0x7F


@rule
def first_action(row: int, bits: int) -> Action:
    """The first of the actions that are set in a row."""
    return ROW_START[row] + ones((bits & -bits) - 1)


@rule
def count_legal(rows: Rows) -> int:
    count = 0
    for row in range(ROWS):
        count += ones(rows[row])
    return count


@rule
def nth_legal(rows: Rows, n: int) -> Action:
    """The legal action with `n` others before it in the table; `n` must be under their count."""
    row, bits = 0, rows[0]
    for each in range(ROWS):
        row, bits = each, rows[each]
        here = ones(bits)
        if n < here:
            break
        n -= here
    for _ in range(n):
        bits &= bits - 1
    return first_action(row, bits)


@rule
def take_first(rows: Rows) -> Action:
    """Remove the first legal action from `rows` and return it; -1 where none is left."""
    for row in range(ROWS):
        bits = rows[row]
        if bits:
            rows[row] = bits & (bits - 1)
            return first_action(row, bits)
    return -1


@rule
def is_legal(rows: Rows, action: Action) -> bool:
    row = 0
    while action >= ROW_START[row + 1]:
        row += 1
    return (rows[row] >> (action - ROW_START[row])) & 1 == 1


@rule
def legal_ids(rows: Rows, ids: npt.NDArray[np.int16]) -> int:
    """Write the legal actions in ascending order into `ids` [ACTION_COUNT]; returns how many."""
    count = 0
    for row in range(ROWS):
        bits = rows[row]
        while bits:
            ids[count] = first_action(row, bits)
            bits &= bits - 1
            count += 1
    return count


@rule
def legal_mask(rows: Rows, mask: npt.NDArray[np.bool_]) -> None:
    """Write into `mask` [ACTION_COUNT] which actions are legal."""
    action = 0
    for row in range(ROWS):
        bits = rows[row]
        while action < ROW_START[row + 1]:
            mask[action] = bits & 1
            bits >>= 1
            action += 1


def empty_rows() -> Rows:
    return np.zeros(ROWS, np.int64)


def empty_ids() -> npt.NDArray[np.int16]:
    return np.zeros(ACTION_COUNT, np.int16)
