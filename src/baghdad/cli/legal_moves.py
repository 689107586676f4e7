"""What a player can do now, in words and tokens."""

from collections.abc import Iterable

from baghdad.rules.engine.actions import (
    ACTIONS,
    CARRY,
    END,
    MOVE,
    MOVE_NEUTRAL,
    NAME,
    PASS,
    PLACE,
    PLACE_NEUTRAL,
    SMUGGLE,
    TOKENS,
    Action,
)
from baghdad.rules.engine.material import PALACE_LETTERS
from baghdad.rules.game import Game
from baghdad.rules.narration import cards_to_come, describe
from baghdad.text import say

HEADINGS = {
    PLACE: "place",
    PLACE_NEUTRAL: "place_neutral",
    SMUGGLE: "smuggle",
    MOVE: "move",
    CARRY: "carry",
    MOVE_NEUTRAL: "move_neutral",
}


def legal_moves(game: Game, language: str) -> str:
    """The legal actions by kind; those of a palace on a line, with the ways to pay in brackets.

    >>> from baghdad import Game
    >>> legal_moves(Game(players=2), "en").splitlines()[:2]
    ['Place a guard (R6)', '  red: @R']
    """
    legal, lines = game.legal(), []
    for kind, key in HEADINGS.items():
        palaces: dict[int, list[Action]] = {}
        for action in legal:
            if ACTIONS[action].kind == kind:
                palaces.setdefault(ACTIONS[action].palace, []).append(action)
        if palaces:
            lines.append(say(f"cli.play.offer.{key}", language))
        for palace, actions in palaces.items():
            name = say(f"palace.{PALACE_LETTERS[palace]}", language)
            lines.append(f"  {name}: {'  '.join(_merged(actions))}")
    ends = [action for action in legal if ACTIONS[action].kind in (END, PASS, NAME)]
    if ends:
        lines.append(say("cli.play.offer.end", language))
        for action in ends:
            words = describe(action, language, cards_to_come(game, action))
            lines.append(f"  {TOKENS[action]:<3}{words}")
    return "\n".join(lines)


def _merged(actions: Iterable[Action]) -> list[str]:
    """Tokens, those that differ by payment alone as one: `R>G(R|*)`."""
    payments: dict[str, list[str]] = {}
    for action in actions:
        move, _, paid = TOKENS[action].partition("(")
        payments.setdefault(move, []).append(paid.rstrip(")"))
    return [f"{move}({'|'.join(ways)})" if ways[0] else move for move, ways in payments.items()]
