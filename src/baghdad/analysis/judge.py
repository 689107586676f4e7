"""The analyst with its network: a turn of a seat is judged by what that seat sees."""

from collections.abc import Sequence
from threading import Event
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from baghdad.bots.expert import machine as expert
from baghdad.bots.expert.machine import DONE, GO_ON, MAX_ACTIONS, ExpertSettings, begin_deals
from baghdad.bots.heuristic.beam import MAX_WIDTH
from baghdad.bots.heuristic.evaluation import EvalParams, make_value_table
from baghdad.bots.neural.network import Network
from baghdad.bots.neural.weights_file import load_network
from baghdad.bots.search import machine as search
from baghdad.bots.search.machine import ROLLOUT_PATIENCE, RolloutPolicy, SearchSettings
from baghdad.bots.search.seq_halving import FOREVER, UNLIMITED
from baghdad.rules.engine.actions import Action
from baghdad.rules.engine.dealer import Rng
from baghdad.rules.views import View

from .machine import (
    ASKED,
    DEAL,
    MOST_PLANNED,
    PLAN,
    RIVAL,
    WORST,
    advance,
    begin,
    begin_pair,
    new_judge_memory,
)
from .marks import POINT, SIDE

DEFAULT_BUDGET = 8000
"""Simulations for a turn, at most: some seconds on one core. Most are settled far earlier."""
SAMPLES, MAX_TEMPERATURE = 192, 3.0
"""How often the policy is asked for a turn, and the highest of the temperatures."""
RACE_SHARE = 4
"""One in so many simulations goes to the race, the others to the two turns that are compared."""


class Estimate(NamedTuple):
    """A mean over deals, with the bounds in which it lies 19 times in 20."""

    mean: float
    low: float
    high: float


class Judgement(NamedTuple):
    """A turn beside another."""

    asked: tuple[Action, ...]
    """The turn that was asked about; where none was, the best one that was found."""
    rival: tuple[Action, ...]
    """The best of all others, or the same where there is no other."""
    gain: Estimate
    """Points that the rival wins more, less than 0 where it wins less."""
    asked_chance: Estimate
    """The chance to win after each of them."""
    rival_chance: Estimate
    spread: float
    """Points between the best and the least of the turns that were tried."""
    candidates: int
    """Turns with different ends."""
    deals: int
    """In which the two have met."""
    simulations: int
    """In all."""


class StoppedError(Exception):
    """Nobody wants to know any more."""


class Judge:
    """Judges turns, one after another. The same view, turn, generator and budget give the same
    judgement; the network's sums may differ in the last place between kinds of machines."""

    def __init__(
        self,
        network: Network | None = None,
        budget: int = DEFAULT_BUDGET,
        stop: Event | None = None,
    ) -> None:
        self.network = network or load_network()
        self._stop = stop or Event()
        policy = RolloutPolicy(make_value_table(EvalParams()), 2, ROLLOUT_PATIENCE, 1)
        self._expert = ExpertSettings(SAMPLES, MAX_TEMPERATURE, SAMPLES, 0.0)
        self._search = SearchSettings(policy, MOST_PLANNED, MAX_WIDTH, 1)
        self._race = budget // RACE_SHARE
        self._deals = max((budget - self._race) // 2, 2)
        self._memory = new_judge_memory(SAMPLES)

    def judge(self, view: View, played: Sequence[Action], rng: Rng) -> Judgement:
        """Judge the whole turn `played`, its end included, or none to find the best one.

        The viewer has to be the one who decides, before the first action of the turn. Raises
        `StoppedError` soon after `stop` is set.
        """
        memory = self._memory
        expert.begin(view.fields, FOREVER, 0, rng, memory.expert)
        self._go_on(view, begin(_row(played), memory), self._deals, rng)
        return self._judgement()

    def compare(
        self, view: View, one: Sequence[Action], other: Sequence[Action], deals: int, rng: Rng
    ) -> Judgement:
        """Compare two whole turns alone, in so many deals: the other is the rival."""
        memory = self._memory
        expert.begin(view.fields, FOREVER, 0, rng, memory.expert)
        step = begin_pair(_row(one), _row(other), deals, rng, memory)
        self._go_on(view, step, deals, rng)
        return self._judgement()

    def _go_on(self, view: View, step: int, deals: int, rng: Rng) -> None:
        """Do what is to be done until nothing is."""
        memory = self._memory
        while step != DONE:
            if step == PLAN:
                self._plan(view, rng)
            else:
                self._think(
                    view, rng, begin_deals(view.fields, memory.expert) if step == DEAL else GO_ON
                )
            step = advance(self._race, deals, rng, memory)

    def tried(self) -> list[tuple[Action, ...]]:
        """All turns that were tried last, whole and with different ends."""
        return [self._turn(candidate) for candidate in range(int(self._memory.stand[0].count))]

    def _plan(self, view: View, rng: Rng) -> None:
        """Let the search propose turns."""
        search.begin(view.fields, self._search, FOREVER, UNLIMITED, rng, self._memory.search)
        while search.next_batch(self._search, 0.0, rng, self._memory.search) == 0:
            pass

    def _think(self, view: View, rng: Rng, rows: int) -> None:
        """Let the expert go on until it is done; so many rows are to be looked at first."""
        memory = self._memory.expert
        while rows != DONE:
            if rows > 0:
                self.network.look(memory.sight, rows)
            if self._stop.is_set():
                raise StoppedError
            rows = expert.advance(view.fields, self._expert, 0.0, rng, memory)

    def _judgement(self) -> Judgement:
        memory = self._memory
        stand = memory.stand[0]
        deals = int(stand.deals)
        if deals == 0:  # there is one turn alone
            nothing, turn = Estimate(0.0, 0.0, 0.0), self._turn(0)
            return Judgement(turn, turn, nothing, nothing, nothing, 0.0, 1, 0, 0)
        gain = _estimate(memory.gains[RIVAL], deals, 1 / POINT)
        first = int(stand.spread_deals)
        asked_chance, rival_chance = (
            _estimate(memory.chances[place], deals) for place in (ASKED, RIVAL)
        )
        spread = abs(gain.mean)
        if first:
            least = float(memory.gains[WORST, 0]) / first / POINT
            spread = max(0.0, gain.mean, least) - min(0.0, gain.mean, least)
        asked, rival = (self._turn(int(memory.finalists[place])) for place in (ASKED, RIVAL))
        return Judgement(
            asked=asked,
            rival=rival,
            gain=gain,
            asked_chance=asked_chance,
            rival_chance=rival_chance,
            spread=spread,
            candidates=int(stand.count),
            deals=deals,
            simulations=int(stand.simulations),
        )

    def _turn(self, candidate: int) -> tuple[Action, ...]:
        return tuple(int(action) for action in self._memory.turns[candidate] if action >= 0)


def _row(turn: Sequence[Action]) -> npt.NDArray[np.int16]:
    """[MAX_ACTIONS]: -1 after the last action."""
    row = np.full(MAX_ACTIONS, -1, np.int16)
    row[: len(turn)] = turn
    return row


def _estimate(sums: npt.NDArray[Any], deals: int, scale: float = 1.0) -> Estimate:
    """The mean by its sum and that of the squares."""
    total, squares = (float(each) for each in sums)
    mean = total / deals
    variance = max(squares - total * mean, 0.0) / max(deals - 1, 1)
    side = SIDE * (variance / deals) ** 0.5
    return Estimate(mean * scale, (mean - side) * scale, (mean + side) * scale)
