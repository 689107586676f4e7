"""Whole turns that the network proposes, tried out against what it would do in the other seats.

`machine` has all of its thinking, compiled; here it is given a clock, and its network.
"""

import time
from collections.abc import Sequence

import numpy as np

from baghdad.bots.api import Budget
from baghdad.bots.neural.network import Network
from baghdad.bots.neural.weights_file import load_network
from baghdad.bots.neural.win_probability import chance_of_view
from baghdad.bots.search.seq_halving import FOREVER, limits
from baghdad.rules.engine.actions import Action
from baghdad.rules.engine.dealer import Rng
from baghdad.rules.views import View

from .machine import (
    BATCH_SIZE,
    DONE,
    Array,
    ExpertMemory,
    ExpertSettings,
    advance,
    begin,
    begin_deals,
    new_expert_memory,
)

DEFAULT_SIMULATIONS = 1000


class ExpertBot:
    """Tries out whole turns that its network proposes.

    With a budget of seconds it stops in time, whatever it has; with simulations alone the same
    view and generator give the same decision.
    """

    def __init__(
        self,
        network: Network | None = None,
        *,
        num_samples: int = 192,
        max_temperature: float = 3.0,
        max_candidates: int = 32,
        prior_weight: float = 0.004,
    ) -> None:
        self.network = network or load_network()
        self.settings = ExpertSettings(
            num_samples, float(max_temperature), max_candidates, float(prior_weight)
        )
        self.simulations = 0
        """Simulations that the last decision took."""
        self._memory = new_expert_memory(num_samples, max(BATCH_SIZE, max_candidates))

    def choose(
        self, view: View, legal: Sequence[Action], budget: Budget, rng: Rng
    ) -> Sequence[Action]:
        memory = self._memory
        self._think(view, *limits(budget, DEFAULT_SIMULATIONS), rng)
        self.simulations = int(memory.stand[0].simulations)
        answer: list[Action] = memory.answer[: memory.stand[0].length].tolist()
        return answer

    def chance(self, view: View, rng: Rng) -> float:
        """How likely it thinks that it is to win."""
        return chance_of_view(self.network, view, rng)

    def propose(self, view: View, rng: Rng) -> tuple[Array, Array]:
        """[turn, MAX_ACTIONS]: different turns, -1 after the last action. [turn]: how often each
        was drawn. The policy's own comes first, then the most often drawn. One that wins, or one
        without a choice, is the only one."""
        memory = self._memory
        self._think(view, FOREVER, 0, rng)
        if count := int(memory.stand[0].count):
            return memory.turns[:count].copy(), memory.drawn[:count].copy()
        return memory.answer[None, : memory.stand[0].length].copy(), np.ones(1)

    def try_out(self, view: View, turns: Array, deal_rngs: Array) -> Array:
        """[turn]: what each of `turns` [turn, MAX_ACTIONS] has won in all deals together."""
        games = len(turns) * len(deal_rngs)
        memory = new_expert_memory(max(len(turns), self.settings.num_samples), games)
        progress = memory.halving.progress[0]
        memory.stand[0].deals, progress.alive, progress.left = len(deal_rngs), len(turns), 0
        memory.turns[:] = -1
        memory.turns[: len(turns), : turns.shape[1]] = turns
        memory.deal_rngs[: len(deal_rngs)] = deal_rngs
        memory.halving.candidates[: len(turns)] = np.arange(len(turns))
        rows = int(begin_deals(view.fields, memory))
        while rows != DONE:
            self._look(memory, rows)
            rows = advance(view.fields, self.settings, 0.0, deal_rngs[0].copy(), memory)
        won: Array = memory.halving.batch[: len(turns)]
        return won

    def _think(self, view: View, seconds: float, simulations: int, rng: Rng) -> None:
        began, memory, settings = time.perf_counter(), self._memory, self.settings
        begin(view.fields, seconds, simulations, rng, memory)
        rows = -1
        while rows != DONE:
            now = time.perf_counter() - began
            rows = advance(view.fields, settings, now, rng, memory)
            self._look(memory, rows)

    def _look(self, memory: ExpertMemory, rows: int) -> None:
        if rows > 0:
            self.network.look(memory.sight, rows)
