"""Planning a whole turn: a beam over one's own actions, with no chance in it.

Enumerating whole turns is hopeless, and looking one action ahead hoards cards for ever. So the
best few positions are kept after each action, and the turn ends where its value was best.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from baghdad.bots.compiled import fast, pasted
from baghdad.rules.engine.actions import (
    CARRY_ROW,
    END_TURN,
    MEANING,
    MOVE_ROW,
    NAME_ROW,
    NEUTRAL_ROW,
    PALACE,
    PASS_CARDS,
    PASS_WITH_DANCER,
    PASSES_BY_NAME,
    ROWS,
    SETUP_ROW,
    SMUGGLE_ROW,
    TO,
    Action,
)
from baghdad.rules.engine.dealer import Rng, deal
from baghdad.rules.engine.legality import (
    Rows,
    first_action,
    legal_rows,
    take_first,
)
from baghdad.rules.engine.material import (
    CARDS_AFTER_ACTIONS,
    DANCER,
    DEALING,
    DRAWING,
    OVER,
    PLACING,
    TURN,
    Seat,
)
from baghdad.rules.engine.state import STATE, State, States
from baghdad.rules.engine.steps import cards_there, play

from .changes import (
    WAY,
    WAYS,
    Ways,
    hand_after,
    robs,
    value_ways,
)
from .values import (
    DANCERS_AT,
    WON,
    Table,
    card_worth,
    hand_value,
    named_worth,
    palace_value,
)

LONGEST = 16
"""Actions in a planned turn, its end included: hands that could pay for more are rare."""
WIDEST = 64

CANDIDATE = 2 * WIDEST
ENDS = CANDIDATE + 1
"""From here on: whole turns, with their ends."""


class Beam(NamedTuple):
    """Room for planning: two beams of plans side by side, a candidate, and whole turns."""

    states: States
    """After the plan's actions."""
    palaces: npt.NDArray[Any]
    """[plan, palace]: what each palace is worth then."""
    values: npt.NDArray[Any]
    actions: npt.NDArray[Any]
    """[plan, LONGEST]"""
    lengths: npt.NDArray[Any]
    parents: npt.NDArray[Any]
    """[plan]: the plan that it goes on from."""
    ways: Ways
    rows: Rows


def new_beam() -> Beam:
    plans = 3 * WIDEST + 1
    return Beam(
        np.zeros(plans, STATE),
        np.zeros((plans, 6)),
        np.zeros(plans),
        np.zeros((plans, LONGEST), np.int16),
        np.zeros(plans, np.int64),
        np.zeros(plans, np.int64),
        np.zeros((6, WAYS)),
        np.zeros(ROWS, np.int64),
    )


@fast
def fewest_dancers(rows: Rows) -> None:
    """Leave out what ends the turn, and dancers where a palace card would do."""
    rows[SETUP_ROW] = rows[NAME_ROW] = 0
    rows[SMUGGLE_ROW] &= ~(rows[SMUGGLE_ROW] << 6)
    for row in (MOVE_ROW, CARRY_ROW):
        rows[row + 2] &= ~(rows[row] | rows[row + 1])
    cards = rows[NEUTRAL_ROW]
    one = rows[NEUTRAL_ROW + 1] | rows[NEUTRAL_ROW + 2]
    rows[NEUTRAL_ROW + 1] &= ~cards
    rows[NEUTRAL_ROW + 2] &= ~cards
    rows[NEUTRAL_ROW + 3] &= ~(cards | one)


@fast
def _copy(beam: Beam, source: int, target: int) -> None:
    beam.states[target] = beam.states[source]
    beam.values[target] = beam.values[source]
    beam.lengths[target] = beam.lengths[source]
    for palace in range(6):
        beam.palaces[target, palace] = beam.palaces[source, palace]
    for number in range(beam.lengths[source]):
        beam.actions[target, number] = beam.actions[source, number]


@fast
def _appraise(beam: Beam, plan: int, seat: Seat, table: Table) -> None:
    """Value a plan from scratch."""
    value = hand_value(beam.states[plan], seat, table)
    for palace in range(6):
        beam.palaces[plan, palace] = palace_value(beam.states[plan], seat, palace, table)
        value += beam.palaces[plan, palace]
    beam.values[plan] = value


