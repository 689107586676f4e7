"""A person's results against the levels, on the scale that is published with them.

On the scale a difference is one in Elo points with two players. With more of them the same
difference decides less: `SPREAD` says how much is left of it. The page does the same sums
(`web/src/device/rating.ts`).
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from baghdad.bots.levels import LEVELS, SPREAD, TABLE

from .statistics import CONFIDENCE, ELO, Floats, Interval

BEGINNER, DEVIATION = 1150.0, 700.0
"""Before any game somebody is taken for a beginner, who wins two games of three or more against the
first level, give or take. It keeps a first game or two from saying too much."""


class GameWithLevels(NamedTuple):
    """A game of one person."""

    levels: Sequence[str]
    """Who sat there besides."""
    won: bool


def win_chance(rating: Floats | float, levels: Sequence[str]) -> Floats:
    """How likely a person of some rating is to win against these, as Plackett and Luce have it.

    >>> round(float(win_chance(1000.0, ["maruf"])), 2)
    0.5
    """
    spread = SPREAD[len(levels) + 1] / ELO
    others = sum(np.exp((TABLE[level].rating - np.asarray(rating)) * spread) for level in levels)
    return np.asarray(1 / (1 + others))


def rate_person(games: Iterable[GameWithLevels]) -> Interval:
    """The most likely rating after these games, and where it lies with 95 %."""
    ratings: Floats = np.arange(TABLE[LEVELS[0]].rating - 1000.0, TABLE[LEVELS[-1]].rating + 1000.0)
    logs = -(((ratings - BEGINNER) / DEVIATION) ** 2) / 2
    for levels, won in games:
        chance = win_chance(ratings, levels)
        logs += np.log(chance if won else 1 - chance)
    weights = np.exp(logs - logs.max()).cumsum()
    tail = (1 - CONFIDENCE) / 2
    low, high = (ratings[np.searchsorted(weights, part * weights[-1])] for part in (tail, 1 - tail))
    return Interval(float(ratings[logs.argmax()]), float(low), float(high))


def even_level(games: Sequence[GameWithLevels]) -> str:
    """Against whom a person's next game is nearest to even.

    It is never more than one above the strongest that was beaten: whoever climbs goes step by step.

    >>> even_level([])
    'maruf'
    """
    beaten = [LEVELS.index(level) for game in games if game.won for level in game.levels]
    within = LEVELS[: max(beaten, default=-1) + 2]
    rating = rate_person(games).value
    return min(within, key=lambda level: abs(TABLE[level].rating - rating))
