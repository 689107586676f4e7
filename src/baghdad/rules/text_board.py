"""A position drawn in text, as one seat sees it."""

from baghdad.rules.engine.material import (
    CARD_LETTERS,
    CHESTS_TO_WIN,
    GUARD_FIELDS,
    HEAVIEST_CHEST,
    NEUTRAL,
    OWNERS,
    PALACE_LETTERS,
    Palace,
    Seat,
)
from baghdad.text import say

from .views import View


def board_of(view: View, language: str = "en") -> str:
    """What a seat sees, drawn in text: a line a palace, then a line a player.

    >>> from baghdad import Game
    >>> print(board_of(Game(players=2).view(None)))
    palace    chest  guards  thieves by seat
    R red     4      n···
    G green   4      n···
    W white   4      n···
    P purple  4      n···
    Y yellow  4      n···
    B blue    4      n···
    <BLANKLINE>
    >seat 1: chests 0 of 6, thieves in stock 12, cards in hand 0
     seat 2: chests 0 of 6, thieves in stock 12, cards in hand 0
    stack 102, discard pile 0, dancers 8
    """
    heads = [say(f"board.{head}", language) for head in ("palace", "chest", "guards", "thieves")]
    rows = [heads, *(_palace_row(view, palace, language) for palace in range(6))]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    players = (
        (">" if view.to_move == seat else " ") + player_in_words(view, seat, language)
        for seat in range(view.fields.players)
    )
    return "\n".join([*lines, "", *players, piles_in_words(view, language)])


def _palace_row(view: View, palace: Palace, language: str) -> list[str]:
    seen, letter = view.fields, PALACE_LETTERS[palace]
    chests = int(seen.chests[palace])
    guards = "".join(
        ("n" if owner == NEUTRAL else str(owner + 1)) * int(seen.guards[palace, owner])
        for owner in range(OWNERS)
    )
    thieves = (f"{seat + 1}:{count}" for seat, count in enumerate(seen.thieves[palace]) if count)
    return [
        f"{letter} {say(f'palace.{letter}', language)}",
        str(HEAVIEST_CHEST + 1 - chests) if chests else "·",
        f"{guards:·<{GUARD_FIELDS}}",
        " ".join(thieves),
    ]


def player_in_words(view: View, seat: Seat, language: str = "en") -> str:
    """A player in a line, with the cards that the viewer may know: its own and dancers (R26)."""
    seen = view.fields
    if seat == view.viewer:
        cards = " ".join(CARD_LETTERS[card] * n for card, n in enumerate(view.hand) if n)
    else:
        cards = "*" * view.hand_dancers[seat]
    player = say(
        "board.player",
        language,
        seat=seat + 1,
        loot=int(seen.loot[seat]),
        goal=CHESTS_TO_WIN[seen.players],
        stock=int(seen.stock[seat]),
        size=view.hand_sizes[seat],
    )
    return f"{player}: {cards}" if cards else player


def piles_in_words(view: View, language: str = "en") -> str:
    """Stack, discard pile and dancers in a line."""
    discard, dancers = int(view.fields.discard.sum()), int(view.fields.dancers)
    return say("board.piles", language, deck=view.deck_size, discard=discard, dancers=dancers)
