"""The simplest player: every legal action is as likely as any other."""

from collections.abc import Sequence

from ..rules.actions import Action
from ..rules.dealer import Rng, below
from ..rules.views import View
from . import Budget


class RandomBot:
    """Plays any legal action."""

    def choose(self, view: View, legal: Sequence[Action], budget: Budget, rng: Rng) -> Action:
        return legal[below(rng, len(legal))]
