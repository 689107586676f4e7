"""The ledger of luck: what each draw, and each seat's decisions between two draws, were worth.

Every moment of a game has a value: the chances with open hands, or what came true at the end. Where
cards come next it is the mean of what may come of them. A step is worth what the value has changed
by; so from the start to the result it all adds up.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from baghdad.bots.neural.sight import OUTCOMES
from baghdad.bots.value.seats import Chances

from .compiled import compiled

DECIDED, DRAWN, ENDED = range(3)
"""Kinds of steps: a seat's decisions, cards, and an end without a move (R28)."""
STEP = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("kind", "i4"),
                ("seat", "i4"),  # who decided or got the cards; -1 where nobody did alone
                ("at", "i4"),  # the moment before it
                ("until", "i4"),  # and after it
                ("worth", "f8", (OUTCOMES,)),
            ],
            align=True,
        ),
    )
)
MOST_TURNING_POINTS = 5
TURNS_AT = 0.1
"""A chance that changes by so much makes a turning point."""

Bytes = npt.NDArray[np.int8]


@compiled
def write_steps(values: Chances, kinds: Bytes, seats: Bytes, count: int, steps: Any) -> int:
    """Write the steps of a game with `count` tokens, of dtype `STEP`; returns how many.

    `values` [(count + 1) OUTCOMES], moment after moment; `kinds` and `seats` [count] by token. What
    a seat decides without cards in between is one step.
    """
    length = 0
    for token in range(count):
        kind, seat = kinds[token], seats[token]
        goes_on = token > 0 and kind == DECIDED == kinds[token - 1] and seat == seats[token - 1]
        if not goes_on:
            length += 1
            steps[length - 1].kind, steps[length - 1].seat = kind, seat
            steps[length - 1].at = token
        step = steps[length - 1]
        step.until = token + 1
        for each in range(OUTCOMES):
            before = values[step.at * OUTCOMES + each]
            step.worth[each] = values[(token + 1) * OUTCOMES + each] - before
    return length


@compiled
def find_turning_points(steps: Any, count: int, found: npt.NDArray[np.int32]) -> int:
    """Write which of `count` steps are turning points, the largest first; returns how many,
    `MOST_TURNING_POINTS` at most."""
    length = 0
    for number in range(count):
        most = _most(steps[number])
        if most >= TURNS_AT:
            place = min(length, MOST_TURNING_POINTS)
            while place > 0 and _most(steps[found[place - 1]]) < most:
                if place < MOST_TURNING_POINTS:
                    found[place] = found[place - 1]
                place -= 1
            if place < MOST_TURNING_POINTS:
                found[place] = number
                length = min(length + 1, MOST_TURNING_POINTS)
    return length


@compiled
def _most(step: Any) -> float:
    """By how much the chance of the seat changes for which it changes most."""
    most = 0.0
    for seat in range(OUTCOMES - 1):
        most = max(most, abs(step.worth[seat]))
    return most
