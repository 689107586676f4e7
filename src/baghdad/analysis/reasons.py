"""Why a turn is better than another: facts without which it would not be.

A fact is only named where taking it away changes the advice: the same two turns meet once more, in
the same deals, in the position without it.
"""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from baghdad.rules.engine.actions import Action
from baghdad.rules.engine.dealer import new_rng
from baghdad.rules.views import View

from .engine import analyst
from .engine.analyst import REASON_DEALS
from .facts import Fact, fact_of, record_of
from .judge import Judge


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
    deals: int = REASON_DEALS,
) -> Weight:
    """Let two turns meet with a fact and without it, in the same deals."""
    found = judge.weigh(view, best, other, record_of(fact), deals, new_rng(seed))
    return Weight(float(found.margin), float(found.loses), float(found.changes))


def reasons(
    judge: Judge, view: View, best: Sequence[Action], other: Sequence[Action], seed: str
) -> tuple[Reason, ...]:
    """The facts that most of the margin hangs on; none where no fact that is known explains it."""
    found = judge.explain(view, best, other, new_rng(seed))
    return tuple(
        Reason(fact_of(each), round(float(each.margin), 2), round(float(each.loses), 2))
        for each in found
    )


def matters(weight: Weight) -> bool:
    """Whether a fact is a reason: the turn is ahead by what counts, and without the fact most of
    that is gone, from its lead and from its own chance."""
    return analyst.matters(*weight)
