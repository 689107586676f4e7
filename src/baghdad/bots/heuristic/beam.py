"""Planning a whole turn: beam search over one's own actions, with no chance in it.

Enumerating whole turns is hopeless, and looking one action ahead hoards cards for ever. So the
best few positions are kept after each action (beam search: Lowerre 1976), and the turn ends where
its value was best. Nothing here is random.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from baghdad.rules.engine.actions import (
    CARRY_ROW,
    END_TURN,
    MEANING,
    NAME_ROW,
    NEUTRAL_ROW,
    PALACE,
    PASS_CARDS,
    PASS_WITH_DANCER,
    PASSES_BY_NAME,
    ROWS,
    SMUGGLE_ROW,
    TO,
    Action,
)
from baghdad.rules.engine.dealer import Rng
from baghdad.rules.engine.legality import (
    Rows,
    first_action,
    legal_rows,
    take_first,
)
from baghdad.rules.engine.material import (
    CARDS_AFTER_ACTIONS,
    DANCER,
    OVER,
    PLACING,
    TURN,
    Seat,
)
from baghdad.rules.engine.state import STATE, State, States
from baghdad.rules.engine.steps import cards_there, play
from baghdad.rules.engine.views import ViewFields
from baghdad.rules.engine.visibility import determinize

from .compiled import compiled, inline
from .effects import (
    EFFECTS_OF,
    NUM_EFFECTS,
    EffectValues,
    hand_after,
    robs,
    value_effects,
)
from .evaluation import (
    DANCERS_AT,
    WON,
    ValueTable,
    card_worth,
    hand_value,
    named_worth,
    palace_value,
)
from .pruning import drop_wasteful_payments

MAX_ACTIONS = 16
"""Actions in a planned turn, its end included: hands that could pay for more are rare."""
MAX_WIDTH = 64
"""Plans that a beam can keep after each action."""
SCRATCH = 2 * MAX_WIDTH
TURNS_AT = SCRATCH + 1
"""Places in a `Beam`: two generations of plans come first, then room to try an action in, then the
best whole turns with their ends."""
ROOT = TURNS_AT + MAX_WIDTH
"""And last the position that a seat was asked in."""


class Beam(NamedTuple):
    """Memory for planning, allocated once."""

    states: States
    """[plan]: after the plan's actions."""
    palaces: npt.NDArray[Any]
    """[plan, palace]: what each palace is worth then."""
    values: npt.NDArray[Any]
    """[plan]"""
    actions: npt.NDArray[Any]
    """[plan, MAX_ACTIONS]; the last place holds an action that is noted, but not yet applied."""
    lengths: npt.NDArray[Any]
    """[plan]"""
    parents: npt.NDArray[Any]
    """[plan]: the plan that it goes on from."""
    effects: EffectValues
    rows: Rows
    """Legal actions of the plan that is expanded."""


def new_beam() -> Beam:
    """Memory for plans of up to `MAX_WIDTH` a generation."""
    plans = ROOT + 1
    return Beam(
        np.zeros(plans, STATE),
        np.zeros((plans, 6)),
        np.zeros(plans),
        np.zeros((plans, MAX_ACTIONS), np.int16),
        np.zeros(plans, np.int64),
        np.zeros(plans, np.int64),
        np.zeros((6, NUM_EFFECTS)),
        np.zeros(ROWS, np.int64),
    )


@compiled
def _copy(beam: Beam, source: int, target: int) -> None:
    beam.states[target] = beam.states[source]
    beam.values[target] = beam.values[source]
    beam.lengths[target] = beam.lengths[source]
    for palace in range(6):
        beam.palaces[target, palace] = beam.palaces[source, palace]
    for number in range(beam.lengths[source]):
        beam.actions[target, number] = beam.actions[source, number]


@compiled
def _evaluate(beam: Beam, plan: int, seat: Seat, table: ValueTable) -> None:
    """Value a plan's position from scratch."""
    value = hand_value(beam.states[plan], seat, table)
    for palace in range(6):
        beam.palaces[plan, palace] = palace_value(beam.states[plan], seat, palace, table)
        value += beam.palaces[plan, palace]
    beam.values[plan] = value


@compiled
def _slot_for(beam: Beam, value: float, first: int, count: int, width: int) -> int:
    """The place of a value among the best `width` of the `count` from `first` on; -1 for none."""
    worst = first
    for plan in range(first, first + count):
        if beam.values[plan] == value:
            return -1  # the same actions in another order
        if beam.values[plan] < beam.values[worst]:
            worst = plan
    if count < width:
        return first + count
    return worst if value > beam.values[worst] else -1


@compiled
def _keep_end(beam: Beam, plan: int, end: Action, value: float, keep: int, count: int) -> int:
    """Put a plan and its end among the best `keep` whole turns; returns how many there are."""
    place = _slot_for(beam, value, TURNS_AT, count, keep)
    if place < 0:
        return count
    _copy(beam, plan, place)
    beam.values[place] = value
    if beam.states[plan].phase == TURN:
        beam.actions[place, beam.lengths[plan]] = end
        beam.lengths[place] += 1
    return max(count, place - TURNS_AT + 1)


@compiled
def _end_here(beam: Beam, plan: int, seat: Seat, table: ValueTable, keep: int, count: int) -> int:
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
        dancers = DANCERS_AT + int(state.hands[seat, DANCER])
        value += table[dancers + 1] - table[dancers]
        count = _keep_end(beam, plan, PASS_WITH_DANCER, value, keep, count)
    elif state.spare and cards_there(state) > 0:
        for palace in range(6):
            named = value + named_worth(state, seat, palace, card, table)
            count = _keep_end(beam, plan, PASSES_BY_NAME[palace], named, keep, count)
    return count


