"""Determinized search: whole turns tried out in deals that could be the true one.

The beam proposes turns. Each is played out in many determinizations, deals of the cards that the
seat can't see (Ginsberg 2001; Cowling, Powley, Whitehouse 2012), all seats going on with the
heuristic. Turns that do badly drop out in rounds (`seq_halving`), and every turn meets the same
deals and draws, so that chance does not decide between them.
"""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from baghdad.bots.api import Budget
from baghdad.bots.heuristic.beam import (
    MAX_ACTIONS,
    MAX_WIDTH,
    TURNS_AT,
    Beam,
    new_beam,
    plan_turn,
    play_turn,
)
from baghdad.bots.heuristic.evaluation import EvalParams, ValueTable, make_value_table
from baghdad.bots.heuristic.win_probability import win_probability
from baghdad.rules.engine import entry
from baghdad.rules.engine.actions import Action
from baghdad.rules.engine.dealer import Rng, awaits_chance, deal_all, spawn
from baghdad.rules.engine.material import OVER, TURN, Seat
from baghdad.rules.engine.state import STATE, State, States
from baghdad.rules.engine.steps import play
from baghdad.rules.engine.views import ViewFields
from baghdad.rules.engine.visibility import determinize
from baghdad.rules.views import View

from .compiled import compiled, inline
from .seq_halving import sequential_halving
from .tactician import Tactician

Turns: TypeAlias = npt.NDArray[Any]
"""[turn, MAX_ACTIONS]: actions, -1 after the last."""

BATCH_SIZE = 64
"""Simulations between two looks at the clock."""
DEFAULT_SIMULATIONS = 1000
SIMULATIONS_PER_CANDIDATE = 4
"""With fewer simulations than that for each, fewer turns are tried."""
PATIENCE, ROLLOUT_PATIENCE = 3, 2
"""Of the beam that proposes turns, and of those that play on."""
SIMULATIONS_PER_SECOND = 10_000
"""On a slow machine: with too little time for all turns, fewer are tried."""
MAX_POSITIONS, POSITIONS_PER_SIMULATION = 20_000, 5
"""What the tactician may look at: this takes about a tenth of the time."""


class RolloutPolicy(NamedTuple):
    """How all seats play on when a turn is tried out, and for how long."""

    table: ValueTable
    width: int
    patience: int
    rounds: int
    """The position is valued when it is the searcher's turn for the `rounds`-th time again."""


class Workspace(NamedTuple):
    """Memory of one thread."""

    states: States
    """[2]: the deal, and the position that is played on."""
    beam: Beam


@inline
def rollout(state: State, seat: Seat, policy: RolloutPolicy, rng: Rng, beam: Beam) -> float:
    """Play on by the policy for everybody; returns how likely the seat is to win then.

    That is asked when it is the seat's turn again: on a rival's turn the values would flatter
    the seat that has just moved. Cards are drawn with `rng`.
    """
    rounds = policy.rounds
    while state.phase != OVER:
        if awaits_chance(state):
            deal_all(state, rng)
            if state.phase == TURN and state.seat == seat:
                rounds -= 1
                if rounds == 0:
                    break
        else:
            play_turn(state, policy.table, policy.width, policy.patience, beam)
    return win_probability(state, seat, policy.table)


