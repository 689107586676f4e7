"""What can be concluded from games: shares, ratings, intervals, and when to stop.

The unit of chance is the deal, since all its games share their cards: intervals are taken over
deals, never over games.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Numbers: TypeAlias = Sequence[float] | npt.NDArray[Any]

RESAMPLES = 2000
ELO = 400 / math.log(10)
"""Elo points in a natural unit of rating."""
CONFIDENCE = 0.95
TAIL = (1 - CONFIDENCE) / 2


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate and the 95 % interval around it."""

    value: float
    low: float
    high: float


def bootstrap(by_deal: Numbers, seed: int = 1) -> Interval:
    """The mean of shares over deals, and where it would lie in other samples of deals.

    >>> bootstrap([0.5] * 10)
    Interval(value=0.5, low=0.5, high=0.5)
    >>> round(bootstrap([1.0] * 100).low, 3)
    0.964
    """
    share = mean(by_deal, seed)
    # Where all deals went one way, resampling sees no doubt: the exact bound does.
    if share.value == 1:
        return Interval(1.0, TAIL ** (1 / len(by_deal)), 1.0)
    if share.value == 0:
        return Interval(0.0, 0.0, 1 - TAIL ** (1 / len(by_deal)))
    if len(by_deal) == 1:  # nothing to resample
        return Interval(share.value, 0.0, 1.0)
    return share


def mean(by_deal: Numbers, seed: int = 1) -> Interval:
    """The mean of anything counted in every deal, with an interval by bootstrap over deals."""
    values, samples = _resampled(by_deal, seed)
    return within(float(np.mean(by_deal)), samples @ values / len(by_deal))


def quantile(by_deal: Numbers, part: float, seed: int = 1) -> Interval:
    """The number that such a part of the deals does not exceed, with an interval.

    >>> quantile([1, 2, 3, 4], 0.5).value
    2.0
    """
    values, samples = _resampled(by_deal, seed)
    true = np.sort(np.asarray(by_deal, np.float64))[math.ceil(part * len(by_deal)) - 1]
    reached = samples.cumsum(axis=1) >= part * len(by_deal)
    return within(float(true), values[reached.argmax(axis=1)])


def within(value: float, samples: Numbers) -> Interval:
    """A value, and the interval that most of its values in other samples lie in."""
    low, high = np.quantile(samples, [TAIL, 1 - TAIL])
    return Interval(value, float(low), float(high))


def _resampled(by_deal: Numbers, seed: int) -> tuple[Floats, npt.NDArray[np.int64]]:
    """The values there are, and [RESAMPLES, value] how often each is in a new sample of deals."""
    values, counts = np.unique(np.asarray(by_deal, np.float64), return_counts=True)
    random = np.random.default_rng(seed)
    return values, random.multinomial(len(by_deal), counts / len(by_deal), RESAMPLES)


def elo(share: float) -> float:
    """The difference in rating that a share of wins between two players speaks for.

    >>> round(elo(0.75)), elo(0.5)
    (191, 0.0)
    """
    share = min(max(share, 1e-4), 1 - 1e-4)
    return ELO * math.log(share / (1 - share))


def expected(difference: float) -> float:
    """The share of wins that a difference in Elo speaks for."""
    return 1 / (1 + math.exp(-difference / ELO))


@dataclass(slots=True)
class Sprt:
    """Sequential test: is the first bot `elo1` stronger, or only `elo0`?

    The generalised test on the scores of whole deals: their variance is estimated, so that pairs
    of games with the same cards count for what they tell. Scores are added deal after deal, in
    the order of deals: whichever happened to finish first must not decide when to stop.
    """

    elo0: float
    elo1: float
    risk: float = 0.05
    """Of either wrong answer."""
    _deals: int = field(default=0, init=False)
    _sum: float = field(default=0.0, init=False)
    _squares: float = field(default=0.0, init=False)

    def add(self, score: float) -> None:
        """The score of one more deal."""
        self._deals += 1
        self._sum += score
        self._squares += score * score

    @property
    def log_ratio(self) -> float:
        """How much more likely the scores are if `elo1` is true than if `elo0` is."""
        if self._deals < FEWEST_DEALS:
            return 0.0
        # One deal lost and one won more, so that a row of equal scores has a variance, too.
        mean = (self._sum + 1) / (self._deals + 2)
        variance = (self._squares + 1) / (self._deals + 2) - mean * mean
        low, high = expected(self.elo0), expected(self.elo1)
        return (high - low) * (2 * self._sum - self._deals * (low + high)) / (2 * variance)

    @property
    def verdict(self) -> bool | None:
        """True for `elo1`, False for `elo0`, None while it is open."""
        bound = math.log((1 - self.risk) / self.risk)
        ratio = self.log_ratio
        return True if ratio >= bound else False if ratio <= -bound else None


FEWEST_DEALS = 8
"""Before that the variance of the scores is not known well enough."""

Wins: TypeAlias = Counter[tuple[tuple[str, ...], str]]
"""How often a bot has won at a table, by those sitting there (sorted) and the winner."""


def plackett_luce(
    wins: Iterable[Wins], names: Sequence[str], prior: Floats | None = None
) -> Floats:
    """Ratings in Elo points, mean 0: a bot wins in proportion to its strength at the table.

    By Hunter's MM algorithm, with half a win against an average bot for and against each, so
    that a bot that always or never wins has a rating, too; or with other parts of a win.
    """
    total: Wins = Counter()
    for part in wins:
        total.update(part)
    place = {name: number for number, name in enumerate(names)}
    seatings: dict[tuple[str, ...], float] = {}
    won = np.full(len(names), PRIOR) if prior is None else prior.copy()
    for (seating, winner), count in total.items():
        seatings[seating] = seatings.get(seating, 0.0) + count
        won[place[winner]] += count
    seats = np.zeros((len(seatings), len(names)))
    for row, seating in enumerate(seatings):
        for name in seating:
            seats[row, place[name]] += 1
    counts = np.array(list(seatings.values()))
    strength = np.ones(len(names))
    for _ in range(MOST_STEPS):
        at_seating = counts / (seats @ strength) if len(seatings) else counts
        new = won / (at_seating @ seats + 2 * PRIOR / (strength + 1))
        new /= np.exp(np.log(new).mean())
        if np.abs(np.log(new / strength)).max() < PRECISION:
            break
        strength = new
    ratings: Floats = ELO * np.log(strength)
    return ratings


PRIOR = 0.5
LEAST = 1e-3
"""Of a win that may be drawn: strength is never nothing."""
MOST_STEPS = 2000
PRECISION = 1e-6


def rate(wins_by_deal: Sequence[Wins], names: Sequence[str], seed: int = 1) -> list[Interval]:
    """Ratings with intervals, by bootstrap over deals.

    The half win that each has beforehand is drawn, too: else a bot that won every deal would seem
    to be known to the point.
    """
    random = np.random.default_rng(seed)
    values = plackett_luce(wins_by_deal, names)
    picks = random.integers(0, len(wins_by_deal), (200, len(wins_by_deal)))
    priors = np.maximum(random.gamma(PRIOR, 1.0, (200, len(names))), LEAST)
    samples = np.array(
        [
            plackett_luce([wins_by_deal[i] for i in pick], names, prior)
            for pick, prior in zip(picks, priors, strict=True)
        ]
    )
    return [within(float(value), column) for value, column in zip(values, samples.T, strict=True)]
