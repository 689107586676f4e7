"""A process whose lease was over for a while: what it gives up, what it goes on with."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from itertools import count
from typing import Any, TypeAlias

import pytest
from sqlalchemy import text

from baghdad.server.domain.commands import Chat, NewChair, NewTable
from baghdad.server.runtime.members import APART_SECONDS, Members
from baghdad.server.runtime.registry import TableRegistry
from baghdad.server.storage import ownership
from baghdad.server.storage.errors import ElsewhereError, FencedError, StorageError
from baghdad.server.storage.event_store import EventStore, async_url
from baghdad.server.storage.ownership import Lease, Owner
from baghdad.server.transport.relay import Exchange
from support.live_server import FAR
from support.runtime import a_game, a_registry, a_table, in_loop, new_database, send, until

pytestmark = pytest.mark.usefixtures("patient")
_names = count(1)


class Links:
    """A bus over which nobody says anything."""

    def __init__(self) -> None:
        self.linked = True

    def gone(self, process: str | None, /) -> None: ...

    def looked(self) -> None: ...

    async def ask(self, process: str, kind: str, body: bytes, /) -> bytes:
        raise TimeoutError

    def call(self, kind: str, body: bytes = b"", /) -> None: ...


@pytest.fixture
def url(postgresql: Any) -> str:
    return async_url(new_database(postgresql, f"lapsed{next(_names)}"))


@asynccontextmanager
async def a_member(url: str) -> AsyncIterator[tuple[TableRegistry, Members, Lease]]:
    """A process that looks around only when it is told to."""
    async with a_registry(url) as registry:
        lease = registry.storage.own("test", linked=True)
        assert lease is not None
        members = Members(registry, lease, Links())
        await members._once()
        yield registry, members, lease
        await members._stop()
        await lease.leave()


async def others_believe_it_gone(storage: EventStore, lease: Lease) -> None:
    async with storage._engine.begin() as connection:
        about = {"id": lease.id}
        await connection.execute(text("UPDATE processes SET until = 0 WHERE id = :id"), about)


@in_loop
async def test_what_was_taken_over_is_given_up_though_there_seemed_to_be_time(url: str) -> None:
    async with a_member(url) as (registry, members, lease), a_member(url) as (other, _, taker):
        taken, kept = await a_table(registry), await a_table(registry)
        await others_believe_it_gone(other.storage, lease)
        await taker.claim(taken.table.code)
        assert members.valid  # it has not heard of it
        await members._once()
        assert list(registry.actors) == [kept.table.code]
        assert taken.lost
        assert members.valid


@in_loop
async def test_whoever_has_just_come_knows_who_is_there(url: str) -> None:
    """Else a ticket of the others would be unknown to it, and their tables not in its lobby."""
    async with a_member(url) as (_, _, first), a_registry(url) as registry:
        lease = registry.storage.own("test", linked=True)
        assert lease is not None
        members = Members(registry, lease, Links())
        await members.join()
        assert members.living == {first.id}
        await members.leave()


Loss: TypeAlias = Callable[[Members], Awaitable[None]]


async def given_up(members: Members) -> None:
    members._lose("a cable is cut")


async def slept(members: Members) -> None:
    await members._once()


@pytest.mark.parametrize("lose", [given_up, slept])
@in_loop
async def test_what_was_read_before_all_was_lost_is_not_shown_after_it(
    url: str, monkeypatch: pytest.MonkeyPatch, lose: Loss
) -> None:
    """A table is just being read when its owner loses all: it would show it as it was then, for
    as long as nobody writes at it there."""
    async with a_member(url) as (registry, members, lease), a_member(url) as (other, _, taker):
        actor = await a_table(registry)
        code, last, events = actor.table.code, actor.table.number, registry.storage.events
        registry._let_sleep(code)
        read, go_on = asyncio.Event(), asyncio.Event()

        async def slowly(code: str, *others: Any) -> Any:
            found = await events(code, *others)
            read.set()
            await go_on.wait()
            return found

        monkeypatch.setattr(registry.storage, "events", slowly)
        asking = asyncio.create_task(registry.actor(code))
        await read.wait()
        await others_believe_it_gone(other.storage, lease)
        await taker.claim(code)
        assert (await send(await other.actor(code), 0, Chat("seen"))).number == last + 1
        await lose(members)
        go_on.set()
        with pytest.raises(ElsewhereError):
            await asking
        assert registry.actors == {}


@in_loop
async def test_a_table_that_is_set_up_while_all_is_lost_is_not_kept(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_member(url) as (registry, members, _):
        append = registry.storage.append

        async def lost(*given: Any, **named: Any) -> None:
            await append(*given, **named)
            members._lose("a cable is cut")

        monkeypatch.setattr(registry.storage, "append", lost)
        await registry.create(NewTable("Ann"))
        assert registry.actors == {}


@in_loop
async def test_nobody_wakes_a_table_where_all_are_just_given_up(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_member(url) as (registry, members, lease), a_member(url):
        actor = await a_table(registry)
        members.links.linked = False  # type: ignore[union-attr, misc]
        members._linked_at -= 2 * APART_SECONDS
        leave = lease.leave

        async def leaving() -> None:
            with pytest.raises(ElsewhereError):
                await registry.actor(actor.table.code)  # its clients come again at once
            await leave()

        monkeypatch.setattr(lease, "leave", leaving)
        await members._once()
        assert (actor.lost, registry.actors, members.valid) == (True, {}, False)


@in_loop
async def test_whose_lease_is_over_claims_nothing(url: str) -> None:
    async with a_member(url) as (registry, _, lease):
        actor = await a_table(registry)
        await others_believe_it_gone(registry.storage, lease)
        with pytest.raises(ElsewhereError):
            await lease.claim(actor.table.code)
        await lease.renew()
        await lease.claim(actor.table.code)


@in_loop
async def test_somebody_who_has_seen_more_is_shown_no_older_table(url: str) -> None:
    """Its owner does not know yet that another process has the table."""
    async with a_member(url) as (registry, members, lease), a_member(url) as (other, _, taker):
        actor = await a_table(registry)
        code, last = actor.table.code, actor.table.number
        await others_believe_it_gone(other.storage, lease)
        await taker.claim(code)
        assert (await send(await other.actor(code), 0, Chat("seen"))).number == last + 1
        assert members.valid
        await actor.know(last)
        assert not actor.lost  # nothing says that there is more
        with pytest.raises(FencedError):
            await actor.know(last + 1)
        assert actor.lost


@in_loop
async def test_somebody_who_has_seen_what_another_server_on_one_file_wrote_is_shown_it(
    sqlite: str,
) -> None:
    async with a_registry(sqlite) as first, a_registry(sqlite) as second:
        actor = await a_table(first)
        last = actor.table.number
        there = await second.actor(actor.table.code)
        assert (await send(there, 0, Chat("seen"))).number == last + 1
        await actor.know(last + 1)
        assert actor.table.number == last + 1
        await actor.know(last + 100)  # that there never was
        assert actor.table.number == last + 1


@in_loop
async def test_what_came_of_a_renewal_that_nobody_heard_of_is_not_believed(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_member(url) as (_, _, lease):
        await lease.renew()
        assert not lease.lapsed
        with monkeypatch.context() as patch:
            patch.setattr(ownership, "ALL", text("SELECT nothing"))  # it is renewed by then
            with pytest.raises(StorageError):
                await lease.renew()
        await lease.renew()
        assert lease.lapsed
        await lease.renew()
        assert not lease.lapsed


@in_loop
async def test_tables_of_a_dead_process_that_are_wanted_at_once_are_taken_together(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each transaction locks out all others: one for each table would make people wait."""
    async with a_member(url) as (dying, _, dead), a_member(url) as (registry, _, lease):
        codes = [(await a_table(dying)).table.code for _ in range(12)]
        claim_all, taken = lease.claim_all, []

        async def counted(codes: Sequence[str], owner: str | None) -> list[str]:
            taken.append(len(codes))
            return await claim_all(codes, owner)

        monkeypatch.setattr(lease, "claim_all", counted)
        await others_believe_it_gone(registry.storage, dead)
        # People come to each from everywhere.
        await asyncio.gather(*(lease.claim(code) for code in codes * 3))
        assert sum(taken) >= 12
        assert len(taken) < 12
        assert lease.takeovers == 12
        assert set(lease.epochs) == set(codes)


