"""Chances and luck in the module are as natively, to the digits that are shown."""

import numpy as np
import pytest

from baghdad import Options
from baghdad.analysis.engine.ledger import DRAWN, MOST_TURNING_POINTS, STEP
from baghdad.analysis.ledgers import Lookahead
from baghdad.analysis.moments import looked_at, rng_of, seen_by_each, taken_apart
from baghdad.bots.neural import WEIGHTS_FILE
from baghdad.bots.neural.sight import new_sight
from baghdad.bots.neural.trunk import ROWS
from baghdad.bots.neural.twin import load_twin as load_policy
from baghdad.bots.neural.twin import look, new_twin_memory
from baghdad.bots.neural.weights_file import load_network, read_weights
from baghdad.bots.value import EYES_FILE, OPEN_FILE
from baghdad.bots.value.network import load_value, read_value
from baghdad.bots.value.rows import open_rows, seen_rows
from baghdad.bots.value.twin import load_twin, look_open, look_seen, new_value_twins
from baghdad.jit.compiler import COMPILED
from baghdad.rules.engine.material import DEALING
from support.oracles import Oracles
from support.played import random_game
from support.positions import TABLES, moments
from support.webassembly import Both

pytestmark = pytest.mark.skipif(not COMPILED, reason="networks need compiled rules")

SHOWN = 1e-3
"""A tenth of a percent."""


@pytest.fixture(scope="module")
def oracles() -> Oracles:
    return Oracles()


@pytest.mark.parametrize("count", [1, 5, ROWS])
def test_twins_say_what_the_networks_say(count: int) -> None:
    states, memory = moments(), new_value_twins()
    seats = np.random.default_rng(2).integers(0, states["players"])
    for file in (EYES_FILE, OPEN_FILE):
        weights, shape, _ = read_value(file)
        load_twin(weights, shape, memory)
    for file, rows, twin in (
        (EYES_FILE, seen_rows(states, seats), look_seen),
        (OPEN_FILE, open_rows(states), look_open),
    ):
        expected = load_value(file)(rows)
        for first in range(0, len(rows) - count, 7 * ROWS):
            found = np.zeros((count, 5), np.float32)
            twin(rows[first:], count, memory, found)
            assert np.abs(found - expected[first : first + count]).max() < 1e-4


def test_the_twin_that_plays_has_the_same_blocks() -> None:
    """Larger networks go through the same code: what they leave behind does not matter."""
    weights, shape, _ = read_weights(WEIGHTS_FILE)
    memory, sight = new_twin_memory(), new_sight(ROWS)
    load_policy(weights, shape, memory)
    sight.observations[:] = seen_rows(moments()[:ROWS], np.zeros(ROWS))
    expected, _ = load_network()(sight.observations)
    look(sight, 0, ROWS, memory)
    assert np.abs(sight.logits - expected).max() < 1e-3


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_moments_are_the_same(options: Options, oracles: Oracles) -> None:
    told = taken_apart(random_game(options, 2, 8))
    values, eyes = looked_at(told.states), seen_by_each(told.states)
    for place in range(0, len(told.states), 5):
        found = oracles.look_at(told.states[place], rng_of(told.states[place]))
        assert found[:5] == pytest.approx(values[place], abs=SHOWN)
        assert found[5:] == pytest.approx(eyes[place], abs=SHOWN)
    dealing = np.flatnonzero((told.states["phase"] == DEALING) & (told.states["seat"] > 0))
    assert len(dealing) == options.players - 1
    state = told.states[dealing[0]]
    found = oracles.look_at(state, rng_of(state))
    assert found[:5] == pytest.approx(values[dealing[0]], abs=SHOWN)


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_draws_are_worth_the_same(options: Options, oracles: Oracles) -> None:
    """But for a decision that rounding turns now and then, in one game of many."""
    told, look = taken_apart(random_game(options, 3, 10)), Lookahead()
    apart = []
    for at in np.flatnonzero(told.kinds == DRAWN).tolist()[::4]:
        here = look(told.states, at)
        there = oracles.draw(told.states[at], told.states[at + 1], rng_of(told.states[at]))
        assert there.sum(axis=1) == pytest.approx([1, 1], abs=1e-9)
        apart.append(np.abs(here - there).max())
    assert len(apart) > 2
    assert np.median(apart) < SHOWN
    assert max(apart) < 0.05


def test_other_networks_do_not_fit(oracles: Oracles) -> None:
    assert oracles.learn(0, OPEN_FILE) == oracles.learn(1, EYES_FILE) == 0
    assert oracles.learn(2, OPEN_FILE) == oracles.learn(-1, EYES_FILE) == 0


def test_ledgers_are_the_same_to_the_byte() -> None:
    """They are sums in one order."""
    both, chance = Both(), np.random.default_rng(4)
    for count in (1, 2, 40):
        values = chance.dirichlet(np.ones(5), count + 1).ravel()
        kinds = chance.integers(0, 2, count).astype(np.int8)
        kinds[-1] = 2
        seats = chance.integers(0, 3, count).astype(np.int8)
        steps = np.zeros(count, STEP)
        given = values, len(values), kinds, seats, count, steps
        length = both("write_steps", *given)
        assert 0 < length <= count
        points = np.zeros(MOST_TURNING_POINTS, np.int32)
        assert both("find_turning_points", steps, length, points) == min(
            MOST_TURNING_POINTS,
            sum(np.abs(step.worth[:4]).max() >= 0.1 for step in steps[:length]),
        )
