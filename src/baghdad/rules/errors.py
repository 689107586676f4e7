"""What can be wrong with a move or a record; every error says so in four languages."""

from typing import TYPE_CHECKING, Any

from baghdad.text import say

if TYPE_CHECKING:
    from .game import Game

LONGEST_TOKEN = 40
"""Longer ones are not moves, and are shown in part."""


def _rebuilt(kind: type[ValueError], given: tuple[Any, ...], values: dict[str, Any]) -> ValueError:
    """An error as it was before it was pickled."""
    return kind(*given, **values)


class MoveError(ValueError):
    """A move that was not played; nothing has changed.

    >>> error = IllegalMoveError("no_own_guard", "R12", palace="R")
    >>> print(error)
    R12: no own guard in front of red
    >>> print(error.said("de"))
    R12: vor Rot steht kein eigener Wächter
    """

    def __init__(self, key: str, rule: str | None = None, **values: object) -> None:
        super().__init__(key, rule, values)
        self.key = key
        self.rule = rule
        self.values = values

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (type(self), (self.key, self.rule), self.values)

    def said(self, language: str = "en") -> str:
        text = say(f"refusal.{self.key}", language, **self.values)
        return f"{self.rule}: {text}" if self.rule else text

    def __str__(self) -> str:
        return self.said()


def shortened(token: str) -> str:
    """Enough of a text to recognise it."""
    return token if len(token) <= LONGEST_TOKEN else token[: LONGEST_TOKEN - 1] + "…"


class NotAMoveError(MoveError):
    """Text that is not a move in any position."""


class OutOfTurnError(MoveError):
    """A move at the wrong moment: another seat's or chance's turn, or after the end."""


class IllegalMoveError(MoveError):
    """A move that the rules refuse in this position."""


class RecordError(ValueError):
    """A game record with a mistake in it, and where that is."""

    def __init__(
        self,
        line: int,
        column: int,
        token: str,
        cause: MoveError | None = None,
        *,
        key: str = "",
        **values: object,
    ) -> None:
        super().__init__(line, column, token)
        self.line = line
        self.column = column
        self.token = token
        self.cause = cause
        self.key = key
        self.values = values

    def __reduce__(self) -> tuple[Any, ...]:
        place = (self.line, self.column, self.token, self.cause)
        return _rebuilt, (type(self), place, self.values | {"key": self.key})

    @property
    def rule(self) -> str | None:
        return self.cause.rule if self.cause else None

    def reason(self, language: str = "en") -> str:
        """What is wrong, without the place."""
        if self.cause:
            return self.cause.said(language)
        return say(f"record.{self.key}", language, **self.values)

    def said(self, language: str = "en") -> str:
        where = say("record.where", language, line=self.line, column=self.column)
        token = f" {shortened(self.token)}:" if self.token else ""
        return f"{where}:{token} {self.reason(language)}"

    def __str__(self) -> str:
        return self.said()


class PositionError(ValueError):
    """Not a position, or not one that a game can come to; names the part that is wrong."""

    def __init__(self, part: str) -> None:
        super().__init__(part)
        self.part = part

    def said(self, language: str = "en") -> str:
        return say("refusal.position", language, part=self.part)

    def __str__(self) -> str:
        return self.said()


class CutRecordError(RecordError):
    """A game record that stops early; all that stands there is right."""

    def __init__(
        self, line: int, column: int, token: str, game: "Game", *, key: str, **values: object
    ) -> None:
        super().__init__(line, column, token, None, key=key, **values)
        self.game = game
        """The game as far as the record goes."""

    def __reduce__(self) -> tuple[Any, ...]:
        place = (self.line, self.column, self.token, self.game)
        return _rebuilt, (type(self), place, self.values | {"key": self.key})
