"""The levels as a ladder that people climb: each alone against the one below.

`python -m benchmarks.ladder` plays all neighbours with two, three and four players, adds a line of
JSON for each match to docs/levels.jsonl, and prints the steps, the scale that follows from them,
and what decisions took. It ends with 1 where a step with two players is outside of 120 to 250 Elo
points, where with three or four a level does not win more than its share against the one below,
or where the ratings in `bots/levels.py` are not those of the scale.

`--judge` plays nothing. Of two lines about the same match the later one counts, and a level that
plays just as `neural` or `expert` may have been measured under that name: so the step at the top,
whose games take minutes each, is read from docs/training/strength.jsonl where it is not played.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from baghdad.arena.statistics import ELO, Wins, elo, plackett_luce
from baghdad.bots.levels import LEVELS, SPREAD, TABLE, Level
from benchmarks.strength import play, summary

DOCS = Path(__file__).parents[1] / "docs"
LEDGER, OTHERS = DOCS / "levels.jsonl", DOCS / "training" / "strength.jsonl"
LEAST, MOST = 120, 250
"""Elo points between neighbours with two players."""
BOTTOM = 1000
"""The first level's rating."""
PLAIN: dict[str, str] = {
    level.kind: name
    for name, level in TABLE.items()
    if level == Level(level.rating, level.kind) and level.kind in ("neural", "expert")
}
"""Bots that a level is another name of."""


@dataclass(frozen=True, slots=True)
class Step:
    """A level alone against copies of the one below."""

    players: int
    games: int
    share: Sequence[float]
    """Of wins: the value, its lower and its upper end."""
    thinking: Mapping[str, Any]
    machine: str

    @property
    def in_order(self) -> bool:
        return self.share[0] > 1 / self.players


def budget_of(*names: str) -> str:
    """A second for who uses all the time that there is; else as many simulations as any takes."""
    return "1s" if any(TABLE[name].kind == "expert" for name in names) else "1000"


def read_steps(lines: Iterable[str]) -> dict[tuple[str, int], Step]:
    """By level and number of players, what is known of the step up to it."""
    below, found = {high: low for low, high in pairwise(LEVELS)}, {}
    for line in lines:
        told = json.loads(line)
        names = [PLAIN.get(name, name) for name in told["match"]["bots"]]
        if len(names) != 2 or below.get(names[0]) != names[1]:
            continue
        seconds = told["match"]["budget"]["seconds"]
        if budget_of(*names) == "1s" and seconds != 1:
            continue
        players = told["match"]["options"]["players"]
        share = told["pairs"][0]["share"]
        step = Step(players, told["games"], share, told["thinking"], told["machine"])
        found[names[0], players] = step
    return found


def scale(steps: Mapping[tuple[str, int], Step]) -> dict[str, int]:
    """Ratings by two-player games, the first level's being `BOTTOM`."""
    wins: Wins = Counter()
    for low, high in pairwise(LEVELS):
        if step := steps.get((high, 2)):
            seated = tuple(sorted((low, high)))
            wins[seated, high] += step.share[0] * step.games  # type: ignore[assignment]
            wins[seated, low] += (1 - step.share[0]) * step.games  # type: ignore[assignment]
    ratings = plackett_luce([wins], LEVELS)
    return {
        name: round(float(rating - ratings[0])) + BOTTOM
        for name, rating in zip(LEVELS, ratings, strict=True)
    }


def spread(
    steps: Mapping[tuple[str, int], Step], ratings: Mapping[str, int], players: int
) -> float:
    """How much of a difference in rating is left with so many: the best fit to the shares."""
    parts = np.arange(0.05, 1.5, 0.01)
    errors = np.zeros(len(parts))
    for low, high in pairwise(LEVELS):
        if step := steps.get((high, players)):
            others = (players - 1) * np.exp((ratings[low] - ratings[high]) / ELO * parts)
            errors += step.games * (1 / (1 + others) - step.share[0]) ** 2
    return round(float(parts[np.argmin(errors)]), 2)


def judge(steps: Mapping[tuple[str, int], Step]) -> list[str]:
    """Print the ladder; returns what is wrong with it."""
    wrong, ratings = [], scale(steps)
    spreads = {players: spread(steps, ratings, players) for players in (3, 4)}
    print("| level | rating | Elo to the one below | 3 players | 4 players | 95 % ms | most ms |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for place, name in enumerate(LEVELS):
        cells, two = [], steps.get((name, 2))
        if place and two is None:
            wrong.append(f"{name}: not measured")
        if two:
            points = [round(elo(share)) for share in two.share]
            cells.append("{} ({} … {})".format(*points))
            if not LEAST <= points[0] <= MOST:
                wrong.append(f"{name}: {points[0]} Elo points above {LEVELS[place - 1]}")
        for players in (3, 4):
            if step := steps.get((name, players)):
                cells.append("{:.1f} % ({:.1f} … {:.1f})".format(*(100 * x for x in step.share)))
                if not step.in_order:
                    wrong.append(f"{name}: {cells[-1]} with {players} players")
            elif place:
                wrong.append(f"{name}: not measured with {players} players")
        cells += [""] * (3 - len(cells))
        took = [step.thinking[bot] for (_, _), step in steps.items() for bot in step.thinking
                if PLAIN.get(bot, bot) == name]  # fmt: skip
        cells.append(f"{max((each['p95_ms'] for each in took), default=0):g}")
        cells.append(f"{max((each['longest_ms'] for each in took), default=0):g}")
        print(f"| `{name}` | {ratings[name]} | {' | '.join(cells)} |")
        if ratings[name] != TABLE[name].rating:
            wrong.append(f"{name}: rated {TABLE[name].rating} in levels.py, {ratings[name]} here")
    print(f"What is left of a difference in rating with 3 and 4 players: {spreads}")
    wrong += [
        f"{players} players: a spread of {SPREAD[players]} in levels.py, {found} here"
        for players, found in spreads.items()
        if found != SPREAD[players]
    ]
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--judge", action="store_true", help="play nothing")
    parser.add_argument("--level", action="append", choices=LEVELS[1:], help="only steps up to it")
    parser.add_argument("--players", type=int, action="append", choices=(2, 3, 4))
    parser.add_argument("--games", type=int, default=400, help="a pair, with two players")
    parser.add_argument("--more", type=int, default=240, help="a pair, with three and with four")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep all games in it")
    options = parser.parse_args()
    if not options.judge:
        for low, high in pairwise(LEVELS):
            for players in options.players or (2, 3, 4):
                if options.level and high not in options.level:
                    continue
                games = range(options.games if players == 2 else options.more)
                run = (players, budget_of(low, high), games)
                outcome = play((high, low), run, options.jobs, options.keep)
                if outcome.interrupted:
                    return 130
                with LEDGER.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(summary(outcome.results, outcome.about)) + "\n")
    lines = [line for file in (OTHERS, LEDGER) for line in file.read_text("utf-8").splitlines()]
    wrong = judge(read_steps(lines))
    for each in wrong:
        print(each, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
