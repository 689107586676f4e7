"""Batches of positions, changed and observed side by side: what a search needs.

The CPU's part; `batch_gpu` is the same on a GPU. States are rows of plain numbers, [lanes,
STATE_WORDS] int32, so that a search may copy and compare them; a lane is one position.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from baghdad.rules.engine.actions import ACTION_COUNT
from baghdad.rules.engine.dealer import deal_all
from baghdad.rules.engine.legality import Rows, empty_rows
from baghdad.rules.engine.observation import OBSERVATION_SIZE
from baghdad.rules.engine.state import STATE, States
from baghdad.rules.engine.steps import play
from baghdad.rules.engine.views import VIEW, ViewFields
from baghdad.rules.engine.visibility import determinize, fill_view

from .compiled import compiled
from .stepping import observe_and_mask

Numbers = npt.NDArray[Any]

STATE_WORDS = STATE.itemsize // 4


@compiled
def _apply_actions(states: States, actions: Numbers, dealt: bool, rngs: Numbers) -> None:
    for lane in range(len(states)):
        if actions[lane] >= 0:
            play(states[lane], actions[lane])
        if dealt:
            deal_all(states[lane], rngs[lane])


@compiled
def _determinize_states(states: States, seats: Numbers, rngs: Numbers, view: ViewFields) -> None:
    for lane in range(len(states)):
        fill_view(states[lane], seats[lane], view)
        determinize(view, rngs[lane], states[lane])


@compiled
def _observe_states(states: States, rows: Rows, observations: Numbers, masks: Numbers) -> None:
    for lane in range(len(states)):
        seat = states[lane].seat
        observe_and_mask(states, lane, seat, rows, observations[lane], masks[lane])


def _states(words: Numbers) -> States:
    return words.view(STATE)[:, 0]


def apply_actions(words: Numbers, actions: Numbers, rngs: Numbers | None) -> None:
    """Play an action in each lane, in place; none where it is -1.

    With generators [lanes, 4] cards are drawn after it, until a seat is to move: they advance.
    Without, draws stay pending.
    """
    generators = np.zeros((1, 4), np.int64) if rngs is None else rngs
    _apply_actions(_states(words), actions, rngs is not None, generators)


def determinize_states(words: Numbers, seats: Numbers, rngs: Numbers) -> None:
    """Sample all that each lane's seat [lanes] can't see, in place; the generators advance."""
    _determinize_states(_states(words), seats, rngs, np.zeros(1, VIEW)[0])


def observe_states(words: Numbers) -> tuple[Numbers, Numbers]:
    """What the seat to move sees and may do: [lanes, OBSERVATION_SIZE], [lanes, ACTION_COUNT]."""
    observations = np.empty((len(words), OBSERVATION_SIZE), np.int8)
    masks = np.empty((len(words), ACTION_COUNT), np.bool_)
    _observe_states(_states(words), empty_rows(), observations, masks)
    return observations, masks
