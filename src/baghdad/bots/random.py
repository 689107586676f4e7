"""The simplest player: every legal action is as likely as any other."""

from collections.abc import Sequence

from baghdad.rules.engine.actions import Action
from baghdad.rules.engine.dealer import Rng, below
from baghdad.rules.views import View

from .api import Budget


class RandomBot:
    """Plays any legal action."""

    def choose(self, view: View, legal: Sequence[Action], budget: Budget, rng: Rng) -> Action:
        return legal[below(rng, len(legal))]
