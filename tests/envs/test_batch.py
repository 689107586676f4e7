"""Positions of one's choice are played on by the rules."""

import os
import subprocess
import sys

import numpy as np
import pytest

from baghdad import Options
from baghdad.envs.batch import apply_actions, determinize_states, observe_states
from baghdad.envs.vector import VectorEnv, new_rngs
from baghdad.jit.compiler import COMPILED
from baghdad.rules.engine.state import STATE
from baghdad.rules.engine.views import VIEW
from baghdad.rules.engine.visibility import fill_view
from support.programs import has_gpu

pytestmark = pytest.mark.skipif(not COMPILED, reason="environments need compiled rules")

GAMES = 30


def games(steps: int = 40) -> VectorEnv:
    tables = [Options(2), Options(3, "neutral", spare="chosen"), Options(4, hands="seen")]
    env = VectorEnv(tables, GAMES, seed="branches")
    for _ in range(steps):
        env.step(env.sample())
    return env


def test_playing_on_is_what_an_environment_does() -> None:
    env = games()
    observations, masks = observe_states(env.state_words)
    assert np.array_equal(observations, env.now.observations)
    assert np.array_equal(masks, env.now.masks)
    words, rngs = env.state_words.copy(), env._rngs.copy()
    actions = env.sample().astype(np.int64)
    actions[0] = env.now.masks[0].argmax()
    apply_actions(words, actions, rngs)
    env.step(actions)
    going_on = ~env.now.terminated
    assert going_on.sum() > GAMES / 2
    assert words[going_on].tobytes() == env.state_words[going_on].tobytes()


def test_what_a_seat_does_not_see_is_dealt_anew() -> None:
    env = games()
    words, seats = env.state_words.copy(), env.now.to_move.astype(np.int64)
    determinize_states(words, seats, new_rngs("anew", GAMES))
    was, now = (each.view(STATE)[:, 0] for each in (env.state_words, words))
    changed = 0
    for game, seat in enumerate(seats):
        views = [np.zeros(1, VIEW)[0] for _ in range(2)]
        fill_view(was[game], seat, views[0])
        fill_view(now[game], seat, views[1])
        assert views[0].tobytes() == views[1].tobytes()
        changed += was[game].tobytes() != now[game].tobytes()
    assert changed > GAMES / 2


CODE = """
import numpy as np
from baghdad import Options
from baghdad.envs import batch
from baghdad.envs.vector import VectorEnv, new_rngs

chosen = Options(3, "neutral", "smuggle", "seen", "chosen", (6, 7, 9))
env = VectorEnv([Options(2), chosen, Options(4)], 3, seed=3)
for _ in range(30):
    env.step(env.sample())
words, rngs = env.state_words.copy(), new_rngs(5, 3)
actions, theirs = env.sample().astype(np.int64), rngs.copy()
batch.apply_actions(words, actions, rngs)
seen, may = batch.observe_states(words)

from baghdad.envs import batch_gpu
from baghdad.rules.engine.gpu import cuda

send = cuda.to_device
tried, rngs_there = send(env.state_words), send(theirs)
batch_gpu.apply_actions(tried, send(actions), True, rngs_there)
looks = send(np.zeros_like(seen)), send(np.zeros_like(may))
batch_gpu.observe_states(tried, *looks)
for ours, its in zip((words, rngs, seen, may), (tried, rngs_there, *looks)):
    assert np.array_equal(ours, its.copy_to_host())
actions = may.argmax(axis=1)
batch.apply_actions(words, actions, None)
batch_gpu.apply_actions(tried, send(actions), False, rngs_there)
assert np.array_equal(words, tried.copy_to_host())
seats, before = np.array([1, 0, 3]), words.copy()
batch.determinize_states(words, seats, rngs)
assert not np.array_equal(words, before)
batch_gpu.determinize_states(tried, send(seats), rngs_there)
assert np.array_equal(words, tried.copy_to_host())
assert np.array_equal(rngs, rngs_there.copy_to_host())
print("the same")
"""


def test_the_kernels_play_the_same() -> None:
    environment = os.environ | ({} if has_gpu() else {"NUMBA_ENABLE_CUDASIM": "1"})
    result = subprocess.run(
        [sys.executable, "-c", CODE], capture_output=True, text=True, env=environment, check=False
    )
    assert result.stdout == "the same\n", result.stderr
