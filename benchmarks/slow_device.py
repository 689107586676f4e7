"""How long opponents think on a slow device: whole games of each with itself, in the module.

    python benchmarks/slow_device.py     a quarter as fast as this processor
    python benchmarks/slow_device.py --slow 8 --levels scheherazade --players 4

The clock is the processor time that the module has taken in wasmtime, times `--slow`: what else the
machine does changes little. Every decision has the second that the page gives it.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from baghdad import Game, new_rng
from baghdad.bots.levels import TABLE
from baghdad.machine import describe_machine
from baghdad.wasm.minds.levels import level_record
from support.minds import Minds

SECONDS = 1.0
GOAL = 1.5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--slow", type=float, default=4.0)
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--turns", type=int, default=400, help="of a game, at most")
    parser.add_argument("--players", nargs="+", type=int, default=[2, 3, 4])
    parser.add_argument("--levels", nargs="+", default=list(TABLE), choices=list(TABLE))
    chosen = parser.parse_args()
    minds = Minds(lambda: chosen.slow * time.thread_time())
    print(f"{describe_machine()}; {chosen.slow:g} times slower")
    every: list[float] = []
    for name in chosen.levels:
        for players in chosen.players:
            took = [
                seconds
                for number in range(chosen.games)
                for seconds in decisions(minds, name, players, number, chosen.slow, chosen.turns)
            ]
            every += took
            print(f"{name:<14} {players} players: {told(took)}", flush=True)
    print(f"all: {told(every)}")


def decisions(
    minds: Minds, name: str, players: int, number: int, slow: float, turns: int
) -> list[float]:
    """The seconds that each decision of a game has taken."""
    game, level = Game(players, seed=f"slow {number}"), level_record(TABLE[name])
    took: list[float] = []
    while not game.over and game.turns < turns:
        seat = game.to_move
        assert seat is not None
        began = time.thread_time()
        rng = new_rng(f"{name} {number}", len(took))
        actions = minds.decide(game.view(seat), level, rng, SECONDS)
        took.append(slow * (time.thread_time() - began))
        for action in actions:
            game.play(action)
    return took


def told(took: list[float]) -> str:
    half, most, longest = np.quantile(took, (0.5, 0.95, 1.0))
    within = np.mean(np.array(took) <= GOAL)
    return (
        f"{len(took)} decisions, median {half:.3f} s, 95 % within {most:.3f} s, "
        f"longest {longest:.3f} s; {100 * within:.1f} % within {GOAL} s"
    )


if __name__ == "__main__":
    main()
