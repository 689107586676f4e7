"""Moves as people type them: tokens in any case, without what goes without saying."""

import re
from collections.abc import Callable, Collection

from baghdad.rules.engine.actions import (
    ACTION_OF,
    ACTIONS,
    CARRY,
    MOVE,
    PAYMENTS,
    SMUGGLE,
    TOKENS,
    Action,
)

from .errors import (
    IllegalMoveError,
    MoveError,
    NotAMoveError,
    OutOfTurnError,
    shortened,
)
from .notation import read_token
from .refusals import RULE_OF

_PLACE = re.compile(r"(@?)(N?)([RGWPYB])")
_SMUGGLE = re.compile(r"(\+[RGWPYB])(?:\(([RGWPYB*]*)\)?)?")
_MOVE = re.compile(r"(N?)([RGWPYB]>>?[RGWPYB])(?:\(([RGWPYB*]*)\)?)?")
_PAYMENT_KEYS = {"smuggle_cost", "too_few_cards", "too_few_dancers"}

_BY_MOVE: dict[str, list[Action]] = {}
"""The actions by their token without its payment."""
for _token, _action in ACTION_OF.items():
    _BY_MOVE.setdefault(_token.partition("(")[0], []).append(_action)


def understand(
    text: str, legal: Collection[Action], why_not: Callable[[Action], MoveError]
) -> Action:
    """The legal action that somebody means who types this.

    Case, blanks, the order of cards and the last bracket don't matter, nor `@` before a guard that
    is placed. Where the payment is left out, as few dancers as possible pay; if there are still
    several ways, the error names them. `why_not` is asked about actions that are not legal.
    """
    meant = _actions_like(text)
    possible = [action for action in meant if action in legal]
    if not possible:
        raise _reason(text, meant, why_not)
    fewest = min(ACTIONS[action].pays_dancers for action in possible)
    best = [action for action in possible if ACTIONS[action].pays_dancers == fewest]
    if len(best) > 1:
        ways = ", ".join(TOKENS[action] for action in best)
        raise NotAMoveError("several_payments", token=shortened(text.strip()), ways=ways)
    return best[0]


def spelled(text: str) -> str:
    """A typed move with the letters and blanks of a token.

    >>> spelled("nr > g(r*)"), spelled("@Nr"), spelled("+r")
    ('nR>G(R*)', '@nR', '+R')
    """
    token = "".join(text.split()).upper()
    return re.sub(r"^(@?)N", r"\1n", token)


def _actions_like(text: str) -> list[Action]:
    """All actions of the table, legal or not, that a text can stand for."""
    typed = "".join(text.split()).upper()
    if typed[:1] in (".", "-") and typed in ACTION_OF:
        return [ACTION_OF[typed]]
    if match := _PLACE.fullmatch(typed):
        return [ACTION_OF[f"@{match[2].lower()}{match[3]}"]]
    if match := _SMUGGLE.fullmatch(typed):
        move, paid = match[1], match[2]
    elif match := _MOVE.fullmatch(typed):
        move, paid = match[1].lower() + match[2], match[3]
    else:
        return []
    actions = _BY_MOVE.get(move, [])
    if paid is None:
        return actions
    return [action for action in actions if sorted(PAYMENTS[action]) == sorted(paid)]


def _reason(text: str, meant: list[Action], why_not: Callable[[Action], MoveError]) -> MoveError:
    """Why nothing that a text can stand for is legal."""
    if not meant:
        token = spelled(text)
        if "(" in token and not token.endswith(")"):
            token += ")"
        try:
            read_token(token if "(" in token else f"{token}()" if ">" in token else token)
        except IllegalMoveError as error:
            return error
        except NotAMoveError:
            return NotAMoveError("no_token", token=shortened(text.strip()))
        return OutOfTurnError("cards_by_chance", "R24")
    reasons = [why_not(action) for action in meant]
    if reasons[0].key == "all_placed" and "@" not in text:
        return NotAMoveError("no_token", token=shortened(text.strip()))
    for reason in reasons:
        if reason.key not in _PAYMENT_KEYS:
            return reason
    if len(reasons) == 1:
        return reasons[0]
    kind = ACTIONS[meant[0]].kind
    if kind == SMUGGLE:
        return next(reason for reason in reasons if reason.key == "smuggle_cost")
    key = "move_payment" if kind in (MOVE, CARRY) else "neutral_payment"
    return IllegalMoveError(key, RULE_OF[kind])
