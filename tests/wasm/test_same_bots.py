"""Opponents in the module decide as they do natively."""

import numpy as np
import pytest

from baghdad import Game, new_rng
from baghdad.bots import Budget, decide, make_bot
from baghdad.bots.levels import TABLE, Level
from baghdad.bots.neural import WEIGHTS_FILE
from baghdad.bots.neural.sight import new_sight
from baghdad.bots.neural.trunk import ROWS
from baghdad.bots.neural.twin import load_twin, look, new_twin_memory
from baghdad.bots.neural.weights_file import load_network, read_weights
from baghdad.bots.proposals import win_probability
from baghdad.envs.vector import VectorEnv
from baghdad.jit.compiler import COMPILED
from baghdad.wasm.minds.levels import level_record
from support.minds import Minds
from support.tables import EVERY_TABLE, NAMING, new_game

pytestmark = pytest.mark.skipif(not COMPILED, reason="whole games need compiled rules")

LEVELS = {**TABLE, "search": Level(0, "search")}
RECKONING = [name for name, level in LEVELS.items() if level.kind not in ("neural", "expert")]
LEARNED = [name for name in LEVELS if name not in RECKONING]


@pytest.fixture(scope="module")
def minds() -> Minds:
    return Minds()


def asked(name: str, level: Level, minds: Minds, games: int, simulations: int) -> tuple[int, int]:
    """How many decisions of whole games were the same, and how many there were."""
    bot, record, equal, count = make_bot(name), level_record(level), 0, 0
    tables = [*EVERY_TABLE, *NAMING]
    for number in range(games):
        game = new_game(tables[(5 * number) % len(tables)], seed=f"{name} {number}")
        while not game.over and game.turns < 100:
            seat = game.to_move
            assert seat is not None
            view, here, there = game.view(seat), new_rng(name, count), new_rng(name, count)
            budget = Budget(simulations=simulations)
            chosen = list(decide(bot, view, game.legal(), budget, here))
            equal += chosen == minds.decide(view, record, there, simulations=simulations)
            assert (here == there).all()
            count += 1
            for action in chosen:
                game.play(action)
    return equal, count


@pytest.mark.parametrize("name", RECKONING)
def test_whole_games_of_those_that_reckon_are_the_same(name: str, minds: Minds) -> None:
    """A thousand games of each: `benchmarks.wasm.bots`."""
    games = 2 if LEVELS[name].kind == "search" else 10
    equal, count = asked(name, LEVELS[name], minds, games, 30)
    assert equal == count > 50


@pytest.mark.parametrize("name", LEARNED)
def test_those_that_have_learned_decide_the_same_but_for_rounding(name: str, minds: Minds) -> None:
    equal, count = asked(name, LEVELS[name], minds, 1, 20)
    assert equal >= 0.99 * count


@pytest.mark.parametrize("name", TABLE)
def test_what_they_think_of_their_chances_is_the_same(name: str, minds: Minds) -> None:
    bot, game = make_bot(name), Game(3, seed="chances")
    for number in range(12):
        for seat in range(3):
            view = game.view(seat)
            here = win_probability(bot, view, new_rng("c", number))
            there = minds.chance(view, level_record(TABLE[name]), new_rng("c", number))
            assert here == pytest.approx(there, abs=1e-5)
        for _ in range(3):
            game.play(game.legal()[-1])


def test_the_compiled_twin_of_the_network_says_the_same() -> None:
    weights, shape, _ = read_weights(WEIGHTS_FILE)
    memory, network = new_twin_memory(), load_network()
    load_twin(weights, shape, memory)
    env = VectorEnv(EVERY_TABLE[::4] + NAMING[2:], 100, seed="twin")
    for _ in range(5):
        for _ in range(20):
            env.step(env.sample())
        rows, legal = env.now.observations.copy(), env.now.masks.copy()
        sight = new_sight(len(rows))
        sight.observations[:] = rows
        for first in range(0, len(rows), ROWS):
            look(sight, first, min(ROWS, len(rows) - first), memory)
        logits, outcomes = network(rows)
        assert np.abs(np.where(legal, logits - sight.logits, 0)).max() < 1e-4
        assert np.abs(outcomes - sight.outcomes).max() < 1e-5
