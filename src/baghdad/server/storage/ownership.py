"""Several processes over one PostgreSQL: who lives, whose a table is, and who may write.

A process holds a lease by the database's clock. A table's row names its owner and an epoch, which
grows with every takeover. A commit holds a lock of its process, shared, while it looks whether the
lease and the epochs are still what it believes; a takeover holds the same lock alone. So each comes
wholly before or after the other, and whoever comes after a takeover is refused. The transaction of
a process that has stopped in the middle is ended by the database, with its lock.
"""

import asyncio
import time
from asyncio import timeout
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from hashlib import blake2b
from typing import NamedTuple

from sqlalchemy import BigInteger, Column, MetaData, String, Table, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from .errors import ElsewhereError, StorageError

LEASE_SECONDS = 2.0
"""A process that is not heard of for so long may be replaced: long enough for a pause of the
garbage collector or a busy machine, short enough for people who wait."""
STALLED_SECONDS = 1.0
"""A transaction that stands still for so long is ended by the database: its process has stopped,
or is cut off. Nobody waits longer for its locks."""
RECONNECTED_SECONDS = 2 * LEASE_SECONDS
"""After its own connection was cut, a process trusts the leases of others alone for so long: the
database may have been restarted, and they have yet to connect again."""
QUESTIONS = 4
"""At once: more would have connections made for them, each of which takes longer than to wait."""
NOW = "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)"
"""Milliseconds by the database's clock."""

_stalled = int(1000 * STALLED_SECONDS)
_begin = f"SELECT set_config('idle_in_transaction_session_timeout', '{_stalled}', true)"
SHARE = text(f"{_begin}, pg_advisory_xact_lock_shared(:key)")
TAKE = text(f"{_begin}, pg_advisory_xact_lock(:key)")
HELD = text(
    "SELECT tables.code, tables.epoch FROM processes"
    " LEFT JOIN tables ON tables.owner = processes.id AND tables.code = ANY(:codes)"
    f" WHERE processes.id = :id AND processes.until > {NOW}"
)
RENEW = text(
    f"WITH before AS (SELECT until > {NOW} AS held FROM processes WHERE id = :id)"
    " INSERT INTO processes (id, until, session, linked, version)"
    f" VALUES (:id, {NOW} + :lease, pg_backend_pid(), :linked, :version)"
    " ON CONFLICT (id) DO UPDATE SET until = EXCLUDED.until, session = EXCLUDED.session,"
    " linked = EXCLUDED.linked, version = EXCLUDED.version"
    " RETURNING (SELECT held FROM before)"
)
ALL = text(
    f"SELECT id, until > {NOW} AS living, linked, version,"
    " NOT EXISTS (SELECT 1 FROM pg_stat_activity WHERE pid = session) AS gone FROM processes"
)
MARK = text(
    "UPDATE processes SET until = 0 WHERE id = ANY(:ids)"
    # It may have connected again since it was looked at.
    " AND NOT EXISTS (SELECT 1 FROM pg_stat_activity WHERE pid = session)"
)
FORGET = text(f"DELETE FROM processes WHERE id = :id AND until <= {NOW}")
LEAVE = text("UPDATE processes SET until = 0 WHERE id = :id")
OWNER = text(
    f"SELECT owner, epoch, EXISTS (SELECT 1 FROM processes WHERE id = owner AND until > {NOW})"
    " FROM tables WHERE code = :code"
)
CLAIM = text(
    "UPDATE tables SET owner = :id, epoch = epoch + 1"
    " WHERE code = ANY(:codes) AND owner IS NOT DISTINCT FROM CAST(:owner AS varchar)"
    f" AND NOT EXISTS (SELECT 1 FROM processes WHERE id = tables.owner AND until > {NOW})"
    f" AND EXISTS (SELECT 1 FROM processes WHERE id = :id AND until > {NOW})"
    " RETURNING code, epoch"
)
OURS = text("SELECT code, epoch FROM tables WHERE owner = :id AND code = ANY(:codes)")
ORPHANS = text(
    "SELECT code FROM tables WHERE owner = :owner AND state = 'playing' AND (clock = 1 OR"
    " (SELECT at FROM events WHERE table_code = code ORDER BY number DESC LIMIT 1) >= :since)"
)


