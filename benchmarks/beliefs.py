"""How good beliefs are: what they say of the others' cards beside what these held.

Run `python benchmarks/beliefs.py` for games with two, three and four players, at tables of
opponents for people (all levels but `scheherazade`, drawn at random for every seat) and of
`neural`; `--players`, `--games`, `--tables` and `--seed` say otherwise. Prints a line of JSON for
each and one for the calibration of all, and exits with 1 where a goal is missed.

- In every game one seat, another one in each game, has its beliefs at all of its turns. The log
  loss is that of the true number of cards, for every palace and other seat, in nats; beside it that
  of the unseen cards dealt evenly, and of histories alone: the record, without what anybody's
  choices tell. Intervals are 95 %, over games. The stack's is told apart.
- Calibration: of all cases in which another seat was to have at least so many cards of a palace
  (one to six) with a chance in the same tenth, how many had them, in percent, beside the mean
  chance. Tenths with fewer than `FEW` cases say nothing.

`--tune` instead tries manners (`analysis.believing.policy.Manner`) on games of other seeds: a line
for each, the best one last.
"""

import argparse
import itertools
import json
import sys
import time
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from baghdad import Game
from baghdad.analysis.believing.beliefs import MANNER, Beliefs, believe
from baghdad.analysis.believing.even import even
from baghdad.analysis.believing.histories import STACK
from baghdad.analysis.believing.policy import Reader
from baghdad.arena.statistics import mean
from baghdad.bots import LEVELS, Budget, make_bot
from baghdad.bots.neural.weights_file import load_network
from baghdad.bots.playing import MAX_TURNS, play_to_end
from baghdad.cli.progress import progress
from baghdad.machine import describe_machine
from baghdad.rules.engine.material import DANCER, PALACES

TABLES = ("levels", "neural")
MOST_CARDS = 6
TENTHS = 10
FEW = 400
MOST_OFF = 3.0
"""Points, of tenths."""
ALONE = MANNER._replace(turns=0)
GRID: dict[str, tuple[Any, ...]] = {
    "turns": (1, 2, 3, 6),
    "weight": (0.3, 0.4, 0.5, 1.0),
    "doubt": (0.0, 0.1, 0.2),
    "temperature": (1.0, 2.0),
}
"""What `--tune` tries, one after another: each number with the best of those before it."""


class Scores(NamedTuple):
    """Of one game."""

    hands: dict[str, float]
    """By kind of belief: the mean log loss of the other seats' cards."""
    stack: dict[str, float]
    cases: npt.NDArray[np.float64]
    """[TENTHS, 3]: how many, how many were so, and the sum of their chances."""
    effective: list[float]
    seconds: float


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4])
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--tables", choices=TABLES, nargs="+", default=list(TABLES))
    parser.add_argument("--seed", default="fresh")
    parser.add_argument("--tune", action="store_true")
    options = parser.parse_args()
    if options.tune:
        tune(options)
        return 0
    missed, cases = False, np.zeros((TENTHS, 3))
    reader = Reader(load_network(), MANNER)
    for players, table in itertools.product(options.players, options.tables):
        games = played(players, table, options.games, options.seed)
        label = f"{players} players, {table}"
        found = [scored(*each, reader) for each in progress(games, options.games, label)]
        told = summary(found) | {"players": players, "table": table, "games": options.games}
        print(json.dumps(told | {"machine": describe_machine()}), flush=True)
        missed |= told["gain"][1] <= 0
        cases += sum(each.cases for each in found)
    together = calibration(cases)
    print(json.dumps(together))
    return int(missed or together["off"] > MOST_OFF)


def tune(options: argparse.Namespace) -> None:
    """Try manners on games of their own."""
    games = [
        each
        for players, table in itertools.product(options.players, options.tables)
        for each in played(players, table, options.games, "tune")
    ]
    network, best = load_network(), (np.inf, MANNER)
    for name, values in GRID.items():
        for value in values:
            manner = best[1]._replace(**{name: value})
            reader = Reader(network, manner)
            found = [scored(*each, reader) for each in progress(games, len(games), str(manner))]
            loss = float(np.mean([each.hands["beliefs"] for each in found]))
            print(json.dumps({"loss": round(loss, 4)} | manner._asdict()), flush=True)
            best = min(best, (loss, manner))
    print(json.dumps({"best": round(best[0], 4)} | best[1]._asdict()))


