"""How a turn is marked: by the points that it surely gave up."""

from typing import Literal, TypeAlias, get_args

Mark: TypeAlias = Literal["best", "fine", "inaccuracy", "mistake", "blunder", "unclear"]
MARKS: tuple[Mark, ...] = get_args(Mark)

POINT = 0.01
"""Of the seat's chance to win."""
THRESHOLDS = (2.0, 5.0, 10.0, 20.0)
"""Points from which on a turn is fine, an inaccuracy, a mistake, a blunder."""
REAL_CHOICE = 2.0
"""Points that the ends of turns are to lie apart: where all lead to the same, nothing is judged."""
SIDE = 1.96
"""Standard errors on either side of an interval of 95 %."""


def mark(low: float, high: float) -> Mark:
    """The mark of a turn that gave up between `low` and `high` points, at 95 %.

    The highest threshold that the lower end reaches counts; below all of them the turn is one of
    the best only where the upper end says so, too.

    >>> [mark(low, high) for low, high in [(0, 1.9), (0, 2), (2, 9), (4.9, 5.1), (5, 6), (25, 30)]]
    ['best', 'unclear', 'fine', 'fine', 'inaccuracy', 'blunder']
    """
    reached = sum(low >= threshold for threshold in THRESHOLDS)
    if reached == 0 and high >= THRESHOLDS[0]:
        return "unclear"
    return MARKS[reached]
