"""How fast the bots think: games a second of the heuristic, simulations of the search, hints.

Run `python benchmarks/bots.py [--games N] [--json]`.
"""

import argparse
import json
import time
from typing import Any

import numpy as np

from baghdad import Game, Options, new_rng
from baghdad.bots import Budget, make_bot
from baghdad.bots.beam import new_beam, play_game
from baghdad.bots.heuristic import PATIENCE, WIDTH
from baghdad.bots.playing import moves
from baghdad.bots.search import SearchBot
from baghdad.bots.tactician import Tactician
from baghdad.bots.values import Weights, make_table
from baghdad.cli.bench import machine
from baghdad.cli.progress import progress
from baghdad.rules.material import TURN
from baghdad.rules.state import new_states


def heuristic_games(players: int, games: int) -> float:
    """Games a second of the heuristic against itself, in compiled code on one thread."""
    start = new_states(Options(players))
    tables = np.stack([make_table(Weights())] * players)
    widths, beam = np.full(players, WIDTH), new_beam()
    rngs = [new_rng("speed", number) for number in range(games)]
    states = start.copy()
    play_game(states[0], tables, widths, PATIENCE, new_rng(0), beam, 400)  # compiles
    began = time.perf_counter()
    for rng in rngs:
        states[0] = start[0]
        play_game(states[0], tables, widths, PATIENCE, rng, beam, 400)
    return games / (time.perf_counter() - began)


def thinking(players: int, games: int) -> dict[str, Any]:
    """Hints and searches at the turns of some games of the heuristic."""
    search, tactician = SearchBot(), Tactician()
    bots = [make_bot("heuristic") for _ in range(players)]
    times, exact, simulations = [], [], []
    for number in progress(range(games), games, f"{players} players"):
        game = Game(players, seed=number)
        turn = -1
        for _ in moves(game, bots, str(number), Budget(), 400):
            seat = game.to_move
            if seat is None or game.state.phase != TURN or game.turns <= turn:
                continue
            turn, view = game.turns, game.view(seat)
            began = time.perf_counter()
            tactic = tactician.ask(view)
            times.append(1000 * (time.perf_counter() - began))
            exact.append(tactic.exact)
            if turn % 10 == 5:
                search.choose(view, game.legal(), Budget(seconds=0.25), new_rng(number, turn))
                simulations.append(4 * search.simulations)
    median, high = np.quantile(times[1:], [0.5, 0.99])
    return {
        "tactician_median_ms": round(float(median), 2),
        "tactician_99_percent_ms": round(float(high), 1),
        "tactician_exact": round(float(np.mean(exact)), 4),
        "positions": len(times),
        "search_simulations_per_second": round(float(np.median(simulations))),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    report: dict[str, Any] = {"machine": machine()}
    for players in (2, 3, 4):
        speed = {"heuristic_games_per_second": round(heuristic_games(players, options.games))}
        report[f"{players} players"] = speed | thinking(players, max(options.games // 60, 1))
    if options.json:
        print(json.dumps(report))
        return
    print(report.pop("machine"))
    for table, figures in report.items():
        print(f"\n{table}")
        for name, value in figures.items():
            print(f"  {name.replace('_', ' '):<34}{value:>12,}")


if __name__ == "__main__":
    main()