def played(players: int, table: str, games: int, seed: str) -> Iterator[tuple[Game, int]]:
    """Games, each with the seat whose beliefs are asked for."""
    for number in range(games):
        name = f"{seed} {table} {players} {number}"
        random = Random(name)
        levels = [
            random.choice(LEVELS[:-1]) if table == "levels" else table for _ in range(players)
        ]
        game = Game(players=players, seed=name)
        bots = [make_bot(level) for level in levels]
        yield play_to_end(game, bots, name, Budget(), MAX_TURNS), number % players


def scored(game: Game, seat: int, reader: Reader) -> Scores:
    """The beliefs of a seat in a game, beside the truth."""
    begun = time.perf_counter()
    found = list(believe(game, seat, reader))
    seconds = time.perf_counter() - begun
    alone = believe(game, seat, Reader(reader.network, ALONE))
    losses: dict[tuple[str, bool], list[float]] = {}
    cases = np.zeros((TENTHS, 3))
    moments = {each.at: each for each in found}
    without = {each.at: each for each in alone}
    again = Game.with_options(game.options)
    for at, token in enumerate(game.tokens):
        if at in moments:
            for kind, loss, of_stack in compared(again, seat, moments[at], without[at]):
                losses.setdefault((kind, of_stack), []).append(loss)
            add_cases(again, moments[at], cases)
        again.play(token)
    means = {key: float(np.mean(each)) for key, each in losses.items()}
    return Scores(
        {kind: loss for (kind, of_stack), loss in means.items() if not of_stack},
        {kind: loss for (kind, of_stack), loss in means.items() if of_stack},
        cases,
        [each.effective for each in found],
        seconds,
    )


def truth(game: Game, holder: int) -> list[int]:
    """[6]: the cards that a seat has, or the stack."""
    state = game.state
    cards = state.deck if holder == STACK else state.hands[holder, :DANCER]
    return [int(each) for each in cards]


def compared(
    game: Game, seat: int, found: Beliefs, alone: Beliefs
) -> Iterator[tuple[str, float, bool]]:
    """The losses by kind of belief, and whether they are the stack's."""
    unseen = np.array([game.view(seat).unseen(palace) for palace in PALACES])
    for one, other in zip(found.of, alone.of, strict=True):
        evenly = even(unseen, one.size)
        for palace, number in enumerate(truth(game, one.holder)):
            chances = {
                "even": evenly[palace, number],
                "histories": other.chances[palace][number],
                "beliefs": one.chances[palace][number],
            }
            for kind, chance in chances.items():
                yield kind, -float(np.log(chance)), one.holder == STACK


def add_cases(game: Game, found: Beliefs, cases: npt.NDArray[np.float64]) -> None:
    """Add the cases of one moment."""
    for each in found.of:
        if each.holder == STACK:
            continue
        for palace, number in enumerate(truth(game, each.holder)):
            for least in range(1, MOST_CARDS + 1):
                chance = each.at_least(palace, least)
                tenth = min(int(chance * TENTHS), TENTHS - 1)
                cases[tenth] += 1.0, number >= least, chance


def summary(found: Sequence[Scores]) -> dict[str, Any]:
    """What all games say together."""
    told: dict[str, Any] = {}
    for name in ("hands", "stack"):
        losses = [getattr(each, name) for each in found]
        told[name] = {
            kind: round(float(np.mean([each[kind] for each in losses])), 4) for kind in losses[0]
        }
    gain = mean([each.hands["even"] - each.hands["beliefs"] for each in found])
    told["gain"] = [round(each, 4) for each in (gain.value, gain.low, gain.high)]
    read = mean([each.hands["histories"] - each.hands["beliefs"] for each in found])
    told["gain_by_actions"] = [round(each, 4) for each in (read.value, read.low, read.high)]
    told |= calibration(sum((each.cases for each in found), np.zeros((TENTHS, 3))))
    effective = [number for each in found for number in each.effective]
    told["effective"] = [round(float(np.quantile(effective, part))) for part in (0.05, 0.5)]
    told["seconds"] = round(float(np.mean([each.seconds for each in found])), 1)
    return told


def calibration(cases: npt.NDArray[np.float64]) -> dict[str, Any]:
    """By tenth: the mean chance and how often it was so, in percent, and the number of cases."""
    tenths = [
        [round(100 * total / count, 1), round(100 * so / count, 1), int(count)]
        for count, so, total in cases
        if count >= FEW
    ]
    return {"tenths": tenths, "off": round(max(abs(one - other) for one, other, _ in tenths), 1)}


if __name__ == "__main__":
    sys.exit(main())