@inline
def _note(
    beam: Beam, parent: int, action: Action, hand: float, first: int, count: int, width: int
) -> int:
    """Note an action after a plan, if it is among the best `width` from `first` on.

    Returns how many stand there. `hand` is what the hand is worth then; what
    the palaces are worth stands in `beam.effects`.
    """
    here, there = MEANING[action, PALACE], MEANING[action, TO]
    at_here, at_there = (
        beam.effects[here, EFFECTS_OF[action, 0]],
        beam.effects[there, EFFECTS_OF[action, 1]],
    )
    value = hand
    for palace in range(6):  # always in this order, so that the same position has the same value
        as_before = beam.palaces[parent, palace]
        value += at_here if palace == here else at_there if palace == there else as_before
    place = _slot_for(beam, value, first, count, width)
    if place < 0:
        return count
    beam.values[place] = value
    beam.parents[place] = parent
    beam.actions[place, MAX_ACTIONS - 1] = action
    return max(count, place - first + 1)


@inline
def _expand(
    beam: Beam, parent: int, seat: Seat, table: ValueTable, first: int, count: int, width: int
) -> int:
    """Consider every action after a plan; returns how many plans stand from `first` on."""
    state = beam.states[parent]
    legal_rows(state, beam.rows)
    drop_wasteful_payments(beam.rows)
    value_effects(state, seat, table, beam.effects)
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
            count = _note(beam, parent, action, hand, first, count, width)
    return count


@inline
def _apply(beam: Beam, plan: int, seat: Seat, table: ValueTable) -> None:
    """Apply the action that was noted for a plan to its parent's position."""
    parent, length = beam.parents[plan], beam.lengths[beam.parents[plan]]
    action = beam.actions[plan, MAX_ACTIONS - 1]
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


@compiled
def plan_turn(
    state: State, table: ValueTable, width: int, patience: int, keep: int, beam: Beam
) -> int:
    """Plan the rest of the turn; returns how many whole turns stand from `TURNS_AT` on.

    These are the best `keep`. Reads only what the seat whose turn it is may know. Stops when more
    actions than `patience` have brought nothing better.
    """
    seat = state.seat
    beam.states[0] = state
    beam.lengths[0] = 0
    _evaluate(beam, 0, seat, table)
    ends = _end_here(beam, 0, seat, table, keep, 0)
    first, other, count, since_best, best = 0, MAX_WIDTH, 1, 0, beam.values[best_end(beam, ends)]
    for _ in range(MAX_ACTIONS - 1):
        joined = 0
        for plan in range(first, first + count):
            if beam.states[plan].phase == TURN:
                joined = _expand(beam, plan, seat, table, other, joined, width)
        for plan in range(other, other + joined):
            _apply(beam, plan, seat, table)
            ends = _end_here(beam, plan, seat, table, keep, ends)
        since_best += 1
        now = beam.values[best_end(beam, ends)]
        if now > best:
            best, since_best = now, 0
        if joined == 0 or since_best > patience:
            break
        first, other, count = other, first, joined
    return ends


@compiled
def best_end(beam: Beam, count: int) -> int:
    """The best of this many whole turns."""
    best = TURNS_AT
    for end in range(TURNS_AT, TURNS_AT + count):
        if beam.values[end] > beam.values[best]:
            best = end
    return best


@compiled
def plan_placement(state: State, table: ValueTable, beam: Beam) -> Action:
    """Where to put the next guard: the best position right after it."""
    seat = state.seat
    best, best_value = -1, -np.inf
    legal_rows(state, beam.rows)
    action = take_first(beam.rows)
    while action >= 0:
        beam.states[SCRATCH] = state
        play(beam.states[SCRATCH], action)
        _evaluate(beam, SCRATCH, seat, table)
        if beam.values[SCRATCH] > best_value:
            best, best_value = action, beam.values[SCRATCH]
        action = take_first(beam.rows)
    return best


@inline
def play_turn(state: State, table: ValueTable, width: int, patience: int, beam: Beam) -> None:
    """Plan and carry out a placement or the rest of a turn, up to the draw."""
    if state.phase == PLACING:
        play(state, plan_placement(state, table, beam))
    else:
        plan_turn(state, table, width, patience, 1, beam)
        for number in range(beam.lengths[TURNS_AT]):
            play(state, beam.actions[TURNS_AT, number])


@compiled
def choose_turn(
    view: ViewFields, table: ValueTable, width: int, patience: int, rng: Rng, beam: Beam
) -> int:
    """Decide for a seat: a placement, or the rest of the turn. Returns the number of actions.

    They are in `beam.actions[TURNS_AT]`, and the position, dealt with `rng`, in
    `beam.states[ROOT]`: the others' cards are in it only because a state has a place for them.
    """
    determinize(view, rng, beam.states[ROOT])
    state = beam.states[ROOT]
    if state.phase == PLACING:
        beam.actions[TURNS_AT, 0] = plan_placement(state, table, beam)
        beam.lengths[TURNS_AT] = 1
    else:
        plan_turn(state, table, width, patience, 1, beam)
    return beam.lengths[TURNS_AT]


@compiled
def stop_after(most: int, count: int, beam: Beam) -> int:
    """End the turn of `choose_turn` after so many actions; returns the number of actions left."""
    if count <= most:
        return count
    beam.actions[TURNS_AT, most] = END_TURN
    return most + 1
