"""Sequential halving: of many candidates the better half goes on, round after round.

Karnin, Koren, Somekh: "Almost Optimal Exploration in Multi-Armed Bandits" (ICML 2013). A budget of
simulations is shared evenly among the rounds, and a round's share among its candidates.

The schedule (`num_rounds`, `visits_per_candidate`, `num_survivors`) takes plain numbers as well as
arrays and tensors of them, for callers that search many positions at once. For one position
`Halving` keeps where it stands: the caller plays what `next_deals` asks for, notes what was won,
and asks again, as long as there is something to play.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from baghdad.bots.api import Budget

from .compiled import compiled

Array: TypeAlias = npt.NDArray[Any]
Number: TypeAlias = Any
"""An int, or an array or tensor of them."""

UNLIMITED = 1 << 62
"""As many simulations as there is time for."""
FOREVER = float("inf")
"""Seconds, where only simulations count."""
TIME_USED = 0.98
"""Of the time that is given, how much is used: the last simulations may take longer than others."""


def num_rounds(num_candidates: int) -> int:
    """Rounds until one candidate is left.

    >>> [num_rounds(count) for count in (1, 2, 3, 4, 5, 64)]
    [0, 1, 2, 2, 3, 6]
    """
    rounds = 0
    while num_candidates > 1 << rounds:
        rounds += 1
    return rounds


def visits_per_candidate(simulations: Number, rounds: Number, num_candidates: Number) -> Number:
    """Simulations for each candidate of a round, out of those left for this and later rounds.

    A round is played with one at least, even where this is 0: so it may overdraw the budget, and
    later rounds share what is left.

    >>> visits_per_candidate(100, 3, 5)
    6
    """
    return simulations // rounds // num_candidates


def num_survivors(num_candidates: Number) -> Number:
    """How many of a round's candidates go on: the better half, rounded up.

    >>> num_survivors(5)
    3
    """
    return (num_candidates + 1) // 2


_num_rounds = compiled(num_rounds)
_visits_per_candidate = compiled(visits_per_candidate)
_num_survivors = compiled(num_survivors)

PROGRESS = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("alive", "i8"),  # candidates of this round
                ("left", "i8"),  # rounds, this one included
                ("simulations", "i8"),  # that are allowed
                ("played", "i8"),  # in earlier rounds
                ("visits", "i8"),  # by each candidate in this round
                ("done", "i8"),  # of them
                ("deals", "i8"),  # that were asked for last
                ("now", "f8"),  # when they were asked for
                ("ends", "f8"),  # this round
                ("deadline", "f8"),
            ],
            align=True,
        ),
    )
)
"""Where a search stands. Times are in seconds since it began."""


class Halving(NamedTuple):
    """Memory for one search after another."""

    progress: Array
    """[1], dtype `PROGRESS`"""
    candidates: Array
    """[most]: those of this round, in order."""
    sums: Array
    """[most]: what each has won in all."""
    visits: Array
    """[most]: how often each was played."""
    priors: Array
    """[most]: added to what a candidate wins on average."""
    means: Array
    """[most]: the sum of both, in the order of `candidates`."""
    batch: Array
    """[most]: what each has won in the deals that were asked for last."""


def new_halving(most: int) -> Halving:
    """Memory for searches with this many candidates at most."""
    return Halving(
        np.zeros(1, PROGRESS), np.zeros(most, np.int64), *(np.zeros(most) for _ in range(5))
    )


def limits(budget: Budget, simulations: int) -> tuple[float, int]:
    """Seconds and simulations of a budget; where it has neither, this many simulations."""
    if budget == Budget():
        budget = Budget(simulations=simulations)
    return (
        FOREVER if budget.seconds is None else float(budget.seconds),
        UNLIMITED if budget.simulations is None else budget.simulations,
    )


@compiled
def allowed(seconds: float, simulations: int, per_second: int) -> int:
    """How many simulations this much time and this number allow."""
    if seconds < FOREVER:
        return min(int(min(per_second * seconds, 1e15)), simulations)
    return simulations


@compiled
def begin_halving(halving: Halving, count: int, seconds: float, simulations: int) -> None:
    """Start a search for the best of `count` candidates; the priors are 0 until they are set."""
    progress = halving.progress[0]
    progress.alive, progress.left = count, _num_rounds(count)
    progress.simulations, progress.played = simulations, 0
    progress.done, progress.deals = 0, 0
    progress.deadline = TIME_USED * seconds
    for candidate in range(count):
        halving.candidates[candidate] = candidate
        halving.sums[candidate] = halving.visits[candidate] = 0.0
        halving.priors[candidate] = halving.batch[candidate] = 0.0


@compiled
def next_deals(halving: Halving, batch_size: int, now: float) -> int:
    """How many deals all candidates of the round are to be played in next; 0 at the end.

    What they win goes to `halving.batch`, which is empty when this returns. It makes about
    `batch_size` simulations, between which the caller looks at its clock.
    """
    progress = halving.progress[0]
    if progress.deals > 0:
        _take_in(halving, now)
    if progress.left == 0:
        return 0
    if progress.done == 0:
        left = progress.simulations - progress.played
        progress.visits = max(_visits_per_candidate(left, progress.left, progress.alive), 1)
        progress.now = now
        progress.ends = now + (progress.deadline - now) / progress.left
    deals = min(max(batch_size // progress.alive, 1), progress.visits - progress.done)
    progress.deals = deals
    return deals


@compiled
def _take_in(halving: Halving, now: float) -> None:
    """What was asked for has been played."""
    progress = halving.progress[0]
    for place in range(progress.alive):
        candidate = halving.candidates[place]
        halving.sums[candidate] += halving.batch[candidate]
        halving.batch[candidate] = 0.0
    progress.done += progress.deals
    progress.deals = 0
    took = now - progress.now
    progress.now = now
    late = now + took > progress.deadline
    if late or now >= progress.ends or progress.done >= progress.visits:
        _end_round(halving)
        if late:
            progress.left = 0


@compiled
def _end_round(halving: Halving) -> None:
    """The better half goes on, in the order of what they are worth, equals as they stood."""
    progress, candidates, means = halving.progress[0], halving.candidates, halving.means
    for number in range(progress.alive):
        candidate, place = candidates[number], number
        halving.visits[candidate] += progress.done
        mean = halving.sums[candidate] / halving.visits[candidate] + halving.priors[candidate]
        while place > 0 and means[place - 1] < mean:
            candidates[place], means[place] = candidates[place - 1], means[place - 1]
            place -= 1
        candidates[place], means[place] = candidate, mean
    progress.played += progress.done * progress.alive
    progress.alive = _num_survivors(progress.alive)
    progress.left -= 1
    progress.done = 0
