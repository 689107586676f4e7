"""Sequential halving: of many candidates the better half goes on, round after round."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from baghdad.bots import Budget

Sums = npt.NDArray[Any]

IN_TIME = 0.98
"""Of the time that is given, how much is used: the last simulations may take longer than others."""


def halve(
    count: int,
    budget: Budget,
    began: float,
    at_once: int,
    try_out: Callable[[Sums, int], Sums],
    head_starts: Sums | float = 0.0,
) -> tuple[int, int]:
    """The best of so many candidates, and how many simulations it took to find it.

    `try_out` is given candidates and a number of deals, the same for all of them, and adds up
    what each candidate has won [count]. About `at_once` simulations are played between two looks
    at the clock, which runs from `began`. A head start is added to what a candidate wins on
    average.
    """
    alive, played = np.arange(count), 0
    sums, counts = np.zeros(count), np.zeros(count)
    ahead = np.broadcast_to(head_starts, count)
    rounds = (count - 1).bit_length()
    deadline = began + IN_TIME * budget.seconds if budget.seconds is not None else float("inf")
    late = False
    for number in range(rounds):
        # Shares of what is left: a round that ran over takes nothing from the last one.
        enough = 1 << 62
        if budget.simulations is not None:
            enough = (budget.simulations - played) // (rounds - number)
        now = time.perf_counter()
        ends = now + (deadline - now) / (rounds - number)
        done = 0
        while done + len(alive) <= max(enough, len(alive)):
            most = max(enough - done, len(alive)) // len(alive)
            deals = min(max(at_once // len(alive), 1), most)
            sums += try_out(alive, deals)
            counts[alive] += deals
            done += deals * len(alive)
            took, now = time.perf_counter() - now, time.perf_counter()
            late = now + took > deadline
            if late or now >= ends:
                break
        played += done
        order = np.argsort(-sums[alive] / counts[alive] - ahead[alive], kind="stable")
        alive = alive[order[: (len(alive) + 1) // 2]]
        if late:
            break
    return int(alive[0]), played
