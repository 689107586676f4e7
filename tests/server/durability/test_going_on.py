"""Whatever fails, nothing is lost, nothing happens twice, and every table goes on."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import Connection, event

from baghdad.server.domain.commands import Chat, Join, Move, NewChair, NewTable, Start
from baghdad.server.domain.events import Chatted, Moved, StoredEvent
from baghdad.server.runtime import actor as actor_module
from baghdad.server.runtime import handled
from baghdad.server.runtime.actor import TableActor
from baghdad.server.runtime.registry import SLEEPY_SECONDS, TableRegistry
from baghdad.server.runtime.scheduler import RETRY_SECONDS
from baghdad.server.storage.errors import StorageError
from baghdad.server.storage.event_store import EventStore, async_url
from support.runtime import (
    FakeListener,
    ManualClock,
    ScriptedBots,
    a_game,
    a_registry,
    a_table,
    in_loop,
    new_database,
    send,
    sound,
    stored_events,
    until,
)

BOT = NewChair("bot", level="ali")
BEN = NewChair("human", name="Ben")


class Unsure(EventStore):
    """The connection breaks while it commits: the event is there, and nobody knows."""

    breaks = False

    async def append(self, code: str, stored: StoredEvent, state: str, *, listed: bool) -> None:
        await super().append(code, stored, state, listed=listed)
        if self.breaks:
            raise StorageError("connection lost")


@in_loop
async def test_a_command_with_unknown_outcome_happens_once(database: str) -> None:
    storage = await Unsure.open(database)
    assert isinstance(storage, Unsure)
    async with a_registry(database, storage=storage) as registry:
        actor = await a_game(registry, BEN)
        known = actor.table.number
        storage.breaks = True
        first = await send(actor, 0, Move(action=0), command_id="move", version=known)
        storage.breaks = False
        again = await send(actor, 0, Move(action=0), command_id="move", version=known)
        assert (first.result, again.result, again.number) == ("failed", "accepted", known + 1)
        assert (await send(actor, 1, Move(action=1))).number == known + 2
        sound(actor.table.code, await stored_events(database, actor.table.code))


@in_loop
async def test_memory_forgets_old_commands_and_they_happen_once_all_the_same(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handled, "MOST_REMEMBERED", 3)
    async with a_registry(database) as registry:
        actor = await a_table(registry)
        secret = "s" * 24
        joined = await registry.join(actor.table.code, Join("Ben", secret=secret), [])
        await send(actor, 0, Start())
        known = actor.table.number
        legal = actor.table.game.legal() if actor.table.game is not None else []
        move = await send(actor, 0, Move(legal[0]), command_id="move", version=known)
        chat = await send(actor, 0, Chat("hello"), command_id="chat", version=known)
        assert (move.result, chat.result) == ("accepted", "accepted")
        for n in range(4):
            await send(actor, 0, Chat(f"{n}"))
        assert len(actor.commands) == 3
        before = actor.table.number
        # The same again, from clients that have not heard of the answer.
        again = await send(actor, 0, Move(legal[0]), command_id="move", version=known)
        assert again == move
        assert await send(actor, 0, Chat("hello"), command_id="chat", version=known) == chat
        assert await registry.join(actor.table.code, Join("Ben", secret=secret), []) == joined
        # And from one that claims to know everything by now.
        assert await send(actor, 0, Chat("hello"), command_id="chat", version=before) == chat
        assert actor.table.number == before
    sound(actor.table.code, await stored_events(database, actor.table.code))


@in_loop
async def test_a_table_with_unknown_outcome_goes_on_though_nobody_asks(sqlite: str) -> None:
    storage, clock = await Unsure.open(sqlite), ManualClock()
    assert isinstance(storage, Unsure)
    async with a_registry(sqlite, clock=clock, storage=storage) as registry:
        actor = await a_game(registry, BOT)
        storage.breaks = True
        assert (await send(actor, 0, Move(action=0))).result == "failed"
        storage.breaks = False
        assert actor.table.on_turn == 0  # as far as anybody knows
        clock.advance(RETRY_SECONDS)
        await until(lambda: actor.table.number == 4 and actor.thinking is None)
        kinds = [type(each.stored.event) for each in actor.recent]
        assert kinds[-2:] == [Moved, Moved]  # the player's, found again, and the bot's


@in_loop
async def test_a_bot_that_can_not_be_stored_tries_again(sqlite: str) -> None:
    storage, clock = await Unsure.open(sqlite), ManualClock()
    assert isinstance(storage, Unsure)
    bots = ScriptedBots()
    async with a_registry(sqlite, bots, clock, storage) as registry:
        actor = await a_game(registry, BOT)
        bots.free.clear()
        await send(actor, 0, Move(action=0))
        storage.breaks = True
        bots.free.set()
        await until(lambda: actor.retry is not None and actor.thinking is None)
        storage.breaks = False
        clock.advance(RETRY_SECONDS)
        await until(lambda: actor.table.on_turn == 0)
        sound(actor.table.code, await stored_events(sqlite, actor.table.code))


@pytest.mark.parametrize(
    ("trouble", "repaired"),
    [
        ("PRAGMA query_only=ON", "PRAGMA query_only=OFF"),  # a disk mounted to be read only
        ("PRAGMA max_page_count=1", "PRAGMA max_page_count=1073741823"),  # a full one
    ],
)
@in_loop
async def test_a_disk_in_trouble_costs_nobody_the_game(
    sqlite: str, trouble: str, repaired: str
) -> None:
    state = [repaired]
    async with a_registry(sqlite, clock=ManualClock()) as registry:
        engine = registry.storage._engine.sync_engine

        @event.listens_for(engine, "begin")
        def begin(connection: Connection) -> None:
            connection.connection.cursor().execute(state[0])

        actor = await a_game(registry, BEN)
        state[0] = trouble
        long = Chat(text="x" * 280)
        failed = [await send(actor, 0, long, command_id=f"chat {n}") for n in range(25)]
        assert failed[-1].result == "failed"
        assert failed[-1].key == "server.failed"
        told = [n for n, each in enumerate(failed) if each.result == "accepted"]
        state[0] = repaired
        again = [await send(actor, 0, long, command_id=f"chat {n}") for n in range(25)]
        assert {each.result for each in again} == {"accepted"}
        assert [again[n].number for n in told] == [failed[n].number for n in told]
        kept = await stored_events(sqlite, actor.table.code)
        sound(actor.table.code, kept)
        assert sum(isinstance(each.event, Chatted) for each in kept) == 25


@in_loop
async def test_connections_that_are_cut_come_back(postgresql: Any) -> None:
    url = new_database(postgresql, "cut")
    async with a_registry(async_url(url), clock=ManualClock()) as registry:
        actor = await a_game(registry, BEN)
        for n in range(3):
            postgresql.psql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'cut'"
            )
            cut = await send(actor, 0, Chat(text="hello"), command_id=f"{n}")
            assert (cut.result, cut.key) == ("failed", "server.failed")
            again = await send(actor, 0, Chat(text="hello"), command_id=f"{n}")
            assert (again.result, again.number) == ("accepted", 3 + n)
        sound(actor.table.code, await stored_events(async_url(url), actor.table.code))


@in_loop
async def test_an_event_that_can_not_be_shown_is_not_stored(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_registry(sqlite) as registry:
        actor = await a_game(registry, BEN)
        with monkeypatch.context() as patch:
            patch.setattr(actor_module, "project", lambda *_: 1 / 0)
            assert (await send(actor, 0, Move(action=0), command_id="m")).result == "failed"
        assert (await send(actor, 0, Move(action=0), command_id="m")).result == "accepted"
        assert len(await stored_events(sqlite, actor.table.code)) == actor.table.number == 3


# Two servers, one database


@in_loop
async def test_the_slower_of_two_servers_catches_up(database: str) -> None:
    async with a_registry(database) as fast, a_registry(database) as slow:
        here = await a_game(fast, BEN)
        there = await slow.actor(here.table.code)
        moved = await send(here, 0, Move(action=0), command_id="move")
        # The same command comes again, over the other server.
        again = await send(there, 0, Move(action=0), command_id="move", version=2)
        assert (again.result, again.number) == ("accepted", moved.number)
        # A move for a position that is gone.
        await send(here, 1, Move(action=1))
        late = await send(there, 1, Move(action=2))
        assert (late.result, late.number) == ("stale", 4)
        assert [each.action for each in late.missing] == [1]
        # Talk is never out of date.
        await send(here, 0, Chat(text="hello"))
        assert (await send(there, 1, Chat(text="hello"))).result == "accepted"
        sound(here.table.code, await stored_events(database, here.table.code))


@in_loop
async def test_two_servers_under_traffic_do_nothing_twice(database: str) -> None:
    async with a_registry(database) as left, a_registry(database) as right:
        here = await a_table(left, BEN)
        there = await right.actor(here.table.code)

        async def talk(who: int) -> list[int]:
            numbers = []
            for n in range(20):
                for actor in (here, there):  # every command to both
                    said = await send(actor, who, Chat(text="!"), command_id=f"{who}-{n}")
                    assert said.result == "accepted"
                numbers.append(said.number)
            return numbers

        numbers = await asyncio.gather(talk(0), talk(1))
        assert sorted(numbers[0] + numbers[1]) == list(range(2, 42))
        sound(here.table.code, await stored_events(database, here.table.code))


@in_loop
async def test_bots_of_two_servers_do_not_move_twice(database: str) -> None:
    bots = ScriptedBots()
    bots.free.clear()
    async with a_registry(database, bots) as left:
        here = await a_game(left, BOT)
        await send(here, 0, Move(action=0))
        async with a_registry(database, bots) as right:
            there = await right.actor(here.table.code)
            await until(lambda: len(bots.asked) == 2)
            bots.free.set()
            actors = (here, there)
            await until(lambda: not any(actor.thinking or actor.working for actor in actors))
            assert here.table.number == there.table.number == 4
        sound(here.table.code, await stored_events(database, here.table.code))


# Looking back


@in_loop
async def test_what_is_stored_while_others_are_read_is_not_skipped(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_registry(sqlite) as registry:
        actor = await a_game(registry, BEN)
        read = registry.storage.events

        async def read_and_be_late(*given: Any) -> list[StoredEvent]:
            kept = await read(*given)
            await send(actor, 0, Chat(text="in between"))
            return kept

        monkeypatch.setattr(registry.storage, "events", read_and_be_late)
        page = await actor.page(0, 0)
        assert page.number == page.events[-1].number == actor.table.number - 1


@in_loop
async def test_one_table_that_can_not_be_read_keeps_no_other_asleep(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_registry(sqlite) as registry:
        games = [await a_game(registry, BEN, move_seconds=86_400) for _ in range(3)]
        codes = [game.table.code for game in games]
    load = TableRegistry._load

    async def broken(self: TableRegistry, code: str, who: str) -> TableActor | None:
        if code == codes[1]:
            raise KeyError(code)
        return await load(self, code, who)

    monkeypatch.setattr(TableRegistry, "_load", broken)
    async with a_registry(sqlite) as registry:
        await until(lambda: {codes[0], codes[2]} <= registry.actors.keys())


# Sleep


@in_loop
async def test_a_table_that_nobody_looks_at_leaves_memory_and_comes_back(sqlite: str) -> None:
    clock = ManualClock()
    async with a_registry(sqlite, clock=clock) as registry:
        actor = await a_game(registry, BEN)
        code, before = actor.table.code, actor.snapshot(0, (0,))
        clock.advance(SLEEPY_SECONDS / 2)
        assert registry.actors
        clock.advance(SLEEPY_SECONDS)
        assert not registry.actors
        woken = await registry.actor(code)
        after = woken.snapshot(0, (0,))
        assert woken is not actor
        assert (after.shown, after.own, after.log) == (before.shown, before.own, before.log)
        # A command that was answered long ago is still known.
        first = await send(woken, 0, Move(action=0), command_id="once")
        clock.advance(2 * SLEEPY_SECONDS)
        again = await send(await registry.actor(code), 0, Move(action=0), command_id="once")
        assert (again.result, again.number) == ("accepted", first.number)


@in_loop
async def test_a_table_is_never_in_memory_twice(sqlite: str) -> None:
    async with a_registry(sqlite) as registry:
        code = (await registry.create(NewTable("Ali"))).code
        actor = registry.actors.pop(code)  # stored, and not in memory yet
        found = asyncio.create_task(registry.actor(code))
        await asyncio.sleep(0)
        assert code in registry._loading
        registry._add(actor)
        assert await found is actor
        assert registry.actors[code] is actor


@in_loop
async def test_a_table_that_is_found_before_it_is_set_up_stays_that_one(sqlite: str) -> None:
    async with a_registry(sqlite) as registry:
        append, found = registry.storage.append, list[TableActor]()

        async def found_at_once(code: str, *stored: Any, **about: Any) -> None:
            await append(code, *stored, **about)
            found.append(await registry.actor(code))

        registry.storage.append = found_at_once  # type: ignore[method-assign]
        code = (await registry.create(NewTable("Ali"))).code
        assert registry.actors[code] is found[0]


@in_loop
async def test_a_table_with_a_listener_a_clock_or_a_thinking_bot_stays_awake(sqlite: str) -> None:
    clock, bots = ManualClock(), ScriptedBots()
    bots.free.clear()
    async with a_registry(sqlite, bots, clock) as registry:
        heard, clocked, thought = (
            await a_table(registry, BEN),
            await a_game(registry, BEN, move_seconds=86_400),
            await a_game(registry, BOT),
        )
        listener = FakeListener(0)
        heard.enter(listener)
        await send(thought, 0, Move(action=0))
        clock.advance(3 * SLEEPY_SECONDS)
        assert list(registry.actors.values()) == [heard, clocked, thought]
        heard.leave(listener)
        clock.advance(SLEEPY_SECONDS)
        assert heard not in registry.actors.values()
        bots.free.set()
        await until(lambda: thought.thinking is None)
