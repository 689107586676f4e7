"""Any opponent, deciding step by step: the same compiled players as everywhere, chosen by kind.

`begin` starts a decision and `begin_chance` a question; `advance` goes on with either for some
milliseconds, again and again until it returns `DONE`. Its clock is the caller's.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from baghdad.analysis.engine.analyst import AnalystMemory, new_analyst_memory
from baghdad.bots.expert import machine as expert
from baghdad.bots.expert.machine import ExpertMemory, ExpertSettings, new_expert_memory
from baghdad.bots.heuristic.beam import MAX_WIDTH, TURNS_AT, choose_turn, stop_after
from baghdad.bots.heuristic.dreamer import dream
from baghdad.bots.heuristic.evaluation import (
    VALUE_TABLE_SIZE,
    EvalParams,
    ValueTable,
    fill_value_table,
)
from baghdad.bots.heuristic.win_probability import DETERMINIZATIONS, mean_win_probability
from baghdad.bots.neural import twin
from baghdad.bots.neural.limits import limit_observations
from baghdad.bots.neural.sight import mean_chance, sample_first, see_deals, see_view
from baghdad.bots.neural.trunk import ROWS
from baghdad.bots.neural.twin import TwinMemory, new_twin_memory
from baghdad.bots.search import machine as search
from baghdad.bots.search.machine import (
    ROLLOUT_PATIENCE,
    RolloutPolicy,
    SearchMemory,
    SearchSettings,
    new_search_memory,
)
from baghdad.bots.search.seq_halving import FOREVER, UNLIMITED
from baghdad.bots.search.tactician import MAX_DEPTH
from baghdad.rules.engine.dealer import Rng, below
from baghdad.rules.engine.legality import count_legal, legal_rows, nth_legal
from baghdad.rules.engine.views import ViewFields
from baghdad.rules.engine.visibility import determinize

from .block import Block, Layout, tuple_of
from .compiled import compiled, noinline
from .level import DREAMER, EXPERT, HEURISTIC, NEURAL, RANDOM, SEARCH

DONE, GO_ON = 0, 1
"""What `advance` returns."""
DEFAULT_SIMULATIONS = 1000
"""Where neither time nor simulations are limited."""
MAX_SAMPLES = 192
_DECIDE, _CHANCE = range(2)

_FIELDS = [
    ("question", "i8"),  # a decision, or a chance
    ("seen", "i8"),  # rows that the network has looked at
    ("rows", "i8"),  # that it is to look at
    ("length", "i8"),  # of the answer
    ("filled", "i8"),  # whether the value table is that of the params
    ("chance", "f8"),
]
STAND = np.dtype((np.record, np.dtype(_FIELDS, align=True)))


class Mind(NamedTuple):
    """All memory of an opponent that thinks: one after another may use it."""

    stand: npt.NDArray[Any]
    """[1], dtype `STAND`"""
    answer: npt.NDArray[Any]
    """[MAX_DEPTH]: actions."""
    params: npt.NDArray[Any]
    """[EvalParams]: those of the value table."""
    table: ValueTable
    search: SearchMemory
    expert: ExpertMemory
    network: TwinMemory
    analyst: AnalystMemory
    """It has the same search, expert and table think for it."""


def new_mind() -> Mind:
    """Memory for any level, and for the analyst."""
    table = np.zeros(VALUE_TABLE_SIZE, np.float32)
    search_memory, expert_memory = new_search_memory(), new_expert_memory(MAX_SAMPLES)
    return Mind(
        np.zeros(1, STAND),
        np.zeros(MAX_DEPTH, np.int16),
        np.zeros(len(EvalParams._fields)),
        table,
        search_memory,
        expert_memory,
        new_twin_memory(),
        new_analyst_memory(table, expert_memory, search_memory),
    )


_LAYOUT = Layout()
find = _LAYOUT.place(new_mind())
"""The parts of a mind in a block."""
SIZE = _LAYOUT.size
_eval_params = tuple_of(EvalParams)
DEFAULT_PARAMS: npt.NDArray[Any] = np.array(EvalParams())


@compiled
def begin(
    view: ViewFields, level: Any, seconds: float, simulations: int, rng: Rng, block: Block
) -> None:
    """Start a decision. Time or simulations under 0 are not limited."""
    mind = find(block)
    stand = mind.stand[0]
    stand.question = _DECIDE
    stand.rows = stand.seen = stand.length = 0
    seconds = seconds if seconds >= 0 else FOREVER
    if simulations < 0:
        simulations = UNLIMITED if seconds < FOREVER else DEFAULT_SIMULATIONS
    if level.kind == RANDOM:
        state, rows = mind.search.root[0], mind.search.rows
        for part in range(4):  # as a bot that is given what is legal: nothing is drawn for that
            mind.search.work.rng[part] = rng[part]
        determinize(view, mind.search.work.rng, state)
        legal_rows(state, rows)
        mind.answer[0] = nth_legal(rows, below(rng, count_legal(rows)))
        stand.length = 1
    elif level.kind == HEURISTIC or level.kind == DREAMER:
        fill_table(mind, level.params)
        beam = mind.search.work.beam
        count = choose_turn(view, mind.table, level.width, level.patience, rng, beam)
        count = stop_after(level.most_actions, count, beam)
        if level.kind == DREAMER:
            count = dream(count, level.forgets, rng, beam)
        for number in range(count):
            mind.answer[number] = beam.actions[TURNS_AT, number]
        stand.length = count
    elif level.kind == SEARCH:
        fill_table(mind, level.params)
        limit = level.max_simulations if level.max_simulations >= 0 else UNLIMITED
        settings = _search_settings(mind, level)
        search.begin(view, settings, seconds, min(simulations, limit), rng, mind.search)
    elif level.kind == NEURAL:
        see_view(view, rng, mind.expert.root, mind.expert.sight)
        limits = level.limits[: level.num_limits]
        limit_observations(mind.expert.sight.observations[:1], limits)
        stand.rows = 1
    elif level.kind == EXPERT:
        expert.begin(view, seconds, simulations, rng, mind.expert)


@compiled
def begin_chance(view: ViewFields, level: Any, rng: Rng, block: Block) -> None:
    """Start to ask how likely an opponent thinks that it is to win (R28)."""
    mind = find(block)
    stand = mind.stand[0]
    stand.question = _CHANCE
    stand.rows = stand.seen = stand.length = 0
    if level.kind == NEURAL or level.kind == EXPERT:
        stand.rows = see_deals(view, DETERMINIZATIONS, rng, mind.expert.root, mind.expert.sight)
    else:
        fill_table(mind, DEFAULT_PARAMS)
        root = mind.search.root
        stand.chance = mean_win_probability(view, view.viewer, mind.table, rng, root)


@compiled
def advance(view: ViewFields, level: Any, now: float, rng: Rng, block: Block) -> int:
    """Go on for some milliseconds; returns `DONE` or `GO_ON`. It began `now` seconds ago."""
    mind = find(block)
    stand = mind.stand[0]
    if look_on(mind):
        return GO_ON
    if stand.question == _CHANCE:
        if stand.rows > 0:
            stand.chance = mean_chance(view, stand.rows, mind.expert.sight)
        return DONE
    if level.kind == SEARCH:
        if (
            search.advance(view, _search_settings(mind, level), now, rng, mind.search)
            != search.DONE
        ):
            return GO_ON
        turn = mind.search.turns[mind.search.stand[0].answer]
        for place in range(len(turn)):
            if turn[place] >= 0:
                mind.answer[stand.length] = turn[place]
                stand.length += 1
    elif level.kind == NEURAL:
        mind.answer[0] = sample_first(level.temperature, rng, mind.expert.sight)
        stand.length = 1
    elif level.kind == EXPERT:
        settings = ExpertSettings(
            level.num_samples, level.max_temperature, level.max_candidates, level.prior_weight
        )
        rows = expert.advance(view, settings, now, rng, mind.expert)
        if rows != expert.DONE:
            stand.rows, stand.seen = max(rows, 0), 0
            return GO_ON
        stand.length = mind.expert.stand[0].length
        for number in range(stand.length):
            mind.answer[number] = mind.expert.answer[number]
    return DONE


@noinline
def look_on(mind: Mind) -> bool:
    """Let the network look at some more of the rows that it is to look at; False where it has."""
    stand = mind.stand[0]
    if stand.seen >= stand.rows:
        return False
    rows = min(stand.rows - stand.seen, ROWS)
    twin.look(mind.expert.sight, stand.seen, rows, mind.network)
    stand.seen += rows
    return True


@compiled
def _search_settings(mind: Mind, level: Any) -> SearchSettings:
    return SearchSettings(
        RolloutPolicy(mind.table, level.rollout_width, ROLLOUT_PATIENCE, level.rounds),
        min(level.max_candidates, MAX_WIDTH),
        min(level.width, MAX_WIDTH),
        level.tactics,
    )


@compiled
def fill_table(mind: Mind, params: npt.NDArray[Any]) -> None:
    """Make the value table that of these params, if it is not."""
    stand, same = mind.stand[0], mind.stand[0].filled == 1
    for number in range(len(params)):
        same = same and mind.params[number] == params[number]
        mind.params[number] = params[number]
    if not same:
        fill_value_table(mind.table, _eval_params(params))
        stand.filled = 1


@compiled
def decision(block: Block, actions: npt.NDArray[Any]) -> int:
    """Write what was decided; returns the number of actions."""
    mind = find(block)
    count: int = mind.stand[0].length
    for number in range(count):
        actions[number] = mind.answer[number]
    return count
