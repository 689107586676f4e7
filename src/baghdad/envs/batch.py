"""Positions of one's choice, played on side by side: what a search needs.

The CPU's part; `batch_gpu` is the same on a GPU. States are rows of words, [lanes, STATE_WORDS],
so that whoever searches may copy and compare them as plain numbers.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from baghdad.bots.neural.batch import observe_batch
from baghdad.rules.engine.dealer import deal_all
from baghdad.rules.engine.state import STATE, States
from baghdad.rules.engine.steps import play
from baghdad.rules.engine.views import VIEW, ViewFields
from baghdad.rules.engine.visibility import determinize, fill_view

from .compiled import fast

Numbers = npt.NDArray[Any]

STATE_WORDS = STATE.itemsize // 4
assert STATE.fields is not None
PHASE, SEAT, WINNER = (STATE.fields[name][1] for name in ("phase", "seat", "winner"))
"""Where these bytes of a state are."""


@fast
def _apply_actions(states: States, actions: Numbers, dealt: bool, rngs: Numbers) -> None:
    for lane in range(len(states)):
        if actions[lane] >= 0:
            play(states[lane], actions[lane])
        if dealt:
            deal_all(states[lane], rngs[lane])


@fast
def _determinize_states(states: States, seats: Numbers, rngs: Numbers, view: ViewFields) -> None:
    for lane in range(len(states)):
        fill_view(states[lane], seats[lane], view)
        determinize(view, rngs[lane], states[lane])


def _states(words: Numbers) -> States:
    return words.view(STATE)[:, 0]


def apply_actions(words: Numbers, actions: Numbers, rngs: Numbers | None) -> None:
    """Play an action in each lane, none where it is -1; with generators, let cards come."""
    luck = np.zeros((1, 4), np.int64) if rngs is None else rngs
    _apply_actions(_states(words), actions, rngs is not None, luck)


def determinize_states(words: Numbers, seats: Numbers, rngs: Numbers) -> None:
    """Make each a position that the seat can't tell from the true one."""
    _determinize_states(_states(words), seats, rngs, np.zeros(1, VIEW)[0])


def observe_states(words: Numbers) -> tuple[Numbers, Numbers]:
    """What who is to move sees and may do: [lanes, OBSERVATION_SIZE], [lanes, ACTION_COUNT]."""
    return observe_batch(_states(words))
