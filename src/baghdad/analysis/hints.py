"""A hint in three steps: a nudge, the first action, the whole turn."""

import hashlib
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from baghdad.rules.engine.actions import Action
from baghdad.rules.engine.dealer import new_rng
from baghdad.rules.views import View

from .engine.facts import new_fact_memory
from .engine.nudges import NUDGES, nudge_number
from .engine.nudges import fits as engine_fits
from .judge import DEFAULT_BUDGET, Judge
from .reasons import Reason, reasons
from .turns import array_of, robberies, tokens_of


class Hint(Struct, frozen=True):
    """The best turn that was found for a seat, to be told step by step."""

    nudge: str
    """One of `NUDGES`: a kind of thing to look for. It fits other turns as well, unless it is
    that the turn wins or robs, which leaves open where and how."""
    turn: tuple[str, ...]
    """The whole turn, or what is left of it; the second step is its first action."""
    robs: tuple[str, ...]
    """By action: the palace that it robs and the number on the chest, such as `R4`, or nothing."""
    chance: float
    """To win after it."""
    low: float
    """The bounds in which this lies 19 times in 20."""
    high: float
    ahead: float
    """Points by which it is ahead of the next best turn."""
    ahead_low: float
    ahead_high: float
    reasons: tuple[Reason, ...] = ()
    """Why it is better than to do no more, where a fact that is known explains it."""


def hint(
    view: View, *, budget: int = DEFAULT_BUDGET, seed: str = "hint", judge: Judge | None = None
) -> Hint:
    """What the viewer, whose turn it is, could do, by what it knows.

    `budget`: simulations, at most. The same view, weights, budget and seed give the same hint.
    """
    if view.viewer is None or view.to_move != view.viewer:
        raise ValueError("a hint is for the seat whose turn it is")
    judge = judge or Judge(budget=budget)
    known = hashlib.sha256(bytes(view)).hexdigest()
    best, _, chance, ahead = judge.judge(view, (), new_rng(f"{seed} {known}")).best
    nudge = judge.nudge(best)
    return Hint(
        nudge=nudge,
        turn=tokens_of(best),
        robs=robberies(view, best),
        chance=round(chance.mean, 4),
        low=round(max(chance.low, 0.0), 4),
        high=round(min(chance.high, 1.0), 4),
        ahead=round(ahead.mean, 2),
        ahead_low=round(ahead.low, 2),
        ahead_high=round(ahead.high, 2),
        reasons=reasons(judge, view, best, (), f"{seed} {known} why"),  # beside doing no more
    )


def nudge_of(view: View, best: Sequence[Action], tried: Sequence[Sequence[Action]]) -> str:
    """The strongest nudge that fits the best turn and does not give it away."""
    longest = max(map(len, [best, *tried]))
    rows = np.full((len(tried), longest), -1, np.int16)
    for row, turn in zip(rows, tried, strict=True):
        row[: len(turn)] = turn
    memory = new_fact_memory(longest)
    return NUDGES[nudge_number(view.fields, array_of(best), rows, len(rows), memory)]


def fits(nudge: str, view: View, turn: Sequence[Action]) -> bool:
    """Whether somebody who was nudged so could think of this turn."""
    memory = new_fact_memory(len(turn))
    return engine_fits(NUDGES.index(nudge), view.fields, array_of(turn), memory)
