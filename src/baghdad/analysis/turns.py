"""The turns of a seat in a game, each with what the seat knew when it began."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from baghdad.rules.engine.actions import ACTION_OF, TOKENS, Action
from baghdad.rules.engine.material import PALACE_LETTERS, Seat
from baghdad.rules.game import Game
from baghdad.rules.views import View

from .engine import turns as engine
from .engine.turns import ROBBED_AT, new_scratch


class Turn(NamedTuple):
    """A whole turn that was played, or a guard that was placed."""

    at: int
    """Tokens of the record before it."""
    number: int
    """By which the table counts: turns of all seats, from 1; 0 while guards are placed."""
    view: View
    """What the seat knew."""
    actions: tuple[Action, ...]
    """With its end, unless it has won the game."""

    @property
    def tokens(self) -> tuple[str, ...]:
        return tokens_of(self.actions)


def tokens_of(actions: Sequence[Action]) -> tuple[str, ...]:
    """A turn as tokens of a record."""
    return tuple(TOKENS[action] for action in actions)


def turns_of(game: Game, seat: Seat) -> Iterator[Turn]:
    """All whole turns of a seat, up to where its player gave up: a bot may have played it on (R28).

    >>> game = Game(players=2)
    >>> for token in ["@R", "@R", "@G"]: game.play(token)
    >>> [(turn.at, turn.tokens) for turn in turns_of(game, 0)]
    [(0, ('@R',)), (2, ('@G',))]
    """
    tokens = game.tokens[: game.resigned.get(seat, len(game.tokens))]
    again = Game.with_options(game.options)
    at, begun, actions = 0, None, list[Action]()
    for place, token in enumerate(tokens):
        if again.to_move == seat:
            if begun is None:
                at, begun = place, again.view(seat)
            actions.append(ACTION_OF[token])
        placing = again.placing
        again.play(token)
        # Cards come next, or another seat has its turn, unless the game is over.
        if begun is not None and (placing or again.to_move != seat):
            number = 0 if placing else int(begun.fields.turn) + 1
            yield Turn(at, number, begun, tuple(actions))
            begun, actions = None, []


def robberies(view: View, actions: Sequence[Action]) -> tuple[str, ...]:
    """What each action of a turn carries off: the palace and the number on its chest, or nothing.

    >>> game = Game(players=2)
    >>> for palace in "RRGGWWPP": game.play(f"@{palace}")
    >>> for token in ["=RRRRRR", "=RRRGGGG"]: game.play(token)
    >>> robberies(game.view(0), [ACTION_OF[token] for token in ["+R(RR)", "."]])
    ('', '')
    """
    robs = np.zeros(len(actions), np.int8)
    engine.robberies(view.fields, array_of(actions), robs, new_scratch())
    pairs = (divmod(int(rob), ROBBED_AT) for rob in robs)
    return tuple(
        f"{PALACE_LETTERS[palace]}{number}" if palace >= 0 else "" for palace, number in pairs
    )


def array_of(turn: Sequence[Action]) -> npt.NDArray[np.int16]:
    """A turn for compiled code."""
    return np.array(turn, np.int16)


def turn_of(array: npt.NDArray[np.int16]) -> tuple[Action, ...]:
    """A turn of compiled code: what comes after a number under 0 is no part of it."""
    return tuple(action for action in array.tolist() if action >= 0)
