"""Many games at once under the network's policy: observe, sample, play on; all compiled."""

import math
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from baghdad.rules.engine.actions import ACTION_COUNT
from baghdad.rules.engine.dealer import (
    Rng,
    deal_all,
    next_number,
    spawn,
)
from baghdad.rules.engine.legality import Rows, empty_rows, legal_mask, legal_rows
from baghdad.rules.engine.material import OVER, Seat
from baghdad.rules.engine.observation import OBSERVATION_SIZE, observe
from baghdad.rules.engine.state import States
from baghdad.rules.engine.steps import play
from baghdad.rules.engine.views import ViewFields
from baghdad.rules.engine.visibility import determinize

from .compiled import compiled

Array: TypeAlias = npt.NDArray[Any]

RANDOM_RANGE = 1 << 32
"""`next_number` is below this."""


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
    """Fill `actions` [n]: the largest logit at temperature 0, else a sample of the policy.

    Of `logits` [n, ACTION_COUNT] those count that `masks` has; `temperatures` [n] divide them.
    Takes one number of each generator of `rngs` [n, 4] whose temperature is above 0.
    """
    for game in range(len(logits)):
        best = -1
        for action in range(logits.shape[1]):
            if masks[game, action] and (best < 0 or logits[game, action] > logits[game, best]):
                best = action
        actions[game] = best
        temperature = temperatures[game]
        if temperature <= 0:
            continue
        total, largest = 0.0, logits[game, best]
        for action in range(logits.shape[1]):
            if masks[game, action]:
                total += math.exp((logits[game, action] - largest) / temperature)
        left = next_number(rngs[game]) / RANDOM_RANGE * total
        for action in range(logits.shape[1]):
            if masks[game, action]:
                left -= math.exp((logits[game, action] - largest) / temperature)
                if left < 0:
                    actions[game] = action
                    break


@compiled
def play_all(states: States, actions: Array) -> None:
    """Play an action in each game; chance steps that follow are left pending."""
    for game in range(len(states)):
        play(states[game], actions[game])


@compiled
def deal_all_games(states: States, seat: Seat, rngs: Array, others_turn: Array) -> None:
    """Carry out pending chance steps, each game with a generator of its own.

    Fills `others_turn` [n]: whether another seat than this one is to move.
    """
    for game in range(len(states)):
        deal_all(states[game], rngs[game])
        others_turn[game] = states[game].phase != OVER and states[game].seat != seat


@compiled
def play_candidates(
    view: ViewFields,
    turns: Array,
    candidates: Array,
    deal_rngs: Array,
    states: States,
    rngs: Array,
) -> None:
    """Play every candidate turn in a determinization of each of `deal_rngs` [deals, 4].

    Fills `states` [deals * candidates] and a generator for each in `rngs`, deal by deal. All turns
    of a deal go on with the same generator, so that chance decides little between them.
    """
    for number in range(len(deal_rngs)):
        first = number * len(candidates)
        determinize(view, deal_rngs[number], states[first])
        for place in range(1, len(candidates)):
            states[first + place] = states[first]
        for place in range(len(candidates)):
            for part in range(4):
                rngs[first + place, part] = deal_rngs[number, part]
            for action in turns[candidates[place]]:
                if action >= 0:
                    play(states[first + place], action)


def spawn_rngs(rng: Rng, count: int) -> npt.NDArray[np.int64]:
    """[count, 4]: new generators, seeded by `rng`."""
    rngs = np.zeros((count, 4), np.int64)
    spawn(rng, rngs)
    return rngs
