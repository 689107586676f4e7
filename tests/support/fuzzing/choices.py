"""Bytes read as choices, so that what is made of them is nearly always worth trying."""

from collections.abc import Sequence
from typing import TypeVar

Kind = TypeVar("Kind")


class Choices:
    """Takes one byte after another; when there are none left, everything is the first choice."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def left(self) -> int:
        return max(0, len(self._data) - self._at)

    def byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1] if self._at <= len(self._data) else 0

    def below(self, bound: int) -> int:
        number = self.byte()
        return (number if bound <= 256 else number * 256 + self.byte()) % bound

    def one_of(self, options: Sequence[Kind]) -> Kind:
        return options[self.below(len(options))]

    def text(self) -> str:
        """Up to 255 bytes, by the length that the next one says."""
        size = self.byte()
        taken = self._data[self._at : self._at + size]
        self._at += size
        return taken.decode(errors="ignore")

    def rest(self) -> bytes:
        taken, self._at = self._data[self._at :], len(self._data)
        return taken
