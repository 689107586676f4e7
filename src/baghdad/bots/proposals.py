"""Whether a bot accepts a proposal to end the game without a winner (R28)."""

from baghdad.bots.heuristic.win_probability import chance_of_view
from baghdad.rules.engine.dealer import Rng
from baghdad.rules.views import View

from .api import Bot

ACCEPT_BELOW = 0.03
"""A bot accepts when it gives itself a smaller chance to win than this."""


def accepts_ending(bot: Bot, view: View, rng: Rng) -> bool:
    """Whether a bot agrees to end the game without a winner."""
    return win_probability(bot, view, rng) < ACCEPT_BELOW


def win_probability(bot: Bot, view: View, rng: Rng) -> float:
    """How likely a bot thinks that it is to win, from its own view, whoever's turn it is.

    A bot may have a method `chance(view, rng)` that returns it, as those with a network do. For
    any other it is what the heuristic thinks of the position. Randomness comes from `rng`.
    """
    own = getattr(bot, "chance", None)
    return float(own(view, rng)) if own is not None else chance_of_view(view, rng)