@fast
def _place_for(beam: Beam, value: float, first: int, count: int, width: int) -> int:
    """Where a value belongs among the best `width` of the `count` from `first` on; -1: nowhere."""
    worst = first
    for plan in range(first, first + count):
        if beam.values[plan] == value:
            return -1  # the same actions in another order
        if beam.values[plan] < beam.values[worst]:
            worst = plan
    if count < width:
        return first + count
    return worst if value > beam.values[worst] else -1


@fast
def _keep_end(beam: Beam, plan: int, end: Action, value: float, keep: int, count: int) -> int:
    """Put a plan and its end among the best `keep` whole turns; says how many there are."""
    place = _place_for(beam, value, ENDS, count, keep)
    if place < 0:
        return count
    _copy(beam, plan, place)
    beam.values[place] = value
    if beam.states[plan].phase == TURN:
        beam.actions[place, beam.lengths[plan]] = end
        beam.lengths[place] += 1
    return max(count, place - ENDS + 1)


@fast
def _end_here(beam: Beam, plan: int, seat: Seat, table: Table, keep: int, count: int) -> int:
    """Consider ending the turn after a plan, or passing where it has no action."""
    state = beam.states[plan]
    card = card_worth(state, seat, table)
    value = beam.values[plan] + CARDS_AFTER_ACTIONS * card
    if state.phase == OVER and state.winner < 0:
        value -= WON  # R27: nobody will win this any more
    if state.acted:
        return _keep_end(beam, plan, END_TURN, value, keep, count)
    count = _keep_end(beam, plan, PASS_CARDS, value + card, keep, count)
    if state.dancers > 0:
        dancers = DANCERS_AT + state.hands[seat, DANCER]
        value += table[dancers + 1] - table[dancers]
        count = _keep_end(beam, plan, PASS_WITH_DANCER, value, keep, count)
    elif state.spare and cards_there(state) > 0:
        for palace in range(6):
            named = value + named_worth(state, seat, palace, card, table)
            count = _keep_end(beam, plan, PASSES_BY_NAME[palace], named, keep, count)
    return count


@pasted
def _consider(
    beam: Beam, parent: int, action: Action, hand: float, first: int, count: int, width: int
) -> int:
    """Note an action after a plan among the best `width` from `first` on; says how many there are.

    `hand` is what the hand is worth then; the palaces stand in `beam.ways`.
    """
    here, there = MEANING[action, PALACE], MEANING[action, TO]
    at_here, at_there = beam.ways[here, WAY[action, 0]], beam.ways[there, WAY[action, 1]]
    value = hand
    for palace in range(6):  # always in this order, so that the same position has the same value
        as_before = beam.palaces[parent, palace]
        value += at_here if palace == here else at_there if palace == there else as_before
    place = _place_for(beam, value, first, count, width)
    if place < 0:
        return count
    beam.values[place] = value
    beam.parents[place] = parent
    beam.actions[place, LONGEST - 1] = action
    return max(count, place - first + 1)


@pasted
def _consider_all(
    beam: Beam, parent: int, seat: Seat, table: Table, first: int, count: int, width: int
) -> int:
    """Consider every action after a plan; says how many plans stand from `first` on."""
    state = beam.states[parent]
    legal_rows(state, beam.rows)
    fewest_dancers(beam.rows)
    value_ways(state, seat, table, beam.ways)
    for row in range(SMUGGLE_ROW, NAME_ROW):
        bits, plain, with_chest = beam.rows[row], 0.0, 0.0
        carries = CARRY_ROW <= row < NEUTRAL_ROW
        if bits and row != SMUGGLE_ROW:  # within such a row every action costs the same
            plain = hand_after(state, seat, first_action(row, bits), False, table)
            if carries:
                with_chest = hand_after(state, seat, first_action(row, bits), True, table)
        while bits:
            action = first_action(row, bits)
            bits &= bits - 1
            hand = plain
            if row == SMUGGLE_ROW:
                chest = robs(state, MEANING[action, PALACE], True)
                hand = hand_after(state, seat, action, chest, table)
            elif carries and robs(state, MEANING[action, TO], False):
                hand = with_chest
            count = _consider(beam, parent, action, hand, first, count, width)
    return count


