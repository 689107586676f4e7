"""How fast the engine plays: random games on the CPU and on a GPU, and how soon it is ready."""

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np

from baghdad.jit.compiler import COMPILED
from baghdad.rules.engine.dealer import new_rng
from baghdad.rules.engine.legality import empty_rows
from baghdad.rules.engine.simulate import copy_states, random_steps
from baghdad.rules.options import Options
from baghdad.rules.setup import new_states

CHUNK = 200_000 if COMPILED else 200
"""Steps between two looks at the clock: some 20 ms of work."""
COPIES = 10_000_000 if COMPILED else 10_000
GPU_CHUNK = 2_000
GPU_CHECKED = 16
"""Games whose states on the GPU are compared with the CPU's before anything is measured."""
TICK_SECONDS = 0.1
START_UPS = 7
"""Processes that `start_up` starts, one after another."""
FIRST_STEP = """
from baghdad import Game
game = Game(players=2, seed=1)
game.play(game.legal()[0])
"""

Tick: TypeAlias = Callable[[float], object]
"""Hears how much more is done: seconds, or processes."""


def random_game(players: int, stream: int) -> tuple[Any, Any, Any, Any]:
    """What `random_steps` plays on: a game, its beginning, a generator, room for legal moves."""
    start = new_states(Options(players))
    return start.copy(), start, new_rng(1, stream), empty_rows()


def on_cpu(players: int, threads: int, seconds: float, tick: Tick = bool) -> dict[str, Any]:
    """Random play on this many threads at once, each with games of its own."""
    games_of = [random_game(players, thread) for thread in range(threads)]
    random_steps(*games_of[0], 1)  # compiles
    done: list[tuple[int, int, float]] = []

    def play(thread: int) -> None:
        steps = games = 0
        began = time.perf_counter()
        while (took := time.perf_counter() - began) < seconds:
            games += random_steps(*games_of[thread], CHUNK)
            steps += CHUNK
        done.append((steps, games, took))

    # Daemons: whenever an interrupt comes, nothing waits for them.
    workers = [threading.Thread(target=play, args=(n,), daemon=True) for n in range(threads)]
    for each in workers:
        each.start()
    for _ in _clock(seconds, tick):
        time.sleep(min(seconds, TICK_SECONDS))
    for each in workers:
        each.join()
    return {
        "threads": threads,
        "compiled": COMPILED,
        "steps_per_second": sum(steps / took for steps, _, took in done),
        "games_per_second": sum(games / took for _, games, took in done),
        "copy_nanoseconds": copy_time(),
    }


def copy_time() -> float:
    """Nanoseconds for a compiled copy of a state, among states that stay in the cache."""
    states = new_states(Options(), 64)
    copy_states(states, 1)
    began = time.perf_counter()
    copy_states(states, COPIES)
    return round((time.perf_counter() - began) / COPIES * 1e9, 2)


def on_gpu(players: int, games: int, seconds: float, tick: Tick = bool) -> dict[str, Any]:
    """Random play in this many games at once on a GPU; where CUDA is missing, its own exception."""
    from baghdad.rules.engine.gpu import GpuGames, gpu_name

    name = gpu_name()
    rngs = np.stack([new_rng(1, game) for game in range(games)])
    many = GpuGames(new_states(Options(players)), rngs)
    many.random_steps(GPU_CHUNK)  # compiles, and brings the games out of the opening
    for game in range(min(GPU_CHECKED, games)):
        mine = random_game(players, game)
        random_steps(*mine, GPU_CHUNK)
        if mine[0].tobytes() != many.states[game].tobytes():
            raise RuntimeError(f"game {game} on the GPU is not the CPU's")
    finished, steps = many.finished, 0
    began = time.perf_counter()
    for _ in _clock(seconds, tick):
        many.random_steps(GPU_CHUNK)
        steps += GPU_CHUNK * games
    took = time.perf_counter() - began
    return {
        "device": name,
        "games": games,
        "steps_per_second": steps / took,
        "games_per_second": (many.finished - finished) / took,
    }


def _clock(seconds: float, tick: Tick) -> Iterator[None]:
    """Go on until the time is over."""
    began, told = time.perf_counter(), 0.0
    while (passed := time.perf_counter() - began) < seconds:
        tick(round(passed, 1) - told)
        told = round(passed, 1)
        yield


def start_up(tick: Tick = bool) -> dict[str, Any]:
    """Seconds from an empty process to help and to the first step, with and without the cache."""

    def seconds(*command: str, cache: str | None = None) -> float:
        environment = os.environ | ({"XDG_CACHE_HOME": cache} if cache else {})
        began = time.perf_counter()
        subprocess.run(
            [sys.executable, *command], check=True, env=environment, stdout=subprocess.DEVNULL
        )
        tick(1)
        return round(time.perf_counter() - began, 3)

    with tempfile.TemporaryDirectory() as cache:
        cold = seconds("-c", FIRST_STEP, cache=cache)
        warm = min(seconds("-c", FIRST_STEP, cache=cache) for _ in range(3))
        help_ = min(seconds("-m", "baghdad", "--help") for _ in range(3))
    return {
        "compiled": COMPILED,
        "help_seconds": help_,
        "warm_first_step_seconds": warm,
        "cold_first_step_seconds": cold,
    }
