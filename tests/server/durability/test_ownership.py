"""Several processes over one PostgreSQL: who lives, whose a table is, and who may write."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import create_async_engine

from baghdad.server.domain.events import Hushed, StoredEvent
from baghdad.server.storage.errors import ElsewhereError, FencedError, LeaseOverError
from baghdad.server.storage.event_store import EventStore, async_url
from baghdad.server.storage.ownership import Lease
from support.runtime import in_loop, new_database

pytestmark = pytest.mark.usefixtures("patient")
_names = count(1)


@asynccontextmanager
async def owners(
    server: Any, number: int, database: str | None = None
) -> AsyncIterator[list[tuple[EventStore, Lease]]]:
    """So many processes over a new database, each with a lease."""
    url = async_url(database or new_database(server, f"owners{next(_names)}"))
    made = []
    try:
        for _ in range(number):
            storage = await EventStore.open(url)
            lease = storage.own("test", linked=True)
            assert lease is not None
            await lease.renew()
            made.append((storage, lease))
        yield made
    finally:
        for storage, lease in made:
            await lease.leave()
            await storage.close()


async def put(storage: EventStore, code: str, number: int) -> None:
    stored = StoredEvent(number, 1000 + number, Hushed(True), f"command {number}")
    await storage.append(code, stored, "playing", listed=False)


async def run_out(storage: EventStore, lease: Lease) -> None:
    """As if nothing had been heard of a process for longer than its lease."""
    async with storage._engine.begin() as connection:
        await connection.execute(
            text("UPDATE processes SET until = 0 WHERE id = :id"), {"id": lease.id}
        )


async def epochs(storage: EventStore, code: str) -> list[int]:
    async with storage._engine.begin() as connection:
        found = await connection.execute(
            text("SELECT epoch FROM events WHERE table_code = :code ORDER BY number"),
            {"code": code},
        )
        return [row[0] for row in found]


@in_loop
async def test_a_process_past_its_lease_writes_nothing(postgresql: Any) -> None:
    async with owners(postgresql, 1) as [(storage, lease)]:
        await put(storage, "TABLEB", 1)
        await run_out(storage, lease)
        for code, number in (("TABLEB", 2), ("TABLEC", 1)):
            with pytest.raises(LeaseOverError):
                await put(storage, code, number)
        assert lease.fenced == 2
        assert len(await storage.events("TABLEB")) == 1
        assert await storage.events("TABLEC") == []
        await lease.renew()
        await put(storage, "TABLEB", 2)
        assert await epochs(storage, "TABLEB") == [1, 1]


@in_loop
async def test_only_what_was_taken_over_fails_in_a_group(postgresql: Any) -> None:
    async with owners(postgresql, 2) as [(old, sleeper), (new, taker)]:
        for code in ("TABLEB", "TABLEC", "TABLED"):
            await put(old, code, 1)
        await run_out(old, sleeper)
        await taker.claim("TABLEC")
        await sleeper.renew()  # it wakes up, and believes in all three
        commits = old.commits
        results = await asyncio.gather(
            *(put(old, code, 2) for code in ("TABLEB", "TABLEC", "TABLED")),
            return_exceptions=True,
        )
        assert [type(each) for each in results] == [type(None), FencedError, type(None)]
        assert (old.commits, sleeper.fenced, taker.takeovers) == (commits + 1, 1, 1)
        await put(new, "TABLEC", 2)
        assert await epochs(new, "TABLEC") == [1, 2]


@in_loop
async def test_a_table_whose_owner_lives_is_not_taken(postgresql: Any) -> None:
    async with owners(postgresql, 2) as [(old, owner), (_, other)]:
        await put(old, "TABLEB", 1)
        with pytest.raises(ElsewhereError) as told:
            await other.claim("TABLEB")
        assert told.value.owner == owner.id
        await owner.claim("TABLEB")
        await put(old, "TABLEB", 2)
        assert owner.takeovers == other.takeovers == 0


@in_loop
async def test_of_several_who_want_a_table_one_gets_it(postgresql: Any) -> None:
    async with owners(postgresql, 4) as made:
        (old, dead), *others = made
        await put(old, "TABLEB", 1)
        await run_out(old, dead)
        results = await asyncio.gather(
            *(lease.claim("TABLEB") for _, lease in others), return_exceptions=True
        )
        assert sorted(type(each).__name__ for each in results) == [
            "ElsewhereError",
            "ElsewhereError",
            "NoneType",
        ]
        assert sum(lease.takeovers for _, lease in others) == 1


@in_loop
async def test_a_process_that_stops_in_a_commit_holds_no_takeover_up(postgresql: Any) -> None:
    async with owners(postgresql, 2) as [(old, stopped), (new, taker)]:
        await put(old, "TABLEB", 1)
        async with old._engine.connect() as connection:
            # As far as a commit gets before it writes; then nothing more is heard of it.
            assert await stopped.held(connection, ["TABLEB"]) == {"TABLEB": 1}
            await run_out(new, stopped)
            await taker.claim("TABLEB")
            with pytest.raises(DBAPIError):
                await connection.execute(text("UPDATE tables SET state = 'over'"))
            await connection.invalidate()
        await put(new, "TABLEB", 2)
        assert await epochs(new, "TABLEB") == [1, 2]


@in_loop
async def test_a_takeover_waits_for_a_commit_that_is_on_its_way(postgresql: Any) -> None:
    async with owners(postgresql, 2) as [(old, slow), (new, taker)]:
        await put(old, "TABLEB", 1)
        async with old._engine.connect() as connection:
            await slow.held(connection, ["TABLEB"])
            await run_out(new, slow)
            claiming = asyncio.create_task(taker.claim("TABLEB"))
            waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
            while not (await connection.execute(waiting)).scalar():
                pass
            assert not claiming.done()
            await connection.commit()
        await claiming
        assert taker.epochs == {"TABLEB": 2}


@in_loop
async def test_a_process_that_was_killed_is_known_before_its_lease_ends(postgresql: Any) -> None:
    url = new_database(postgresql, f"owners{next(_names)}")
    async with owners(postgresql, 1, url) as [(_, watching)]:
        storage = await EventStore.open(async_url(url))
        killed = storage.own("test", linked=True)
        assert killed is not None
        await killed.renew()
        await put(storage, "TABLEB", 1)
        assert {each.id for each in await watching.renew() if each.living} == {
            watching.id,
            killed.id,
        }
        await killed._hang_up()  # what the system does for it
        while killed.id in {each.id for each in await watching.renew() if each.living}:
            pass
        await watching.claim("TABLEB")
        assert await watching.orphans(killed.id, 0) == []
        await watching.forget(killed.id)
        assert [each.id for each in await watching.renew()] == [watching.id]
        await storage.close()


@in_loop
async def test_a_server_serves_on_a_schema_that_is_one_version_newer(database: str) -> None:
    await (await EventStore.open(database)).close()
    engine = create_async_engine(database)
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '204'"))
        await connection.execute(text("ALTER TABLE tables ADD COLUMN later VARCHAR(8)"))
    await engine.dispose()
    storage = await EventStore.open(database)
    await put(storage, "TABLEB", 1)
    assert len(await storage.events("TABLEB")) == 1
    await storage.close()
