"""Does the network in the module think what it thinks natively, and how fast? Whole games.

    python -m benchmarks.wasm.network
    python -m benchmarks.wasm.network --positions 1000

`duban`, who plays what the network wants and nothing else, plays whole games natively, over all
options. In every position the module, in Node and Chromium, is asked, too. It ends with 1 where a
logit of a legal action is off by more than 1e-4, the choice is another in more than one position of
a thousand, or a move takes more than 2 ms in the middle of the games.
"""

import argparse
import sys
import time
from statistics import median

import numpy as np

from baghdad import Game, new_rng
from baghdad.bots.neural.sight import new_sight, sample_first, see_view
from baghdad.bots.neural.weights_file import load_network
from baghdad.machine import describe_machine
from baghdad.rules.engine.state import STATE

from .engines import all_engines
from .minds import Minds
from .steps import EVERY_TABLE

LEVEL = "duban"
CLOSE, SAME, QUICK = 1e-4, 0.999, 2.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=10_000)
    chosen = parser.parse_args()
    print(describe_machine())
    network, sight, states = load_network(), new_sight(1), np.zeros(1, STATE)
    ms: dict[str, list[float]] = {"native": []}
    furthest, equal = dict[str, float](), dict[str, int]()
    games = count = 0
    with all_engines() as engines:
        minds = {name: Minds(run) for name, run in engines.items()}
        while count < chosen.positions:
            game = Game.with_options(EVERY_TABLE[37 * games % len(EVERY_TABLE)], seed=f"n{games}")
            positions, logits, masks, actions, spent = [], [], [], [], 0.0
            while not game.over and game.turns < 400:
                seat = game.to_move
                assert seat is not None
                view, rng = game.view(seat), new_rng(LEVEL, count)
                positions.append((view, rng.copy()))
                began = time.perf_counter()
                see_view(view.fields, rng, states, sight)
                network.look(sight, 1)
                actions.append(int(sample_first(0.0, rng, sight)))
                spent += time.perf_counter() - began
                logits.append(sight.logits[0].copy())
                masks.append(sight.masks[0].copy())
                game.play(actions[-1])
            ms["native"].append(1000 * spent / len(actions))
            for name, mind in minds.items():
                there = mind.decide(LEVEL, positions, -1, with_logits=True)
                off = np.abs(np.array(logits) - there.logits)[np.array(masks)].max()
                furthest[name] = max(furthest.get(name, 0.0), float(off))
                same = sum([one] == two for one, two in zip(actions, there.actions, strict=True))
                equal[name] = equal.get(name, 0) + same
                ms.setdefault(name, []).append(there.ms / len(actions))
            count += len(actions)
            games += 1
    print(f"{count:,} positions of {games} games\n")
    print(f"{'':<10}{'ms a move':>10}{'the same choice':>18}{'logits off by at most':>24}")
    for name, times in ms.items():
        line = f"{name:<10}{median(times):>10.2f}"
        if name in equal:
            line += f"{equal[name] / count:>18.3%}{furthest[name]:>24.1e}"
        print(line)
    missed = [
        name
        for name in equal
        if furthest[name] > CLOSE or equal[name] < SAME * count or median(ms[name]) > QUICK
    ]
    if missed:
        sys.exit(f"not as it is to be: {', '.join(missed)}")


if __name__ == "__main__":
    main()
