"""How strong a bot is with how much to think: alone against copies of another, at many budgets.

Run `python benchmarks/strength.py --players 2 --games 128 --jobs 16 60 600 0.1s 1s`. A budget is a
number of simulations, or seconds with an `s`. Every deal is played in all seats; intervals are
95 %, over deals. Prints a line of JSON for each budget.
"""

import argparse
import json
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

from baghdad import Action, Game, View
from baghdad.arena.statistics import bootstrap, elo
from baghdad.bots import Bot, Budget, decide, make_bot
from baghdad.bots.playing import moves
from baghdad.cli.bench import machine
from baghdad.cli.progress import progress
from baghdad.rules.dealer import Rng

MAX_TURNS = 400
Task = tuple[str, str, int, int, int, Budget]
"""One bot and the rest, players, deal, seat of the one, and its budget."""


class Watched:
    """A bot whose decisions are timed, and its simulations counted."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.seconds: list[float] = []
        self.simulations: list[int] = []

    def choose(
        self, view: View, legal: Sequence[Action], budget: Budget, rng: Rng
    ) -> Sequence[Action]:
        began = time.perf_counter()
        chosen = decide(self.bot, view, legal, budget, rng)
        self.seconds.append(time.perf_counter() - began)
        self.simulations.append(getattr(self.bot, "simulations", 0))
        return chosen


_bots: dict[str, Bot] = {}


def bot(name: str) -> Bot:
    if name not in _bots:
        _bots[name] = make_bot(name)
    return _bots[name]


def play(task: Task) -> tuple[int, bool, bool, list[float], list[int]]:
    """The deal, whether the one won, whether nobody did, and how it thought."""
    one, rest, players, deal, seat, budget = task
    seed = f"strength {deal}"
    game, watched = Game(players, seed=seed), Watched(bot(one))
    seats = [watched if place == seat else bot(rest) for place in range(players)]
    for _ in moves(game, seats, seed, budget, MAX_TURNS):
        pass
    return deal, game.winner == seat, game.winner is None, watched.seconds, watched.simulations


def read_budget(text: str) -> Budget:
    return Budget(seconds=float(text[:-1])) if text.endswith("s") else Budget(simulations=int(text))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("budgets", nargs="+", metavar="BUDGET")
    parser.add_argument("--bots", nargs=2, default=("search", "heuristic"), metavar="BOT")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=120)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    one, rest = options.bots
    players, deals = options.players, -(-options.games // options.players)
    for name in options.bots:
        bot(name)  # compiles here, once
    with ProcessPoolExecutor(options.jobs, get_context("spawn")) as pool:
        for text in options.budgets:
            budget = read_budget(text)
            tasks = [
                (one, rest, players, deal, seat, budget)
                for deal in range(deals)
                for seat in range(players)
            ]
            played = list(progress(pool.map(play, tasks), len(tasks), text))
            wins = np.zeros(deals)
            for deal, won, *_ in played:
                wins[deal] += won
            share = bootstrap(list(wins / players))
            triple = (share.value, share.low, share.high)
            seconds = np.concatenate([game[3] for game in played])
            report = {
                "bots": options.bots,
                "players": players,
                "budget": text,
                "games": len(played),
                "share": [round(value, 4) for value in triple],
                "elo": [round(elo(value)) for value in triple] if players == 2 else None,
                "nobody": sum(game[2] for game in played),
                "simulations": round(float(np.median(np.concatenate([g[4] for g in played])))),
                "median_ms": round(1000 * float(np.median(seconds)), 1),
                "longest_ms": round(1000 * float(seconds.max()), 1),
                "jobs": options.jobs,
                "machine": machine(),
            }
            print(json.dumps(report), flush=True)


if __name__ == "__main__":
    main()
