"""Why a move is refused, as an error: `engine.refusals` finds the reason."""

from typing import TYPE_CHECKING

from baghdad.jit.lazy import LazyModule
from baghdad.rules.engine.actions import (
    CARRY,
    MOVE,
    MOVE_NEUTRAL,
    SMUGGLE,
    Action,
)
from baghdad.rules.engine.material import PALACE_LETTERS
from baghdad.rules.engine.state import State

from .errors import IllegalMoveError, MoveError, OutOfTurnError

if TYPE_CHECKING:
    from .engine import refusals as engine
else:
    engine = LazyModule("baghdad.rules.engine.refusals")

RULE_OF = {SMUGGLE: "R12", MOVE: "R13", CARRY: "R14", MOVE_NEUTRAL: "R15"}


def wrong_moment(state: State, kind: int | None) -> MoveError | None:
    """Why an action of a kind, or a draw (None), can't come now, whatever its details."""
    reason, number = engine.wrong_moment(state, engine.DRAW if kind is None else kind)
    return None if reason == engine.NONE else move_error(reason, engine.NO_PALACE, number)


def refusal(state: State, action: Action) -> MoveError:
    """Why an action that is not legal is refused."""
    reason, palace, number = engine.refusal(state, action)
    return move_error(reason, palace, int(number))


def move_error(reason: int, palace: int, number: int, *, given: int = 0) -> MoveError:
    """What `engine.refusals` has found, as an error that can say it."""
    key, rule, names, out_of_turn = engine.REASONS[reason]
    values: dict[str, object] = {
        name: PALACE_LETTERS[palace] if name == "palace" else given if name == "given" else number
        for name in names
    }
    kind = OutOfTurnError if out_of_turn else IllegalMoveError
    return kind(key, rule, **values)
