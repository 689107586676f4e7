"""Where events are kept: SQLite or PostgreSQL, through one queue that commits in groups.

A caller that appends waits until the event is durable. All that wait at one moment go into one
transaction, so that a busy server pays for one sync, not for hundreds.
"""

import asyncio
import logging
import sqlite3
import time
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from secrets import token_bytes, token_hex
from typing import Any, NamedTuple

from sqlalchemy import (
    URL,
    BigInteger,
    Column,
    ColumnElement,
    Index,
    LargeBinary,
    MetaData,
    ScalarSelect,
    String,
    Table,
    delete,
    event,
    func,
    insert,
    literal_column,
    make_url,
    select,
    true,
    update,
)
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.sql.functions import count

from baghdad.server.domain.agreement import Agreement
from baghdad.server.domain.events import (
    CHAT_EVENTS,
    AnyEvent,
    Created,
    EventNumber,
    Joined,
    Left,
    Milliseconds,
    Rematched,
    Started,
    StoredEvent,
    decode_event,
    encode_event,
)

from .checkpoints import SETTINGS, Checkpoints
from .errors import ConflictError, FencedError, LeaseOverError, StorageError
from .files import make_private_database
from .migrations import upgrade
from .ownership import NOW, Lease, columns

log = logging.getLogger(__name__)

PATIENCE_SECONDS = 30.0
"""For one statement over a network that may have been cut without a word."""
DATABASE = "baghdad.db"
"""The file in a data folder."""
NO_TABLE = ""
"""A code that no table has."""
TRIAL_BYTES = 16 * 1024
"""Written to see whether there is room: a few seconds of a busy server."""
TRIAL_SECONDS = 5.0
"""Between two trials: whoever watches over the server asks every 10 s or so, anybody may ask."""
MOST_IN_ONE = 500
"""Appends in one transaction: enough to make the sync cheap, few enough to keep it short."""
COMING_AND_GOING = (Created, Joined, Left, Started, Rematched)
"""Events that change what a table is in the list of all."""
SLOW_SECONDS = 1.0
"""A commit that takes longer is logged and counted: everybody who moved has waited for it, and the
reason is nearly always the disk, or the way to it."""
CONNECTIONS, MORE_CONNECTIONS = 8, 8
"""To the database: those that are kept, once made, and those that come and go. One is the writer's
alone, so that it never waits for readers, however many there are."""

