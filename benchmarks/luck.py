"""What of a result was luck: do ledgers add up, is luck fair, and how much is left of chance?

Run `python benchmarks/luck.py` for fresh games of `duban` against itself with two, three and four
players, then for duels of levels two steps apart; `--levels`, `--players`, `--games`, `--duels`,
`--jobs` and `--seed` say otherwise. Prints a line for each number of players and level, one for
each pair of levels, and exits with 1 where a goal is missed. `--json` prints lines of JSON instead.

- A ledger adds up: chance at the start, draws and turns are the result, for every seat and nobody,
  to `EXACT`; and over them what a draw is worth is nothing.
- Luck is fair: for every seat, its sum over all draws of a game has a mean within three standard
  errors of zero.
- It is luck: the variance of results without it, beside that of results as they are. At most so
  much of it may be left (`MOST_LEFT`), where all play as the network does.
- Play can be told: of any five duels of two levels, does the stronger one have the higher sum of
  results without luck? Sets of five are drawn from all duels.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from baghdad import Game
from baghdad.analysis import luck
from baghdad.bots import LEVELS, Budget, make_bot
from baghdad.bots.playing import MAX_TURNS, play_to_end
from baghdad.cli.progress import progress
from baghdad.machine import describe_machine

EXACT = 1e-9
ERRORS = 3.0
MOST_LEFT = {2: 0.5, 4: 0.7}
LIKE_THE_NETWORK = "duban"
"""The level that the goal for variance is about."""
STEPS, SET, SETS = 2, 5, 20_000
LEAST_TOLD = 0.9
SLOW = "scheherazade"
"""Left out of duels: it takes its time."""


class Counted(NamedTuple):
    """One game."""

    result: tuple[float, ...]
    """By seat."""
    luck: tuple[float, ...]
    """By seat: what all draws were worth."""
    start: tuple[float, ...]
    error: float
    """By which the ledger does not add up, at most."""
    draws: int


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, nargs="*", default=[2, 3, 4])
    parser.add_argument("--levels", choices=LEVELS, nargs="+", default=[LIKE_THE_NETWORK])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--duels", type=int, default=100, help="of each pair of levels, 0 for none")
    parser.add_argument("--seed", default="fresh")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    tell: Callable[[dict[str, Any]], None] = (
        (lambda found: print(json.dumps(found), flush=True)) if options.json else told
    )
    missed = False
    counted(f"{options.seed} warm", [LIKE_THE_NETWORK] * 2, 0)  # compiled once, for all processes
    with ProcessPoolExecutor(options.jobs) as pool:
        for level in options.levels:
            for players in options.players:
                count = partial(counted, f"{options.seed} {level}", [level] * players)
                found = measure(played(pool, count, options.games, f"{level}, {players} players"))
                told_of = {"level": level, "players": players, **found}
                told_of["goals"] = reached(told_of)
                missed |= not all(told_of["goals"].values())
                tell(told_of | {"machine": describe_machine()})
        rated = [name for name in LEVELS if name != SLOW]
        for weaker, stronger in zip(rated, rated[STEPS:], strict=False) if options.duels else ():
            count = partial(duel, options.seed, weaker, stronger)
            found = measure_pair(played(pool, count, options.duels, f"{weaker}, {stronger}"))
            goals = {"told": found["told"] >= LEAST_TOLD}
            missed |= not all(goals.values())
            tell({"weaker": weaker, "stronger": stronger, **found, "goals": goals})
    return int(missed)


def played(
    pool: ProcessPoolExecutor, count: Callable[[int], Counted | None], games: int, label: str
) -> list[Counted]:
    """All games that came to an end."""
    results = progress(pool.map(count, range(games)), games, label)
    return [each for each in results if each is not None]


def counted(seed: str, levels: Sequence[str], number: int) -> Counted | None:
    """A game of these levels, or None where it does not end."""
    players, stream = len(levels), f"luck {seed} {len(levels)} {number}"
    game = Game(players=players, seed=stream)
    play_to_end(game, [make_bot(name) for name in levels], stream, Budget(), MAX_TURNS)
    if game.termination is not None:
        return None
    ledger = luck(game)
    worths = [draw.worth for draw in ledger.draws] + [turn.worth for turn in ledger.turns]
    sums = np.array(ledger.start) + np.sum(worths, axis=0)
    over_all = max(abs(sum(draw.worth)) for draw in ledger.draws)
    return Counted(
        ledger.result[:players],
        tuple(ledger.cards(seat) for seat in range(players)),
        ledger.start[:players],
        max(float(np.abs(sums - ledger.result).max()), over_all),
        len(ledger.draws),
    )


def duel(seed: str, weaker: str, stronger: str, number: int) -> Counted | None:
    """A game of two levels; the weaker one is told first, and begins every other time."""
    levels = (weaker, stronger)[:: 1 if number % 2 else -1]
    found = counted(f"{seed} {weaker} {stronger}", levels, number)
    if found is None or number % 2:
        return found
    return found._replace(result=found.result[::-1], luck=found.luck[::-1], start=found.start[::-1])


def measure(games: Sequence[Counted]) -> dict[str, Any]:
    """What there is to say of games of one kind."""
    result, worth = column(games, "result"), column(games, "luck")
    adjusted = result - worth
    error = worth.std(axis=0, ddof=1) / len(games) ** 0.5
    return {
        "games": len(games),
        "draws": round(sum(game.draws for game in games) / len(games), 1),
        "error": max(game.error for game in games),
        "luck": rounded(worth.mean(axis=0)),
        "luck_error": rounded(error),
        "off": rounded(np.abs(worth.mean(axis=0)) / error),
        "spread": rounded(worth.std(axis=0)),
        "left": round(float(adjusted.var(axis=0).sum() / result.var(axis=0).sum()), 4),
        "left_interval": rounded(interval(result, adjusted)),
        "won": rounded(result.mean(axis=0)),
        "start": rounded(column(games, "start").mean(axis=0)),
    }


def interval(result: npt.NDArray[Any], adjusted: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Bounds of 95 % of the variance that is left, over games drawn again."""
    chance = np.random.default_rng(1)
    shares = []
    for _ in range(1000):
        some = chance.integers(0, len(result), len(result))
        all_of_it = result[some].var(axis=0).sum()
        if all_of_it > 0:  # in a handful of games one seat may have won them all
            shares.append(adjusted[some].var(axis=0).sum() / all_of_it)
    found: npt.NDArray[Any] = np.percentile(shares, [2.5, 97.5])
    return found


