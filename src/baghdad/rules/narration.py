"""Moves and outcomes in words."""

from typing import NamedTuple

from baghdad.rules.engine.actions import (
    ACTION_OF,
    ACTIONS,
    CARRY,
    END_TURN,
    MOVE,
    MOVE_NEUTRAL,
    NAME,
    PASS_CARDS,
    PASS_WITH_DANCER,
    PASSES_BY_NAME,
    PAYMENTS,
    PLACE,
    PLACE_NEUTRAL,
    SMUGGLE,
    Action,
)
from baghdad.rules.engine.material import (
    CARDS_AFTER_ACTIONS,
    CARDS_AFTER_NONE,
    HEAVIEST_CHEST,
    PALACE_LETTERS,
    Seat,
)
from baghdad.text import say

from .game import Game

_KEYS = {
    PLACE: "place",
    PLACE_NEUTRAL: "place_neutral",
    SMUGGLE: "smuggle",
    MOVE: "move",
    CARRY: "carry",
    MOVE_NEUTRAL: "move_neutral",
    NAME: "pass_name",
}
_ENDS = {END_TURN: "end", PASS_CARDS: "pass", PASS_WITH_DANCER: "pass_dancer"}
_DRAWS = {
    END_TURN: CARDS_AFTER_ACTIONS,
    PASS_CARDS: CARDS_AFTER_NONE,
    PASS_WITH_DANCER: CARDS_AFTER_NONE - 1,
} | dict.fromkeys(PASSES_BY_NAME, CARDS_AFTER_NONE)
"""By the action that ends a turn: cards that come, where there are as many (R22, R23)."""


def describe(action: Action, language: str = "en", n: int | None = None) -> str:
    """An action in words. `n` cards come with it, where it ends a turn and they are few (R25).

    >>> from baghdad.rules.engine.actions import ACTION_OF
    >>> describe(ACTION_OF["R>>G(*)"])
    'moves a guard from red to green and takes a thief along, for *'
    >>> describe(ACTION_OF["."]), describe(ACTION_OF["."], n=1)
    ('ends the turn and draws 3 cards', 'ends the turn and draws 1 card')
    """
    if n is None:
        n = _DRAWS.get(action)
    if action in _ENDS:
        return say(ending_key(_ENDS[action], n), language, n=n)
    meaning = ACTIONS[action]
    palace, to = PALACE_LETTERS[meaning.palace], PALACE_LETTERS[meaning.to]
    return say(
        f"log.{_KEYS[meaning.kind]}", language, palace=palace, to=to, cards=PAYMENTS[action], n=n
    )


def ending_key(end: str, n: int | None) -> str:
    """The key of the words for the end of a turn that brings `n` cards."""
    return f"log.{end}" if n else f"log.{end}_none"


def cards_to_come(game: Game, action: Action) -> int | None:
    """Cards that an action brings here, fewer where stack and discard pile run out (R25)."""
    promised = _DRAWS.get(action)
    if promised is None:
        return None
    return min(promised, game.deck_size + game.discarded)


def cards_that_came(game: Game) -> int:
    """Cards that came with the end of the last turn, or are about to."""
    last = game.tokens[-1]
    return len(last) - 1 if last[0] == "=" else game.due


class Step(NamedTuple):
    """Something that a seat has done, in words."""

    number: int
    """How many tokens of the record came before it."""
    seat: Seat
    text: str


def narrate(game: Game, language: str = "en") -> list[Step]:
    """All that the seats have done, in words: nothing in it is secret.

    >>> game = Game(players=2)
    >>> game.play("@R")
    >>> narrate(game)
    [Step(number=0, seat=0, text='places a guard in front of red')]
    """
    steps, twin = [], Game.with_options(game.options)
    for number, token in enumerate(game.tokens):
        seat, chests = twin.to_move, sum(twin.chests)
        twin.play(token)
        if token[0] != "=" and seat is not None:
            action = ACTION_OF[token]
            n = twin.due if action in _DRAWS else None
            steps.append(Step(number, seat, describe(action, language, n)))
            if sum(twin.chests) < chests:
                steps.append(Step(number, seat, robbery(twin, action, language)))
    return steps


def robbery(game: Game, action: Action, language: str = "en") -> str:
    """The robbery that the last action has brought about."""
    palace = ACTIONS[action].to
    number = HEAVIEST_CHEST - game.chests[palace]
    return say("log.rob", language, palace=PALACE_LETTERS[palace], number=number)


def outcome(game: Game, language: str = "en") -> str:
    """Who has won, or why nobody has."""
    key, values = outcome_of(game)
    return say(f"log.{key}", language, **values)


def outcome_of(game: Game) -> tuple[str, dict[str, str | int]]:
    """The key of the words for how a game stands at its end, and their values."""
    winner = game.winner
    if winner is None:
        keys = {None: "stalemate" if game.over else "unfinished", "turn limit": "stopped"}
        key = keys.get(game.termination, f"over_{game.termination}")
        return key, {"turns": game.turns}
    values: dict[str, str | int] = {"seat": winner + 1, "turns": game.turns + 1}
    if game.termination == "resigned":
        return "won_resigned", values | {"other": 2 - winner}
    # It was won within a turn.
    key = "won_for_another" if winner in game.resigned else "won"
    return key, values | {"loot": game.loot[winner]}
