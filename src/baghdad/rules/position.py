"""A position as JSON, and what everybody may know of it as plain lists."""

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any

import numpy as np

from baghdad.rules.engine.material import (
    DANCER,
    PALACE_LETTERS,
    Seat,
)
from baghdad.rules.engine.state import State
from baghdad.rules.engine.views import CHANCE, PUBLIC, SPECTATOR, VIEW, to_move

from .notation import option_headers
from .options import Options
from .places import Place, place_of, rows_of, start_of
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


def _reader(place: Place) -> Callable[[list[int]], Any]:
    if not isinstance(place, tuple):
        return itemgetter(place)
    rows = itemgetter(*place)
    return lambda raw: list(rows(raw))


_SEEN = tuple((name, _reader(place_of(name))) for name in PUBLIC if name != "turn")
_TURN = start_of("turn") // 4  # the only number that is larger than a byte
_HANDS, (_DECK,) = rows_of("hands"), rows_of("deck")


def shown_of(state: bytearray) -> dict[str, Any]:
    """All that everybody at the table may know (`views.PUBLIC`, R26), as plain lists and numbers.

    `state`: its bytes, without NumPy: a server does this for every move.
    """
    numbers = memoryview(state)
    raw = numbers.cast("b").tolist()
    shown: dict[str, Any] = {name: read(raw) for name, read in _SEEN}
    hands = [raw[row] for row in _HANDS[: shown["players"]]]
    shown["turn"] = numbers.cast("i")[_TURN]
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
