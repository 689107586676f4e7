"""Thousands of games at once play by the same rules as one."""

import os
import subprocess
import sys

import numpy as np
import pytest

from baghdad import (
    IllegalMoveError,
    NotAMoveError,
    Options,
    OutOfTurnError,
)
from baghdad.envs.vector import VectorEnv
from baghdad.rules.engine.actions import ACTION_COUNT, ACTION_OF
from baghdad.rules.engine.dealer import deal, new_rng
from baghdad.rules.engine.legality import empty_rows, legal_mask, legal_rows
from baghdad.rules.engine.material import DEALING, DRAWING, OVER
from baghdad.rules.engine.observation import OBSERVATION_SIZE, observe
from baghdad.rules.engine.steps import play
from baghdad.rules.setup import new_states

TABLES = [
    Options(2, spare="chosen", deal=(6, 8)),
    Options(3, "neutral", "smuggle", "seen", "chosen"),
    Options(4),
]


def test_the_games_are_those_of_the_engine() -> None:
    env = VectorEnv(TABLES, 6, seed="same")
    starts = [new_states(table)[0] for table in TABLES]
    states = np.stack([starts[game % 3] for game in range(6)])
    rngs = [new_rng("same", game) for game in range(6)]
    step, terminated = env.reset(), 0
    # The environment was reset twice: once when it was made.
    for _ in range(2):
        for game in range(6):
            states[game] = starts[game % 3]
            while states[game]["phase"] == DEALING:
                deal(states[game], rngs[game])
    for _ in range(2500):
        row, rows = np.empty(OBSERVATION_SIZE, np.int8), empty_rows()
        mask = np.empty(ACTION_COUNT, np.bool_)
        for game in range(6):
            seat = int(states[game]["seat"])
            assert step.to_move[game] == seat
            observe(states[game], seat, row)
            legal_rows(states[game], rows)
            legal_mask(rows, mask)
            assert np.array_equal(step.observations[game], row)
            assert np.array_equal(step.masks[game], mask)
        actions = env.sample()
        step = env.step(actions)
        for game, action in enumerate(actions.tolist()):
            state = states[game]
            play(state, action)
            while state["phase"] in (DEALING, DRAWING):
                deal(state, rngs[game])
            over = state["phase"] == OVER
            assert step.terminated[game] == over
            assert step.rewards[game].any() == (over and state["winner"] >= 0)
            if over:
                terminated += 1
                winner, players = int(state["winner"]), int(state["players"])
                assert step.rewards[game, winner] == 1
                assert step.rewards[game].sum() == pytest.approx(0)
                assert not step.rewards[game, players:].any()
                states[game] = starts[game % 3]
                while states[game]["phase"] == DEALING:
                    deal(states[game], rngs[game])
    assert terminated > 0
    assert not step.truncated.any()


def test_a_limit_of_turns_cuts_games_off_without_a_winner() -> None:
    env = VectorEnv(Options(3), 50, max_turns=4)
    cut = 0
    for _ in range(200):
        step = env.step(env.sample())
        cut += int(step.truncated.sum())
        assert not step.rewards[step.truncated].any()
        assert not step.terminated.any()
        assert (env.states["turn"] < 4).all()
    assert cut > 50


def test_without_a_seed_games_are_others_every_time() -> None:
    one, other = (VectorEnv(Options(2, hands="seen"), 5, seed=None) for _ in range(2))
    for _ in range(20):
        one.step(one.sample())
        other.step(other.sample())
    assert one.states.tobytes() != other.states.tobytes()


def test_an_illegal_action_is_refused_and_nothing_is_played() -> None:
    env = VectorEnv(Options(2), 3)
    before = env.states.tobytes()
    good = env.sample()
    for wrong, error in [
        (ACTION_OF["."], OutOfTurnError),
        (ACTION_OF["@nR"], IllegalMoveError),
        (-1, NotAMoveError),
        (70_000, NotAMoveError),
    ]:
        actions = good.astype(np.int64)
        actions[1] = wrong
        with pytest.raises(error) as raised:
            env.step(actions)
        assert raised.value.__notes__ == [f"action {wrong} in game 1"]
        assert env.states.tobytes() == before
    with pytest.raises(TypeError, match="same_kind"):
        env.step(good.astype(float))
    with pytest.raises(ValueError, match="3 of them"):
        env.step(good[:2])


def test_the_same_seed_plays_the_same_games() -> None:
    first, second, other = (VectorEnv(Options(4), 20, seed=seed) for seed in (1, 1, 2))
    for _ in range(300):
        for env in (first, second, other):
            env.step(env.sample())
    assert first.states.tobytes() == second.states.tobytes() != other.states.tobytes()


def test_nothing_can_be_played_at_no_table() -> None:
    with pytest.raises(ValueError, match="at least one table"):
        VectorEnv([], 3)
    with pytest.raises(ValueError, match="games: 1 or more"):
        VectorEnv(Options(2), 0)


PLAY = """
import hashlib
from baghdad import Options
from baghdad.envs.vector import VectorEnv

tables = [
    Options(2, spare="chosen", deal=(6, 8)),
    Options(3, "neutral", "smuggle", "seen", "chosen"),
    Options(4),
]
env, seen = VectorEnv(tables, 3, seed=1, max_turns=9), hashlib.sha256()
for _ in range(120):
    for array in env.step(env.sample()):
        seen.update(array.tobytes())
print(seen.hexdigest())
"""


def test_compiled_and_uncompiled_show_the_same() -> None:
    shown = {
        subprocess.run(
            [sys.executable, "-c", PLAY],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | environment,
        ).stdout
        for environment in ({}, {"BAGHDAD_PLAIN": "1"})
    }
    assert len(shown) == 1
