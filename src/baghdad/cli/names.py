"""What players are called on the screen, and who of them has won."""

from collections import Counter
from collections.abc import Sequence

from ..bots import LEVELS
from ..rules.game import Game
from ..rules.words import outcome
from ..text import say


def display_names(given: Sequence[str]) -> list[str]:
    """Names that can be told apart; a level's begins with a capital.

    >>> display_names(["kasim", "Eva", "kasim"])
    ['Kasim', 'Eva', 'Kasim 2']
    """
    names: list[str] = []
    seen: Counter[str] = Counter()
    for name in given:
        seen[name] += 1
        shown = name.capitalize() if name in LEVELS else name
        names.append(shown if seen[name] == 1 else f"{shown} {seen[name]}")
    return names


def ending(game: Game, names: Sequence[str], language: str) -> str:
    """Who has won, by name, or why nobody has."""
    if game.winner is None:
        return outcome(game, language)
    name, loot = names[game.winner], game.loot[game.winner]
    return say("cli.board.won", language, name=name, loot=loot, turns=game.turns + 1)
