"""How strong a bot is with how much to think: alone against copies of another, at many budgets.

Run `python benchmarks/strength.py --jobs 16 2:1s:64 3:1s:60 2:300:120`. Each run is a number of
players, a budget (simulations, or seconds with an `s`) and a number of games, or which of them,
such as 64-128. Every deal is played in all seats; intervals are 95 %, over deals. Prints a line of
JSON for each run.

Long runs: with `-o FILE` every game is kept when it is over, a line of JSON each, and what is there
already is not played again. Files of several machines can be added up, packed ones (.xz), too:
`--sum FILE FILE.xz`.

`python benchmarks/strength.py --plot docs/strength.jsonl > docs/strength.svg` draws such lines.
"""

import argparse
import json
import lzma
import math
import os
import time
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from baghdad import Action, Game, View
from baghdad.arena.fingerprint import LEARNED
from baghdad.arena.statistics import bootstrap, elo
from baghdad.bots import (
    Bot,
    Budget,
    decide,
    make_bot,
)
from baghdad.bots.playing import MAX_TURNS, moves
from baghdad.cli.progress import progress
from baghdad.machine import describe_machine
from baghdad.rules.engine.dealer import Rng

Task = tuple[str, str, int, str, int, int]
"""One bot and the rest, players, the budget, the deal and the seat of the one."""
Run = tuple[int, str, range]
"""Players, budget, games."""


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

    bots: list[str]
    weights: str
    """Of what was learned, the beginning of their SHA-256."""
    players: int
    budget: str
    deal: int
    seat: int
    won: bool
    nobody: bool
    milliseconds: list[int]
    simulations: list[int]
    machine: str


def play(task: Task) -> Played:
    one, rest, players, budget, deal, seat = task
    seed = f"strength {deal}"
    game, watched = Game(players, seed=seed), Watched(bot(one))
    seats = [watched if place == seat else bot(rest) for place in range(players)]
    for _ in moves(game, seats, seed, read_budget(budget), MAX_TURNS):
        pass
    return Played(
        [one, rest], LEARNED, players, budget, deal, seat, game.winner == seat,
        game.winner is None, [round(1000 * each) for each in watched.seconds],
        watched.simulations, describe_machine(),
    )  # fmt: skip


def read_budget(text: str) -> Budget:
    return Budget(seconds=float(text[:-1])) if text.endswith("s") else Budget(simulations=int(text))


def read_run(text: str) -> Run:
    players, budget, games = text.split(":")
    read_budget(budget)
    first, dash, last = games.rpartition("-")
    return int(players), budget, range(int(first) if dash else 0, int(last))


def report(played: Sequence[Played]) -> dict[str, Any]:
    """What the games of one run say. A deal counts when it was played in all seats."""
    first = played[0]
    wins = defaultdict[int, list[bool]](list)
    for game in played:
        wins[game.deal].append(game.won)
    shares = [sum(won) / len(won) for won in wins.values() if len(won) == first.players]
    share = bootstrap(shares)
    triple = (share.value, share.low, share.high)
    milliseconds = np.concatenate([game.milliseconds for game in played])
    simulations = np.concatenate([game.simulations for game in played])
    return {
        "bots": first.bots,
        "weights": first.weights,
        "players": first.players,
        "budget": first.budget,
        "games": len(shares) * first.players,
        "share": [round(value, 4) for value in triple],
        "elo": [round(elo(value)) for value in triple] if first.players == 2 else None,
        "nobody": sum(game.nobody for game in played),
        "decisions": len(milliseconds),
        "simulations": round(float(np.median(simulations))),
        "median_ms": round(float(np.median(milliseconds)), 1),
        "p95_ms": round(float(np.percentile(milliseconds, 95)), 1),
        "longest_ms": int(milliseconds.max()),
        "machines": sorted({game.machine for game in played}),
    }


def read_games(files: Sequence[Path]) -> list[Played]:
    games = []
    for file in files:
        with (lzma.open if file.suffix == ".xz" else open)(file, "rt", encoding="utf-8") as lines:
            games += [Played(**json.loads(line)) for line in lines]
    return games


def go_on(output: Path) -> list[Played]:
    """The games that a file has; one that was not written to its end is played again."""
    if not output.exists():
        return []
    os.truncate(output, output.read_bytes().rfind(b"\n") + 1)
    return read_games([output])


def add_up(games: Sequence[Played]) -> None:
    """A report of each kind of run; a game that was played twice counts once."""
    kinds = defaultdict[Any, dict[Any, Played]](dict)
    for game in games:
        kind = (*game.bots, game.weights, game.players, game.budget)
        kinds[kind].setdefault((game.deal, game.seat), game)
    for _, once in sorted(kinds.items()):
        print(json.dumps(report(list(once.values()))), flush=True)


def measure(bots: Sequence[str], runs: Sequence[Run], jobs: int, output: Path | None) -> None:
    """Play all runs in one pool, so that no core waits for the last game of a run."""
    one, rest = bots
    for name in bots:
        bot(name)  # compiles here, once
    played = go_on(output) if output else []
    done = {
        (*game.bots, game.players, game.budget, game.deal, game.seat)
        for game in played
        if game.weights == LEARNED
    }
    tasks = [
        (one, rest, players, budget, deal, seat)
        for players, budget, games in runs
        for deal in range(games.start // players, -(-games.stop // players))
        for seat in range(players)
    ]
    tasks = [task for task in tasks if task not in done]
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        coming = as_completed([pool.submit(play, task) for task in tasks])
        for each in progress(coming, len(tasks), f"{one} {rest}"):
            game = each.result()
            played.append(game)
            if output:
                with output.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(game._asdict()) + "\n")
    add_up(played)


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
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="keep all games in it")
    parser.add_argument("--sum", nargs="+", type=Path, metavar="FILE", help="add up such files")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the 2-player lines in it")
    options = parser.parse_args()
    if options.plot:
        lines = map(json.loads, options.plot.read_text("utf-8").splitlines())
        print(plot([run for run in lines if run["players"] == 2 and run["budget"][-1] == "s"]))
    elif options.sum:
        add_up(read_games(options.sum))
    else:
        measure(options.bots, options.runs, options.jobs, options.output)


if __name__ == "__main__":
    main()
