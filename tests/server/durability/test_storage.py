"""Where events are kept: durable, in order, once, and never half."""

import asyncio
import logging
import os
import sqlite3
import stat
from contextlib import AsyncExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, inspect
from sqlalchemy.event import listens_for
from sqlalchemy.ext.asyncio import create_async_engine

from baghdad.server.domain.events import Hushed, Moved, StoredEvent
from baghdad.server.storage import checkpoints, event_store
from baghdad.server.storage.checkpoints import Checkpoints
from baghdad.server.storage.errors import ConflictError, StorageError
from baghdad.server.storage.event_store import (
    CONNECTIONS,
    DATABASE,
    MORE_CONNECTIONS,
    NO_TABLE,
    SCHEMA,
    EventStore,
    database_url,
)
from baghdad.server.storage.files import make_private_database, make_private_folder
from baghdad.server.storage.migrations import OtherVersionError, upgrade
from support.runtime import in_loop


async def put(storage: EventStore, code: str, number: int, command_id: str | None = None) -> None:
    stored = StoredEvent(number, 1000 + number, Hushed(True), command_id or f"command {number}")
    await storage.append(code, stored, "gathering", listed=False)


@in_loop
async def test_migrations_make_what_the_code_expects_and_do_nothing_twice(database: str) -> None:
    engine = create_async_engine(database)

    def differences(connection: Connection) -> list[Any]:
        return list(compare_metadata(MigrationContext.configure(connection), SCHEMA))

    for _ in range(2):
        async with engine.begin() as connection:
            await connection.run_sync(upgrade)
        async with engine.connect() as connection:
            found = await connection.run_sync(differences)
        assert [each for each in found if "alembic_version" not in str(each)] == []
    await engine.dispose()