@in_loop
async def test_the_database_is_asked_once_for_all_who_are_at_a_table(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_member(url) as (other, _, owner), a_member(url) as (_, members, lease):
        code = (await a_table(other)).table.code
        owner_of, asked = lease.owner_of, []

        async def counted(code: str) -> Owner | None:
            asked.append(code)
            return await owner_of(code)

        monkeypatch.setattr(lease, "owner_of", counted)
        exchange = Exchange(1000)
        exchange.members = members
        assert set(await asyncio.gather(*(exchange.owner_of(code) for _ in range(9)))) == {owner.id}
        assert asked == [code]
        monkeypatch.setattr(lease, "owner_of", away)
        exchange.moved(code)
        answers = (exchange.owner_of(code) for _ in range(3))
        found = await asyncio.gather(*answers, return_exceptions=True)
        assert [type(each) for each in found] == 3 * [StorageError]


async def away(_: str) -> Owner | None:
    raise StorageError("away")


@in_loop
async def test_clocks_go_on_after_all_tables_were_given_up(url: str) -> None:
    async with a_member(url) as (registry, members, lease):
        actor = await a_game(registry, NewChair("human", name="Ben"), move_seconds=60)
        await others_believe_it_gone(registry.storage, lease)
        members._lose("the database was away for longer than the lease")
        await members._once()
        await until(lambda: actor.table.code in registry.actors)
        assert registry.actors[actor.table.code].timer is not None


@in_loop
async def test_a_table_that_could_not_be_read_when_it_was_taken_over_is_read_later(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_member(url) as (other, _, dead), a_member(url) as (registry, members, _):
        actor = await a_game(other, NewChair("human", name="Ben"), move_seconds=60)
        code, events = actor.table.code, registry.storage.events
        failed: list[str] = []

        async def once(code: str, *others: Any) -> Any:
            if not failed:
                failed.append(code)
                raise StorageError("away")
            return await events(code, *others)

        monkeypatch.setattr(registry.storage, "events", once)
        await others_believe_it_gone(registry.storage, dead)
        await members._once()
        await until(lambda: code in registry.actors)
        assert failed == [code]
        assert registry.actors[code].timer is not None


@in_loop
async def test_nothing_is_kept_of_a_table_that_sleeps(url: str) -> None:
    async with a_member(url) as (registry, _, lease):
        actor = await a_table(registry)
        code = actor.table.code
        assert code in lease.epochs
        actor.used = 0
        registry._tidy()
        assert (registry.actors, lease.epochs) == ({}, {})
        again = await registry.actor(code)
        assert (await send(again, 0, Chat("awake"))).result == "accepted"


@in_loop
async def test_a_process_that_stops_while_it_tries_whether_there_is_room_holds_nobody(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped, other = await EventStore.open(url), await EventStore.open(url)
    begun, going = asyncio.Event(), stopped._writing

    class Stopping:
        """A connection on which one thing is said, and then nothing more."""

        def __init__(self, connection: Any) -> None:
            self.connection = connection

        async def execute(self, *said: Any) -> None:
            await self.connection.execute(*said)
            begun.set()
            await asyncio.Event().wait()

    @asynccontextmanager
    async def stopping() -> AsyncIterator[Any]:
        async with going() as connection:
            yield Stopping(connection)

    monkeypatch.setattr(stopped, "_writing", stopping)
    trial = asyncio.create_task(stopped._try_writing())
    await begun.wait()
    try:
        async with asyncio.timeout(FAR):
            await other.check_writing()
    finally:
        trial.cancel()
        await asyncio.gather(trial, return_exceptions=True)
        await other.close()
        await stopped.close()
