"""Bots by name: ours, and those that other packages bring as entry points."""

from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from baghdad.jit.lazy import LazyModule
from baghdad.rules.engine.material import TURN
from baghdad.rules.game import Game

from .api import Bot, Budget, decide
from .levels import LEVELS

if TYPE_CHECKING:
    from baghdad.jit import compiler
    from baghdad.rules.engine import dealer
else:  # they load Numba
    compiler = LazyModule("baghdad.jit.compiler")
    dealer = LazyModule("baghdad.rules.engine.dealer")

LESSON = "lesson"
"""The opponent in the guided game."""
BUILTIN_BOTS = {
    **dict.fromkeys(LEVELS, "players:make_level"),
    "expert": "expert.bot:ExpertBot",
    "heuristic": "heuristic.bot:HeuristicBot",
    LESSON: "lesson.bot:LessonBot",
    "neural": "neural.bot:NeuralBot",
    "random": "random:RandomBot",
    "search": "search.bot:SearchBot",
}
"""Our own bots: the module of this package that makes each, loaded when it is asked for. That of a
level is told its name."""
ENTRY_POINT_GROUP = "baghdad.bots"
"""Entry points of this group are bots, too, so that any package can bring some."""


def bot_names() -> list[str]:
    """The bots that are installed here: the levels, then all others by name."""
    others = {*BUILTIN_BOTS, *entry_points(group=ENTRY_POINT_GROUP).names}.difference(LEVELS)
    return [*LEVELS, *sorted(others)]


def make_bot(name: str) -> Bot:
    """A new bot by name, ready to play; raises `KeyError` where there is none."""
    bot: Bot
    if name in BUILTIN_BOTS:
        module, _, make = BUILTIN_BOTS[name].partition(":")
        maker = getattr(import_module(f"{__package__}.{module}"), make)
        bot = maker(name) if name in LEVELS else maker()
    else:
        bot = entry_points(group=ENTRY_POINT_GROUP)[name].load()()
    warm_up(bot)
    return bot


def warm_up(bot: Bot) -> None:
    """Let a bot decide on a guard and on a turn, so that nothing is compiled on its clock."""
    if not compiler.COMPILED:
        return
    game, budget = Game(players=2, seed="warm up"), Budget(simulations=1)
    decide(bot, game.view(0), game.legal(), budget, dealer.new_rng("warm up"))
    while game.state.phase != TURN:
        game.play(game.legal()[0])
    decide(bot, game.view(0), game.legal(), budget, dealer.new_rng("warm up"))
