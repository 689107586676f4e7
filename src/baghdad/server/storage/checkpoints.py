"""SQLite's write-ahead log goes into the database beside the commits, not inside of them.

SQLite by itself does it within a commit, every 1,000 pages: whoever is in that commit, and
everybody behind it, waits for a thousand scattered pages and two syncs more. Here another
connection does it, in a thread of its own, while commits go on. Durability is the commits' own sync
of the log; after a crash the log is read as it is.
"""

import asyncio
import logging
from typing import NamedTuple

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

log = logging.getLogger(__name__)

WRITTEN_BETWEEN = 1_000
"""After so many events and commits, each of which takes about two pages, it is done again: some
2,000 pages (8 MB). More often costs more syncs, more seldom makes reading slower."""
PASSES = 2
"""The log begins at its front again only where all of it is in the database, and commits go on
meanwhile. The second pass finds the little that came during the first."""
LONGEST_PAGES = 4_000
"""Where the passes don't catch up, since commits come one upon the other, the writer waits for one
pass at this length (16 MB). It finds little left to do, and a longer log makes reading slower."""
KEPT_BYTES = 64 * 1024 * 1024
"""A log that has grown longer than this, because somebody has read for long, is cut off again."""
SETTINGS = ("PRAGMA wal_autocheckpoint=0", f"PRAGMA journal_size_limit={KEPT_BYTES}")
"""For every connection."""
PAGE_BYTES = 4096


class Pass(NamedTuple):
    """What one pass found: pages in the log, and those of them that are in the database."""

    pages: int
    taken: int

    @property
    def complete(self) -> bool:
        return self.taken >= self.pages


class Checkpoints:
    """Keeps the write-ahead log short."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._written = 0
        """Events and commits, since the last time."""
        self._commits = 0
        self._patience = LONGEST_PAGES
        """The length at which the writer waits."""
        self._last = Pass(0, 0)
        self._running: asyncio.Task[None] | None = None

    @property
    def log_bytes(self) -> int:
        """Length of the log when it was last looked at."""
        return self._last.pages * PAGE_BYTES

    async def committed(self, events: int) -> None:
        """So many events have been committed, and nobody writes until this returns."""
        self._written += events + 1
        self._commits += 1
        if self._running is not None:
            if not self._running.done():
                return
            self._running = None
            if self._last.pages >= self._patience:
                await self._alone()
        if self._written >= WRITTEN_BETWEEN:
            self._written = 0
            self._running = asyncio.create_task(self._beside(), name="checkpoint")

    async def close(self) -> None:
        """Finish a pass that has begun. The rest is done where the last connection is closed."""
        if self._running is not None:
            await self._running

    async def _beside(self) -> None:
        """While commits go on."""
        for _ in range(PASSES):
            commits = self._commits
            if not await self._take() or (self._last.complete and commits == self._commits):
                return

    async def _alone(self) -> None:
        """While the writer waits, so that nothing is added: only readers can keep it from all."""
        if not await self._take():
            return
        if self._last.complete:
            self._patience = LONGEST_PAGES
        else:
            self._patience = self._last.pages + LONGEST_PAGES
            log.warning(
                "somebody reads the database for long, and its write-ahead log grows",
                extra={"bytes": self.log_bytes},
            )

    async def _take(self) -> bool:
        try:
            async with self._engine.connect() as connection:
                found = await connection.exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)")
                _, pages, taken = tuple[int, ...](found.one())
        except SQLAlchemyError as error:  # the log keeps everything, and grows
            log.warning("the write-ahead log stays as it is for now: %s", error)
            return False
        self._last = Pass(pages, taken)
        return True