@in_loop
async def test_a_migration_happens_wholly_or_not_at_all(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from alembic import op

    def dies(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    engine = create_async_engine(database)
    with monkeypatch.context() as patch:
        patch.setattr(op, "create_index", dies)  # the table before it has been made
        with pytest.raises(KeyboardInterrupt):
            async with engine.begin() as connection:
                await connection.run_sync(upgrade)
    async with engine.connect() as connection:
        assert await connection.run_sync(lambda each: inspect(each).get_table_names()) == []
    await engine.dispose()
    storage = await EventStore.open(database)
    await put(storage, "AAAAAA", 1)
    await storage.close()


@in_loop
async def test_servers_that_start_at_once_wait_for_each_other(database: str) -> None:
    for storage in await asyncio.gather(*(EventStore.open(database) for _ in range(4))):
        await storage.check_writing()
        await storage.close()


@in_loop
async def test_sqlite_writes_ahead_and_syncs_every_commit_and_does_nothing_else_in_it(
    sqlite: str,
) -> None:
    storage = await EventStore.open(sqlite)
    connections = [await storage._engine.connect() for _ in range(3)]
    for connection in connections:
        for pragma, value in (
            ("journal_mode", "wal"),
            ("synchronous", 2),
            ("wal_autocheckpoint", 0),
        ):
            assert (await connection.exec_driver_sql(f"PRAGMA {pragma}")).scalar() == value
    for connection in connections:
        await connection.close()
    await storage.close()


@in_loop
async def test_appends_that_wait_together_share_a_commit(database: str) -> None:
    storage = await EventStore.open(database)
    await asyncio.gather(*(put(storage, f"TABLE{each}", 1) for each in "BCDFGHJK"))
    assert storage.commits == 1
    assert len(await storage.all_codes()) == 8
    await storage.close()


@in_loop
async def test_one_conflict_in_a_group_is_nobody_elses(database: str) -> None:
    storage = await EventStore.open(database)
    await put(storage, "TABLEB", 1)
    results = await asyncio.gather(
        put(storage, "TABLEC", 1),
        put(storage, "TABLEB", 1, "the number is taken"),
        put(storage, "TABLEB", 2, "command 1"),
        put(storage, "TABLED", 1),
        return_exceptions=True,
    )
    assert [type(each) for each in results] == [
        type(None),
        ConflictError,
        ConflictError,
        type(None),
    ]
    assert [each.command_id for each in await storage.events("TABLEB")] == ["command 1"]
    assert len(await storage.events("TABLEC")) == len(await storage.events("TABLED")) == 1
    await storage.close()


@in_loop
async def test_what_can_not_be_stored_is_not_told_either(database: str) -> None:
    """It would be in the log: the cards to come, or the seed of all of them."""
    storage = await EventStore.open(database)
    async with storage._engine.begin() as connection:
        await connection.exec_driver_sql("DROP TABLE events")
    drawn = StoredEvent(1, 1000, Moved(0, 7, ("=RGWPYB",)), "draw")
    with pytest.raises(StorageError) as told:
        await storage.append("TABLEB", drawn, "playing", listed=False)
    assert "RGWPYB" not in str(told.value)
    assert "events" in str(told.value)
    await storage.close()


@in_loop
async def test_what_a_database_can_not_write_is_nobody_elses(database: str) -> None:
    storage = await EventStore.open(database)
    results = await asyncio.gather(
        put(storage, "TABLEB", 1),
        put(storage, "TABLEC", 1, "zero \0 byte"),  # PostgreSQL knows no such text
        return_exceptions=True,
    )
    assert results[0] is None
    assert isinstance(results[1], StorageError | None)
    await storage.close()


@in_loop
async def test_closing_writes_all_that_waits_and_takes_nothing_more(database: str) -> None:
    storage = await EventStore.open(database)
    waiting = [asyncio.create_task(put(storage, f"TABLE{each}", 1)) for each in "BCDFGHJK"]
    await asyncio.sleep(0)  # they have asked, nothing is written yet
    await storage.close()
    await asyncio.gather(*waiting)
    with pytest.raises(StorageError):
        await put(storage, "TABLEL", 1)
    again = await EventStore.open(database)
    assert len(await again.all_codes()) == 8
    await again.close()


@in_loop
async def test_a_database_of_another_edition_is_refused_and_left_as_it_is(database: str) -> None:
    storage = await EventStore.open(database)
    await put(storage, "TABLEA", 1)
    await storage.close()
    engine = create_async_engine(database)
    async with engine.begin() as connection:
        await connection.exec_driver_sql("UPDATE alembic_version SET version_num = '001'")
    with pytest.raises(OtherVersionError) as refused:
        await EventStore.open(database)
    assert not refused.value.newer
    async with engine.begin() as connection:
        rows = await connection.exec_driver_sql("SELECT version_num FROM alembic_version")
        assert rows.scalar() == "001"
        rows = await connection.exec_driver_sql("SELECT count(*) FROM events")
        assert rows.scalar() == 1
    await engine.dispose()


@pytest.mark.parametrize("version", ["299", "301"])
@in_loop
async def test_a_database_of_a_newer_server_is_known_as_such(database: str, version: str) -> None:
    await (await EventStore.open(database)).close()
    engine = create_async_engine(database)
    async with engine.begin() as connection:
        await connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{version}'")
    await engine.dispose()
    with pytest.raises(OtherVersionError) as refused:
        await EventStore.open(database)
    assert refused.value.newer


@in_loop
async def test_that_something_can_be_written_is_tried_and_leaves_nothing(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    trials = 0
    really = EventStore._try_writing

    async def counted(storage: EventStore) -> None:
        nonlocal trials
        trials += 1
        await really(storage)

    monkeypatch.setattr(EventStore, "_try_writing", counted)
    storage = await EventStore.open(database)
    await asyncio.gather(*(storage.check_writing() for _ in range(20)))
    await storage.check_writing()
    assert trials == 1, "however many ask"
    assert await storage.events(NO_TABLE) == []
    monkeypatch.setattr(event_store, "TRIAL_SECONDS", 0.0)
    await storage.check_writing()
    assert trials == 2, "and again after a while"
    await storage.close()


@pytest.mark.parametrize(
    ("trouble", "repaired"),
    [
        ("PRAGMA query_only=ON", "PRAGMA query_only=OFF"),
        ("PRAGMA max_page_count=1", "PRAGMA max_page_count=1073741823"),
    ],
)
@in_loop
async def test_a_disk_that_takes_nothing_is_noticed(
    sqlite: str, trouble: str, repaired: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_store, "TRIAL_SECONDS", 0.0)
    storage, state = await EventStore.open(sqlite), [trouble]

    @listens_for(storage._engine.sync_engine, "begin")
    def begin(connection: Connection) -> None:
        connection.connection.cursor().execute(state[0])

    for _ in range(2):
        with pytest.raises(StorageError):
            await storage.check_writing()
        assert not storage.writable
    state[0] = repaired
    await storage.check_writing()
    assert storage.writable
    await storage.close()


@in_loop
async def test_an_event_that_was_not_stored_is_told_before_the_next_trial(database: str) -> None:
    storage = await EventStore.open(database)
    await storage.check_writing()
    breaks = True

    @listens_for(storage._engine.sync_engine, "commit")
    def commit(_: Connection) -> None:
        if breaks:
            raise OSError("no space left")

    with pytest.raises(StorageError):
        await put(storage, "TABLEA", 1)
    with pytest.raises(StorageError, match="no space left"):
        await storage.check_writing()
    breaks = False
    await put(storage, "TABLEA", 1)
    await storage.check_writing()
    await storage.close()


# Its files


def rights(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.skipif(os.name != "posix", reason="rights of another kind")
@pytest.mark.parametrize("umask", [0o000, 0o027, 0o077])
@in_loop
async def test_the_files_of_sqlite_are_their_owners_alone(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        make_private_folder(tmp_path / "new", ours=False)
        storage = await EventStore.open(database_url(tmp_path / "new"))
        await put(storage, "TABLEA", 1)
        found = sorted((tmp_path / "new").iterdir())
        assert [each.name for each in found] == [DATABASE, f"{DATABASE}-shm", f"{DATABASE}-wal"]
        assert {rights(each) for each in found} == {0o600}
        assert rights(tmp_path / "new") == 0o700
        await storage.close()
    finally:
        os.umask(before)


@pytest.mark.skipif(os.name != "posix", reason="rights of another kind")
@in_loop
async def test_files_of_an_older_version_are_closed_and_a_hosts_folder_is_left(
    tmp_path: Path,
) -> None:
    for name in (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm"):
        (tmp_path / name).touch(0o644)
        (tmp_path / name).chmod(0o644)
    tmp_path.chmod(0o750)
    make_private_folder(tmp_path, ours=False)
    make_private_database(tmp_path / DATABASE)
    assert {rights(each) for each in tmp_path.iterdir()} == {0o600}
    assert rights(tmp_path) == 0o750, "the host has made it so"
    make_private_folder(tmp_path, ours=True)
    assert rights(tmp_path) == 0o700
    (tmp_path / "file").touch()
    with pytest.raises(FileExistsError):
        make_private_folder(tmp_path / "file", ours=True)


@in_loop
async def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "baghdad.db").write_text("no database " * 100)
    with pytest.raises(Exception, match="not a database"):
        await EventStore.open(f"sqlite+aiosqlite:///{tmp_path / 'baghdad.db'}")


# What others feel of a commit


@in_loop
async def test_the_writer_never_waits_for_readers(database: str) -> None:
    storage = await EventStore.open(database)
    async with AsyncExitStack() as readers:
        for _ in range(CONNECTIONS + MORE_CONNECTIONS - 1):
            reader = await readers.enter_async_context(storage._engine.connect())
            await reader.exec_driver_sql("SELECT count(*) FROM events")
        await put(storage, "TABLEB", 1)
    await storage.close()


@in_loop
async def test_a_slow_commit_is_counted_and_logged(
    database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    storage = await EventStore.open(database)
    await put(storage, "TABLEB", 1)
    assert storage.slow_commits == 0
    monkeypatch.setattr(event_store, "SLOW_SECONDS", 0.0)
    with caplog.at_level(logging.WARNING):
        await put(storage, "TABLEB", 2)
    assert storage.slow_commits == 1
    (told,) = [each for each in caplog.records if each.message == "a slow commit"]
    assert told.__dict__["events"] == 1
    await storage.close()


async def fill(storage: EventStore, code: str, count: int, first: int = 1) -> None:
    """Many events, each in a commit of its own."""
    for number in range(first, first + count):
        await put(storage, code, number)


async def settled(storage: EventStore) -> None:
    """Passes that have begun are done."""
    assert storage._checkpoints is not None
    if storage._checkpoints._running is not None:
        await storage._checkpoints._running


@in_loop
async def test_commits_go_on_while_the_log_is_taken_into_the_database(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "WRITTEN_BETWEEN", 20)
    free, take = asyncio.Event(), Checkpoints._take

    async def slow(self: Checkpoints) -> bool:
        await free.wait()
        return await take(self)

    monkeypatch.setattr(Checkpoints, "_take", slow)
    storage = await EventStore.open(sqlite)
    await fill(storage, "TABLEB", 30)  # nobody has waited for it
    assert storage.log_bytes == 0
    free.set()
    await storage.close()
    assert storage.log_bytes > 0


@in_loop
async def test_the_log_stays_short(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "WRITTEN_BETWEEN", 20)
    storage = await EventStore.open(sqlite)
    lengths = []
    for batch in range(10):
        await fill(storage, "TABLEB", 10, 10 * batch + 1)
        await settled(storage)
        lengths.append(storage.log_bytes)
    assert max(lengths[1:]) <= 2 * lengths[1]  # it begins at its front again and again
    await storage.close()
    assert not Path(f"{sqlite.partition('///')[2]}-wal").exists()


@in_loop
async def test_a_log_that_grows_faster_is_held_for_a_moment(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where commits come one upon the other, there is always something more after a pass."""
    monkeypatch.setattr(checkpoints, "WRITTEN_BETWEEN", 20)
    monkeypatch.setattr(checkpoints, "LONGEST_PAGES", 60)
    alone: list[bool] = []
    with_writer = Checkpoints._alone

    async def watched(self: Checkpoints) -> None:
        await with_writer(self)
        alone.append(self._last.complete)

    monkeypatch.setattr(Checkpoints, "_alone", watched)
    storage = await EventStore.open(sqlite)
    await fill(storage, "TABLEB", 80)
    assert alone
    assert all(alone)
    await storage.close()


@in_loop
async def test_a_long_reader_holds_nobody_and_is_told_of(
    sqlite: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(checkpoints, "WRITTEN_BETWEEN", 20)
    monkeypatch.setattr(checkpoints, "LONGEST_PAGES", 60)
    storage = await EventStore.open(sqlite)
    await put(storage, "TABLEB", 1)
    with closing(sqlite3.connect(sqlite.partition("///")[2], isolation_level=None)) as reader:
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM events").fetchone() == (1,)
        await fill(storage, "TABLEB", 80, 2)
        assert reader.execute("SELECT count(*) FROM events").fetchone() == (1,)
    grown = storage.log_bytes
    assert "reads the database for long" in caplog.text
    assert len(caplog.records) <= 1 + grown // checkpoints.PAGE_BYTES // 60  # not again and again
    await fill(storage, "TABLEB", 40, 82)
    await settled(storage)
    assert storage.log_bytes < grown
    assert len(await storage.events("TABLEB")) == 121
    await storage.close()
