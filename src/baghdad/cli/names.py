"""What players are called on the screen, and who of them has won."""

from collections.abc import Iterator, Sequence
from itertools import count

from baghdad.rules.game import Game
from baghdad.rules.narration import outcome
from baghdad.text import say

CHARACTERS = {
    "maruf": ("Maruf", "Hasan", "Mustafa", "Karim"),
    "hindbad": ("Hindbad", "Salim", "Anwar", "Idris"),
    "alnaschar": ("Alnaschar", "Bakbuk", "Faris", "Nabil"),
    "khalifa": ("Khalifa", "Judar", "Abdallah", "Sabur"),
    "kasim": ("Kasim", "Omar", "Ahmad", "Ibrahim"),
    "ali": ("Ali", "Firuz", "Harun", "Yunus"),
    "zubaida": ("Zubaida", "Nuzhat", "Halima", "Rabia"),
    "morgiana": ("Morgiana", "Amina", "Safia", "Zumurrud"),
    "jafar": ("Jafar", "Fadl", "Yahya", "Sahl"),
    "dalila": ("Dalila", "Zainab", "Aziza", "Maryam"),
    "duban": ("Duban", "Lukman", "Hakim", "Bahram"),
    "scheherazade": ("Scheherazade", "Dinarzade", "Tawaddud", "Budur"),
}
"""By level: as whom its first bot at a table sits there, its second, and so on; here and on the
page. The names are of the Arabian Nights, and written alike in all our languages."""


def table_names(people: Sequence[str], bots: Sequence[str]) -> list[str]:
    """Names that can be told apart, for people and for the bots who sit after them.

    >>> table_names(["Eva", "Omar"], ["kasim", "kasim", "random"])
    ['Eva', 'Omar', 'Kasim', 'Ahmad', 'random']
    """
    names: list[str] = []

    def take(wanted: Iterator[str]) -> None:
        taken = {name.lower() for name in names}
        names.append(next(name for name in wanted if name.lower() not in taken))

    for person in people:
        take(_numbered(person))
    for bot in bots:
        take(_called(bot))
    return names


def _called(bot: str) -> Iterator[str]:
    yield from CHARACTERS.get(bot, ())
    yield from _numbered(bot)


def _numbered(name: str) -> Iterator[str]:
    yield name
    for number in count(2):
        yield f"{name} {number}"


def ending(game: Game, names: Sequence[str], language: str) -> str:
    """Who has won, by name, or why nobody has."""
    if game.winner is None:
        return outcome(game, language)
    name, loot = names[game.winner], game.loot[game.winner]
    if game.termination == "resigned":
        return say("cli.board.won_resigned", language, name=name, other=names[1 - game.winner])
    if game.winner in game.resigned:
        return say("cli.board.won_for", language, name=name, loot=loot, turns=game.turns + 1)
    return say("cli.board.won", language, name=name, loot=loot, turns=game.turns + 1)