@pasted
def _carry_out(beam: Beam, plan: int, seat: Seat, table: Table) -> None:
    """Make a plan of the action that was noted for it."""
    parent, length = beam.parents[plan], beam.lengths[beam.parents[plan]]
    action = beam.actions[plan, LONGEST - 1]
    state = beam.states[plan]
    beam.states[plan] = beam.states[parent]
    play(state, action)
    for palace in range(6):
        beam.palaces[plan, palace] = beam.palaces[parent, palace]
    for palace in (MEANING[action, PALACE], MEANING[action, TO]):
        beam.palaces[plan, palace] = palace_value(state, seat, palace, table)
    for number in range(length):
        beam.actions[plan, number] = beam.actions[parent, number]
    beam.actions[plan, length] = action
    beam.lengths[plan] = length + 1


@fast
def plan_turn(state: State, table: Table, width: int, patience: int, keep: int, beam: Beam) -> int:
    """Plan the rest of the turn: the best `keep` ways stand from `ENDS` on. Says how many.

    Reads only what the seat on turn may know. Stops when more actions than `patience` have
    brought nothing better.
    """
    seat = state.seat
    beam.states[0] = state
    beam.lengths[0] = 0
    _appraise(beam, 0, seat, table)
    ends = _end_here(beam, 0, seat, table, keep, 0)
    first, other, count, since_best, best = 0, WIDEST, 1, 0, beam.values[best_end(beam, ends)]
    for _ in range(LONGEST - 1):
        joined = 0
        for plan in range(first, first + count):
            if beam.states[plan].phase == TURN:
                joined = _consider_all(beam, plan, seat, table, other, joined, width)
        for plan in range(other, other + joined):
            _carry_out(beam, plan, seat, table)
            ends = _end_here(beam, plan, seat, table, keep, ends)
        since_best += 1
        now = beam.values[best_end(beam, ends)]
        if now > best:
            best, since_best = now, 0
        if joined == 0 or since_best > patience:
            break
        first, other, count = other, first, joined
    return ends


@fast
def best_end(beam: Beam, count: int) -> int:
    """The best of so many whole turns."""
    best = ENDS
    for end in range(ENDS, ENDS + count):
        if beam.values[end] > beam.values[best]:
            best = end
    return best


@fast
def plan_placement(state: State, table: Table, beam: Beam) -> Action:
    """Where to put the next guard: the best position right after it."""
    seat = state.seat
    best, best_value = -1, -np.inf
    legal_rows(state, beam.rows)
    action = take_first(beam.rows)
    while action >= 0:
        beam.states[CANDIDATE] = state
        play(beam.states[CANDIDATE], action)
        _appraise(beam, CANDIDATE, seat, table)
        if beam.values[CANDIDATE] > best_value:
            best, best_value = action, beam.values[CANDIDATE]
        action = take_first(beam.rows)
    return best


@pasted
def play_turn(state: State, table: Table, width: int, patience: int, beam: Beam) -> None:
    """Plan and carry out a placement or the rest of a turn, up to the draw."""
    if state.phase == PLACING:
        play(state, plan_placement(state, table, beam))
    else:
        plan_turn(state, table, width, patience, 1, beam)
        for number in range(beam.lengths[ENDS]):
            play(state, beam.actions[ENDS, number])


@fast
def play_game(
    state: State,
    tables: npt.NDArray[Any],
    widths: npt.NDArray[Any],
    patience: int,
    rng: Rng,
    beam: Beam,
    max_turns: int,
) -> None:
    """Play a game to its end, or to the limit of turns: a table of values for each seat."""
    while state.phase != OVER and state.turn < max_turns:
        if state.phase == DEALING or state.phase == DRAWING:
            deal(state, rng)
        else:
            play_turn(state, tables[state.seat], widths[state.seat], patience, beam)
