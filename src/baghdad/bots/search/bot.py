"""Determinized search: whole turns tried out in deals that could be the true one.

`machine` has all of its thinking, compiled; here it is given a clock, and threads.
"""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from baghdad.bots.api import Budget
from baghdad.bots.heuristic.beam import MAX_WIDTH
from baghdad.bots.heuristic.evaluation import EvalParams, make_value_table
from baghdad.rules.engine.actions import Action
from baghdad.rules.engine.dealer import Rng
from baghdad.rules.views import View

from .machine import (
    DONE,
    GO_ON,
    ROLLOUT_PATIENCE,
    RolloutPolicy,
    SearchSettings,
    Turns,
    advance,
    begin,
    new_search_memory,
    new_workspace,
    next_batch,
    try_out,
)
from .seq_halving import UNLIMITED, limits

DEFAULT_SIMULATIONS = 1000


class SearchBot:
    """Tries whole turns out in deals that could be the true one.

    With a budget of seconds it stops in time, whatever it has; with simulations alone it plays
    the same on every machine. `threads` above one play deals side by side, with the same result.
    """

    def __init__(
        self,
        params: EvalParams | None = None,
        *,
        max_candidates: int = 64,
        width: int = 64,
        rollout_width: int = 2,
        rounds: int = 1,
        tactics: bool = True,
        threads: int = 1,
        max_simulations: int | None = None,
    ) -> None:
        table = make_value_table(params or EvalParams())
        self.settings = SearchSettings(
            RolloutPolicy(table, rollout_width, ROLLOUT_PATIENCE, rounds),
            min(max_candidates, MAX_WIDTH),
            min(width, MAX_WIDTH),
            int(tactics),
        )
        self.max_simulations = UNLIMITED if max_simulations is None else max_simulations
        """Simulations for a decision, however much time there is."""
        self.simulations = 0
        """Simulations that the last decision took."""
        self._memory = new_search_memory()
        self._workspaces = [self._memory.work, *(new_workspace() for _ in range(threads - 1))]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def choose(
        self, view: View, legal: Sequence[Action], budget: Budget, rng: Rng
    ) -> Sequence[Action]:
        began, memory, settings = time.perf_counter(), self._memory, self.settings
        seconds, simulations = limits(budget, DEFAULT_SIMULATIONS)
        simulations = min(simulations, self.max_simulations)
        begin(view.fields, settings, seconds, simulations, rng, memory)
        status = -1
        while status != DONE:
            now = time.perf_counter() - began
            if self._pool is None:
                status = advance(view.fields, settings, now, rng, memory)
            else:
                status = self._advance_together(self._pool, view, now, rng)
        stand = memory.stand[0]
        self.simulations = int(stand.simulations)
        return [int(action) for action in memory.turns[stand.answer] if action >= 0]

    def _advance_together(self, pool: ThreadPoolExecutor, view: View, now: float, rng: Rng) -> int:
        """As `advance`, in as many threads as there are."""
        memory, threads = self._memory, len(self._workspaces)
        deals = next_batch(self.settings, now, rng, memory)
        if deals <= 0:  # none are wanted now, or none any more
            return DONE if deals < 0 else GO_ON

        def play_part(thread: int) -> Turns:
            sums = np.zeros(len(memory.turns))
            part = memory.deals[thread:deals:threads].copy()
            work, policy = self._workspaces[thread], self.settings.policy
            try_out(view.fields, memory.turns, memory.halving, policy, part, work, sums)
            return sums

        for sums in pool.map(play_part, range(threads)):
            memory.halving.batch[:] += sums
        return GO_ON
