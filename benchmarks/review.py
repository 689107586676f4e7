"""How well a review judges: planted blunders found, false alarms, the same mark again.

Run `python benchmarks/review.py` for games of `expert` against itself with two, three and four
players; `--players`, `--games`, `--budget` and `--jobs` say otherwise. Prints a line of JSON for
each number of players, and exits with 1 where a goal is missed.

- Every turn that `expert` played with a real choice is reviewed. An alarm is a mark worse than
  fine; it is confirmed where the better turn, in `DEEP` other deals, is ahead by at least five
  points, at 95 %. All alarms count for the goal, confirmed or not.
- A blunder is planted: of the turns that were tried in that position one is drawn that loses at
  least ten points to the best one, at 95 %, in `DEEP` other deals. It is found where a review marks
  it an inaccuracy or worse; how often as a mistake or worse is told, too.
- Every turn, played or planted, is reviewed with another seed as well: is the mark the same?
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import local
from typing import Any, NamedTuple

from baghdad import Game
from baghdad.analysis.judge import DEFAULT_BUDGET, Judge
from baghdad.analysis.marks import MARKS
from baghdad.analysis.reasons import Reason, matters, weigh
from baghdad.analysis.reviewing import TurnReview, review_turn
from baghdad.analysis.turns import Turn, turns_of
from baghdad.bots import Budget, make_bot
from baghdad.bots.playing import MAX_TURNS, play_to_end
from baghdad.cli.progress import progress
from baghdad.machine import describe_machine
from baghdad.rules.engine.actions import ACTION_OF, Action
from baghdad.rules.engine.dealer import below, new_rng

DEEP, GLANCE = 2000, 100
"""Deals in which two turns meet, for what is taken for the truth; and before that, for a first look
whether a turn is bad enough."""
FINE, PLANTED = 5.0, 10.0
ALARMS = MARKS[2:5]
TRIES = 4
"""Turns that are looked at for one bad enough."""
MOST_ALARMS, LEAST_FOUND, LEAST_SAME, LEAST_TRUE = 0.05, 0.9, 0.95, 0.8


class Trial(NamedTuple):
    """A turn of `expert`, and the one that was planted in its place."""

    mark: str
    again: str
    confirmed: bool
    planted: str | None
    planted_again: str | None
    reasons: tuple[tuple[bool, bool], ...] = ()
    """Of the planted one: whether each is true, and whether the chance changes by the margin."""


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
            and found["true"] >= LEAST_TRUE
        )
    return int(missed)


def measure(players: int, options: argparse.Namespace) -> dict[str, Any]:
    """All trials with one number of players, added up."""
    judges = local()

    def tried(turn: Turn) -> Trial | None:
        if not hasattr(judges, "judge"):
            judges.judge = Judge(budget=options.budget)
        return trial(turn, judges.judge, options.seed)

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
        "explained": share(bool(each.reasons) for each in planted),
        "reasons": sum(len(each.reasons) for each in planted),
        "true": share(true for each in planted for true, _ in each.reasons),
        "change_by_all": share(whole for each in planted for _, whole in each.reasons),
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


def trial(turn: Turn, judge: Judge, seed: str) -> Trial | None:
    """What becomes of a turn and of a bad one in its place; None where there is no choice."""
    first = review_turn(judge, turn, seed, explain=False)
    if not first.real:
        return None
    others = judge.tried()
    again = review_turn(judge, turn, f"{seed} again", explain=False)
    best = [ACTION_OF[token] for token in first.best]
    confirmed = first.mark in ALARMS and ahead(judge, turn, best, DEEP, seed) >= FINE
    rng = new_rng(f"{seed} {bytes(turn.view).hex()}")
    for _ in range(TRIES):
        bad = turn._replace(actions=others[below(rng, len(others))])
        if any(ahead(judge, bad, best, deals, seed) < PLANTED for deals in (GLANCE, DEEP)):
            continue
        one = review_turn(judge, bad, seed)
        two = review_turn(judge, bad, f"{seed} again", explain=False)
        true = tuple(is_true(judge, bad, one, reason) for reason in one.reasons)
        return Trial(first.mark, again.mark, confirmed, one.mark, two.mark, true)
    return Trial(first.mark, again.mark, confirmed, None, None)


def ahead(judge: Judge, turn: Turn, best: Sequence[Action], deals: int, seed: str) -> float:
    """Points by which another turn is at least ahead, at 95 %, in deals of their own."""
    rng = new_rng(f"{seed} truth {deals} {bytes(turn.view).hex()}")
    return judge.compare(turn.view, turn.actions, best, deals, rng).gain.low


def is_true(judge: Judge, turn: Turn, found: TurnReview, reason: Reason) -> tuple[bool, bool]:
    """Whether a reason holds in other deals, and the chance even changes by the whole margin."""
    best = [ACTION_OF[token] for token in found.best]
    weight = weigh(judge, turn.view, best, turn.actions, reason.fact, "is it true")
    return matters(weight), weight.changes >= weight.margin


def share(hits: Iterable[bool]) -> float:
    """How many of all, from 0 to 1."""
    hits = list(hits)
    return round(sum(hits) / len(hits), 4) if hits else 0.0


if __name__ == "__main__":
    sys.exit(main())
