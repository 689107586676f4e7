"""Many games of the network side by side, each with a chance of its own: for the laboratory.

The CPU's part; `learn.crowd` is the same in PyTorch, on a GPU.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from baghdad.bots.compiled import fast
from baghdad.bots.heuristic.match import GAME
from baghdad.rules.engine.actions import ACTION_COUNT
from baghdad.rules.engine.dealer import deal
from baghdad.rules.engine.legality import empty_rows
from baghdad.rules.engine.material import DEALING, DRAWING, OVER
from baghdad.rules.engine.observation import OBSERVATION_SIZE
from baghdad.rules.engine.state import States
from baghdad.rules.engine.steps import play

from .layers import Floats
from .minds import Numbers, choose_all, look_all

Games: TypeAlias = npt.NDArray[Any]
"""[games], dtype `GAME`: how each game went."""
Liking: TypeAlias = Callable[[npt.NDArray[np.int8]], tuple[Floats, Floats]]
"""As `network.Network`: observations to the logits of all actions, and to outcomes."""


@dataclass(frozen=True, slots=True)
class Crowd:
    """Games to be played: each has one of the conditions, and the chance of one of the deals."""

    starts: States
    """[conditions]: the table before anything is placed or dealt."""
    temperatures: Numbers
    """[conditions, 4]: by seat; 0 plays what the network likes best."""
    fates: Numbers
    """[conditions]: which fate's cards are drawn; the first hands are always those of fate 0."""
    luck: Numbers
    """[fates, deals, 4]: generators for the cards."""
    dice: Numbers
    """[fates, deals, 4]: generators for those who play at a temperature."""
    condition: Numbers
    """[games]"""
    deal: Numbers
    """[games]"""

    def part(self, games: slice) -> "Crowd":
        """Some of the games."""
        return replace(self, condition=self.condition[games], deal=self.deal[games])


def play_crowd(crowd: Crowd, network: Liking, max_turns: int) -> Games:
    """Play all games, a decision of each at a time; at the limit of turns nobody has won."""
    condition, fate = crowd.condition, crowd.fates[crowd.condition]
    states, temperatures = crowd.starts[condition], crowd.temperatures[condition]
    dealers, drawers = crowd.luck[0, crowd.deal], crowd.luck[fate, crowd.deal]
    if not fate.any():
        drawers = dealers
    dice = crowd.dice[fate, crowd.deal]
    games = np.zeros(len(states), GAME)
    games["first"] = -1
    behind = np.zeros((len(states), 4), np.int64)
    open_ = np.arange(len(states))
    actions = np.full(len(states), -1)
    rows = empty_rows()
    while True:
        _go_on(states, actions, dealers, drawers, fate, open_, games, behind)
        going = (states["phase"][open_] != OVER) & (states["turn"][open_] < max_turns)
        open_ = open_[going]
        if len(open_) == 0:
            break
        now = states[open_]
        observations = np.empty((len(now), OBSERVATION_SIZE), np.int8)
        masks = np.empty((len(now), ACTION_COUNT), np.bool_)
        look_all(now, rows, observations, masks)
        liked, _ = network(observations)
        warmth, lots = temperatures[open_, now["seat"]], dice[open_]
        actions = np.empty(len(now), np.int64)
        choose_all(liked, masks, warmth, lots, actions)
        dice[open_] = lots
    won = states["winner"] >= 0
    games["winner"], games["loot"] = states["winner"], states["loot"]
    games["turns"] = states["turn"] + won
    winners = np.where(won, states["winner"], 0)
    games["behind"] = np.where(won, behind[np.arange(len(states)), winners], 0)
    return games


@fast
def _go_on(
    states: States,
    actions: Numbers,
    dealers: Numbers,
    drawers: Numbers,
    fate: Numbers,
    open_: Numbers,
    games: Games,
    behind: Numbers,
) -> None:
    """Play an action in each open game, none where it is -1, let cards come, and take notes."""
    for place in range(len(open_)):
        number = open_[place]
        state = states[number]
        if actions[place] >= 0:
            play(state, actions[place])
        while state.phase == DEALING or state.phase == DRAWING:
            if fate[number] > 0 and state.phase == DRAWING:
                deal(state, drawers[number])
            else:
                deal(state, dealers[number])
        most, leader = 0, -1
        for seat in range(4):
            if state.loot[seat] > most:
                most, leader = state.loot[seat], seat
        if games[number].first < 0:
            games[number].first = leader
        for seat in range(4):
            behind[number, seat] = max(behind[number, seat], most - state.loot[seat])
