"""What a player can do now, in words and tokens."""

from collections.abc import Iterable

from ..rules.actions import (
    ACTIONS,
    CARRY,
    END,
    MOVE,
    MOVE_NEUTRAL,
    PASS,
    PLACE,
    PLACE_NEUTRAL,
    SMUGGLE,
    TOKENS,
    Action,
)
from ..rules.material import PALACE_LETTERS
from ..rules.words import describe
from ..text import say

HEADINGS = {
    PLACE: "place",
    PLACE_NEUTRAL: "place_neutral",
    SMUGGLE: "smuggle",
    MOVE: "move",
    CARRY: "carry",
    MOVE_NEUTRAL: "move_neutral",
}


def offers(legal: Iterable[Action], language: str) -> str:
    """The legal actions by kind; those of a palace on a line, with the ways to pay in brackets.

    >>> from baghdad import Game
    >>> print(offers(Game(players=2).legal()[:2], "en"))
    Place a guard (R6)
      red: @R
      green: @G
    """
    legal, lines = list(legal), []
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
    ends = [action for action in legal if ACTIONS[action].kind in (END, PASS)]
    if ends:
        lines.append(say("cli.play.offer.end", language))
        lines += (f"  {TOKENS[action]:<3}{describe(action, language)}" for action in ends)
    return "\n".join(lines)


def _merged(actions: Iterable[Action]) -> list[str]:
    """Tokens, those that differ by payment alone as one: `R>G(R|*)`."""
    payments: dict[str, list[str]] = {}
    for action in actions:
        move, _, paid = TOKENS[action].partition("(")
        payments.setdefault(move, []).append(paid.rstrip(")"))
    return [f"{move}({'|'.join(ways)})" if ways[0] else move for move, ways in payments.items()]
