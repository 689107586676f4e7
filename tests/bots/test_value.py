"""Chances to win for every seat at every moment: what any network has to keep to.

The networks here know nothing: their weights are random.
"""

from pathlib import Path

import numpy as np
import pytest

from baghdad import Game
from baghdad.bots.neural.weights_file import WeightsError
from baghdad.bots.value.chances import (
    chances_of_game,
    chances_of_view,
    chances_of_views,
    open_chances,
    seen_chances,
)
from baghdad.bots.value.network import (
    OPEN_READING,
    Sees,
    ValueNetwork,
    ValueShape,
    load_value,
    read_value,
    value_sizes,
    write_value,
)
from baghdad.bots.value.rows import OPEN_HIGH, OPEN_SIZE, open_rows, seen_rows
from baghdad.envs.batch import STATE_WORDS, determinize_states
from baghdad.envs.vector import new_rngs
from baghdad.jit.compiler import COMPILED
from baghdad.rules.engine.material import DEALING, DRAWING, OVER, PLACING, TURN
from baghdad.rules.engine.observation import HIGH, OBSERVATION_SIZE
from baghdad.rules.engine.state import STATE, States
from support.positions import moments

pytestmark = pytest.mark.skipif(not COMPILED, reason="many positions need compiled rules")

PALACE_FIELDS = "guards", "thieves", "chests", "deck", "discard"


def network(sees: Sees) -> ValueNetwork:
    """Random, and with strong opinions."""
    chance, shape = np.random.default_rng(3), ValueShape(sees, 16, 24, 2)
    weights = {
        name: chance.normal(0, 1.5 / max(size[-1], 4) ** 0.5, size).astype(np.float32)
        for name, size in value_sizes(shape).items()
    }
    weights["outcome.weight"] *= 3
    return ValueNetwork(weights, shape)


def seats_of(states: States, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, states["players"]).astype(np.int64)


def test_every_kind_of_moment_is_among_the_positions() -> None:
    states = moments()
    assert {PLACING, DEALING, TURN, DRAWING} <= set(states["phase"].tolist())
    turns = states[states["phase"] == TURN]
    assert set((turns["acted"] > 0).tolist()) == {False, True}


@pytest.mark.parametrize("sees", ["open", "eyes"])
def test_chances_sum_to_one_and_absent_seats_have_none(sees: Sees) -> None:
    states, mind = moments(), network(sees)
    seats = seats_of(states)
    found = open_chances(mind, states) if sees == "open" else seen_chances(mind, states, seats)
    assert np.abs(found.sum(1) - 1).max() < 1e-6
    absent = np.arange(4)[None, :] >= states["players"][:, None]
    assert (found[:, :4][absent] == 0).all()
    assert (found[:, :4][~absent & (states["phase"] != OVER)[:, None]] > 0).all()
    assert found[:, :4].std() > 0.1


def test_hidden_cards_change_not_a_byte_of_what_a_seat_thinks() -> None:
    states, mind = moments(), network("eyes")
    seats = seats_of(states)
    words = states.copy().view(np.int32).reshape(-1, STATE_WORDS)
    determinize_states(words, seats, new_rngs("others", len(words)))
    others = words.view(STATE)[:, 0]
    assert (others["hands"] != states["hands"]).any(axis=(1, 2)).mean() > 0.5
    assert seen_rows(others, seats).tobytes() == seen_rows(states, seats).tobytes()
    theirs = seen_chances(mind, others, seats)
    assert theirs.tobytes() == seen_chances(mind, states, seats).tobytes()


