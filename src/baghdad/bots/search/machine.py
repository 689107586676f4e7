"""The search as a machine: it decides step by step, in memory of its own.

The beam proposes turns, and the tactician one more. Each is played out in many determinizations,
deals of the cards that the seat can't see (Ginsberg 2001; Cowling, Powley, Whitehouse 2012), all
seats going on with the heuristic. Turns that do badly drop out in rounds (`seq_halving`), and every
turn meets the same deals and draws, so that chance does not decide between them.

`begin` starts a decision, `advance` goes on with it for some milliseconds, again and again until it
returns `DONE`; then the actions are in `turns[answer]`. Its clock is the caller's.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from baghdad.bots.heuristic.beam import (
    MAX_ACTIONS,
    MAX_WIDTH,
    TURNS_AT,
    Beam,
    new_beam,
    plan_turn,
    play_turn,
)
from baghdad.bots.heuristic.evaluation import ValueTable
from baghdad.bots.heuristic.win_probability import win_probability
from baghdad.rules.engine.actions import ROWS, Action
from baghdad.rules.engine.dealer import Rng, awaits_chance, deal_all, spawn
from baghdad.rules.engine.legality import Rows, legal_rows, take_first
from baghdad.rules.engine.material import OVER, TURN, Seat
from baghdad.rules.engine.state import STATE, State, States
from baghdad.rules.engine.steps import play
from baghdad.rules.engine.views import ViewFields
from baghdad.rules.engine.visibility import determinize

from .compiled import compiled, inline
from .seq_halving import Halving, allowed, begin_halving, new_halving, next_deals
from .tactician import TacticMemory, begin_tactic, go_on, new_tactic_memory

Turns: TypeAlias = npt.NDArray[Any]
"""[turn, MAX_ACTIONS]: actions, -1 after the last."""

DONE, GO_ON = 0, 1
"""What `advance` returns."""
BATCH_SIZE = 64
"""Simulations between two looks at the clock."""
TRIES = 4000
"""Of the tactician, between two looks at the clock."""
MAX_TURNS = MAX_WIDTH + 1
"""That can be tried out: those of the beam, and the tactician's."""
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


class SearchSettings(NamedTuple):
    """How a search decides."""

    policy: RolloutPolicy
    max_candidates: int
    """Turns that the beam may propose."""
    width: int
    """Of that beam."""
    tactics: int
    """Whether the tactician is asked."""


class Workspace(NamedTuple):
    """Memory of one thread."""

    states: States
    """[2]: the deal, and the position that is played on."""
    rng: Rng
    """The generator with which it is played on."""
    beam: Beam


_FIELDS = [
    ("stage", "i8"),
    ("count", "i8"),  # turns that are proposed
    ("planned", "i8"),  # the most chests that any of them takes
    ("answer", "i8"),  # the turn that is decided on
    ("simulations", "i8"),  # that are allowed; when it is done, those that it took
    ("seconds", "f8"),
]
STAND = np.dtype((np.record, np.dtype(_FIELDS, align=True)))
"""Where a decision stands."""
_ASK_TACTICIAN, _TRY_OUT, _DECIDED = range(3)
"""Its stages."""


class SearchMemory(NamedTuple):
    """Memory for decisions, allocated once."""

    stand: npt.NDArray[Any]
    """[1], dtype `STAND`"""
    root: States
    """[1]: a deal that could be the true one, in which turns are proposed."""
    turns: Turns
    rows: Rows
    deals: npt.NDArray[Any]
    """[BATCH_SIZE, 4]: a generator for each deal that is played next."""
    halving: Halving
    tactics: TacticMemory
    work: Workspace


def new_workspace() -> Workspace:
    """Memory of one thread."""
    return Workspace(np.zeros(2, STATE), np.zeros(4, np.int64), new_beam())


def new_search_memory() -> SearchMemory:
    """Memory for decisions."""
    return SearchMemory(
        np.zeros(1, STAND),
        np.zeros(1, STATE),
        np.zeros((MAX_TURNS, MAX_ACTIONS), np.int16),
        np.zeros(ROWS, np.int64),
        np.zeros((BATCH_SIZE, 4), np.int64),
        new_halving(MAX_TURNS),
        new_tactic_memory(MAX_POSITIONS),
        new_workspace(),
    )


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
    halving: Halving,
    policy: RolloutPolicy,
    deals: npt.NDArray[Any],
    work: Workspace,
    sums: npt.NDArray[Any],
) -> None:
    """Play the turns that are left in the search out in a deal of each of `deals` [n, 4].

    Adds to `sums` [turn] what each has won.
    """
    states, rng = work.states, work.rng
    for number in range(len(deals)):
        determinize(view, deals[number], states[0])
        for candidate in range(halving.progress[0].alive):
            turn = halving.candidates[candidate]
            states[1] = states[0]
            for part in range(4):
                rng[part] = deals[number, part]
            for place in range(turns.shape[1]):
                if turns[turn, place] < 0:
                    break
                play(states[1], turns[turn, place])
            sums[turn] += rollout(states[1], view.viewer, policy, rng, work.beam)


