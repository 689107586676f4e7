"""Tunes the weights of the heuristic by self-play with CMA-ES, and writes them down.

Run `python tools/tune_heuristic.py OUTPUT [--generations N]`, with the package `cma` installed.
Candidates play against the last two champions with 2, 3 and 4 players, every deal in all seats; the
mean of the search takes the championship when it wins a longer match.
"""

import argparse
import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

import cma
import numpy as np

from baghdad.bots.beam import new_beam
from baghdad.bots.match import play_deals
from baghdad.bots.values import WEIGHT_NAMES, Table, Weights, make_table
from baghdad.rules.dealer import new_rng
from baghdad.rules.material import Options
from baghdad.rules.state import new_states

MAX_TURNS = 400
PATIENCE = 2


def share(mine: Table, theirs: Table, players: int, deals: int, seed: str, width: int) -> float:
    """Win share of one table alone against copies of another."""
    start, wins = new_states(Options(players)), np.zeros(deals)
    rngs = np.stack([new_rng(seed, number) for number in range(deals)])
    tables, widths = np.stack([mine, theirs]), np.array([width, width])
    play_deals(start, start.copy(), tables, widths, PATIENCE, rngs, new_beam(), MAX_TURNS, wins)
    return float(wins.mean() / players)


def strength(mine: Table, champions: list[Table], games: int, seed: str, width: int) -> float:
    """How far above its share a candidate wins, in parts of that share, over all tables."""
    total = 0.0
    for number, champion in enumerate(champions):
        for players in (2, 3, 4):
            deals = max(games // players // len(champions), 1)
            won = share(mine, champion, players, deals, f"{seed} {number}", width)
            total += won * players - 1
    return total / (3 * len(champions))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("--generations", type=int, default=60)
    parser.add_argument("--games", type=int, default=400, help="for a candidate and player count")
    parser.add_argument("--width", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()

    best = Weights()
    if options.output.exists():
        best = Weights(**json.loads(options.output.read_text())["weights"])
    x0 = np.array([getattr(best, name) for name in WEIGHT_NAMES])
    spread = np.maximum(0.25 * np.abs(x0), 0.03)
    search = cma.CMAEvolutionStrategy(
        x0, 1.0, {"CMA_stds": spread, "seed": options.seed, "popsize": 16, "verbose": -9}
    )
    champions, log, began = [make_table(best)], [], time.perf_counter()

    def table(x: np.ndarray) -> Table:
        weights = dict(zip(WEIGHT_NAMES, map(float, x), strict=True))
        weights["fade"] = min(max(weights["fade"], 0.0), 1.0)
        weights["bend"] = max(weights["bend"], 0.1)
        return make_table(Weights(**weights))

    with ThreadPoolExecutor(options.threads) as pool:
        for generation in range(options.generations):
            candidates = search.ask()
            seed = f"{options.seed} {generation}"

            def rate(x: np.ndarray, seed: str = seed) -> float:
                return strength(table(x), champions[-2:], options.games, seed, options.width)

            values = list(pool.map(rate, candidates))
            search.tell(candidates, [-value for value in values])
            if generation % 5 == 4:
                mean = np.asarray(search.mean)
                trials = [
                    pool.submit(strength, table(mean), [c], 4000, f"{seed} {i}", options.width)
                    for i, c in enumerate([champions[-1], champions[0]])
                ]
                against_last, against_first = (trial.result() for trial in trials)
                took = time.perf_counter() - began
                entry = {
                    "generation": generation + 1,
                    "seconds": round(took),
                    "against_champion": round(against_last, 4),
                    "against_first": round(against_first, 4),
                    "sigma": round(search.sigma, 3),
                }
                log.append(entry)
                print(json.dumps(entry), flush=True)
                if against_last > 0.01:
                    champions.append(table(mean))
                    names = dict(zip(WEIGHT_NAMES, map(float, mean), strict=True))
                    names["fade"] = min(max(names["fade"], 0.0), 1.0)
                    names["bend"] = max(names["bend"], 0.1)
                    best = Weights(**names)
                    options.output.write_text(
                        json.dumps({"weights": asdict(best), "log": log}, indent=1) + "\n"
                    )


if __name__ == "__main__":
    main()
