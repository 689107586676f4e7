"""Why a turn is better than another: facts without which it would not be.

A fact is only named where taking it away changes the advice: the same two turns meet once more, in
the same deals, in the position without it.
"""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from baghdad.bots.expert.machine import MAX_ACTIONS
from baghdad.rules.engine.actions import Action
from baghdad.rules.engine.dealer import new_rng
from baghdad.rules.views import View

from .facts import Fact, facts, fitted, without
from .judge import Judge
from .marks import POINT, THRESHOLDS

DEALS = 256
"""In which the turns meet with and without a fact."""
MOST = 2
"""Reasons that are named."""
PART = 0.75
"""Of the margin that has to hang on the fact."""


class Reason(Struct, frozen=True):
    """A fact, and what hangs on it."""

    fact: Fact
    margin: float
    """Points by which the better turn is ahead."""
    loses: float
    """Points of that which are gone without the fact."""


class Weight(NamedTuple):
    """What a fact is worth to an advice, in points."""

    margin: float
    """By which the turn is ahead, with the fact."""
    loses: float
    """How much of that is gone without it."""
    changes: float
    """By how much the chance to win after the turn is another without it."""


def weigh(
    judge: Judge,
    view: View,
    best: Sequence[Action],
    other: Sequence[Action],
    fact: Fact,
    seed: str,
    deals: int = DEALS,
) -> Weight:
    """Let two turns meet with a fact and without it, in the same deals."""
    edited = without(view, fact)
    one, two = fitted(edited, best), fitted(edited, other)
    with_it = judge.compare(view, other, best, deals, new_rng(seed))
    if max(len(one), len(two)) > MAX_ACTIONS:
        return Weight(with_it.gain.mean, 0.0, 0.0)
    without_it = judge.compare(edited, two, one, deals, new_rng(seed))
    gained = without_it.gain.mean if without_it.deals else 0.0
    after = without_it.rival_chance.mean
    if not without_it.deals:  # both have become the same
        return Weight(with_it.gain.mean, with_it.gain.mean, abs(with_it.gain.mean))
    return Weight(
        with_it.gain.mean,
        with_it.gain.mean - gained,
        abs(with_it.rival_chance.mean - after) / POINT,
    )


def reasons(
    judge: Judge, view: View, best: Sequence[Action], other: Sequence[Action], seed: str
) -> tuple[Reason, ...]:
    """The facts that most of the margin hangs on; none where no fact that is known explains it."""
    found = []
    for fact in facts(view, best, other):
        weight = weigh(judge, view, best, other, fact, seed)
        if matters(weight):
            found.append(Reason(fact, round(weight.margin, 2), round(weight.loses, 2)))
    found.sort(key=lambda reason: -reason.loses)
    return tuple(found[:MOST])


def matters(weight: Weight) -> bool:
    """Whether a fact is a reason: the turn is ahead by what counts, and without the fact most of
    that is gone, from its lead and from its own chance."""
    hangs = min(weight.changes, weight.loses)
    return weight.margin >= THRESHOLDS[0] and hangs >= PART * weight.margin
