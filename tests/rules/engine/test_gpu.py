"""The kernel plays the same games as the CPU: on a GPU where there is one, else in a simulator."""

import json
import os
import subprocess
import sys

import pytest

from baghdad.jit.compiler import COMPILED
from support.programs import ROOT, has_gpu

CODE = """
import numpy as np
from baghdad.bench import random_game
from baghdad.rules.options import Options
from baghdad.rules.engine.simulate import random_step, random_steps

cpu = []
for game in range(3):
    work = random_game(4, game)
    random_step(work[0][0], work[2].copy(), work[3])  # compiled before the simulator's threads run
    work = random_game(4, game)
    random_steps(*work, 400)
    cpu.append(work[0][0].tobytes())

from baghdad.rules.engine.gpu import GpuGames
from baghdad.rules.setup import new_states

games = GpuGames(new_states(Options(4)), np.stack([random_game(4, game)[2] for game in range(3)]))
games.random_steps(150)
games.random_steps(250)
print([state.tobytes() for state in games.states] == cpu, games.finished)
"""


@pytest.mark.skipif(not COMPILED, reason="the kernel needs Numba")
def test_the_kernel_plays_the_same_games() -> None:
    environment = os.environ | ({} if has_gpu() else {"NUMBA_ENABLE_CUDASIM": "1"})
    result = subprocess.run(
        [sys.executable, "-c", CODE], capture_output=True, text=True, env=environment, check=False
    )
    assert result.stdout == "True 0\n", result.stderr


@pytest.mark.skipif(not COMPILED, reason="the kernel needs Numba")
def test_it_does_at_every_table() -> None:
    """A hundred million steps: `benchmarks.gpu`."""
    environment = os.environ | ({} if has_gpu() else {"NUMBA_ENABLE_CUDASIM": "1"})
    result = subprocess.run(
        [sys.executable, "-m", "benchmarks.gpu", "--steps", "20000", "--games", "2"],
        capture_output=True,
        text=True,
        env=environment,
        cwd=ROOT,
        check=True,
    )
    report = json.loads(result.stdout)
    assert report["tables"] == 96
    assert report["states_compared"] == 96 * 2 * 10
    assert report["steps"] >= 20_000
