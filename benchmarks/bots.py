"""How fast the bots think: games a second of the heuristic, simulations of the search, hints.

Run `python benchmarks/bots.py [--games N] [--json]`. All times are of the processor, on one thread:
on a busy machine the clock on the wall says little. Only a move of `neural` is too short for that.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from typing import Any

import numpy as np

from baghdad import Game, Options, new_rng
from baghdad.bots import Budget, decide, make_bot
from baghdad.bots.heuristic.beam import new_beam
from baghdad.bots.heuristic.bot import PATIENCE, WIDTH
from baghdad.bots.heuristic.evaluation import EvalParams, make_value_table
from baghdad.bots.heuristic.match import Planners, play_game
from baghdad.bots.neural.weights_file import load_network
from baghdad.bots.playing import MAX_TURNS, moves
from baghdad.bots.search.bot import SearchBot
from baghdad.bots.search.tactician import Tactician
from baghdad.cli.progress import progress
from baghdad.machine import describe_machine
from baghdad.rules.engine.material import TURN
from baghdad.rules.setup import new_states

START = "from baghdad.bots import BUILTIN_BOTS, make_bot; [make_bot(name) for name in BUILTIN_BOTS]"
SIMULATIONS = 3000


def heuristic_games(players: int, games: int) -> float:
    """Games a second of the heuristic against itself, in compiled code on one thread."""
    start = new_states(Options(players))
    tables = np.stack([make_value_table(EvalParams())] * players)
    planners = Planners(tables, np.full(players, WIDTH), np.full(players, PATIENCE))
    beam = new_beam()
    rngs = [new_rng("speed", number) for number in range(games)]
    states = start.copy()
    play_game(states[0], planners, new_rng(0), beam, MAX_TURNS)  # compiles
    began = time.process_time()
    for rng in rngs:
        states[0] = start[0]
        play_game(states[0], planners, rng, beam, MAX_TURNS)
    return games / (time.process_time() - began)


def thinking(players: int, games: int) -> dict[str, Any]:
    """Hints and searches at the turns of some games of the heuristic."""
    search, tactician = SearchBot(), Tactician()
    bots = [make_bot("heuristic") for _ in range(players)]
    times, exact, simulations = [], [], []
    for number in progress(range(games), games, f"{players} players"):
        game = Game(players, seed=number)
        turn = -1
        for _ in moves(game, bots, str(number), Budget(), MAX_TURNS):
            seat = game.to_move
            if seat is None or game.state.phase != TURN or game.turns <= turn:
                continue
            turn, view = game.turns, game.view(seat)
            began = time.process_time()
            tactic = tactician.ask(view)
            times.append(1000 * (time.process_time() - began))
            exact.append(tactic.exact)
            if turn % 10 == 5:
                began = time.process_time()
                search.choose(view, game.legal(), Budget(None, SIMULATIONS), new_rng(number, turn))
                simulations.append(search.simulations / (time.process_time() - began))
    median, high = np.quantile(times[1:], [0.5, 0.99])
    return {
        "tactician_median_ms": round(float(median), 2),
        "tactician_99_percent_ms": round(float(high), 1),
        "tactician_exact": round(float(np.mean(exact)), 4),
        "positions": len(times),
        "search_simulations_per_second": round(float(np.median(simulations))),
    }


def network(games: int) -> dict[str, Any]:
    """A move of `neural`, and how long it takes to read and check the weights."""
    began = time.process_time()
    load_network()
    loaded = 1000 * (time.process_time() - began)
    neural, times = make_bot("neural"), []
    for number in range(games):
        game, rng = Game(2 + number % 3, seed=number), new_rng(number)
        while (seat := game.to_move) is not None:
            view, legal = game.view(seat), game.legal()
            began = time.perf_counter()
            chosen = decide(neural, view, legal, Budget(), rng)
            times.append(1000 * (time.perf_counter() - began))
            game.play(chosen[0])
    median, high = np.quantile(times, [0.5, 0.99])
    return {
        "weights_loaded_ms": round(loaded, 1),
        "median_ms": round(float(median), 2),
        "99_percent_ms": round(float(high), 2),
        "moves": len(times),
    }


def start_up() -> dict[str, float]:
    """Seconds from an empty process until all bots are ready, with nothing compiled and after."""

    def seconds(cache: str) -> float:
        before = os.times()
        environment = os.environ | {"XDG_CACHE_HOME": cache}
        subprocess.run([sys.executable, "-c", START], check=True, env=environment)
        after = os.times()
        used = after.children_user - before.children_user
        return round(used + after.children_system - before.children_system, 2)

    with tempfile.TemporaryDirectory() as cache:
        return {"cold_seconds": seconds(cache), "warm_seconds": seconds(cache)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    report: dict[str, Any] = {"machine": describe_machine(), "all bots ready": start_up()}
    report["neural"] = network(max(options.games // 20, 1))
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
