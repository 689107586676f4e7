"""How a turn is marked: by the points that it surely gave up."""

from typing import Literal, TypeAlias, get_args

from .engine.marks import mark_number

Mark: TypeAlias = Literal["best", "fine", "inaccuracy", "mistake", "blunder", "unclear"]
MARKS: tuple[Mark, ...] = get_args(Mark)


def mark(low: float, high: float) -> Mark:
    """The mark of a turn that gave up between `low` and `high` points, at 95 %.

    The highest threshold that the lower end reaches counts; below all of them the turn is one of
    the best only where the upper end says so, too.

    >>> [mark(low, high) for low, high in [(0, 1.9), (0, 2), (2, 9), (4.9, 5.1), (5, 6), (25, 30)]]
    ['best', 'unclear', 'fine', 'fine', 'inaccuracy', 'blunder']
    """
    return MARKS[mark_number(float(low), float(high))]
