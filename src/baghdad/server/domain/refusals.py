"""Why a command is refused, in four languages."""

from baghdad.rules.errors import MoveError
from baghdad.text import say


class RefusedError(Exception):
    """A command or a request that is refused; nothing has changed."""

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