SCHEMA = MetaData()
TABLES = Table(
    "tables",
    SCHEMA,
    Column("code", String(16), primary_key=True),
    Column("created", BigInteger, nullable=False),
    Column("state", String(16), nullable=False),
    Column("changed", BigInteger, nullable=False),
    Column("listed", BigInteger, nullable=False),
    Column("clock", BigInteger, nullable=False),
    Column("creator", String(16)),
    Column("owner", String(16)),
    Column("epoch", BigInteger, nullable=False, server_default="0"),
    Index("tables_by_state", "state", "changed"),
    Index("tables_by_owner", "owner", "state"),
)
"""Of game tables, what must be found without replaying: those of the lobby, those to wake up."""
EVENTS = Table(
    "events",
    SCHEMA,
    Column("table_code", String(16), primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("command", String(100), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("epoch", BigInteger),
    Index("events_by_command", "table_code", "command", unique=True),
)
PROCESSES = columns(SCHEMA)
FIRST_EPOCH = 1
"""Of a table that this process sets up."""


class Append(NamedTuple):
    """An event on its way to the disk."""

    code: str
    stored: StoredEvent
    state: str
    listed: bool
    done: "asyncio.Future[None]"
    epoch: int | None = None
    """Under which it is ours; None where there are no owners."""


class EventStore:
    """All events of all tables."""

    def __init__(self, engine: AsyncEngine, name: str) -> None:
        """`name`: of the process, in hexadecimal digits."""
        self._engine = engine
        postgresql = engine.dialect.name == "postgresql"
        # A question is one statement: no transaction has to be begun and ended around it.
        one_by_one = {"isolation_level": "AUTOCOMMIT"} if postgresql else {}
        self._asking = engine.execution_options(**one_by_one)
        self._name = name
        self.lease: Lease | None = None
        """Where several processes may share the database."""
        # Written out once: SQLAlchemy's way with its parameters costs more than SQLite's insert.
        names = [column.name for column in EVENTS.c]
        self._add, self._add_in_epoch = (
            str(insert(EVENTS).compile(dialect=engine.dialect, column_keys=keys))
            for keys in (names[:-1], names)
        )
        self._waiting: list[Append] = []
        self._wake = asyncio.Event()
        self._closing = False
        self._writer: asyncio.Task[None] | None = None
        self._trial: asyncio.Task[None] | None = None
        self._tried = -TRIAL_SECONDS
        self._failure: str | None = None
        """Why the last thing was not written."""
        self._line: AsyncConnection | None = None
        """The writer's own connection: its cache and its prepared statements stay."""
        self._turn = asyncio.Lock()
        """Held by whoever writes on it."""
        self._checkpoints = Checkpoints(engine) if engine.dialect.name == "sqlite" else None
        self.commits = 0
        self.slow_commits = 0

    @classmethod
    async def open(cls, url: str) -> "EventStore":
        """Connect, bring the database up to date, and begin to write."""
        name = token_hex(6)
        engine = _postgres(url, name) if _is_postgres(url) else await _sqlite(url)
        try:
            async with engine.begin() as connection:
                await connection.run_sync(upgrade)
            line = await engine.connect()
        except BaseException:
            await engine.dispose()
            raise
        storage = cls(engine, name)
        storage._line = line
        storage._writer = asyncio.create_task(storage._write(), name="storage")
        return storage

    async def close(self) -> None:
        """Write all that waits, and let go."""
        self._closing = True
        self._wake.set()
        if self._writer is not None:
            await self._writer
        if self._trial is not None:
            await self._trial
        if self._checkpoints is not None:
            await self._checkpoints.close()
        await self._hang_up()
        await self._engine.dispose()

    @property
    def log_bytes(self) -> int:
        """Length of SQLite's write-ahead log; PostgreSQL looks after its own."""
        return 0 if self._checkpoints is None else self._checkpoints.log_bytes

    def own(self, version: str, *, linked: bool | None = None) -> Lease | None:
        """From now on write what is ours alone; None for SQLite, which has one owner."""
        if self._engine.dialect.name == "postgresql":
            self.lease = Lease(self._engine, self._name, version, linked=linked)
        return self.lease

    # Writing

    @property
    def writable(self) -> bool:
        """Whether the last thing that was written, or tried, has come to the disk."""
        return self._failure is None

    async def check_writing(self) -> None:
        """Raises `StorageError` where the database takes nothing, such as on a full disk.

        However many ask, it is tried once in some seconds, and never while a trial goes on.
        """
        if self._trial is None and time.monotonic() >= self._tried + TRIAL_SECONDS:
            self._trial = asyncio.create_task(self._try_writing())
        if self._trial is not None:
            await asyncio.shield(self._trial)
        if self._failure is not None:
            raise StorageError(self._failure)

    async def _try_writing(self) -> None:
        """Write what needs room, and take it away again."""
        # A row of its own: another process that stops in the middle of its trial must hold nobody.
        number, command = int(self._name, 16), f"trial {self._name}"
        row = {"table_code": NO_TABLE, "number": number, "command": command, "at": 0}
        own = (EVENTS.c.table_code == NO_TABLE) & (EVENTS.c.number == number)
        try:
            async with self._writing() as connection:
                await connection.execute(insert(EVENTS), row | {"body": token_bytes(TRIAL_BYTES)})
                await connection.execute(delete(EVENTS).where(own))
        except Exception as error:  # drivers have many errors for a database in trouble
            log.error("the database takes nothing: %s", error)
            self._failure = str(error)
        else:
            self._failure = None
        finally:
            self._trial, self._tried = None, time.monotonic()

    def append(
        self, code: str, stored: StoredEvent, state: str, *, listed: bool
    ) -> Awaitable[None]:
        """Something to wait for until the event is durable.

        Raises `ConflictError` or `StorageError`; `FencedError` where the table is not ours.
        """
        if self._closing:
            raise StorageError("closed")
        epoch = None
        if self.lease is not None:
            epoch = FIRST_EPOCH if stored.number == 1 else self.lease.epochs.get(code, 0)
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if not self._waiting:  # else the writer has been woken, or takes them after this commit
            self._wake.set()
        self._waiting.append(Append(code, stored, state, listed, done, epoch))
        return done

    async def _write(self) -> None:
        while self._waiting or not self._closing:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                group = self._waiting[:MOST_IN_ONE]
                del self._waiting[:MOST_IN_ONE]
                await self._commit(group)

    async def _commit(self, group: Sequence[Append]) -> None:
        began = time.perf_counter()
        lost: Sequence[Append] = ()
        held: dict[str, int] | None = None
        try:
            async with self._writing() as connection:
                if self.lease is None:
                    await self._write_all(connection, group, self._add)
                else:
                    held = await self.lease.held(connection, {each.code for each in group})
                    group, lost = _divide(group, held)
                    if group:
                        await self._write_all(connection, group, self._add_in_epoch)
        except Exception as error:  # whatever is wrong with the database, the server goes on
            group = [*group, *lost]
            fault = _is_fault(error)
            if fault and len(group) > 1:  # of one of them; the others must not suffer
                for each in group:
                    await self._commit([each])
            elif isinstance(error, IntegrityError):
                _fail(group, ConflictError())
            else:
                self._failure, self._tried = str(error), time.monotonic()
                _fail(group, StorageError(str(error)))
            return
        self._failure = None
        if self.lease is not None:
            self.lease.fenced += len(lost)
            new = [each.code for each in group if each.stored.number == 1]
            self.lease.epochs |= dict.fromkeys(new, FIRST_EPOCH)
            over = LeaseOverError("not heard of for too long")
            _fail(lost, over if held is None else FencedError("taken over by another process"))
        if not group:
            return
        self.commits += 1
        for each in group:
            if not each.done.done():
                each.done.set_result(None)
        self._watch(time.perf_counter() - began, len(group))
        if self._checkpoints is not None:
            await self._checkpoints.committed(len(group))

    async def _write_all(
        self, connection: AsyncConnection, group: Sequence[Append], add: str
    ) -> None:
        await self._create_tables(connection, group)
        await connection.exec_driver_sql(add, [_row(each) for each in group])
        await self._update_tables(connection, group)

    @asynccontextmanager
    async def _writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction, one at a time: whoever writes beside the writer would hold all others."""
        async with self._turn:
            try:
                if self._line is None:
                    self._line = await self._engine.connect()
                async with self._line.begin():
                    yield self._line
            except Exception as error:
                if not _is_fault(error):
                    await self._hang_up()
                raise

    async def _hang_up(self) -> None:
        """Let go of the writer's connection; the next commit makes another."""
        line, self._line = self._line, None
        if line is not None:
            with suppress(Exception):  # it may be broken already
                await line.close()

    def _watch(self, seconds: float, events: int) -> None:
        if seconds > SLOW_SECONDS:
            self.slow_commits += 1
            log.warning(
                "a slow commit",
                extra={"seconds": round(seconds, 3), "events": events, "next": len(self._waiting)},
            )

    async def _create_tables(self, connection: AsyncConnection, group: Sequence[Append]) -> None:
        new = [each for each in group if each.stored.number == 1]
        if new:
            await connection.execute(
                insert(TABLES),
                [
                    {
                        "code": each.code,
                        "created": each.stored.at,
                        "changed": each.stored.at,
                        "state": each.state,
                        "listed": int(each.listed),
                        "clock": int(_has_clock(each.stored.event)),
                        "creator": getattr(each.stored.event, "creator", None),
                        "owner": self.lease and self.lease.id,
                        "epoch": each.epoch or 0,
                    }
                    for each in new
                ],
            )

    async def _update_tables(self, connection: AsyncConnection, group: Sequence[Append]) -> None:
        changed = [each for each in group if each.stored.number > 1 and _changes_state(each)]
        for each in changed:
            await connection.execute(
                update(TABLES)
                .where(TABLES.c.code == each.code)
                .values(state=each.state, changed=each.stored.at)
            )

    # Reading

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[AsyncConnection]:
        try:
            async with self._asking.connect() as connection:
                yield connection
        except Exception as error:  # drivers have many errors for a database that does not answer
            raise StorageError(str(error)) from error

    async def events(
        self, code: str, after: EventNumber = 0, limit: int | None = None
    ) -> list[StoredEvent]:
        """The events of a table after a number, in order, at most `limit` of them."""
        query = (
            select(EVENTS.c.number, EVENTS.c.at, EVENTS.c.body, EVENTS.c.command)
            .where(EVENTS.c.table_code == code, EVENTS.c.number > after)
            .order_by(EVENTS.c.number)
            .limit(limit)
        )
        async with self._reading() as connection:
            rows = (await connection.execute(query)).all()
        return [StoredEvent(row[0], row[1], decode_event(row[2]), row[3]) for row in rows]

    async def number_of(self, code: str, command_id: str) -> EventNumber | None:
        """The event that a command has made, however long ago."""
        query = select(EVENTS.c.number).where(
            EVENTS.c.table_code == code, EVENTS.c.command == command_id
        )
        async with self._reading() as connection:
            number: EventNumber | None = (await connection.execute(query)).scalar()
        return number

    async def last_number(self, code: str) -> EventNumber:
        """Of the last event of a table; 0 where there is no such table."""
        query = select(func.max(EVENTS.c.number)).where(EVENTS.c.table_code == code)
        async with self._reading() as connection:
            return (await connection.execute(query)).scalar() or 0

    async def lobby(
        self, limit: int, of_one: int, since: Milliseconds
    ) -> list[tuple[str, Milliseconds, str | None]]:
        """Listed tables that still gather and where somebody has come or gone since then: code,
        when it was set up, and its owner.

        The latest of these first, and of one creator no more than `of_one`.
        """
        creator = func.coalesce(TABLES.c.creator, TABLES.c.code)
        newest = TABLES.c.changed.desc()
        place = func.row_number().over(partition_by=creator, order_by=newest).label("place")
        found = (
            select(TABLES.c.code, TABLES.c.created, TABLES.c.changed, TABLES.c.owner, place)
            .where(TABLES.c.state == "gathering", TABLES.c.listed == 1, TABLES.c.changed >= since)
            .subquery()
        )
        query = (
            select(found.c.code, found.c.created, found.c.owner)
            .where(found.c.place <= of_one)
            .order_by(found.c.changed.desc())
            .limit(limit)
        )
        async with self._reading() as connection:
            return [(row[0], row[1], row[2]) for row in (await connection.execute(query)).all()]

    async def to_wake(self, since: Milliseconds) -> list[str]:
        """Tables with a game that has a clock, or in which something has happened since then."""
        query = (
            select(TABLES.c.code)
            .where(TABLES.c.state == "playing", (TABLES.c.clock == 1) | (_last_at() >= since))
            .where(self._ours_to_take())
            .order_by(TABLES.c.changed)
        )
        async with self._reading() as connection:
            return [row[0] for row in (await connection.execute(query)).all()]

    async def idle(self, since: Milliseconds) -> list[str]:
        """Tables with a game in which nothing has happened since then, the oldest first."""
        query = (
            select(TABLES.c.code)
            .where(TABLES.c.state == "playing", TABLES.c.changed <= since, _last_at() <= since)
            .where(self._ours_to_take())
            .order_by(TABLES.c.changed)
        )
        async with self._reading() as connection:
            return [row[0] for row in (await connection.execute(query)).all()]

    def _ours_to_take(self) -> ColumnElement[bool]:
        """Whether a table has no other owner who lives."""
        if self.lease is None:
            return true()
        living = select(PROCESSES.c.id).where(
            PROCESSES.c.until > literal_column(NOW), PROCESSES.c.id != self.lease.id
        )
        return TABLES.c.owner.is_(None) | TABLES.c.owner.not_in(living)

    async def count_tables(self) -> int:
        """How many tables there ever were."""
        async with self._reading() as connection:
            return (await connection.execute(select(count()).select_from(TABLES))).scalar_one()

    async def all_codes(self) -> list[str]:
        """All tables, the oldest first."""
        query = select(TABLES.c.code).order_by(TABLES.c.created, TABLES.c.code)
        async with self._reading() as connection:
            return [row[0] for row in (await connection.execute(query)).all()]


def _last_at() -> ScalarSelect[Milliseconds]:
    """When something last happened at a table: its own row does not change with every move."""
    return (
        select(EVENTS.c.at)
        .where(EVENTS.c.table_code == TABLES.c.code)
        .order_by(EVENTS.c.number.desc())
        .limit(1)
        .scalar_subquery()
    )


def _is_fault(error: Exception) -> bool:
    """Whether it is about what was written, and the connection is as good as before."""
    return isinstance(error, DBAPIError) and not error.connection_invalidated


def _changes_state(each: Append) -> bool:
    """Whether the game table's own row changes, and with it its place in the lobby.

    Moves within a game leave it alone, and before it everything but that people come and go: one
    can't get to the top of the lobby by talk.
    """
    if each.state == "over":
        return not isinstance(each.stored.event, CHAT_EVENTS)
    return isinstance(each.stored.event, COMING_AND_GOING)


def _has_clock(event: AnyEvent) -> bool:
    """Whether a table that is set up has a clock, which runs also while nobody looks."""
    agreement = event.agreement if isinstance(event, Created) else Agreement()
    return bool(agreement.move_seconds or agreement.game_seconds)


def _divide(
    group: Sequence[Append], held: dict[str, int] | None
) -> tuple[list[Append], list[Append]]:
    """Those that may be written, and those of tables that are not ours; `held`: those that are."""
    ours, lost = list[Append](), list[Append]()
    for each in group:
        new = held is not None and each.stored.number == 1
        (ours if new or (held or {}).get(each.code) == each.epoch else lost).append(each)
    return ours, lost


def _row(each: Append) -> tuple[str | int | bytes, ...]:
    """In the order of the columns of `EVENTS`."""
    stored, epoch = each.stored, () if each.epoch is None else (each.epoch,)
    body = encode_event(stored.event)
    return each.code, stored.number, stored.command_id, stored.at, body, *epoch


def _fail(group: Sequence[Append], error: Exception) -> None:
    for each in group:
        if not each.done.done():
            each.done.set_exception(error)


def database_url(folder: Path) -> str:
    """The SQLite database in a data folder."""
    return f"sqlite+aiosqlite:///{folder / DATABASE}"


def async_url(url: str) -> str:
    """An address as people write it, with the driver that we use."""
    for plain, ours in (
        ("postgres://", "postgresql+asyncpg://"),
        ("postgresql://", "postgresql+asyncpg://"),
        ("sqlite:///", "sqlite+aiosqlite:///"),
    ):
        if url.startswith(plain):
            return ours + url.removeprefix(plain)
    return url


def _is_postgres(url: str) -> bool:
    return url.startswith("postgresql")


def _postgres(url: str, name: str) -> AsyncEngine:
    about = {"application_name": f"baghdad {name}"}
    patience = {"command_timeout": PATIENCE_SECONDS, "server_settings": about}
    # Whatever the database's default is: owners are looked up again after a lock was waited for.
    return _engine(asyncpg_url(url), connect_args=patience, isolation_level="READ COMMITTED")


def _engine(url: str | URL, **options: Any) -> AsyncEngine:
    # What can't be stored must not get into the log instead: it tells of cards and seeds.
    return create_async_engine(
        url,
        hide_parameters=True,
        pool_size=CONNECTIONS,
        max_overflow=MORE_CONNECTIONS,
        **options,
    )


def asyncpg_url(url: str) -> URL:
    """With what our driver calls otherwise than others do.

    >>> asyncpg_url("postgresql+asyncpg://host/db?sslmode=require&channel_binding=prefer").query
    immutabledict({'ssl': 'require'})
    """
    address = make_url(url)
    mode = address.query.get("sslmode", "")
    address = address.difference_update_query(["sslmode", "channel_binding"])
    return address.update_query_dict({"ssl": str(mode)}) if mode else address


async def _sqlite(url: str) -> AsyncEngine:
    file = make_url(url).database
    if file:
        make_private_database(Path(file))
    # Asked without a thread first: the driver's own would complain on its own after a failure.
    with closing(sqlite3.connect(file or ":memory:", timeout=0)) as connection:
        await _write_ahead(connection)
    engine = _engine(url)

    @event.listens_for(engine.sync_engine, "connect")
    def pragmas(connection: Any, _: Any) -> None:
        cursor = connection.cursor()
        cursor.execute("PRAGMA synchronous=FULL")  # on the disk before it is answered
        cursor.execute("PRAGMA busy_timeout=5000")
        for setting in SETTINGS:
            cursor.execute(setting)
        cursor.close()

    return engine


async def _write_ahead(connection: sqlite3.Connection) -> None:
    """Readers don't wait for the writer. The file itself remembers it.

    SQLite never waits with this: of several who open a new file at once, all but one are told
    at once that it is locked.
    """
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            try:
                connection.execute("PRAGMA journal_mode=WAL")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                    raise
                await asyncio.sleep(0.01)
            else:
                return