def test_open_hands_are_all_there() -> None:
    states, mind = moments(), network("open")
    words = states.copy().view(np.int32).reshape(-1, STATE_WORDS)
    seats = states["seat"].astype(np.int64)
    determinize_states(words, seats, new_rngs("others", len(words)))
    others = words.view(STATE)[:, 0]
    changed = (others["hands"] != states["hands"]).any(axis=(1, 2))
    now, then = open_rows(others), open_rows(states)
    assert (now[:, :OBSERVATION_SIZE] == then[:, :OBSERVATION_SIZE]).all()
    assert (((now != then).any(axis=1)) == changed).all()
    at_play = changed & (states["phase"] != OVER)
    differ = (open_chances(mind, others) != open_chances(mind, states)).any(axis=1)
    assert differ[at_play].mean() > 0.9


def test_rows_stay_below_what_they_are_divided_by() -> None:
    states = moments()
    assert (open_rows(states) <= OPEN_HIGH).all()
    assert (open_rows(states) >= 0).all()
    assert (seen_rows(states, seats_of(states)) <= HIGH).all()
    assert OPEN_READING.palace.columns.max() == OPEN_SIZE - 1


@pytest.mark.parametrize("sees", ["open", "eyes"])
def test_palaces_may_change_places(sees: Sees) -> None:
    states, mind = moments(), network(sees)
    order = np.array([3, 0, 5, 1, 2, 4])
    turned = states.copy()
    for name in PALACE_FIELDS:
        turned[name] = states[name][:, order]
    turned["hands"][:, :, :6] = states["hands"][:, :, order]
    named = states["named"] >= 0
    turned["named"][named] = np.argsort(order)[states["named"][named]]
    seats = seats_of(states)
    for one, other in zip(
        *(
            (open_chances(mind, each),) if sees == "open" else (seen_chances(mind, each, seats),)
            for each in (states, turned)
        ),
        strict=True,
    ):
        assert np.allclose(one, other, atol=1e-5)


def test_of_a_game_that_is_over_they_tell_what_came_true() -> None:
    states = moments()[:3].copy()
    states["phase"], states["winner"] = OVER, [1, 0, -1]
    told = [[0, 1, 0, 0, 0], [1, 0, 0, 0, 0], [0, 0, 0, 0, 1]]
    assert open_chances(network("open"), states).tolist() == told
    assert seen_chances(network("eyes"), states, np.zeros(3)).tolist() == told


def test_a_view_and_a_game_are_asked_as_they_are() -> None:
    game = Game(players=3, seed=4)
    for _ in range(12):
        game.play(game.legal()[0])
    state = game.states()
    eyes, mind = network("eyes"), network("open")
    for seat in range(3):
        of_view = chances_of_view(eyes, game.view(seat))
        assert np.array_equal(of_view, seen_chances(eyes, state, np.array([seat]))[0])
    views = [game.view(seat) for seat in range(3)]
    together = chances_of_views(eyes, views)
    assert np.allclose(together, [chances_of_view(eyes, view) for view in views], atol=1e-6)
    assert np.array_equal(chances_of_game(mind, game), open_chances(mind, state)[0])
    with pytest.raises(AssertionError):
        chances_of_view(mind, game.view(0))
    with pytest.raises(AssertionError):
        chances_of_game(eyes, game)


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    mind, path = network("open"), tmp_path / "open.bin"
    weights = {
        name: np.ascontiguousarray(array.T) if array.ndim == 2 else array
        for name, array in mind._by_name.items()
    }
    write_value(path, weights, mind.shape, {"positions": 3})
    _, shape, about = read_value(path)
    assert shape == mind.shape
    assert about == {"positions": 3}
    states = moments(6, 10)
    again = open_chances(load_value(path), states)
    assert np.allclose(again, open_chances(mind, states), atol=0.02)
    path.write_bytes(path.read_bytes()[:-2])
    with pytest.raises(WeightsError, match="damaged"):
        load_value(path)


def test_what_is_trained_by_default_is_below_two_megabytes() -> None:
    weights = sum(
        int(np.prod(size)) for sees in ("open", "eyes")
        for size in value_sizes(ValueShape(sees)).values()
    )  # fmt: skip
    assert 2 * weights < 2_000_000
