"""Where events are kept: durable, in order, once, and never half."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, inspect
from sqlalchemy.ext.asyncio import create_async_engine

from baghdad.server.domain.events import Hushed, Moved, StoredEvent
from baghdad.server.storage.event_store import (
    SCHEMA,
    ConflictError,
    EventStore,
    StorageError,
)
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
        await storage.ping()
        await storage.close()


@in_loop
async def test_sqlite_writes_ahead_and_syncs_every_commit(sqlite: str) -> None:
    storage = await EventStore.open(sqlite)
    connections = [await storage._engine.connect() for _ in range(3)]
    for connection in connections:
        for pragma, value in (("journal_mode", "wal"), ("synchronous", 2)):
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
    with pytest.raises(OtherVersionError):
        await EventStore.open(database)
    async with engine.begin() as connection:
        rows = await connection.exec_driver_sql("SELECT version_num FROM alembic_version")
        assert rows.scalar() == "001"
        rows = await connection.exec_driver_sql("SELECT count(*) FROM events")
        assert rows.scalar() == 1
    await engine.dispose()


@in_loop
async def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "baghdad.db").write_text("no database " * 100)
    with pytest.raises(Exception, match="not a database"):
        await EventStore.open(f"sqlite+aiosqlite:///{tmp_path / 'baghdad.db'}")
