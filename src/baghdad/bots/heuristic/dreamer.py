"""A kindly player that plans a turn as the heuristic does, and is content with half of it."""

from collections.abc import Sequence

from baghdad.bots.api import Budget
from baghdad.rules.engine.actions import (
    ACTIONS,
    CARRY,
    END_TURN,
    MOVE,
    MOVE_NEUTRAL,
    PASSES,
    Action,
)
from baghdad.rules.engine.dealer import Rng, below
from baghdad.rules.engine.material import PLACING
from baghdad.rules.views import View

from .bot import HeuristicBot

ENOUGH = 2
"""Actions after which it is content with a turn."""
FULL_HAND = 24
"""More cards than this remind it of what they are for: if all pass for ever, nobody wins (R27)."""


class DreamerBot:
    """Plays the beginning of a good plan: each move makes sense, and many more are missed.

    Two actions are enough for a turn, and before each of them it may forget what it was about to
    do, and end the turn: with cards, a dancer or a card that it names, as it happens, where it has
    done nothing yet. It also ends it before guards would wander about: a second neutral one, or an
    own one that has just come.
    """

    def __init__(self, planner: HeuristicBot, *, forgets: int) -> None:
        self.planner = planner
        self.forgets = forgets
        """How many of a hundred planned actions it forgets, and all that would follow them."""

    def choose(
        self, view: View, legal: Sequence[Action], budget: Budget, rng: Rng
    ) -> Sequence[Action]:
        plan = self.planner.choose(view, legal, budget, rng)
        if view.fields.phase == PLACING:
            return plan
        awake = view.fields.hand.sum() > FULL_HAND
        endings = [each for each in (END_TURN, *PASSES) if each in legal]
        for number, action in enumerate(plan):
            if action == END_TURN or action in endings:
                break
            dreams = not awake and (number >= ENOUGH or below(rng, 100) < self.forgets)
            if dreams or _wanders(plan[: number + 1]):
                ending = END_TURN if number else endings[below(rng, len(endings))]
                return [*plan[:number], ending]
        return plan


def _wanders(plan: Sequence[Action]) -> bool:
    """Whether the last action of a plan moves what the others have moved enough."""
    *before, last = (ACTIONS[action] for action in plan)
    if last.kind == MOVE_NEUTRAL:
        return any(each.kind == MOVE_NEUTRAL for each in before)
    return last.kind == MOVE and any(
        each.kind in (MOVE, CARRY) and each.to == last.palace for each in before
    )
