"""How strong a bot is with how much to think: alone against copies of another, at many budgets.

Run `python benchmarks/strength.py --jobs 16 2:1s:64 3:1s:60 2:300:120`. Each run is a number of
players, a budget (simulations, or seconds with an `s`) and a number of games. Every deal is played
in all seats; intervals are 95 %, over deals. Prints a line of JSON for each run.

`python benchmarks/strength.py --plot docs/strength.jsonl > docs/strength.svg` draws such lines.
"""

import argparse
import json
import math
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

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


class Played(NamedTuple):
    """How a game went for the one that sat alone, and how it thought."""

    deal: int
    won: bool
    nobody: bool
    seconds: list[float]
    simulations: list[int]


def play(task: Task) -> Played:
    one, rest, players, deal, seat, budget = task
    seed = f"strength {deal}"
    game, watched = Game(players, seed=seed), Watched(bot(one))
    seats = [watched if place == seat else bot(rest) for place in range(players)]
    for _ in moves(game, seats, seed, budget, MAX_TURNS):
        pass
    won, nobody = game.winner == seat, game.winner is None
    return Played(deal, won, nobody, watched.seconds, watched.simulations)


def read_budget(text: str) -> Budget:
    return Budget(seconds=float(text[:-1])) if text.endswith("s") else Budget(simulations=int(text))


def read_run(text: str) -> tuple[int, str, int]:
    players, budget, games = text.split(":")
    return int(players), budget, int(games)


def report(bots: Sequence[str], players: int, budget: str, played: list[Played]) -> dict[str, Any]:
    """What the games of one run say."""
    wins = np.zeros(max(game.deal for game in played) + 1)
    for game in played:
        wins[game.deal] += game.won
    share = bootstrap(list(wins / players))
    triple = (share.value, share.low, share.high)
    seconds = np.concatenate([game.seconds for game in played])
    simulations = np.concatenate([game.simulations for game in played])
    return {
        "bots": bots,
        "players": players,
        "budget": budget,
        "games": len(played),
        "share": [round(value, 4) for value in triple],
        "elo": [round(elo(value)) for value in triple] if players == 2 else None,
        "nobody": sum(game.nobody for game in played),
        "decisions": len(seconds),
        "simulations": round(float(np.median(simulations))),
        "median_ms": round(1000 * float(np.median(seconds)), 1),
        "p95_ms": round(1000 * float(np.percentile(seconds, 95)), 1),
        "longest_ms": round(1000 * float(seconds.max()), 1),
        "machine": machine(),
    }


def measure(bots: Sequence[str], runs: Sequence[tuple[int, str, int]], jobs: int) -> None:
    """Play all runs in one pool, so that no core waits for the last game of a run."""
    one, rest = bots
    for name in bots:
        bot(name)  # compiles here, once
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        waiting = []
        for players, budget, games in runs:
            tasks = [
                (one, rest, players, deal, seat, read_budget(budget))
                for deal in range(-(-games // players))
                for seat in range(players)
            ]
            waiting.append((players, budget, len(tasks), pool.map(play, tasks)))
        for players, budget, games, coming in waiting:
            played = list(progress(coming, games, f"{players}:{budget}"))
            print(json.dumps(report(bots, players, budget, played)), flush=True)


WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 360, 60, 20, 30, 50


def plot(runs: Sequence[dict[str, Any]]) -> str:
    """Share of wins against seconds a decision, with intervals, as SVG."""
    points = sorted((float(run["budget"].rstrip("s")), run["share"]) for run in runs)
    first, last = math.log10(points[0][0]), math.log10(points[-1][0])

    def x(seconds: float) -> float:
        return (
            LEFT + 20 + (math.log10(seconds) - first) / (last - first) * (WIDTH - LEFT - RIGHT - 40)
        )

    def y(share: float) -> float:
        return HEIGHT - BOTTOM - (share - 0.4) / 0.6 * (HEIGHT - TOP - BOTTOM)

    def text(at: float, height: float, words: str, anchor: str = "middle") -> str:
        return f'<text x="{at:.1f}" y="{height:.1f}" text-anchor="{anchor}">{words}</text>'

    body = []
    for percent in range(40, 101, 10):
        kind = "par" if percent == 50 else "axis"
        height = f"{y(percent / 100):.1f}"
        body += [
            f'<line class="{kind}" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{height}" y2="{height}"/>',
            text(LEFT - 8, y(percent / 100) + 4, f"{percent} %", "end"),
        ]
    line = " ".join(f"{x(seconds):.1f},{y(share[0]):.1f}" for seconds, share in points)
    body.append(f'<polyline points="{line}"/>')
    for seconds, (value, low, high) in points:
        at = f"{x(seconds):.1f}"
        body += [
            f'<line class="interval" x1="{at}" x2="{at}" y1="{y(low):.1f}" y2="{y(high):.1f}"/>',
            f'<circle cx="{at}" cy="{y(value):.1f}" r="5"/>',
            text(x(seconds), HEIGHT - BOTTOM + 20, f"{seconds:g} s"),
        ]
    one, rest = runs[0]["bots"]
    players = runs[0]["players"]
    title = f"{one} against {rest}, {players} players: games won, by time for a decision"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">'
        f"<title>{title}</title><style>{STYLE}</style>"
        f'<rect width="{WIDTH}" height="{HEIGHT}"/>{"".join(body)}'
        f"{text(WIDTH / 2, HEIGHT - 8, title)}</svg>"
    )


STYLE = (
    "rect{fill:#f7f0e3}text{fill:#2b2118;font:13px system-ui,sans-serif}"
    ".axis{stroke:#d8c7a6}.par{stroke:#b8860b;stroke-dasharray:5 4}"
    ".interval{stroke:#2f6fb3;stroke-width:2}"
    "polyline{fill:none;stroke:#2f6fb3;stroke-width:3}circle{fill:#2f6fb3}"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", nargs="*", type=read_run, metavar="PLAYERS:BUDGET:GAMES")
    parser.add_argument("--bots", nargs=2, default=("search", "heuristic"), metavar="BOT")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the 2-player lines in it")
    options = parser.parse_args()
    if options.plot:
        lines = map(json.loads, options.plot.read_text("utf-8").splitlines())
        print(plot([run for run in lines if run["players"] == 2 and run["budget"][-1] == "s"]))
    else:
        measure(options.bots, options.runs, options.jobs)


if __name__ == "__main__":
    main()
