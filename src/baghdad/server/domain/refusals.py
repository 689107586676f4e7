"""Why the server says no, in four languages."""

from collections.abc import Callable
from typing import TypeVar

import msgspec

from baghdad.rules.errors import MoveError
from baghdad.text import say

Kind = TypeVar("Kind")


class RefusedError(Exception):
    """A wish that can't be granted; nothing has changed."""

    def __init__(self, key: str, rule: str | None = None, **values: object) -> None:
        super().__init__(key)
        self.key = f"server.{key}"
        self.rule = rule
        self.values = values

    def said(self, language: str) -> str:
        return say(self.key, language, **self.values)


def reason_of(error: RefusedError | MoveError, language: str) -> tuple[str, str | None, str]:
    """Its text, its rule, its key in the catalogue."""
    if isinstance(error, MoveError):
        text = say(f"refusal.{error.key}", language, **error.values)
        return text, error.rule, f"refusal.{error.key}"
    return error.said(language), error.rule, error.key


def understood(decode: Callable[[bytes | str], Kind], body: bytes | str) -> Kind:
    """A message from outside. Raises `RefusedError` for whatever is none."""
    try:
        return decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise RefusedError("not_understood", why=str(error)) from error
