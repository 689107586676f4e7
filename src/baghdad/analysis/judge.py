"""The analyst with its network: a turn of a seat is judged by what that seat sees."""

from collections.abc import Sequence
from threading import Event
from typing import Any, NamedTuple

import numpy as np

from baghdad.bots.expert.machine import DONE, new_expert_memory
from baghdad.bots.heuristic.evaluation import EvalParams, make_value_table
from baghdad.bots.neural.network import Network
from baghdad.bots.neural.weights_file import load_network
from baghdad.bots.search.machine import new_search_memory
from baghdad.rules.engine.actions import Action
from baghdad.rules.engine.dealer import Rng
from baghdad.rules.views import View

from .engine import analyst
from .engine.analyst import JUDGEMENT, MOST_REASONS, new_analyst_memory
from .engine.facts import REASON
from .engine.machine import SAMPLES
from .engine.nudges import NUDGES
from .marks import MARKS, Mark
from .turns import array_of, turn_of

DEFAULT_BUDGET = 8000
"""Simulations for a turn, at most: some seconds on one core. Most are settled far earlier."""


class Estimate(NamedTuple):
    """A mean over deals, with the bounds in which it lies 19 times in 20."""

    mean: float
    low: float
    high: float


class Best(NamedTuple):
    """The better one of the two turns of a judgement."""

    turn: tuple[Action, ...]
    other: tuple[Action, ...]
    chance: Estimate
    """To win after it."""
    ahead: Estimate
    """Points that it wins more than the other."""


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
    mark: Mark
    """Of the asked turn."""
    better: bool
    """Whether the rival is better, as far as is known."""
    real: bool
    """Whether there was a choice: the spread is of more than two points."""

    @property
    def best(self) -> Best:
        """The best turn that was found: where none was asked about, the one that won the race,
        unless fresh deals have turned it round."""
        if self.better:
            return Best(self.rival, self.asked, self.rival_chance, self.gain)
        mean, low, high = self.gain
        return Best(self.asked, self.rival, self.asked_chance, Estimate(-mean, -high, -low))


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
        self.budget = budget
        self._stop = stop or Event()
        self._memory = new_analyst_memory(
            make_value_table(EvalParams()), new_expert_memory(SAMPLES), new_search_memory()
        )

    def judge(self, view: View, played: Sequence[Action], rng: Rng) -> Judgement:
        """Judge the whole turn `played`, its end included, or none to find the best one.

        The viewer has to be the one who decides, before the first action of the turn. Raises
        `StoppedError` soon after `stop` is set.
        """
        turn = array_of(played)
        analyst.begin_judgement(view.fields, turn, SAMPLES, self.budget, rng, self._memory)
        self._think()
        return self._judgement()

    def compare(
        self, view: View, one: Sequence[Action], other: Sequence[Action], deals: int, rng: Rng
    ) -> Judgement:
        """Compare two whole turns alone, in so many deals: the other is the rival."""
        turns = array_of(one), array_of(other)
        analyst.begin_comparison(view.fields, *turns, deals, rng, self._memory)
        self._think()
        return self._judgement()

    def explain(self, view: View, best: Sequence[Action], other: Sequence[Action], rng: Rng) -> Any:
        """[n], dtype `REASON`: the facts on which most of the lead of a turn hangs."""
        turns, told = (array_of(best), array_of(other)), np.zeros(MOST_REASONS, REASON)
        analyst.begin_explanation(view.fields, *turns, rng, self._memory)
        self._think()
        return told[: analyst.tell_reasons(told, self._memory)]

    def weigh(
        self,
        view: View,
        best: Sequence[Action],
        other: Sequence[Action],
        fact: Any,
        deals: int,
        rng: Rng,
    ) -> Any:
        """A fact, dtype `REASON`, with what it is worth."""
        turns = array_of(best), array_of(other)
        self._memory.reasons[0] = fact
        analyst.begin_weighing(view.fields, *turns, 1, deals, rng, self._memory)
        self._think()
        return self._memory.reasons[0].copy()

    def nudge(self, best: Sequence[Action]) -> str:
        """What draws attention to the best of the turns that were tried last: one of `NUDGES`."""
        return NUDGES[analyst.nudge(array_of(best), self._memory)]

    def tried(self) -> list[tuple[Action, ...]]:
        """All turns that were tried last, whole and with different ends."""
        judge = self._memory.judge
        return [turn_of(judge.turns[place]) for place in range(int(judge.stand[0].count))]

    def _think(self) -> None:
        """Go on until it is done."""
        sight = self._memory.judge.expert.sight
        while (rows := analyst.advance(self._memory)) != DONE:
            if rows > 0:
                self.network.look(sight, rows)
            if self._stop.is_set():
                raise StoppedError

    def _judgement(self) -> Judgement:
        told = np.zeros(1, JUDGEMENT)[0]
        analyst.tell_judgement(told, self._memory)
        return Judgement(
            asked=turn_of(told.asked),
            rival=turn_of(told.rival),
            gain=Estimate(*told.gain.tolist()),
            asked_chance=Estimate(*told.asked_chance.tolist()),
            rival_chance=Estimate(*told.rival_chance.tolist()),
            spread=float(told.spread),
            candidates=int(told.candidates),
            deals=int(told.deals),
            simulations=int(told.simulations),
            mark=MARKS[told.mark],
            better=bool(told.better),
            real=bool(told.choice),
        )
