"""What a bot is: it gets a view, the legal actions and a budget, and returns actions."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING, Protocol

from baghdad.rules.engine.actions import Action
from baghdad.rules.views import View

if TYPE_CHECKING:
    from baghdad.rules.engine.dealer import Rng  # which loads Numba


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a bot may think about one decision. A bot that needs none of it ignores it.

    With simulations alone, the same view and generator give the same decision again; those of bots
    with a network may differ between kinds of machines, which round differently. Seconds depend
    on how fast the machine is.
    """

    seconds: float | None = None
    simulations: int | None = None


class Bot(Protocol):
    """Chooses actions for a seat.

    >>> class First:
    ...     def choose(self, view, legal, budget, rng):
    ...         return legal[0]
    >>> bot: Bot = First()
    """

    def choose(
        self, view: View, legal: Sequence[Action], budget: Budget, rng: "Rng"
    ) -> Action | Sequence[Action]:
        """Return one of the `legal` actions; or several, to be played one after another.

        Within a turn there is no chance, so a bot may plan all of it ahead. All randomness comes
        from `rng`, and nothing is remembered from one call to the next.
        """
        ...


def decide(
    bot: Bot, view: View, legal: Sequence[Action], budget: Budget, rng: "Rng"
) -> Sequence[Action]:
    """Ask a bot for its decision; returns a sequence of at least one action."""
    chosen = bot.choose(view, legal, budget, rng)
    if not isinstance(chosen, Sequence):
        try:
            return (index(chosen),)
        except TypeError:
            name = type(bot).__name__
            raise TypeError(f"{name} chose {chosen!r}, which is no action") from None
    if not chosen:
        raise ValueError(f"{type(bot).__name__} chose nothing")
    return chosen