def measure_pair(games: Sequence[Counted]) -> dict[str, Any]:
    """How often the stronger one of two levels is told from the weaker one."""
    result = column(games, "result")
    adjusted = result - column(games, "luck")
    return {
        "games": len(games),
        "won": round(float(result[:, 1].mean()), 4),
        "error": max(game.error for game in games),
        "told": told_apart(adjusted),
        "told_by_results": told_apart(result),
    }


def told_apart(results: npt.NDArray[Any]) -> float:
    """In how many sets of five games the second one is ahead; half of those that are even."""
    chance = np.random.default_rng(1)
    ahead = results[:, 1] - results[:, 0]
    sums = np.array([chance.permutation(ahead)[:SET].sum() for _ in range(SETS)])
    return round(float((sums > 0).mean() + (sums == 0).mean() / 2), 4)


def reached(found: dict[str, Any]) -> dict[str, bool]:
    """By goal: whether it is reached."""
    goals = {"adds up": found["error"] < EXACT, "fair": max(found["off"]) <= ERRORS}
    if found["level"] == LIKE_THE_NETWORK and found["players"] in MOST_LEFT:
        goals["luck"] = found["left"] <= MOST_LEFT[found["players"]]
    return goals


def column(games: Sequence[Counted], name: str) -> npt.NDArray[Any]:
    return np.array([getattr(game, name) for game in games])


def rounded(numbers: Iterable[float]) -> list[float]:
    return [round(float(number), 4) for number in numbers]


def told(found: dict[str, Any]) -> None:
    """For people."""
    missed = [goal for goal, is_reached in found["goals"].items() if not is_reached]
    words = {name: value for name, value in found.items() if name not in ("goals", "machine")}
    print(
        *(f"{name} {value}" for name, value in words.items()),
        f"MISSED {', '.join(missed)}" if missed else "goals reached",
        sep="; ",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
