"""A position as JSON and as a drawing in text."""

from collections.abc import Sequence
from typing import Any

from ..text import say
from .material import (
    CARD_LETTERS,
    CHESTS_TO_WIN,
    GUARD_FIELDS,
    HEAVIEST_CHEST,
    NEUTRAL,
    OWNERS,
    PALACE_LETTERS,
)
from .state import State
from .views import CHANCE, View, to_move


def position_of(state: State, legal: Sequence[str]) -> dict[str, Any]:
    """The whole position in the JSON form of the game record, nothing hidden."""
    players, on_turn, winner = int(state.players), to_move(state), int(state.winner)
    return {
        "to_move": "chance" if on_turn == CHANCE else None if on_turn is None else on_turn + 1,
        "winner": None if winner < 0 else winner + 1,
        "guards": dict(zip(PALACE_LETTERS, state.guards.tolist(), strict=True)),
        "thieves": dict(zip(PALACE_LETTERS, state.thieves.tolist(), strict=True)),
        "chests": dict(zip(PALACE_LETTERS, state.chests.tolist(), strict=True)),
        "hands": state.hands[:players].tolist(),
        "deck": state.deck.tolist(),
        "discard": state.discard.tolist(),
        "dancers": int(state.dancers),
        "loot": state.loot[:players].tolist(),
        "legal": list(legal),
    }


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
    seen = view.record
    rows = [
        tuple(say(f"board.{head}", language) for head in ("palace", "chest", "guards", "thieves"))
    ]
    for palace, letter in enumerate(PALACE_LETTERS):
        chests = int(seen.chests[palace])
        guards = "".join(
            ("n" if owner == NEUTRAL else str(owner + 1)) * int(seen.guards[palace, owner])
            for owner in range(OWNERS)
        )
        thieves = " ".join(
            f"{seat + 1}:{count}" for seat, count in enumerate(seen.thieves[palace]) if count
        )
        rows.append(
            (
                f"{letter} {say(f'palace.{letter}', language)}",
                str(HEAVIEST_CHEST + 1 - chests) if chests else "·",
                f"{guards:·<{GUARD_FIELDS}}",
                thieves,
            )
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    lines.append("")
    for seat in range(seen.players):
        sign = ">" if to_move(seen) == seat else " "
        if seat == view.viewer:
            cards = " ".join(CARD_LETTERS[card] * n for card, n in enumerate(view.hand) if n)
        else:
            cards = "*" * view.hand_dancers[seat]
        lines.append(
            sign
            + say(
                "board.player",
                language,
                seat=seat + 1,
                loot=int(seen.loot[seat]),
                goal=CHESTS_TO_WIN[seen.players],
                stock=int(seen.stock[seat]),
                size=view.hand_sizes[seat],
            )
            + (f": {cards}" if cards else "")
        )
    lines.append(
        say(
            "board.piles",
            language,
            deck=view.deck_size,
            discard=int(seen.discard.sum()),
            dancers=int(seen.dancers),
        )
    )
    return "\n".join(lines)
