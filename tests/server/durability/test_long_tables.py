"""Tables with a long past: they wake up in slices, and are read from where somebody is."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from baghdad.rules.errors import OutOfTurnError
from baghdad.server.domain.commands import Chat, Move, NewChair, Rematch, Resign, Start, Undo
from baghdad.server.domain.events import StoredEvent
from baghdad.server.domain.evolution.evolve import evolve
from baghdad.server.domain.limits import Limits
from baghdad.server.domain.table import Table
from baghdad.server.runtime import actor as actors
from baghdad.server.runtime import turns
from baghdad.server.runtime.actor import TableActor
from baghdad.server.runtime.registry import LATELY_SECONDS, TableRegistry
from baghdad.server.storage.event_store import EventStore
from baghdad.server.wire.codec import encode
from baghdad.server.wire.messages import EventMessage
from baghdad.server.wire.projection import message_for, project
from support.live_server import sensible
from support.runtime import (
    FakeListener,
    ManualClock,
    a_game,
    a_registry,
    in_loop,
    send,
    stored_events,
    until,
)

BEN = NewChair("human", name="Ben")
PAGE = 7


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Everything that is done by the hundred is done by the dozen, and rests after each step."""
    monkeypatch.setattr(actors, "PAGE", PAGE)
    monkeypatch.setattr(actors, "READ_AT_ONCE", 10)
    monkeypatch.setattr(actors, "LONGEST_LOG", 20)
    monkeypatch.setattr(actors, "RECENT", 5)
    monkeypatch.setattr(turns, "SLICE_SECONDS", 0.0)
    return iter([None])


async def play(actor: TableActor, random: Random, moves: int) -> None:
    """Moves, of which some are taken back, and talk in between."""
    for _ in range(moves):
        table = actor.table
        assert table.game is not None
        assert table.on_turn is not None
        person = table.chairs[table.order[table.on_turn]].person
        assert person is not None
        wanted: Any = Move(sensible(table.game.legal(), random))
        if table.may_undo(table.on_turn) and random.random() < 0.4:
            wanted = Undo()
        assert (await send(actor, person, wanted)).result == "accepted"
        if random.random() < 0.2:
            await send(actor, 1 - person, Chat(text="well played"))


async def two_games(registry: TableRegistry) -> TableActor:
    """A table in its second game."""
    actor, random = await a_game(registry, BEN), Random(4)
    await play(actor, random, 60)
    await send(actor, 1, Resign())
    for person in (0, 1):
        await send(actor, person, Rematch())
    assert (await send(actor, 0, Start())).result == "accepted"
    await play(actor, random, 30)
    return actor


def seen_by(code: str, events: list[StoredEvent], person: int | None) -> list[EventMessage]:
    """What the events of a table are to somebody, made from the first on."""
    table, found = Table(code), []
    for each in events:
        before, table = table, evolve(table, each)
        found.append(project(before, table, each))
    return [message_for(each, table, person) for each in found]


