"""`baghdad bench`: how fast the engine plays."""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from baghdad.jit.compiler import COMPILED
from baghdad.rules.engine.dealer import new_rng
from baghdad.rules.engine.legality import empty_rows
from baghdad.rules.engine.simulate import copy_states, random_steps
from baghdad.rules.options import Options
from baghdad.rules.setup import new_states
from baghdad.text import say

from .files import UsageError
from .progress import bar

CHUNK = 200_000 if COMPILED else 200
"""Steps between two looks at the clock: some 20 ms of work."""
COPIES = 10_000_000 if COMPILED else 10_000
GPU_CHUNK = 2_000
GPU_CHECKED = 16
"""Games whose states on the GPU are compared with the CPU's before anything is measured."""
LONGEST_SECONDS = 3600
TICK_SECONDS = 0.1
FIRST_STEP = """
from baghdad import Game
game = Game(players=2, seed=1)
game.play(game.legal()[0])
"""


def run(options: argparse.Namespace, language: str) -> int:
    """Measure and print, for people or as JSON."""
    if not 0 < options.seconds <= LONGEST_SECONDS:
        raise UsageError(say("cli.bench.seconds_range", language))
    report: dict[str, Any] = {"players": options.players, "device": options.device}
    if options.start:
        report |= start_up(language)
    elif options.device == "cuda":
        report |= on_gpu(options.players, options.games, options.seconds, language)
    else:
        report |= on_cpu(options.players, options.threads, options.seconds, language)
    report["machine"] = machine()
    if options.json:
        print(json.dumps(report))
        return 0
    for key, value in report.items():
        shown = f"{value:,.{0 if value >= 100 else 2}f}" if isinstance(value, float) else value
        print(f"{say(f'bench.{key}', language):<36}{shown}")
    return 0


def table(players: int, thread: int) -> tuple[Any, Any, Any, Any]:
    """What `random_steps` plays on: a game, its beginning, a generator, room for legal moves."""
    start = new_states(Options(players))
    return start.copy(), start, new_rng(1, thread), empty_rows()


def clock(seconds: float, label: str) -> Iterator[None]:
    """Tick until the time is over, and show how far it is."""
    began = time.perf_counter()
    with bar(round(seconds, 1), label) as shown:
        while (passed := time.perf_counter() - began) < seconds:
            shown.update(round(passed, 1) - shown.n)
            yield


def on_cpu(players: int, threads: int, seconds: float, language: str = "en") -> dict[str, Any]:
    """Random play on so many threads at once, each with games of its own."""
    tables = [table(players, thread) for thread in range(threads)]
    random_steps(*tables[0], 1)  # compiles
    done: list[tuple[int, int, float]] = []

    def play(thread: int) -> None:
        steps = games = 0
        began = time.perf_counter()
        while (took := time.perf_counter() - began) < seconds:
            games += random_steps(*tables[thread], CHUNK)
            steps += CHUNK
        done.append((steps, games, took))

    # Daemons: whenever an interrupt comes, nothing waits for them.
    workers = [threading.Thread(target=play, args=(n,), daemon=True) for n in range(threads)]
    for each in workers:
        each.start()
    for _ in clock(seconds, say("cli.bench.progress", language)):
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


def find_gpu(language: str) -> str:
    """The GPU's name; or say what is missing."""
    try:
        from baghdad.rules.engine.gpu import gpu_name

        return gpu_name()
    except Exception as error:  # every missing piece of CUDA has an exception of its own
        reason = str(error).strip().splitlines()[-1:] or [type(error).__name__]
        no_gpu = say("cli.bench.no_cuda", language, reason=reason[0])
        raise UsageError(f"{no_gpu}\n{say('cli.bench.cuda_hint', language)}") from None


def on_gpu(players: int, games: int, seconds: float, language: str = "en") -> dict[str, Any]:
    """Random play in so many games at once on a GPU."""
    name = find_gpu(language)
    from baghdad.rules.engine.gpu import GpuGames

    many = GpuGames(
        new_states(Options(players)), np.stack([new_rng(1, game) for game in range(games)])
    )
    many.random_steps(GPU_CHUNK)  # compiles, and brings the games out of the opening
    for game in range(min(GPU_CHECKED, games)):
        mine = table(players, game)
        random_steps(*mine, GPU_CHUNK)
        if mine[0].tobytes() != many.states[game].tobytes():
            raise RuntimeError(f"game {game} on the GPU is not the CPU's")
    ended, steps = many.ended, 0
    began = time.perf_counter()
    for _ in clock(seconds, say("cli.bench.progress", language)):
        many.random_steps(GPU_CHUNK)
        steps += GPU_CHUNK * games
    took = time.perf_counter() - began
    return {
        "device": name,
        "games": games,
        "steps_per_second": steps / took,
        "games_per_second": (many.ended - ended) / took,
    }


def start_up(language: str = "en") -> dict[str, Any]:
    """Seconds from an empty process to help and to the first step, with and without the cache."""
    shown = bar(7, say("cli.bench.progress", language))

    def seconds(*command: str, cache: str | None = None) -> float:
        environment = os.environ | ({"XDG_CACHE_HOME": cache} if cache else {})
        began = time.perf_counter()
        subprocess.run(
            [sys.executable, *command], check=True, env=environment, stdout=subprocess.DEVNULL
        )
        shown.update(1)
        return round(time.perf_counter() - began, 3)

    with shown, tempfile.TemporaryDirectory() as cache:
        cold = seconds("-c", FIRST_STEP, cache=cache)
        warm = min(seconds("-c", FIRST_STEP, cache=cache) for _ in range(3))
        help_ = min(seconds("-m", "baghdad", "--help") for _ in range(3))
    return {
        "compiled": COMPILED,
        "help_seconds": help_,
        "warm_first_step_seconds": warm,
        "cold_first_step_seconds": cold,
    }


def machine() -> str:
    """What it ran on: processor, cores, Python and libraries."""
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass  # not Linux: what Python knows must do
    libraries = []
    for name in ("numpy", "numba", "numba-cuda"):
        try:
            libraries.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    system = f"{platform.system()} {platform.machine()}"
    python = f"Python {platform.python_version()}"
    return ", ".join([f"{model}, {os.cpu_count()} cores", system, python, *libraries])