@compiled
def try_out(
    view: ViewFields,
    turns: Turns,
    candidates: npt.NDArray[Any],
    policy: RolloutPolicy,
    rngs: npt.NDArray[Any],
    work: Workspace,
    sums: npt.NDArray[Any],
) -> None:
    """Play the turns with these numbers out in a deal of each of `rngs` [deals, 4].

    Adds to `sums` [turns] what each has won.
    """
    states = work.states
    for number in range(len(rngs)):
        determinize(view, rngs[number], states[0])
        for turn in candidates:
            states[1] = states[0]
            rng = rngs[number].copy()
            for place in range(turns.shape[1]):
                if turns[turn, place] < 0:
                    break
                play(states[1], turns[turn, place])
            sums[turn] += rollout(states[1], view.viewer, policy, rng, work.beam)


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
        self.table = make_value_table(params or EvalParams())
        self.max_candidates = min(max_candidates, MAX_WIDTH)
        self.width = min(width, MAX_WIDTH)
        self.policy = RolloutPolicy(self.table, rollout_width, ROLLOUT_PATIENCE, rounds)
        self.tactics = tactics
        self.max_simulations = max_simulations
        """Simulations for a decision, however much time there is."""
        self.simulations = 0
        """Simulations that the last decision took."""
        self._tactician = Tactician(MAX_POSITIONS)
        self._workspaces = [Workspace(np.zeros(2, STATE), new_beam()) for _ in range(threads)]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def choose(
        self, view: View, legal: Sequence[Action], budget: Budget, rng: Rng
    ) -> Sequence[Action]:
        began = time.perf_counter()
        self.simulations = 0
        if budget == Budget():
            budget = Budget(simulations=DEFAULT_SIMULATIONS)
        if self.max_simulations is not None:
            given = self.max_simulations if budget.simulations is None else budget.simulations
            budget = Budget(budget.seconds, min(given, self.max_simulations))
        turns = self._propose(view, legal, budget, rng)
        best = 0
        if len(turns) > 1:

            def evaluate(candidates: Turns, deals: int) -> Turns:
                return self._try_out(view, turns, candidates, deals, rng)

            best, self.simulations = sequential_halving(
                len(turns), budget, began, BATCH_SIZE, evaluate
            )
        return [int(action) for action in turns[best] if action >= 0]

    def _propose(self, view: View, legal: Sequence[Action], budget: Budget, rng: Rng) -> Turns:
        """Turns to try. One that wins is the only one."""
        turns = np.full((MAX_WIDTH + 1, MAX_ACTIONS), -1, np.int16)
        state, beam = view.determinize(rng), self._workspaces[0].beam
        if state.phase != TURN:
            turns[: len(legal), 0] = legal
            return turns[: len(legal)]
        enough = budget.simulations_at(SIMULATIONS_PER_SECOND)
        keep = min(self.max_candidates, max(enough // SIMULATIONS_PER_CANDIDATE, 2))
        count = int(plan_turn(state, self.table, self.width, PATIENCE, keep, beam))
        for number in range(count):
            length = beam.lengths[TURNS_AT + number]
            turns[number, :length] = beam.actions[TURNS_AT + number, :length]
        if not self.tactics:
            return turns[:count]
        planned = beam.states["loot"][TURNS_AT : TURNS_AT + count, view.viewer].max()
        positions = min(MAX_POSITIONS, POSITIONS_PER_SIMULATION * enough)
        tactic = self._tactician.ask(view, positions)
        if tactic.chests <= planned - state.loot[view.viewer]:
            return turns[:count]
        turn, wins = self._complete(state, tactic.actions)
        if wins:
            count = 0
        turns[count, : len(turn)] = turn[:MAX_ACTIONS]  # the rest is for the next decision
        turns[count, len(turn) :] = -1
        return turns[: count + 1]

    def _complete(self, state: State, actions: Sequence[Action]) -> tuple[list[Action], bool]:
        """A turn that begins with these actions and goes on by the beam; whether they win."""
        after, beam = self._workspaces[0]
        after[0] = state
        for action in actions:
            entry.play(after, action)
        if after[0].winner >= 0:
            return list(actions), True
        plan_turn(after[0], self.table, self.width, PATIENCE, 1, beam)
        rest: list[Action] = beam.actions[TURNS_AT, : beam.lengths[TURNS_AT]].tolist()
        return [*actions, *rest], False

    def _try_out(self, view: View, turns: Turns, candidates: Turns, deals: int, rng: Rng) -> Turns:
        """[turns]: what each has won in this many deals, played in as many threads as there are."""
        rngs = np.zeros((deals, 4), np.int64)
        spawn(rng, rngs)
        threads = len(self._workspaces)

        def play_part(thread: int) -> Turns:
            sums = np.zeros(len(turns))
            part = rngs[thread::threads].copy()
            work = self._workspaces[thread]
            try_out(view.fields, turns, candidates, self.policy, part, work, sums)
            return sums

        results = (self._pool.map if self._pool else map)(play_part, range(threads))
        won: Turns = sum(results, np.zeros(len(turns)))
        return won
