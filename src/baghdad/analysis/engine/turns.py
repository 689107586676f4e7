"""Whole turns played in a position that a seat knows: what they rob, and how far they go.

A turn is an array of actions; what comes after a number under 0 is no part of it. What is hidden
from the seat changes nothing here: a deal is needed only because a state has a place for it.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from baghdad.rules.engine.actions import END_TURN, MEANING, PASS_CARDS, ROWS, TO
from baghdad.rules.engine.dealer import Rng
from baghdad.rules.engine.legality import Rows, is_legal, legal_rows
from baghdad.rules.engine.material import HEAVIEST_CHEST, PLACING, TURN, Seat
from baghdad.rules.engine.state import STATE, State, States
from baghdad.rules.engine.steps import play
from baghdad.rules.engine.views import ViewFields
from baghdad.rules.engine.visibility import determinize

from .compiled import compiled, noinline

Array = npt.NDArray[Any]

NO_ROBBERY = -1
ROBBED_AT = 8
"""A robbery is a number: so often the palace, and the number on the chest."""


class Scratch(NamedTuple):
    """Memory to play a turn in."""

    states: States
    """[1]"""
    rng: Rng
    rows: Rows


def new_scratch() -> Scratch:
    return Scratch(np.zeros(1, STATE), np.zeros(4, np.int64), np.zeros(ROWS, np.int64))


@compiled
def a_deal(view: ViewFields, scratch: Scratch) -> None:
    """Make the state one that the view can't tell from the true one: always the same."""
    for part in range(4):
        scratch.rng[part] = part + 1
    determinize(view, scratch.rng, scratch.states[0])


@compiled
def has_turn(state: State, seat: Seat) -> bool:
    """Whether the seat decides."""
    return (state.phase == TURN or state.phase == PLACING) and state.seat == seat


@noinline
def robberies(view: ViewFields, turn: Array, robs: Array, scratch: Scratch) -> int:
    """Write what each action of a turn carries off: `ROBBED_AT` times the palace and the number on
    its chest, or `NO_ROBBERY`; returns how many chests it takes."""
    state, count = scratch.states[0], 0
    a_deal(view, scratch)
    for number in range(len(turn)):
        robs[number] = NO_ROBBERY
        if turn[number] < 0:
            continue
        palace = MEANING[turn[number], TO]
        before = state.chests[palace]
        play(state, turn[number])
        if state.chests[palace] < before:
            robs[number] = ROBBED_AT * palace + HEAVIEST_CHEST - state.chests[palace]
            count += 1
    return count


@noinline
def fitted(view: ViewFields, turn: Array, out: Array, scratch: Scratch) -> int:
    """Write a turn as far as it can be played in a position, with an end; returns its length.

    What has no room in `out` is counted, and not written.
    """
    state, length, seat = scratch.states[0], 0, view.viewer
    a_deal(view, scratch)
    for number in range(len(out)):
        out[number] = -1
    for number in range(len(turn)):
        if turn[number] >= 0 and has_turn(state, seat):
            legal_rows(state, scratch.rows)
            if is_legal(scratch.rows, turn[number]):
                length = _append(turn[number], length, out)
                play(state, turn[number])
    if has_turn(state, seat):
        length = _append(END_TURN if state.acted else PASS_CARDS, length, out)
    return length


@compiled
def _append(action: int, length: int, out: Array) -> int:
    if length < len(out):
        out[length] = action
    return length + 1