@compiled
def begin(
    view: ViewFields,
    settings: SearchSettings,
    seconds: float,
    simulations: int,
    rng: Rng,
    memory: SearchMemory,
) -> None:
    """Start a decision of the view's seat, with this much time and this many simulations."""
    stand, root, beam = memory.stand[0], memory.root[0], memory.work.beam
    stand.seconds, stand.simulations = seconds, simulations
    stand.answer = stand.count = 0
    determinize(view, rng, root)
    for turn in range(MAX_TURNS):
        for place in range(MAX_ACTIONS):
            memory.turns[turn, place] = -1
    if root.phase != TURN:
        legal_rows(root, memory.rows)
        action = take_first(memory.rows)
        while action >= 0:
            memory.turns[stand.count, 0] = action
            stand.count += 1
            action = take_first(memory.rows)
        _begin_trying(memory)
        return
    enough = allowed(seconds, simulations, SIMULATIONS_PER_SECOND)
    keep = min(settings.max_candidates, max(enough // SIMULATIONS_PER_CANDIDATE, 2))
    stand.count = plan_turn(root, settings.policy.table, settings.width, PATIENCE, keep, beam)
    stand.planned = 0
    for number in range(stand.count):
        for place in range(beam.lengths[TURNS_AT + number]):
            memory.turns[number, place] = beam.actions[TURNS_AT + number, place]
        taken = beam.states[TURNS_AT + number].loot[view.viewer] - root.loot[view.viewer]
        stand.planned = max(stand.planned, taken)
    if settings.tactics:
        stand.stage = _ASK_TACTICIAN
        positions = POSITIONS_PER_SIMULATION * min(enough, MAX_POSITIONS)
        begin_tactic(view, min(positions, MAX_POSITIONS), memory.tactics)
    else:
        _begin_trying(memory)


@compiled
def next_batch(settings: SearchSettings, now: float, rng: Rng, memory: SearchMemory) -> int:
    """Go on up to the next deals that turns are to be tried out in; returns how many.

    Their generators are in `memory.deals`. None are wanted now where this is 0, and none any more
    where it is under 0. `now` is in seconds since the decision began.
    """
    stand, progress = memory.stand[0], memory.halving.progress[0]
    if stand.stage == _ASK_TACTICIAN:
        if go_on(memory.tactics, TRIES):
            if memory.tactics.found[0].chests > stand.planned:
                _propose_tactic(settings, memory)
            _begin_trying(memory)
        return 0
    deals = 0
    if stand.stage == _TRY_OUT:
        deals = next_deals(memory.halving, BATCH_SIZE, now)
        if deals > 0:
            spawn(rng, memory.deals[:deals])
            return deals
        stand.stage = _DECIDED
        stand.answer, stand.simulations = memory.halving.candidates[0], progress.played
    return -1


@compiled
def advance(
    view: ViewFields, settings: SearchSettings, now: float, rng: Rng, memory: SearchMemory
) -> int:
    """Go on with the decision for some milliseconds; returns `DONE` or `GO_ON`."""
    deals = next_batch(settings, now, rng, memory)
    if deals > 0:
        sums, policy = memory.halving.batch, settings.policy
        try_out(view, memory.turns, memory.halving, policy, memory.deals[:deals], memory.work, sums)
    return DONE if deals < 0 else GO_ON


@compiled
def _begin_trying(memory: SearchMemory) -> None:
    stand = memory.stand[0]
    stand.stage = _TRY_OUT
    begin_halving(memory.halving, stand.count, stand.seconds, stand.simulations)


@compiled
def _propose_tactic(settings: SearchSettings, memory: SearchMemory) -> None:
    """One more turn: it begins with the tactician's actions and goes on by the beam. One that wins
    is the only one."""
    stand, (states, _, beam) = memory.stand[0], memory.work
    turn, length = memory.turns[stand.count], memory.tactics.found[0].length
    states[0] = memory.root[0]
    for number in range(length):
        _append(turn, number, memory.tactics.best[number])
        play(states[0], memory.tactics.best[number])
    if states[0].winner >= 0:
        for place in range(MAX_ACTIONS):
            memory.turns[0, place] = turn[place]
        stand.count = 1
        return
    plan_turn(states[0], settings.policy.table, settings.width, PATIENCE, 1, beam)
    for number in range(beam.lengths[TURNS_AT]):
        _append(turn, length + number, beam.actions[TURNS_AT, number])
    stand.count += 1


@compiled
def _append(turn: Turns, place: int, action: Action) -> None:
    """The rest of a longer turn is for the next decision."""
    if place < MAX_ACTIONS:
        turn[place] = action
