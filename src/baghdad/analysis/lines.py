"""Files of JSON lines that are added to one by one: whatever was stopped goes on where it was."""

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TextIO

import msgspec

from baghdad.files import atomic_write
from baghdad.rules.game import Game


class LineFile(ABC):
    """A file whose first line says how the others came about. Nothing in it is lost, whenever it is
    left; a last line that was cut off is taken away. Without a path nothing is kept."""

    def __init__(self, path: Path | None, head: Mapping[str, Any]) -> None:
        self._path, self._head = path, json.dumps(head)
        self._file: TextIO | None = None

    def __enter__(self) -> Self:
        if self._path is not None:
            lines = self._read()
            with atomic_write(self._path) as part:
                part.write_text("".join(f"{line}\n" for line in lines), "utf-8", newline="\n")
            self._file = self._path.open("a", encoding="utf-8", newline="\n")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()

    def write(self, told: object) -> None:
        """Add a line; whatever happens next, it is in the file."""
        if self._file is not None:
            self._file.write(f"{json.dumps(told)}\n")
            self._file.flush()

    @abstractmethod
    def take(self, line: str) -> bool:
        """Take a line in, and say whether it stays in the file.

        Raises `msgspec.DecodeError` where it was cut off.
        """

    @abstractmethod
    def begin_anew(self) -> None:
        """The file has come about otherwise. Whoever does not want to lose it raises an error."""

    def _read(self) -> list[str]:
        """The lines that can be gone on with, all taken in."""
        assert self._path is not None
        try:
            found = self._path.read_text("utf-8").splitlines()
        except UnicodeDecodeError:
            found = [""]
        except OSError:
            found = []
        good = [self._head]
        if found and found[0] != self._head:
            self.begin_anew()
            return good
        for line in found[1:]:
            try:
                stays = self.take(line)
            except msgspec.DecodeError:
                break
            if stays:
                good.append(line)
        return good


def name_of_game(game: Game) -> str:
    """The same for the same game, whoever played it."""
    record = " ".join(game.tokens)
    return hashlib.sha256(f"{game.options} {record}".encode()).hexdigest()
