"""What the compiled code was made from, so that a cache can be named after it."""

import hashlib
from collections.abc import Iterable
from pathlib import Path


class Sources:
    """The Python files in and under a folder, and the sources below it, as they are right now.

    Made when a package is imported, before its modules are: their text is what gets compiled.
    """

    def __init__(self, folder: Path, *below: "Sources") -> None:
        self.below = below
        self._folder = folder
        self._stamps = self._look()
        digest = hashlib.sha256(" ".join(part.name for part in below).encode())
        for path in self._files():
            digest.update(self._name(path).encode() + b"\0" + path.read_bytes() + b"\0")
        self.name: str = digest.hexdigest()[:16]
        """The same for the same texts, whatever their dates."""

    def unchanged(self) -> bool:
        """Whether all files are still those that were imported."""
        return self._look() == self._stamps and all(part.unchanged() for part in self.below)

    def _files(self) -> Iterable[Path]:
        return sorted(self._folder.rglob("*.py"))

    def _look(self) -> list[tuple[str, int, int]]:
        stamps = ((self._name(path), path.stat()) for path in self._files())
        return [(name, stamp.st_mtime_ns, stamp.st_size) for name, stamp in stamps]

    def _name(self, path: Path) -> str:
        return path.relative_to(self._folder).as_posix()
