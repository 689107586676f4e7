"""Plays the same random games on a GPU and on the CPU, and compares their states along the way.

    python -m benchmarks.gpu                        a hundred million steps on each
    NUMBA_ENABLE_CUDASIM=1 python -m benchmarks.gpu --steps 20000 --games 2

The steps are spread over all options and numbers of players, many games of each side by side. Where
a state is not the same bytes it ends with 1 and says at which table. In Numba's simulator, which
needs no GPU, it takes its time.
"""

import argparse
import json
import os

import numpy as np

from baghdad.cli.progress import progress
from baghdad.machine import describe_machine
from baghdad.rules.engine.dealer import new_rng
from baghdad.rules.engine.gpu import GpuGames, gpu_name
from baghdad.rules.engine.legality import empty_rows
from baghdad.rules.engine.simulate import random_step, random_steps
from baghdad.rules.options import Options
from baghdad.rules.setup import new_states

from .wasm.steps import EVERY_TABLE

SIMULATOR = "NUMBA_ENABLE_CUDASIM"
LOOKS = 10
"""At the states, of each game."""


def compare(options: Options, games: int, steps: int) -> int:
    """Play so many steps up to each look in so many games; returns how many of them ended."""
    start, rows = new_states(options), empty_rows()
    rngs = np.stack([new_rng(str(options), game) for game in range(games)])
    # Compiled before the simulator's threads run.
    random_step(start.copy()[0], rngs[0].copy(), rows)
    there, here, ended = GpuGames(start, rngs.copy()), start.repeat(games), 0
    for _ in range(LOOKS):
        there.random_steps(steps)
        for game in range(games):
            ended += random_steps(here[game : game + 1], start, rngs[game], rows, steps)
        if (there.states.tobytes(), there.finished) != (here.tobytes(), ended):
            raise SystemExit(f"the GPU plays other games: {options}")
    return ended


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=10**8, help="of all tables together")
    parser.add_argument("--games", type=int, default=1024, help="at each table")
    chosen = parser.parse_args()
    each = -(-chosen.steps // (len(EVERY_TABLE) * chosen.games * LOOKS))
    tables = progress(EVERY_TABLE, len(EVERY_TABLE), "Tables")
    ended = sum(compare(options, chosen.games, each) for options in tables)
    report = {
        "machine": describe_machine(),
        "gpu": "simulated" if os.environ.get(SIMULATOR) == "1" else gpu_name(),
        "steps": each * LOOKS * chosen.games * len(EVERY_TABLE),
        "tables": len(EVERY_TABLE),
        "games_ended": ended,
        "states_compared": LOOKS * chosen.games * len(EVERY_TABLE),
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
