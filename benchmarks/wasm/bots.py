"""Do opponents in the module decide as they do natively, and how fast? Whole games, in one run.

    python -m benchmarks.wasm.bots                          a thousand games of each that reckons
    python -m benchmarks.wasm.bots --games 10 --levels dalila scheherazade

The games are played natively. In every position the module, in Node and in Chromium, decides too,
with the same generator: the same actions, and the generator the same afterwards, or it ends with 1.
Those with a network may differ where two actions are as good as each other, but for rounding: see
`benchmarks.wasm.network`. Simulations are what limits a search: no clock ticks twice alike.
"""

import argparse
import sys
import time
from collections.abc import Mapping
from statistics import median
from typing import Any, NamedTuple

from baghdad import Game, new_rng
from baghdad.bots import Bot, Budget, decide, make_bot
from baghdad.cli.progress import progress
from baghdad.machine import describe_machine
from baghdad.rules.engine.dealer import Rng
from baghdad.rules.options import Options
from baghdad.rules.views import View

from .engines import all_engines
from .minds import LEVELS, RECKONING, Minds
from .steps import EVERY_TABLE

PATIENCE = 400
"""Turns of a game."""


class Native(NamedTuple):
    """A whole game as it was played natively."""

    positions: list[tuple[View, Rng]]
    """What the seat in turn saw, and its generator."""
    decisions: list[tuple[list[int], bytes]]
    """Its actions, and what became of the generator."""
    ms: float
    """For all of them."""


def play(bot: Bot, options: Options, seed: str, budget: Budget, turns: int = PATIENCE) -> Native:
    """A game of a bot against itself."""
    game, spent = Game.with_options(options, seed=seed), 0.0
    positions: list[tuple[View, Rng]] = []
    decisions: list[tuple[list[int], bytes]] = []
    while not game.over and game.turns < turns:
        seat = game.to_move
        assert seat is not None
        view, legal, rng = game.view(seat), game.legal(), new_rng(seed, len(positions))
        positions.append((view, rng.copy()))
        began = time.perf_counter()
        actions = list(decide(bot, view, legal, budget, rng))
        spent += time.perf_counter() - began
        decisions.append((actions, rng.tobytes()))
        for action in actions:
            game.play(action)
    return Native(positions, decisions, 1000 * spent)


def compare(
    name: str, games: int, simulations: int, engines: Mapping[str, Minds]
) -> dict[str, Any]:
    """How many decisions were the same, and how long one took in the middle of the games."""
    bot, budget, count = make_bot(name), Budget(simulations=simulations), 0
    equal = dict.fromkeys(engines, 0)
    ms: dict[str, list[float]] = {each: [] for each in ("native", *engines)}
    for number in progress(range(games), games, name):
        options = EVERY_TABLE[number % len(EVERY_TABLE)]
        native = play(bot, options, f"{name} {number}", budget)
        count += len(native.decisions)
        ms["native"].append(native.ms / len(native.decisions))
        for engine, minds in engines.items():
            there = minds.decide(name, native.positions, simulations)
            decisions = zip(there.actions, there.rngs, strict=True)
            equal[engine] += sum(
                one == two for one, two in zip(native.decisions, decisions, strict=True)
            )
            ms[engine].append(there.ms / len(native.decisions))
    return {
        "level": name,
        "games": games,
        "decisions": count,
        "equal": equal,
        "ms": {engine: median(each) for engine, each in ms.items()},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--simulations", type=int, default=20)
    parser.add_argument("--levels", nargs="+", default=RECKONING, choices=LEVELS)
    chosen, wrong = parser.parse_args(), []
    print(describe_machine())
    with all_engines() as engines:
        minds = {engine: Minds(run) for engine, run in engines.items()}
        for name in chosen.levels:
            found = compare(name, chosen.games, chosen.simulations, minds)
            print(found, flush=True)
            if name in RECKONING and {*found["equal"].values()} != {found["decisions"]}:
                wrong.append(name)
    if wrong:
        sys.exit(f"the module decides otherwise: {', '.join(wrong)}")


if __name__ == "__main__":
    main()
