"""How well a review judges: planted blunders found, false alarms, the same mark again.

Run `python benchmarks/review.py` for games of `expert` against itself with two, three and four
players; `--players`, `--games`, `--budget` and `--jobs` say otherwise. Prints a line of JSON for
each number of players, and exits with 1 where a goal is missed.

- Every turn that `expert` played with a real choice is reviewed. An alarm is a mark worse than
  fine; it is confirmed where a judgement with `DEEP` times the budget and other deals gives the
  same turn at least `FINE` points, at 95 %. All alarms count for the goal, confirmed or not.
- A blunder is planted: of the turns that were tried in that position one is drawn which surely
  loses at least ten points, at 95 %, by a judgement with `DEEP` times the budget and other deals.
  It is found where a review marks it an inaccuracy or worse; how often as a mistake or worse is
  told, too.
- Every turn, played or planted, is reviewed with another seed as well: is the mark the same?
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import local
from typing import Any, NamedTuple

from baghdad import Game
from baghdad.analysis.judge import DEFAULT_BUDGET, Judge
from baghdad.analysis.marks import MARKS
from baghdad.analysis.reviewing import review_turn
from baghdad.analysis.turns import Turn, turns_of
from baghdad.bots import Budget, make_bot
from baghdad.bots.playing import MAX_TURNS, play_to_end
from baghdad.cli.progress import progress
from baghdad.machine import describe_machine
from baghdad.rules.engine.dealer import below, new_rng

DEEP = 5
"""Times the budget, for what is taken for the truth."""
FINE, PLANTED = 5.0, 10.0
ALARMS = MARKS[2:5]
TRIES = 4
"""Turns that are looked at for one bad enough."""
MOST_ALARMS, LEAST_FOUND, LEAST_SAME = 0.05, 0.9, 0.95


class Trial(NamedTuple):
    """A turn of `expert`, and the one that was planted in its place."""

    mark: str
    again: str
    confirmed: bool
    planted: str | None
    planted_again: str | None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--simulations", type=int, default=1000, help="of expert")
    parser.add_argument("--budget", type=int, default=DEFAULT_BUDGET)
    parser.add_argument("--seed", default="review")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    missed = False
    for players in options.players:
        found = measure(players, options)
        print(json.dumps(found), flush=True)
        missed |= not (
            found["alarms"] <= MOST_ALARMS
            and found["found"] >= LEAST_FOUND
            and found["same"] >= LEAST_SAME
        )
    return int(missed)


def measure(players: int, options: argparse.Namespace) -> dict[str, Any]:
    """All trials with one number of players, added up."""
    judges = local()

    def tried(turn: Turn) -> Trial | None:
        if not hasattr(judges, "pair"):
            judges.pair = Judge(budget=options.budget), Judge(budget=DEEP * options.budget)
        judge, deep = judges.pair
        return trial(turn, judge, deep, options.seed)

    turns = list(turns_of_experts(players, options))
    with ThreadPoolExecutor(options.jobs) as pool:
        label = f"{players} players"
        results = progress(pool.map(tried, turns), len(turns), label)
        trials = [each for each in results if each is not None]
    planted = [each for each in trials if each.planted is not None]
    alarms = [each for each in trials if each.mark in ALARMS]
    pairs = [(each.mark, each.again) for each in trials]
    pairs += [(str(each.planted), str(each.planted_again)) for each in planted]
    return {
        "players": players,
        "turns": len(turns),
        "choices": len(trials),
        "marks": Counter(each.mark for each in trials),
        "alarms": share(each.mark in ALARMS for each in trials),
        "confirmed": sum(each.confirmed for each in alarms),
        "planted": len(planted),
        "found": share(each.planted in ALARMS for each in planted),
        "found_as_mistakes": share(each.planted in ALARMS[1:] for each in planted),
        "same": share(one == other for one, other in pairs),
        "budget": options.budget,
        "expert": options.simulations,
        "machine": describe_machine(),
    }


def turns_of_experts(players: int, options: argparse.Namespace) -> Iterable[Turn]:
    """All turns of some games."""
    experts = [make_bot("expert") for _ in range(players)]
    budget = Budget(simulations=options.simulations)
    for number in progress(range(options.games), options.games, f"{players} players, games"):
        seed = f"{options.seed}-{players}-{number}"
        game = play_to_end(Game(players=players, seed=seed), experts, seed, budget, MAX_TURNS)
        for seat in range(players):
            yield from turns_of(game, seat)


def trial(turn: Turn, judge: Judge, deep: Judge, seed: str) -> Trial | None:
    """What becomes of a turn and of a bad one in its place; None where there is no choice."""
    first = review_turn(judge, turn, seed)
    if not first.real:
        return None
    others = judge.tried()
    again = review_turn(judge, turn, f"{seed} again")
    confirmed = False
    if first.mark in ALARMS:
        confirmed = review_turn(deep, turn, f"{seed} deep").low >= FINE
    rng = new_rng(f"{seed} {bytes(turn.view).hex()}")
    for _ in range(TRIES):
        bad = turn._replace(actions=others[below(rng, len(others))])
        if review_turn(deep, bad, f"{seed} deep").low >= PLANTED:
            marks = [review_turn(judge, bad, each).mark for each in (seed, f"{seed} again")]
            return Trial(first.mark, again.mark, confirmed, marks[0], marks[1])
    return Trial(first.mark, again.mark, confirmed, None, None)


def share(hits: Iterable[bool]) -> float:
    """How many of all, from 0 to 1."""
    hits = list(hits)
    return round(sum(hits) / len(hits), 4) if hits else 0.0


if __name__ == "__main__":
    sys.exit(main())
