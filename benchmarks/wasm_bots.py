"""Do opponents in the module decide as they do natively, and how fast? Whole games, in one run.

    python benchmarks/wasm_bots.py                          a thousand games of each that reckons
    python benchmarks/wasm_bots.py --games 10 --levels dalila scheherazade

Every decision of a game is made natively and by the module in wasmtime, with the same generator.
Those with a network may differ where two actions are as good as each other, but for rounding.
"""

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from baghdad import new_rng
from baghdad.bots import Budget, decide, make_bot
from baghdad.bots.levels import TABLE, Level
from baghdad.machine import describe_machine
from baghdad.wasm.minds.levels import level_record
from support.minds import Minds
from support.tables import EVERY_TABLE, NAMING, new_game

TABLES = [*EVERY_TABLE, *NAMING]
LEVELS = {**TABLE, "search": Level(0, "search")}
RECKONING = [name for name, level in LEVELS.items() if level.kind not in ("neural", "expert")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--simulations", type=int, default=20)
    parser.add_argument("--levels", nargs="+", default=RECKONING, choices=LEVELS)
    chosen, minds = parser.parse_args(), Minds()
    print(describe_machine())
    for name in chosen.levels:
        bot, level, equal, count, spent = (
            make_bot(name),
            level_record(LEVELS[name]),
            0,
            0,
            [0.0] * 2,
        )
        budget = Budget(simulations=chosen.simulations)
        for number in range(chosen.games):
            game = new_game(TABLES[number % len(TABLES)], seed=f"{name} {number}")
            while not game.over and game.turns < 400:
                seat = game.to_move
                assert seat is not None
                view, here, there = game.view(seat), new_rng(name, count), new_rng(name, count)
                legal, began = game.legal(), time.process_time()
                actions = list(decide(bot, view, legal, budget, here))
                between = time.process_time()
                other = minds.decide(view, level, there, simulations=chosen.simulations)
                spent[0] += between - began
                spent[1] += time.process_time() - between
                equal += actions == other and bool((here == there).all())
                count += 1
                for action in actions:
                    game.play(action)
        native, module = (1000 * each / count for each in spent)
        print(
            f"{name:<14} {chosen.games} games: {equal} of {count} decisions the same; "
            f"{native:.2f} ms natively, {module:.2f} ms in the module",
            flush=True,
        )


if __name__ == "__main__":
    main()
