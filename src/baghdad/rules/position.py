"""A position as JSON and as a drawing in text."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from baghdad.rules.engine.material import (
    CARD_LETTERS,
    CHESTS_TO_WIN,
    DANCER,
    GUARD_FIELDS,
    HEAVIEST_CHEST,
    NEUTRAL,
    OWNERS,
    PALACE_LETTERS,
    Seat,
)
from baghdad.rules.engine.state import STATE, State, States
from baghdad.rules.engine.views import CHANCE, PUBLIC, SPECTATOR, VIEW, to_move
from baghdad.text import say

from .notation import option_headers
from .options import Options
from .views import View

PHASES = ("placing", "dealing", "turn", "drawing", "over")


def position_of(state: State, options: Options, legal: Sequence[str]) -> dict[str, Any]:
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
        "options": option_headers(options),
        "phase": PHASES[state.phase],
        "unplaced": state.unplaced[:players].tolist(),
        "acted": bool(state.acted),
        "thief_actions": int(state.thief_actions),
        "due": int(state.due),
        "named": PALACE_LETTERS[state.named] if state.named >= 0 else None,
        "idle": int(state.idle),
        "turn": int(state.turn),
    }


def _place(name: str) -> Any:
    """Where a field lies among the bytes of a state: its number, its numbers, or rows of them."""
    assert STATE.fields is not None, "a record has fields"
    start, shape = STATE.fields[name][1], STATE[name].shape
    if not shape:
        return int(start)
    width = shape[-1]
    rows = tuple(slice(at, at + width) for at in range(start, start + STATE[name].itemsize, width))
    return rows if len(shape) > 1 else rows[0]


_SEEN = tuple((name, _place(name)) for name in PUBLIC if name != "turn")  # the only large number
_HANDS, _DECK = _place("hands"), _place("deck")


def shown_of(states: States) -> dict[str, Any]:
    """All that everybody at the table may know (`views.PUBLIC`, R26), as plain lists and numbers.

    Reads the first state of an array as bytes at once: a server does this for every move.
    """
    raw = memoryview(states.tobytes()).cast("b").tolist()
    shown: dict[str, Any] = {
        name: [raw[row] for row in place] if isinstance(place, tuple) else raw[place]
        for name, place in _SEEN
    }
    hands = [raw[row] for row in _HANDS[: shown["players"]]]
    shown["turn"] = states["turn"].item()
    shown["hand_sizes"] = [sum(hand) for hand in hands]
    shown["hand_dancers"] = [hand[DANCER] for hand in hands]
    shown["deck_size"] = sum(raw[_DECK])
    return shown


def view_from_shown(
    shown: Mapping[str, Any], viewer: Seat | None, hand: Sequence[int] | None
) -> View:
    """The view of a seat, of what everybody sees and its own hand: `shown_of` turned back.

    >>> from baghdad import Game
    >>> game = Game(players=3, hands="seen", seed=1)
    >>> view_from_shown(game.shown(), 1, game.hand(1)) == game.view(1)
    True
    """
    views = np.zeros(1, VIEW)
    for name, value in shown.items():
        given = np.asarray(value)
        field = views[name][0] if given.shape else views[name]
        field[tuple(slice(n) for n in given.shape)] = given
    views["viewer"] = SPECTATOR if viewer is None else viewer
    if hand is not None:
        views["hand"][0] = hand
    views.flags.writeable = False
    return View(views[0])


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
    seen = view.fields
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
