"""Tunes the heuristic's parameters by self-play with CMA-ES (Hansen 2016), and writes them down.

Run `python tools/tune_heuristic.py OUTPUT`, with the package `cma` installed. Candidates play
against the last two champions with 2, 3 and 4 players, every deal in all seats; the mean of the
search takes the championship when it wins a longer match.
"""

import argparse
import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeAlias

import cma
import numpy as np
import numpy.typing as npt

from baghdad.bots.heuristic.beam import new_beam
from baghdad.bots.heuristic.evaluation import (
    EvalParams,
    ValueTable,
    make_value_table,
)
from baghdad.bots.heuristic.match import Planners, play_deals
from baghdad.bots.playing import MAX_TURNS
from baghdad.rules.engine.dealer import new_rng
from baghdad.rules.options import Options
from baghdad.rules.setup import new_states

Vector: TypeAlias = npt.NDArray[np.float64]
PATIENCE = 2


def share(
    mine: ValueTable, theirs: ValueTable, players: int, deals: int, seed: str, width: int
) -> float:
    """Win share of one table alone against copies of another."""
    start, wins = new_states(Options(players)), np.zeros(deals)
    rngs = np.stack([new_rng(seed, number) for number in range(deals)])
    pair = Planners(np.stack([mine, theirs]), np.full(2, width), np.full(2, PATIENCE))
    play_deals(start, pair, rngs, new_beam(), MAX_TURNS, wins)
    return float(wins.mean() / players)


def strength(
    mine: ValueTable, champions: list[ValueTable], games: int, seed: str, width: int
) -> float:
    """How far above its share a candidate wins, in parts of that share, over all tables."""
    total = 0.0
    for number, champion in enumerate(champions):
        for players in (2, 3, 4):
            deals = max(games // players // len(champions), 1)
            won = share(mine, champion, players, deals, f"{seed} {number}", width)
            total += won * players - 1
    return total / (3 * len(champions))


def params_of(x: Vector) -> EvalParams:
    """Parameters from a point of the search, those with limits within them."""
    params = EvalParams(*map(float, x))
    return params._replace(fade=min(max(params.fade, 0.0), 1.0), exponent=max(params.exponent, 0.1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("--generations", type=int, default=80)
    parser.add_argument("--games", type=int, default=300, help="for a candidate and player count")
    parser.add_argument("--width", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()

    x0 = np.array(EvalParams())
    spread = np.maximum(0.25 * np.abs(x0), 0.03)
    settings = {"CMA_stds": spread, "seed": options.seed, "popsize": 16, "verbose": -9}
    search = cma.CMAEvolutionStrategy(x0, 1.0, settings)
    champions, log, began = [make_value_table(EvalParams())], [], time.perf_counter()

    with ThreadPoolExecutor(options.threads) as pool:
        for generation in range(1, options.generations + 1):
            candidates, seed = search.ask(), f"{options.seed} {generation}"
            rated = [
                pool.submit(
                    strength, make_value_table(params_of(x)), champions[-2:], options.games, seed,
                    options.width,
                )
                for x in candidates
            ]  # fmt: skip
            search.tell(candidates, [-trial.result() for trial in rated])
            if generation % 5:
                continue
            mean = params_of(search.mean)
            trials = [
                pool.submit(strength, make_value_table(mean), [rival], 4000, seed, options.width)
                for rival in (champions[-1], champions[0])
            ]
            against_last, against_first = (trial.result() for trial in trials)
            entry = {
                "generation": generation,
                "seconds": round(time.perf_counter() - began),
                "against_champion": round(against_last, 4),
                "against_first": round(against_first, 4),
                "sigma": round(search.sigma, 3),
            }
            log.append(entry)
            print(json.dumps(entry), flush=True)
            if against_last > 0.01:
                champions.append(make_value_table(mean))
                result = {"params": mean._asdict(), "log": log}
                options.output.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
