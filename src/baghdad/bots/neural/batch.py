"""Many games at once under the network's policy: observe and sample; all compiled."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from baghdad.rules.engine.actions import ACTION_COUNT
from baghdad.rules.engine.legality import Rows, empty_rows, legal_mask, legal_rows
from baghdad.rules.engine.observation import OBSERVATION_SIZE, observe
from baghdad.rules.engine.state import States

from .compiled import compiled
from .sight import sample_action

Array: TypeAlias = npt.NDArray[Any]


def observe_batch(states: States) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.bool_]]:
    """What the seat to move in each of `states` [n] observes, and which actions are legal for it:
    [n, OBSERVATION_SIZE], [n, ACTION_COUNT]."""
    observations = np.empty((len(states), OBSERVATION_SIZE), np.int8)
    masks = np.empty((len(states), ACTION_COUNT), np.bool_)
    _observe_all(states, empty_rows(), observations, masks)
    return observations, masks


@compiled
def _observe_all(states: States, rows: Rows, observations: Array, masks: Array) -> None:
    for game in range(len(states)):
        observe(states[game], states[game].seat, observations[game])
        legal_rows(states[game], rows)
        legal_mask(rows, masks[game])


@compiled
def sample_actions(
    logits: Array, masks: Array, temperatures: Array, rngs: Array, actions: Array
) -> None:
    """Fill `actions` [n] with samples of the policy, or with the largest logits: `sample_action`.

    Each of `logits` [n, ACTION_COUNT] has a mask, a temperature and a generator of its own.
    """
    for game in range(len(logits)):
        temperature = temperatures[game]
        actions[game] = sample_action(logits[game], masks[game], temperature, rngs[game])
