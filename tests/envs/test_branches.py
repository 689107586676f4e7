"""Positions of one's choice: what is hidden is dealt anew, the rest goes by the rules."""

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from baghdad import Options
from baghdad.envs.branches import STATE_WORDS, look_at, play_on, try_turns
from baghdad.envs.vector import VectorEnv, generators
from baghdad.rules.compiled import COMPILED
from baghdad.rules.sight import see
from baghdad.rules.state import STATE
from baghdad.rules.views import VIEW
from test_gpu import has_gpu

pytestmark = pytest.mark.skipif(not COMPILED, reason="environments need compiled rules")

GAMES = 30


def games(steps: int = 40) -> VectorEnv:
    tables = [Options(2), Options(3, "neutral"), Options(4, hands="seen")]
    env = VectorEnv(tables, GAMES, seed="branches")
    for _ in range(steps):
        env.step(env.sample())
    return env


def seen_by_who_is_on(words: np.ndarray) -> list[bytes]:
    views: Any = np.zeros(len(words), VIEW)
    for state, view in zip(words.view(STATE)[:, 0], views, strict=True):
        see(state, state.seat, view)
    return [view.tobytes() for view in views]


def no_turn(lanes: int) -> np.ndarray:
    return np.full((lanes, 2), -1)


def test_what_is_seen_stays_and_what_is_hidden_is_dealt_anew() -> None:
    env = games()
    everyone = np.arange(GAMES)
    tried = try_turns(env.words, everyone, generators(1, GAMES), no_turn(GAMES))
    assert tried.shape == (GAMES, STATE_WORDS)
    assert seen_by_who_is_on(tried) == seen_by_who_is_on(env.words)
    hands = tried.view(STATE)["hands"], env.states["hands"]
    assert (hands[0][:, 0] != hands[1]).any()


def test_the_same_generator_deals_the_same() -> None:
    env = games()
    roots = np.array([3, 3, 4])
    rngs = generators(1, 3)
    rngs[1] = rngs[0]
    tried = try_turns(env.words, roots, rngs, no_turn(3))
    assert tried[0].tobytes() == tried[1].tobytes() != tried[2].tobytes()


def test_a_turn_is_played_and_what_comes_after_it_is_seen() -> None:
    env = games()
    everyone, actions = np.arange(GAMES), env.sample().astype(np.int64)
    turns = np.stack([actions, np.full(GAMES, -1)], 1)
    tried = try_turns(env.words, everyone, generators(1, GAMES), turns)
    played = env.words.copy()
    play_on(played, actions, None)
    assert seen_by_who_is_on(tried) == seen_by_who_is_on(played)
    rngs = generators(2, GAMES)
    play_on(tried, np.full(GAMES, -1), rngs)
    observations, masks = look_at(tried)
    assert observations.shape == env.now.observations.shape
    assert masks.any(axis=1).all()


def test_playing_on_is_what_an_environment_does() -> None:
    env = games()
    observations, masks = look_at(env.words)
    assert np.array_equal(observations, env.now.observations)
    assert np.array_equal(masks, env.now.masks)
    words, rngs = env.words.copy(), env._rngs.copy()
    actions = env.sample().astype(np.int64)
    actions[0] = env.now.masks[0].argmax()
    play_on(words, actions, rngs)
    env.step(actions)
    going_on = ~env.now.ended
    assert going_on.sum() > GAMES / 2
    assert words[going_on].tobytes() == env.words[going_on].tobytes()


CODE = """
import numpy as np
from baghdad import Options
from baghdad.envs import branches
from baghdad.envs.vector import VectorEnv, generators

env = VectorEnv([Options(2), Options(3, "neutral", "smuggle", "seen"), Options(4)], 3, seed=3)
for _ in range(30):
    env.step(env.sample())
roots, luck = np.array([0, 1, 2, 1]), generators(5, 4)
turns = np.full((4, 3), -1)
turns[:, 0] = env.sample()[roots]
theirs = luck.copy()
words = branches.try_turns(env.words, roots, luck, turns)
branches.play_on(words, np.full(4, -1), luck)
seen, may = branches.look_at(words)

from baghdad.envs import branches_gpu
from baghdad.rules.gpu import cuda

send = cuda.to_device
tried, luck_there = send(np.zeros_like(words)), send(theirs)
branches_gpu.try_turns(send(env.words), send(roots), luck_there, send(turns), tried)
branches_gpu.play_on(tried, send(np.full(4, -1)), True, luck_there)
looks = send(np.zeros_like(seen)), send(np.zeros_like(may))
branches_gpu.look_at(tried, *looks)
for ours, its in zip((words, luck, seen, may), (tried, luck_there, *looks)):
    assert np.array_equal(ours, its.copy_to_host())
actions = may.argmax(axis=1)
branches.play_on(words, actions, None)
branches_gpu.play_on(tried, send(actions), False, luck_there)
assert np.array_equal(words, tried.copy_to_host())
print("the same")
"""


def test_the_kernels_try_and_play_the_same() -> None:
    environment = os.environ | ({} if has_gpu() else {"NUMBA_ENABLE_CUDASIM": "1"})
    result = subprocess.run(
        [sys.executable, "-c", CODE], capture_output=True, text=True, env=environment, check=False
    )
    assert result.stdout == "the same\n", result.stderr
