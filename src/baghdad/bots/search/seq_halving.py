"""Sequential halving: of many candidates the better half goes on, round after round.

Karnin, Koren, Somekh: "Almost Optimal Exploration in Multi-Armed Bandits" (ICML 2013). A budget of
simulations is shared evenly among the rounds, and a round's share among its candidates.

The schedule (`num_rounds`, `visits_per_candidate`, `num_survivors`) takes plain numbers as well as
arrays and tensors of them, for callers that search many positions at once.
"""

import time
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from baghdad.bots.api import Budget

Array: TypeAlias = npt.NDArray[Any]
Number: TypeAlias = Any
"""An int, or an array or tensor of them."""
Evaluate: TypeAlias = Callable[[Array, int], Array]
"""Given candidates [n] and a number of deals, the same for all of them, returns what each candidate
has won in all deals together [count]; 0 for those that were not asked for."""

UNLIMITED = 1 << 62
TIME_USED = 0.98
"""Of the time that is given, how much is used: the last simulations may take longer than others."""


def num_rounds(num_candidates: int) -> int:
    """Rounds until one candidate is left.

    >>> [num_rounds(count) for count in (1, 2, 3, 4, 5, 64)]
    [0, 1, 2, 2, 3, 6]
    """
    return (num_candidates - 1).bit_length()


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


def sequential_halving(
    count: int,
    budget: Budget,
    began: float,
    batch_size: int,
    evaluate: Evaluate,
    priors: Array | float = 0.0,
) -> tuple[int, int]:
    """Return the best of `count` candidates, and how many simulations it took to find it.

    About `batch_size` simulations are played between two looks at the clock, which runs from
    `began`. A prior [count] is added to what its candidate wins on average. All randomness is that
    of `evaluate`.
    """
    candidates, played = np.arange(count), 0
    sums, visit_counts = np.zeros(count), np.zeros(count)
    priors = np.broadcast_to(priors, count)
    rounds = num_rounds(count)
    deadline = began + TIME_USED * budget.seconds if budget.seconds is not None else float("inf")
    late = False
    for number in range(rounds):
        visits = UNLIMITED
        if budget.simulations is not None:
            left = budget.simulations - played
            visits = max(visits_per_candidate(left, rounds - number, len(candidates)), 1)
        now = time.perf_counter()
        ends = now + (deadline - now) / (rounds - number)
        done = 0
        while done < visits:
            deals = min(max(batch_size // len(candidates), 1), visits - done)
            sums += evaluate(candidates, deals)
            done += deals
            took, now = time.perf_counter() - now, time.perf_counter()
            late = now + took > deadline
            if late or now >= ends:
                break
        visit_counts[candidates] += done
        played += done * len(candidates)
        means = sums[candidates] / visit_counts[candidates] + priors[candidates]
        order = np.argsort(-means, kind="stable")
        candidates = candidates[order[: num_survivors(len(candidates))]]
        if late:
            break
    return int(candidates[0]), played