@in_loop
async def test_a_page_from_a_checkpoint_is_what_it_is_from_the_beginning(database: str) -> None:
    async with a_registry(database) as registry:
        played = await two_games(registry)
        code, last = played.table.code, played.table.number
        kept = await stored_events(database, code)
        async with a_registry(database) as other:
            loaded = await other.actor(code)
            for actor in (played, loaded):
                assert [each.number for each in actor.checkpoints] == [*range(PAGE, last + 1, PAGE)]
                for n, person in enumerate((None, 0, 1)):
                    expected = list(map(encode, seen_by(code, kept, person)))
                    for after in range(n, last + 1, 3):
                        page = await actor.page(after, person)
                        end = min(last, (after // PAGE + 1) * PAGE)
                        assert list(map(encode, page.events)) == expected[after:end]
                        assert (page.number, page.more) == (last, end < last)


@in_loop
async def test_a_page_needs_no_more_than_the_events_from_its_checkpoint(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_registry(sqlite) as registry:
        actor = await two_games(registry)
        asked: list[tuple[Any, ...]] = []
        read = registry.storage.events

        async def listened(*given: Any) -> list[StoredEvent]:
            asked.append(given)
            return await read(*given)

        monkeypatch.setattr(registry.storage, "events", listened)
        code, last = actor.table.code, actor.table.number
        await actor.page(4 * PAGE + 3, None)
        assert asked == [(code, 4 * PAGE, PAGE)]
        for after in (last, last + 1, 2**53):
            page = await actor.page(after, None)
            assert (page.number, page.events, page.more) == (last, (), False)
        assert len(asked) == 1, "where nothing comes after, nothing is read"


@in_loop
async def test_a_checkpoint_keeps_no_turn_but_its_own(sqlite: str) -> None:
    async with a_registry(sqlite) as registry:
        actor = await two_games(registry)
        games = [each.game for each in actor.checkpoints if each.game is not None]
        assert actor.table.past
        assert not any(each.past for each in actor.checkpoints)
        assert max(len(game.tokens) for game in games) < 12 < len(actor.table.game.tokens)  # type: ignore[union-attr]


@in_loop
async def test_a_long_game_keeps_only_its_last_turn_to_be_taken_back(sqlite: str) -> None:
    async with a_registry(sqlite) as registry:
        actor = await a_game(registry, BEN)
        await play(actor, Random(4), 150)
        assert actor.table.game is not None
        game = actor.table.game.copy()
        turns = game.turns
        with suppress(OutOfTurnError):
            while True:
                game.undo()
        assert game.turns >= turns - 1 > 2


@in_loop
async def test_a_table_that_wakes_up_is_as_it_was_and_nobody_waits_meanwhile(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, rounds, taken_in = ManualClock(), 0, Counter[int]()
    go_on = TableActor._go_on

    def noted(actor: TableActor, table: Table, stored: StoredEvent) -> None:
        taken_in[rounds] += 1
        go_on(actor, table, stored)

    async with a_registry(database, clock=clock) as registry:
        before = await two_games(registry)
        code, number = before.table.code, before.table.number
        assert number > 2 * actors.LONGEST_LOG
        async with a_registry(database, clock=clock) as other:
            monkeypatch.setattr(TableActor, "_go_on", noted)
            loading = asyncio.create_task(other.actor(code))
            while not loading.done():
                rounds += 1
                # Whoever came in this moment would find all of it or nothing.
                assert code not in other.actors or other.actors[code].table.number == number
                await asyncio.sleep(0)
            after = await loading
            assert taken_in.total() == number
            assert set(taken_in.values()) == {1}, "the others have their turn after each"
            assert other.actors[code] is after
            for person in (None, 0, 1):
                people = () if person is None else (person,)
                told = [encode(each.snapshot(person, people)) for each in (before, after)]
                assert told[0] == told[1]
                for known in range(number + 1):
                    told = [encode(each.missing(known, person)) for each in (before, after)]
                    assert told[0] == told[1]
                assert before.summary(people) == after.summary(people)


@in_loop
async def test_what_others_have_stored_comes_in_order_and_commands_wait_for_it(
    database: str,
) -> None:
    async with a_registry(database) as left, a_registry(database) as right:
        here = await a_game(left, BEN)
        there = await right.actor(here.table.code)
        told: list[bytes] = []
        listener = FakeListener(None)
        listener.send = told.append  # type: ignore[method-assign]
        here.enter(listener)
        told.clear()
        await play(there, Random(2), 30)
        known = here.table.number
        # One that is based on what the other has written, and one behind it.
        first, second = await asyncio.gather(
            send(here, 0, Chat(text="first"), version=there.table.number),
            send(here, 1, Chat(text="second"), version=there.table.number),
        )
        assert (first.result, second.result) == ("accepted", "accepted")
        assert (first.number, second.number) == (there.table.number + 1, there.table.number + 2)
        kept = await stored_events(database, here.table.code)
        expected = seen_by(here.table.code, kept, None)[known:]
        assert told == list(map(encode, expected))


@in_loop
async def test_a_server_that_stops_while_a_table_wakes_up_leaves_nothing_half(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_registry(sqlite) as registry:
        code = (await two_games(registry)).table.code
    storage = await EventStore.open(sqlite)
    reading, never = asyncio.Event(), asyncio.Event()
    read = storage.events

    async def stuck(*given: Any) -> list[StoredEvent]:
        if given[1] > 0:  # the second stretch
            reading.set()
            await never.wait()
        return await read(*given)

    monkeypatch.setattr(storage, "events", stuck)
    monkeypatch.setattr("baghdad.server.runtime.registry.LAST_LOOK_SECONDS", 0.01)
    async with a_registry(sqlite, storage=storage) as registry:
        waiting = asyncio.create_task(registry.actor(code))
        await reading.wait()
        await registry.close()
        assert registry.actors == {}
        with pytest.raises(asyncio.CancelledError):
            await waiting


@in_loop
async def test_who_wakes_many_tables_lets_others_wake_theirs(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_registry(sqlite) as registry:
        codes = [(await a_game(registry, BEN)).table.code for _ in range(7)]
        registry.actors.clear()
        begun: list[str] = []
        load = TableActor.load

        async def noted(actor: TableActor) -> None:
            begun.append(actor.table.code)
            await load(actor)

        monkeypatch.setattr(TableActor, "load", noted)
        many = [asyncio.create_task(registry.actor(code, "greedy")) for code in codes[:6]]
        await until(lambda: bool(begun))
        before = len(begun)
        await registry.actor(codes[6], "modest")
        assert begun.index(codes[6]) <= before + 1
        await asyncio.gather(*many)
        assert sorted(begun) == sorted(codes)


@in_loop
async def test_tables_at_which_nothing_goes_on_make_room_for_others(sqlite: str) -> None:
    clock, most = ManualClock(), 8
    async with a_registry(sqlite, clock=clock, limits=Limits(idle_tables=most)) as registry:
        heard = await a_game(registry, BEN)
        heard.enter(FakeListener(0))
        codes = []
        for _ in range(3 * most):
            codes.append((await a_game(registry, BEN)).table.code)
            clock.advance(1)
            assert codes[-1] in registry.actors
        idle = [each for each in registry.actors.values() if not each.busy]
        # Whoever has just come stays.
        assert len(idle) <= most + LATELY_SECONDS
        assert heard.table.code in registry.actors
        assert codes[0] not in registry.actors
        assert (await registry.actor(codes[0])).table.playing
