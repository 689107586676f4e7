"""A copy of a SQLite database while a server writes to it: whole, of one moment, and checked."""

import sqlite3
from contextlib import closing
from pathlib import Path

PAGES = 256
"""Copied at a time (1 MB): between them the machine has time for others."""
PAUSE_SECONDS = 0.001


class DamagedError(Exception):
    """The copy is not sound; nor, most likely, is the database."""


def copy_database(source: Path, target: Path) -> None:
    """Copy the events of one moment to a file that is there and empty. The server goes on.

    Without a transaction around it SQLite would begin again from the front whenever somebody else
    has written, and under traffic it would never come to an end.
    """
    address = f"{source.resolve().as_uri()}?mode=rw"  # never a new, empty one
    with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as reading:
        reading.execute("BEGIN")
        reading.execute("SELECT count(*) FROM sqlite_schema").fetchone()  # the moment is now
        with closing(sqlite3.connect(target)) as writing:
            reading.backup(writing, pages=PAGES, sleep=PAUSE_SECONDS)
            # One file, that can be moved as it is; the server that opens it writes ahead again.
            writing.execute("PRAGMA journal_mode=DELETE")
        reading.execute("ROLLBACK")
    with closing(sqlite3.connect(target)) as checking:
        (told,) = checking.execute("PRAGMA integrity_check").fetchone()
    if told != "ok":
        raise DamagedError(told)
