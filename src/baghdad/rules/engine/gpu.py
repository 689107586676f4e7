"""The same rules on an NVIDIA GPU, through numba-cuda: one thread plays one game."""

from importlib import import_module
from typing import Any

import numpy as np
from numba import int64

from .actions import ROWS
from .dealer import Rng
from .material import OVER
from .simulate import random_step
from .state import STATE, States


def _cuda() -> Any:
    # numba-cuda still asks for a name that NumPy 2.5 has dropped.
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack
    return import_module("numba.cuda")


cuda = _cuda()
THREADS = 128
"""Threads in a block: the rules need many registers, so small blocks fill the chip better."""


def blocks_for(threads: int) -> int:
    """How many blocks hold this number of threads."""
    return (threads + THREADS - 1) // THREADS


@cuda.jit  # type: ignore[untyped-decorator]
def _random_steps(states: Any, start: Any, rngs: Any, steps: int, games: Any) -> None:
    game = cuda.grid(1)
    if game >= states.shape[0]:
        return
    # A copy close to the thread: in local memory neighbouring threads' fields lie side by side.
    state = cuda.local.array(1, STATE)
    rows = cuda.local.array(ROWS, int64)
    rng = cuda.local.array(4, int64)
    state[0] = states[game]
    for number in range(4):
        rng[number] = rngs[game, number]
    for _ in range(steps):
        random_step(state[0], rng, rows)
        if state[0].phase == OVER:
            games[game] += 1
            state[0] = start[0]
    for number in range(4):
        rngs[game, number] = rng[number]
    states[game] = state[0]


class GpuGames:
    """Many games at once in the memory of a GPU."""

    def __init__(self, start: States, rngs: Rng) -> None:
        """As many games as there are generators [games, 4], all as the one state of `start`."""
        self.count = len(rngs)
        self._states = cuda.to_device(start.repeat(self.count))
        self._start = cuda.to_device(start)
        self._rngs = cuda.to_device(rngs)
        self._finished = cuda.to_device(np.zeros(self.count, np.int64))

    def random_steps(self, steps: int) -> None:
        """Play this number of random steps in every game, and wait until they are done."""
        _random_steps[blocks_for(self.count), THREADS](
            self._states, self._start, self._rngs, steps, self._finished
        )
        cuda.synchronize()

    @property
    def finished(self) -> int:
        """Games that have come to their end."""
        return int(self._finished.copy_to_host().sum())

    @property
    def states(self) -> States:
        """A copy of all states in the computer's own memory."""
        states: States = self._states.copy_to_host()
        return states


def gpu_name() -> str:
    """The GPU that will play; raises where there is none."""
    name = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)
