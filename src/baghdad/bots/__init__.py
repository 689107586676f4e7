"""Players that are programs. A bot is given what its seat may know, never the state."""

from importlib.metadata import entry_points
from typing import Protocol

from ..rules.actions import Action
from ..rules.dealer import Rng
from ..rules.views import View

GROUP = "baghdad.bots"
"""Entry points of this group are bots, so that any package can bring some."""


class Bot(Protocol):
    """Chooses actions for a seat."""

    def choose(self, view: View, legal: list[Action], rng: Rng) -> Action:
        """One of the `legal` actions. All randomness comes from `rng`."""
        ...


def bot_names() -> list[str]:
    return sorted(entry_points(group=GROUP).names)


def make_bot(name: str) -> Bot:
    """A new bot by name; `KeyError` where there is none."""
    bot: Bot = entry_points(group=GROUP)[name].load()()
    return bot
