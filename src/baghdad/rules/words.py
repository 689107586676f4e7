"""Moves and outcomes in words."""

from ..text import say
from .actions import (
    ACTIONS,
    CARRY,
    END_TURN,
    MOVE,
    MOVE_NEUTRAL,
    PASS_CARDS,
    PASS_WITH_DANCER,
    PLACE,
    PLACE_NEUTRAL,
    SMUGGLE,
    TOKENS,
    Action,
)
from .fair import COMMITMENT_HEADER, SEED_HEADER, proof
from .game import Game
from .material import PALACE_LETTERS

_KEYS = {
    PLACE: "place",
    PLACE_NEUTRAL: "place_neutral",
    SMUGGLE: "smuggle",
    MOVE: "move",
    CARRY: "carry",
    MOVE_NEUTRAL: "move_neutral",
}
_ENDS = {END_TURN: "end", PASS_CARDS: "pass", PASS_WITH_DANCER: "pass_dancer"}


def describe(action: Action, language: str = "en") -> str:
    """An action in words.

    >>> from .actions import ACTION_OF
    >>> describe(ACTION_OF["R>>G(*)"])
    'moves a guard from red to green and takes a thief along, for *'
    """
    if action in _ENDS:
        return say(f"log.{_ENDS[action]}", language)
    meaning = ACTIONS[action]
    paid = TOKENS[action].partition("(")[2].rstrip(")")
    palace, to = PALACE_LETTERS[meaning.palace], PALACE_LETTERS[meaning.to]
    return say(f"log.{_KEYS[meaning.kind]}", language, palace=palace, to=to, cards=paid)


def outcome(game: Game, language: str = "en") -> str:
    """Who has won, or why nobody has."""
    if game.winner is not None:
        loot = int(game.state.loot[game.winner])
        seat, turn = game.winner + 1, game.turns + 1  # it was won within a turn
        return say("log.won", language, seat=seat, loot=loot, turns=turn)
    key = "stalemate" if game.over else "stopped" if game.stopped else "unfinished"
    return say(f"log.{key}", language, turns=game.turns)


def verdict(game: Game, promised: str | None, language: str = "en") -> tuple[bool, str]:
    """Whether all chance of a game follows from its seed, and the seed from what was promised.

    Without a promise that somebody has noted, the one in the record's headers counts.
    """
    seed = game.headers.get(SEED_HEADER)
    promised = promised or game.headers.get(COMMITMENT_HEADER)
    if seed is None or promised is None:
        return False, say("verify.no_seed", language)
    wrong = proof(game, seed, promised)
    if wrong == "commitment":
        return False, say("verify.commitment", language)
    if wrong is not None:
        return False, say("verify.swapped", language, token=wrong)
    return True, say("verify.fair", language, commitment=promised)
