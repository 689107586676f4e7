"""Files that are whole or not there: writing one so that nobody ever finds half of it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Where to write a file that takes its place when it is done, or else is left as it was.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "game.txt"
    ...     with atomic_write(path) as part:
    ...         _ = part.write_text("all of it")
    ...     path.read_text(), part.exists()
    ('all of it', False)
    """
    part = path.with_name(f"{path.name}.part")
    yield part
    with part.open("rb+") as file:
        os.fsync(file)  # or a power cut might leave the name of the new and nothing in it
    part.replace(path)
