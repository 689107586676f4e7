"""Many games of the network side by side, each with a chance of its own: for the laboratory.

The CPU's part; `learn.batch_games` is the same in PyTorch, on a GPU.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from baghdad.bots.heuristic.match import GAME_RESULT
from baghdad.rules.engine.dealer import deal_all
from baghdad.rules.engine.material import DRAWING, OVER
from baghdad.rules.engine.state import States
from baghdad.rules.engine.steps import play

from .batch import Array, observe_batch, sample_actions
from .compiled import compiled
from .layers import Floats

Games: TypeAlias = npt.NDArray[Any]
"""[games], dtype `GAME_RESULT`: how each game went."""
EvaluateFn: TypeAlias = Callable[[npt.NDArray[np.int8]], tuple[Floats, Floats]]
"""As `network.Network`: observations to the logits of all actions, and to outcomes."""


@dataclass(frozen=True, slots=True)
class GameBatch:
    """Games to be played: each has one of the conditions, and the chance of one of the deals."""

    starts: States
    """[conditions]: the table before anything is placed or dealt."""
    temperatures: Array
    """[conditions, 4]: by seat; 0 plays the action with the largest logit."""
    redraws: Array
    """[conditions]: which of several draws the cards come from; first hands are always from 0."""
    card_rngs: Array
    """[redraws, deals, 4]: generators for the cards."""
    policy_rngs: Array
    """[redraws, deals, 4]: generators for players with a temperature."""
    condition: Array
    """[games]"""
    deal: Array
    """[games]"""

    def part(self, games: slice) -> "GameBatch":
        """Some of the games."""
        return replace(self, condition=self.condition[games], deal=self.deal[games])


def play_batch(batch: GameBatch, network: EvaluateFn, max_turns: int) -> Games:
    """Play all games, a decision of each at a time; at the limit of turns nobody has won."""
    condition, redraw = batch.condition, batch.redraws[batch.condition]
    states, temperatures = batch.starts[condition], batch.temperatures[condition]
    dealers, drawers = batch.card_rngs[0, batch.deal], batch.card_rngs[redraw, batch.deal]
    policy_rngs = batch.policy_rngs[redraw, batch.deal]
    results = np.zeros(len(states), GAME_RESULT)
    results["first"] = -1
    behind = np.zeros((len(states), 4), np.int64)
    active = np.arange(len(states))
    actions = np.full(len(states), -1)
    while True:
        _step(states, active, actions, dealers, drawers, redraw)
        _take_notes(states, active, results, behind)
        going = (states["phase"][active] != OVER) & (states["turn"][active] < max_turns)
        active = active[going]
        if len(active) == 0:
            break
        now = states[active]
        observations, masks = observe_batch(now)
        logits, _ = network(observations)
        rngs = policy_rngs[active]
        actions = np.empty(len(now), np.int64)
        sample_actions(logits, masks, temperatures[active, now["seat"]], rngs, actions)
        policy_rngs[active] = rngs
    won = states["winner"] >= 0
    results["winner"], results["loot"] = states["winner"], states["loot"]
    results["turns"] = states["turn"] + won
    winners = np.where(won, states["winner"], 0)
    results["behind"] = np.where(won, behind[np.arange(len(states)), winners], 0)
    return results


@compiled
def _step(
    states: States, active: Array, actions: Array, dealers: Array, drawers: Array, redraw: Array
) -> None:
    """Play an action in each active game, none where it is -1, and the chance steps after it."""
    for place in range(len(active)):
        number = active[place]
        state = states[number]
        if actions[place] >= 0:
            play(state, actions[place])
        if redraw[number] > 0 and state.phase == DRAWING:
            deal_all(state, drawers[number])
        else:
            deal_all(state, dealers[number])


@compiled
def _take_notes(states: States, active: Array, results: Games, behind: Array) -> None:
    """Note of each active game who took the first chest, and how far each seat lies behind."""
    for number in active:
        loot, most, leader = states[number].loot, 0, -1
        for seat in range(4):
            if loot[seat] > most:
                most, leader = loot[seat], seat
        if results[number].first < 0:
            results[number].first = leader
        for seat in range(4):
            behind[number, seat] = max(behind[number, seat], most - loot[seat])
