"""The GPU's games are the CPU's: on a GPU where there is one, else in Numba's simulator."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from baghdad.jit.compiler import COMPILED
from support.programs import has_gpu

CODE = """
import numpy as np
from baghdad import Options
from baghdad.envs.vector import VectorEnv

tables = [Options(2), Options(3, "neutral", "smuggle", "seen", "chosen", (6, 7, 9)), Options(4)]
cpu = VectorEnv(tables, 3, seed=3, max_turns=2)
cpu.step(cpu.sample())  # compiled before the simulator's threads run
cpu = VectorEnv(tables, 3, seed=3, max_turns=2)

from baghdad.envs.gpu import GpuVectorEnv, cuda

gpu = GpuVectorEnv(tables, 3, seed=3, max_turns=2)
truncated = 0
for number in range(20):
    ours, theirs = cpu.sample(), gpu.sample()
    assert np.array_equal(ours, theirs.copy_to_host()), number
    step, other = cpu.step(ours), gpu.step(theirs)
    for mine, its in zip(step, other):
        assert np.array_equal(mine, its.copy_to_host()), number
    truncated += int(step.truncated.sum())
assert cpu.states.tobytes() == gpu.states.tobytes()
assert truncated > 0 and gpu.illegal == 0

before = gpu.states
wrong = gpu.sample().copy_to_host()
wrong[0] = -1
wrong[2] = 999
gpu.step(cuda.to_device(wrong))
assert gpu.illegal == 2
same = [gpu.states[game].tobytes() == before[game].tobytes() for game in range(3)]
assert same == [True, False, True]

cpu, gpu = (kind(tables, 130, seed=5) for kind in (VectorEnv, GpuVectorEnv))  # more than a block
gpu.wait()
for mine, its in zip(cpu.step(cpu.sample()), gpu.step(gpu.sample())):
    assert np.array_equal(mine, its.copy_to_host())
assert cpu.states.tobytes() == gpu.states.tobytes()

from baghdad.bots.search.tactician import Tactician
from baghdad.envs import gpu as on_gpu, vector
from support.tables import table

near = table(
    guards={"R": "1n", "G": "1n", "W": "n"},
    thieves={"R": "111", "G": "111", "W": "111", "P": "1"},
    hands=["RRGWW"],
    loot=[3],
)
vector.start_states = on_gpu.start_states = lambda options: near.states()
cpu, gpu = (kind(games=2, seed=4) for kind in (VectorEnv, GpuVectorEnv))
won = 0
for action in Tactician(10_000).ask(near.view(0), 10_000).actions:
    step, other = cpu.step([action] * 2), gpu.step(cuda.to_device(np.array([action] * 2)))
    for mine, its in zip(step, other):
        assert np.array_equal(mine, its.copy_to_host()), action
    won += int(step.terminated.sum())
assert won == 2 and step.rewards[:, 0].tolist() == [1, 1]
assert cpu.states.tobytes() == gpu.states.tobytes() == near.states().tobytes() * 2

bare = table(3, hands=["********", "", ""], discard="RRGG", seat=2, spare="chosen")
vector.start_states = on_gpu.start_states = lambda options: bare.states()
cpu, gpu = (kind(games=7, seed=6) for kind in (VectorEnv, GpuVectorEnv))
for mine, its in zip(cpu.now, gpu.now):
    assert np.array_equal(mine, its.copy_to_host())
named = np.array([13, *range(369, 375)])
assert [list(np.flatnonzero(mask)) for mask in cpu.now.masks] == [list(named)] * 7
for mine, its in zip(cpu.step(named), gpu.step(cuda.to_device(named))):
    assert np.array_equal(mine, its.copy_to_host())
assert cpu.states.tobytes() == gpu.states.tobytes()
assert (np.diagonal(cpu.states["hands"][1:, 1]) > 0).all()
assert gpu.illegal == 0
print("the same")
"""


@pytest.mark.skipif(not COMPILED, reason="the kernels need Numba")
def test_the_kernels_play_and_show_the_same_games() -> None:
    tests = str(Path(__file__).parents[1])
    paths = os.pathsep.join([tests, *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = os.environ | {"PYTHONPATH": paths}
    if not has_gpu():
        environment["NUMBA_ENABLE_CUDASIM"] = "1"
    result = subprocess.run(
        [sys.executable, "-c", CODE], capture_output=True, text=True, env=environment, check=False
    )
    assert result.stdout == "the same\n", result.stderr
