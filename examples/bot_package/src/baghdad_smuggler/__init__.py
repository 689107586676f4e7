"""A bot in some twenty lines. Copy the folder, change the names, and make it think."""

from collections.abc import Sequence

from baghdad import ACTIONS, TOKENS, Action, View
from baghdad.bots import Budget
from baghdad.rules.engine.dealer import Rng, below

AT_LAST = [TOKENS.index(token) for token in (".", "-*", "-")]
"""Ends the turn; without an action before, takes a dancer, or cards alone."""


class SmugglerBot:
    """Smuggles thieves in where most of its own wait already, and never moves a guard."""

    def choose(self, view: View, legal: Sequence[Action], budget: Budget, rng: Rng) -> Action:
        mine = view.fields.thieves[:, view.viewer]
        smuggling = [action for action in legal if TOKENS[action].startswith("+")]
        if smuggling:
            return max(
                smuggling,
                key=lambda action: (mine[ACTIONS[action].palace], -ACTIONS[action].pays_dancers),
            )
        for action in AT_LAST:
            if action in legal:
                return action
        return legal[below(rng, len(legal))]  # a guard is placed anywhere
