"""Information-set search: whole turns tried out in deals that could be the true one.

The beam proposes turns. Each is played out in many deals of the cards that the seat can't see, all
seats going on with the heuristic; turns that do badly drop out in rounds (sequential halving), and
every turn meets the same deals and draws, so that luck does not decide between them.
"""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from baghdad.bots import Budget
from baghdad.bots.compiled import fast, pasted
from baghdad.bots.heuristic.beam import (
    ENDS,
    LONGEST,
    WIDEST,
    Beam,
    new_beam,
    plan_turn,
    play_turn,
)
from baghdad.bots.heuristic.values import (
    Table,
    Weights,
    chance_to_win,
    make_table,
)
from baghdad.rules.engine import entry
from baghdad.rules.engine.actions import Action
from baghdad.rules.engine.dealer import Rng, deal, spawn
from baghdad.rules.engine.material import (
    DEALING,
    DRAWING,
    OVER,
    TURN,
    Seat,
)
from baghdad.rules.engine.state import STATE, State, States
from baghdad.rules.engine.steps import play
from baghdad.rules.engine.views import ViewFields
from baghdad.rules.engine.visibility import determinize
from baghdad.rules.views import View

from .halving import halve
from .tactician import Tactician

Turns: TypeAlias = npt.NDArray[Any]
"""[turn, LONGEST]: actions, -1 after the last."""

AT_ONCE = 64
"""Simulations between two looks at the clock."""
DEFAULT_SIMULATIONS = 1000
DEALS_FOR_A_TURN = 4
"""With fewer simulations than that for each, fewer turns are tried."""
PATIENCE = 3
SIMULATIONS_IN_A_SECOND = 10_000
"""On a slow machine: with too little time for all turns, fewer are tried."""
MOST_POSITIONS, POSITIONS_FOR_A_SIMULATION = 20_000, 5
"""What the tactician may look at: this takes about a tenth of the time."""


@pasted
def roll_out(
    state: State, seat: Seat, table: Table, width: int, patience: int, rng: Rng, beam: Beam,
    rounds: int,
) -> float:  # fmt: skip
    """Go on with the heuristic for everybody; how likely is the seat to win then?

    That is asked when it is the seat's turn again, for the `rounds`th time: on a rival's turn
    the values would flatter whoever has just moved.
    """
    while state.phase != OVER:
        if state.phase == DEALING or state.phase == DRAWING:
            deal(state, rng)
            if state.phase == TURN and state.seat == seat:
                rounds -= 1
                if rounds == 0:
                    break
        else:
            play_turn(state, table, width, patience, beam)
    return chance_to_win(state, seat, table)


@fast
def try_out(
    view: ViewFields, turns: Turns, alive: npt.NDArray[Any], table: Table,
    width: int, patience: int, rngs: npt.NDArray[Any], states: States, beam: Beam,
    rounds: int, sums: npt.NDArray[Any],
) -> None:  # fmt: skip
    """Play every turn that is still `alive` out in every deal; add what it won to `sums`."""
    for number in range(len(rngs)):
        determinize(view, rngs[number], states[0])
        for turn in alive:
            states[1] = states[0]
            rng = rngs[number].copy()
            for place in range(turns.shape[1]):
                if turns[turn, place] < 0:
                    break
                play(states[1], turns[turn, place])
            sums[turn] += roll_out(
                states[1], view.viewer, table, width, patience, rng, beam, rounds
            )


class SearchBot:
    """Tries whole turns out in imagined deals.

    With a budget of seconds it stops in time, whatever it has; with simulations alone it plays
    the same on every machine. `threads` above one play deals side by side, with the same result.
    """

    def __init__(
        self,
        weights: Weights | None = None,
        *,
        keep: int = 64,
        width: int = 64,
        roll_width: int = 2,
        rounds: int = 1,
        tactics: bool = True,
        threads: int = 1,
        most: int | None = None,
    ) -> None:
        self.table = make_table(weights or Weights())
        self.keep = min(keep, WIDEST)
        self.width = min(width, WIDEST)
        self.roll_width = roll_width
        self.rounds = rounds
        self.tactics = tactics
        self.most = most
        """Simulations for a decision, however much time there is."""
        self.simulations = 0
        """Played out for the last decision."""
        self._tactician = Tactician(MOST_POSITIONS)
        self._rooms = [(np.zeros(2, STATE), new_beam()) for _ in range(threads)]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def choose(
        self, view: View, legal: Sequence[Action], budget: Budget, rng: Rng
    ) -> Sequence[Action]:
        began = time.perf_counter()
        self.simulations = 0
        if budget == Budget():
            budget = Budget(simulations=DEFAULT_SIMULATIONS)
        if self.most is not None:
            given = self.most if budget.simulations is None else budget.simulations
            budget = Budget(budget.seconds, min(given, self.most))
        turns = np.full((WIDEST + 1, LONGEST), -1, np.int16)
        count = self._propose(view, legal, budget, rng, turns)
        best = 0
        if count > 1:

            def try_out(alive: Turns, deals: int) -> Turns:
                return self._try_out(view, turns, alive, deals, rng, count)

            best, self.simulations = halve(count, budget, began, AT_ONCE, try_out)
        return [int(action) for action in turns[best] if action >= 0]

    def _propose(
        self, view: View, legal: Sequence[Action], budget: Budget, rng: Rng, turns: Turns
    ) -> int:
        """Fill `turns` with turns to try; says how many. One that wins is the only one."""
        enough = budget.simulations_at(SIMULATIONS_IN_A_SECOND)
        state, beam, seat = view.determinize(rng), self._rooms[0][1], view.viewer
        if state.phase != TURN:
            turns[: len(legal), 0] = legal
            return len(legal)
        keep = min(self.keep, max(enough // DEALS_FOR_A_TURN, 2))
        positions = min(MOST_POSITIONS, POSITIONS_FOR_A_SIMULATION * enough)
        count = int(plan_turn(state, self.table, self.width, PATIENCE, keep, beam))
        for number in range(count):
            length = beam.lengths[ENDS + number]
            turns[number, :length] = beam.actions[ENDS + number, :length]
        if not self.tactics:
            return count
        tactic = self._tactician.ask(view, positions)
        if (
            tactic.chests
            <= (beam.states["loot"][ENDS : ENDS + count, seat] - state.loot[seat]).max()
        ):
            return count
        after = self._rooms[0][0]
        after[0] = state
        for action in tactic.actions:
            entry.play(after, action)
        state, turn = after[0], list(tactic.actions)
        if state.winner >= 0:
            count = 0
        else:
            plan_turn(state, self.table, self.width, PATIENCE, 1, beam)
            turn += beam.actions[ENDS, : beam.lengths[ENDS]].tolist()
        turns[count, : len(turn)] = turn[:LONGEST]  # the rest, if any, is for the next decision
        turns[count, len(turn) :] = -1
        return count + 1

    def _try_out(
        self, view: View, turns: Turns, alive: Turns, deals: int, rng: Rng, count: int
    ) -> Turns:
        """Play so many deals out, in as many threads as there are; says what each turn has won."""
        rngs = np.zeros((deals, 4), np.int64)
        spawn(rng, rngs)

        def work(room: int) -> Turns:
            mine = np.zeros(count)
            states, beam = self._rooms[room]
            part = rngs[room :: len(self._rooms)].copy()
            try_out(
                view.fields, turns, alive, self.table, self.roll_width, 2, part, states, beam,
                self.rounds, mine,
            )  # fmt: skip
            return mine

        rooms = range(len(self._rooms))
        won: Turns = sum((self._pool.map if self._pool else map)(work, rooms), np.zeros(count))
        return won