class Process(NamedTuple):
    """A process that has a lease, or had one."""

    id: str
    living: bool
    linked: bool | None
    """Whether it reaches the bus; None where it was started without one."""
    version: str


class Owner(NamedTuple):
    """Whose a table is."""

    id: str | None
    epoch: int
    living: bool


def columns(metadata: MetaData) -> Table:
    """The table of processes."""
    return Table(
        "processes",
        metadata,
        Column("id", String(16), primary_key=True),
        Column("until", BigInteger, nullable=False),
        Column("session", BigInteger, nullable=False),
        Column("linked", BigInteger),
        Column("version", String(32), nullable=False),
    )


def key_of(process: str) -> int:
    """The lock of a process."""
    return int.from_bytes(blake2b(process.encode(), digest_size=8).digest(), signed=True)


class Wanted(NamedTuple):
    """Tables of one process that are wanted, and what comes of it."""

    codes: set[str]
    taken: "asyncio.Task[list[str]]"


class Lease:
    """What this process holds: a lease, and tables with their epochs."""

    def __init__(
        self, engine: AsyncEngine, name: str, version: str, *, linked: bool | None = None
    ) -> None:
        self.id = name
        self.linked = linked
        self.epochs: dict[str, int] = {}
        """Of the tables that are ours, as far as we know."""
        self.term = 0
        """Grows whenever tables may have been lost: what was claimed before is looked at again."""
        self._new: set[str] = set()
        """Tables that were taken over in this term, and not read yet."""
        self.lapsed = False
        """Whether the last renewal may have come too late: others may have taken tables over."""
        self._unsure = False
        """Whether nobody knows what came of the last one."""
        self.fenced = 0
        """Events that were refused."""
        self.takeovers = 0
        self._engine = engine
        self._asking = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._version = version
        self._line: AsyncConnection | None = None
        self._connections = 0
        self._connected = 0.0
        self._wanted: dict[str | None, Wanted] = {}
        """By owner who is gone: tables that are taken over next."""
        self._taking = asyncio.Lock()
        self._few = asyncio.Semaphore(QUESTIONS)

    # The lease

    async def renew(self) -> list[Process]:
        """Hold the lease for as long again; all processes that are known.

        Those whose connection the database has seen break are marked as gone at once.
        """
        return await self._look(hold=True)

    async def look(self) -> list[Process]:
        """The same, without a lease."""
        return await self._look(hold=False)

    async def _look(self, *, hold: bool) -> list[Process]:
        try:
            async with timeout(LEASE_SECONDS / 2):
                return await self._ask(hold=hold)
        except Exception as error:
            self._unsure = True
            await self._hang_up()
            raise StorageError(str(error)) from error

    async def _ask(self, *, hold: bool) -> list[Process]:
        if self._line is None:
            self._connections += 1
            self._connected = time.monotonic()
            line = await self._engine.connect()
            self._line = await line.execution_options(isolation_level="AUTOCOMMIT")
            # A lease that a crash of the database forgets is only over sooner.
            await self._line.execute(text("SET synchronous_commit = off"))
        lease = {"id": self.id, "lease": int(1000 * LEASE_SECONDS), "version": self._version}
        linked = None if self.linked is None else int(self.linked)
        if hold:
            renewed = await self._line.execute(RENEW, lease | {"linked": linked})
            self.lapsed = not renewed.scalar_one() or self._unsure
        rows = (await self._line.execute(ALL)).all()
        long_ago = time.monotonic() - self._connected > RECONNECTED_SECONDS
        sure = self._connections == 1 or long_ago
        gone = [row.id for row in rows if row.living and row.gone] if sure else []
        if gone:
            await self._line.execute(MARK, {"ids": gone})
        self._unsure = self._unsure and not hold
        return [
            Process(
                row.id,
                row.living and row.id not in gone,
                None if row.linked is None else bool(row.linked),
                row.version,
            )
            for row in rows
        ]

    async def leave(self) -> None:
        """Let go of everything at once: others may take it over."""
        self.epochs.clear()
        async with self._transaction() as connection:
            await connection.execute(LEAVE, {"id": self.id})
        await self._hang_up()

    async def forget(self, process: str) -> None:
        """Remove a process that is gone, when nothing of it is left to be done."""
        async with self._transaction() as connection:
            await connection.execute(FORGET, {"id": process})

    async def _hang_up(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            with suppress(Exception):  # it may be broken already
                await line.invalidate()
                await line.close()

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[AsyncConnection]:
        try:
            async with self._engine.begin() as connection:
                yield connection
        except Exception as error:  # drivers have many errors for a database that does not answer
            raise StorageError(str(error)) from error

    @asynccontextmanager
    async def _question(self) -> AsyncIterator[AsyncConnection]:
        """For one statement: no more than that crosses the network. When an owner has died, all
        who were with it ask."""
        try:
            async with self._few, self._asking.connect() as connection:
                yield connection
        except Exception as error:  # as above
            raise StorageError(str(error)) from error

    # Tables

    def begin_term(self) -> None:
        """Tables may have been lost."""
        self.term += 1
        self._new.clear()

    async def owner_of(self, code: str) -> Owner | None:
        """Whose a table is; None where there is no such table."""
        async with self._question() as connection:
            row = (await connection.execute(OWNER, {"code": code})).one_or_none()
        return None if row is None else Owner(row[0], row[1], row[2])

    async def claim(self, code: str) -> None:
        """Make a table ours, unless its owner lives: then `ElsewhereError` is raised, and also
        where the database takes this process for gone."""
        if code in self._new:
            self._new.discard(code)
            return
        owner = await self.owner_of(code)
        if owner is not None and owner.id != self.id and not owner.living:
            if code in await self._take(code, owner.id):
                self._new.discard(code)
                return
            owner = await self.owner_of(code)  # somebody was faster, perhaps we ourselves
        if owner is not None and (owner.id != self.id or not owner.living):
            raise ElsewhereError(owner.id)
        if owner is not None:
            self.epochs[code] = owner.epoch

    async def _take(self, code: str, owner: str | None) -> list[str]:
        """Take over a table, and with it all that are wanted of the same process until it is this
        one's turn: each transaction locks out all others."""
        if (wanted := self._wanted.get(owner)) is None:
            task = asyncio.create_task(self._take_wanted(owner))
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
            wanted = self._wanted[owner] = Wanted(set(), task)
        wanted.codes.add(code)
        return await asyncio.shield(wanted.taken)

    async def _take_wanted(self, owner: str | None) -> list[str]:
        async with self._taking:
            return await self.claim_all(sorted(self._wanted.pop(owner).codes), owner)

    async def claim_all(self, codes: Sequence[str], owner: str | None) -> list[str]:
        """Take over tables of a process that is gone, or of nobody; those that are ours now."""
        term = self.term
        async with self._transaction() as connection:
            if owner is not None:
                await connection.execute(TAKE, {"key": key_of(owner)})
            about = {"id": self.id, "codes": list(codes), "owner": owner}
            rows = (await connection.execute(CLAIM, about)).all()
        self.epochs |= {row[0]: row[1] for row in rows}
        if self.term == term:
            self._new |= {row[0] for row in rows}
        if owner is not None:
            self.takeovers += len(rows)
        return [row[0] for row in rows]

    async def still_ours(self, codes: Sequence[str]) -> set[str]:
        """Those of these tables that nobody has taken over, by the epoch that we know."""
        async with self._question() as connection:
            rows = (await connection.execute(OURS, {"id": self.id, "codes": list(codes)})).all()
        return {row[0] for row in rows if self.epochs.get(row[0]) == row[1]}

    async def orphans(self, owner: str, since: int) -> list[str]:
        """Tables of a process that is gone where a clock runs, or something happened since then."""
        async with self._question() as connection:
            about = {"owner": owner, "since": since}
            return [row[0] for row in (await connection.execute(ORPHANS, about)).all()]

    async def held(
        self, connection: AsyncConnection, codes: Iterable[str]
    ) -> dict[str, int] | None:
        """The epochs of those tables that are ours, until the transaction ends.

        None where the lease is over.
        """
        await connection.execute(SHARE, {"key": key_of(self.id)})
        about = {"id": self.id, "codes": list(codes)}
        rows = (await connection.execute(HELD, about)).all()
        return {row[0]: row[1] for row in rows if row[0] is not None} if rows else None
