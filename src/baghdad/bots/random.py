"""The simplest player: every legal action is as likely as any other."""

from ..rules.actions import Action
from ..rules.dealer import Rng, below
from ..rules.views import View


class RandomBot:
    """Plays any legal action."""

    def choose(self, view: View, legal: list[Action], rng: Rng) -> Action:  # noqa: ARG002
        return legal[below(rng, len(legal))]
