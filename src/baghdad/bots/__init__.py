"""Players that are programs. A bot is given what its seat may know, never the state."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from operator import index
from pathlib import Path
from typing import Protocol

from baghdad.jit.compiler import COMPILED
from baghdad.jit.sources import Sources
from baghdad.rules.engine import SOURCES as RULES
from baghdad.rules.engine.actions import Action
from baghdad.rules.engine.dealer import Rng, new_rng
from baghdad.rules.engine.material import TURN
from baghdad.rules.game import Game
from baghdad.rules.views import View

SOURCES = Sources(Path(__file__).parent, RULES)

LEVELS = ("maruf", "kasim", "ali", "morgiana", "dalila", "scheherazade")
"""Opponents for people, the weakest first."""
LESSON = "lesson"
"""The opponent in the guided game."""
WEIGHTS = Path(
    os.environ.get("BAGHDAD_WEIGHTS") or Path(__file__).parent / "neural" / "weights" / "neural.bin"
)
"""The trained network, or another to be tried out."""
OURS = {
    **{name: f"levels:{name}" for name in LEVELS},
    "expert": "neural.expert:ExpertBot",
    "heuristic": "heuristic.bot:HeuristicBot",
    LESSON: "lesson.bot:LessonBot",
    "neural": "neural.bot:NeuralBot",
    "random": "random:RandomBot",
    "search": "search.bot:SearchBot",
}
GROUP = "baghdad.bots"
"""Entry points of this group are bots, too, so that any package can bring some."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a bot may think about one decision. A bot that needs none of it ignores it.

    With simulations alone, the same view and generator give the same decision again; those of bots
    with a network may differ between kinds of machines, which round differently. Seconds depend
    on how fast the machine is.
    """

    seconds: float | None = None
    simulations: int | None = None

    def simulations_at(self, a_second: int) -> int:
        """How many it allows at this speed; it must limit one or the other.

        >>> Budget(seconds=2).simulations_at(500), Budget(2, 300).simulations_at(500)
        (1000, 300)
        """
        in_time = None if self.seconds is None else int(a_second * self.seconds)
        return min(limit for limit in (in_time, self.simulations) if limit is not None)


class Bot(Protocol):
    """Chooses actions for a seat.

    >>> class First:
    ...     def choose(self, view, legal, budget, rng):
    ...         return legal[0]
    >>> bot: Bot = First()
    """

    def choose(
        self, view: View, legal: Sequence[Action], budget: Budget, rng: Rng
    ) -> Action | Sequence[Action]:
        """One of the `legal` actions; or several, to be played one after another.

        Within a turn there is no chance, so a bot may plan all of it ahead. All randomness comes
        from `rng`, and nothing is remembered from one call to the next.
        """
        ...


def bot_names() -> list[str]:
    """The bots that are installed here: the levels, then all others by name."""
    others = {*OURS, *entry_points(group=GROUP).names}.difference(LEVELS)
    return [*LEVELS, *sorted(others)]


def make_bot(name: str) -> Bot:
    """A new bot by name, ready to play; `KeyError` where there is none."""
    bot: Bot
    if name in OURS:
        module, _, make = OURS[name].partition(":")
        bot = getattr(import_module(f"{__name__}.{module}"), make)()
    else:
        bot = entry_points(group=GROUP)[name].load()()
    warm_up(bot)
    return bot


def warm_up(bot: Bot) -> None:
    """Let a bot decide on a guard and on a turn, so that it compiles nothing on the clock."""
    if not COMPILED:
        return
    game, budget = Game(players=2, seed="warm up"), Budget(simulations=1)
    decide(bot, game.view(0), game.legal(), budget, new_rng("warm up"))
    while game.state.phase != TURN:
        game.play(game.legal()[0])
    decide(bot, game.view(0), game.legal(), budget, new_rng("warm up"))


def decide(
    bot: Bot, view: View, legal: Sequence[Action], budget: Budget, rng: Rng
) -> Sequence[Action]:
    """What a bot wants to play, as a sequence of at least one."""
    chosen = bot.choose(view, legal, budget, rng)
    if not isinstance(chosen, Sequence):
        return (index(chosen),)
    if not chosen:
        raise ValueError(f"{type(bot).__name__} chose nothing")
    return chosen
