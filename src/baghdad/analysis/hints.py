"""A hint in three steps: a nudge, the first action, the whole turn."""

import hashlib
from collections.abc import Sequence

from msgspec import Struct

from baghdad.rules.engine.actions import (
    ACTIONS,
    CARRY,
    MOVE,
    MOVE_NEUTRAL,
    NAME,
    PASS,
    PLACE,
    PLACE_NEUTRAL,
    SMUGGLE,
    Action,
)
from baghdad.rules.engine.dealer import new_rng
from baghdad.rules.engine.material import CHESTS_TO_WIN, OWNERS, TURN
from baghdad.rules.views import View

from .facts import fitted
from .judge import DEFAULT_BUDGET, Estimate, Judge
from .reasons import Reason, reasons
from .turns import robberies, tokens_of

NUDGES = (
    "win", "rob", "hand", "carry", "neutral", "guard", "smuggle",
    "place_mine", "place_crowded", "place_empty", "look",
)  # fmt: skip
"""What the first step draws attention to, the strongest first."""
CROWDED = 2
"""Guards of others, from which on a palace is crowded."""


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
    found = judge.judge(view, (), new_rng(f"{seed} {known}"))
    best, chance, gain = found.asked, found.asked_chance, found.gain
    ahead = Estimate(-gain.mean, -gain.high, -gain.low)
    if gain.mean > 0:  # the fresh deals have turned it round
        best, chance, ahead = found.rival, found.rival_chance, gain
    nudge, why = nudge_of(view, best, judge.tried()), tuple[Reason, ...]()
    if view.fields.phase == TURN:
        why = reasons(judge, view, best, fitted(view, ()), f"{seed} {known} why")
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
        reasons=why,
    )


def nudge_of(view: View, best: Sequence[Action], tried: Sequence[Sequence[Action]]) -> str:
    """The strongest nudge that fits the best turn and does not give it away."""
    for nudge in NUDGES:
        if fits(nudge, view, best) and (
            nudge in ("win", "rob") or sum(fits(nudge, view, turn) for turn in tried) > 1
        ):
            return nudge
    return NUDGES[-1]


def fits(nudge: str, view: View, turn: Sequence[Action]) -> bool:
    """Whether somebody who was nudged so could think of this turn."""
    kinds = {ACTIONS[action].kind for action in turn}
    placing = bool(kinds & {PLACE, PLACE_NEUTRAL})
    match nudge:
        case "win":
            need = CHESTS_TO_WIN[view.fields.players] - int(view.fields.loot[view.viewer])
            return not placing and sum(map(bool, robberies(view, turn))) >= need
        case "rob":
            return not placing and any(robberies(view, turn))
        case "hand":
            return bool(kinds & {PASS, NAME})
        case "carry":
            return CARRY in kinds
        case "neutral":
            return MOVE_NEUTRAL in kinds
        case "guard":
            return MOVE in kinds
        case "smuggle":
            return SMUGGLE in kinds
        case "place_mine" | "place_crowded" | "place_empty":
            return placing and _place(nudge, view, turn[0])
        case _:
            return True


def _place(nudge: str, view: View, action: Action) -> bool:
    guards = view.fields.guards[ACTIONS[action].palace]
    mine = int(guards[view.viewer])
    foreign = sum(int(guards[owner]) for owner in range(OWNERS)) - mine
    if nudge == "place_mine":
        return mine > 0
    return foreign >= CROWDED if nudge == "place_crowded" else foreign < CROWDED
