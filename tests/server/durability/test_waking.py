"""After a restart: who is woken, who waits; abandoned games; time that was set back."""

import asyncio
import time
from typing import Any

import pytest
from alembic import command
from sqlalchemy.ext.asyncio import create_async_engine

from baghdad.server.domain.agreement import Agreement
from baghdad.server.domain.commands import Move, NewChair
from baghdad.server.domain.events import Created, Ended, Seating, StoodIn, encode_event
from baghdad.server.runtime.actor import PAUSE_SECONDS, TableActor
from baghdad.server.runtime.clock import Clock
from baghdad.server.runtime.registry import FIRST_SWEEP_SECONDS, TableRegistry
from baghdad.server.storage.event_store import EventStore
from baghdad.server.storage.migrations import config
from support.runtime import (
    ManualClock,
    ScriptedBots,
    a_game,
    a_registry,
    happens,
    in_loop,
    send,
    stored_events,
    until,
)

BEN, BOT = NewChair("human", name="Ben"), NewChair("bot", level="ali")
DAY = 86_400


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tables that a registry has read."""
    codes: list[str] = []
    load = TableRegistry._load

    async def told(self: TableRegistry, code: str, who: str) -> TableActor | None:
        codes.append(code)
        return await load(self, code, who)

    monkeypatch.setattr(TableRegistry, "_load", told)
    return codes


async def woken(registry: TableRegistry) -> None:
    assert registry._waking is not None
    await registry._waking


@in_loop
async def test_only_clocks_and_those_who_were_just_there_are_woken(
    database: str, loaded: list[str]
) -> None:
    clock = ManualClock()
    async with a_registry(database, clock=clock) as registry:
        for _ in range(3):
            await a_game(registry, BEN)
        moved = await a_game(registry, BEN)
        bots = await a_game(registry, BOT)
        timed = await a_game(registry, BEN, move_seconds=DAY)
        whole = await a_game(registry, BEN, game_seconds=DAY)
        clock.advance(PAUSE_SECONDS + 1)
        await send(moved, 0, Move(0))
        codes = [each.table.code for each in (moved, timed, whole)]
    async with a_registry(database, clock=clock) as registry:
        await woken(registry)
        assert sorted(loaded) == sorted(codes)
        # Where nothing is to be done, nothing stays in memory.
        assert sorted(registry.actors) == sorted(codes[1:])
        # The others wake when somebody comes.
        assert (await registry.actor(bots.table.code)).table.playing


@in_loop
async def test_a_table_that_somebody_comes_to_in_this_moment_stays(sqlite: str) -> None:
    """Else two would write to it, and one of them would be heard by nobody."""
    async with a_registry(sqlite) as registry:
        code = (await a_game(registry, BEN)).table.code
    async with a_registry(sqlite) as registry:
        here = await registry.actor(code)  # reads it together with the waking
        await woken(registry)
        assert registry.actors == {code: here}


@in_loop
async def test_all_abandoned_games_end_soon_after_the_start(
    database: str, loaded: list[str]
) -> None:
    clock = ManualClock()
    async with a_registry(database, clock=clock) as registry:
        codes = [(await a_game(registry, BEN)).table.code for _ in range(12)]
    clock.advance(61 * DAY)
    async with a_registry(database, clock=clock) as registry:
        await woken(registry)
        assert loaded == [], "nobody needs them"
        clock.advance(FIRST_SWEEP_SECONDS)
        assert registry._sweeping is not None
        await registry._sweeping
        assert sorted(loaded) == sorted(codes)
        assert not registry.actors, "none stays in memory"
        summary = (await registry.actor(codes[0])).summary(())
        assert (summary.state, summary.termination) == ("over", "abandoned")
    for code in codes:
        assert (await stored_events(database, code))[-1].event == Ended("abandoned")


@in_loop
async def test_a_database_of_the_version_before_is_brought_up_to_date(database: str) -> None:
    engine = create_async_engine(database)
    agreed: dict[str, Any] = {"PLAIN1": {}, "MOVES1": {"move_seconds": 60}}
    agreed["GAMES1"] = {"game_seconds": 600}
    async with engine.begin() as connection:
        await connection.run_sync(lambda each: command.upgrade(config(each), "201"))
        for code, terms in agreed.items():
            chairs = tuple(Seating(colour=n) for n in range(2))
            body = encode_event(Created(Agreement(**terms), chairs, (), "seed")).hex()
            blob = f"X'{body}'" if "sqlite" in database else f"decode('{body}', 'hex')"
            await connection.exec_driver_sql(
                f"INSERT INTO tables VALUES ('{code}', 1000, 'playing', 1000, 0)"
            )
            await connection.exec_driver_sql(
                f"INSERT INTO events VALUES ('{code}', 1, 'created', 1000, {blob})"
            )
    await engine.dispose()
    storage = await EventStore.open(database)
    assert sorted(await storage.to_wake(2000)) == ["GAMES1", "MOVES1"]
    assert len(await storage.to_wake(1000)) == 3
    (stored,) = await storage.events("PLAIN1")
    assert isinstance(stored.event, Created)
    assert stored.event.creator is None
    await storage.close()


# Time


def test_the_machines_clock_may_be_set_while_the_server_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Clock()
    before, real = clock.now(), time.time()
    assert abs(before - 1000 * real) < 1000
    monkeypatch.setattr(time, "time", lambda: real - 3600)
    assert before <= clock.now() < before + 3_600_000
    monkeypatch.setattr(time, "time", lambda: real + 3600)
    assert before <= clock.now() < before + 3_600_000


@in_loop
async def test_a_move_clock_rings_though_the_machines_was_set_back(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Timers are due by the same time that decides whether they are."""
    clock, passed = Clock(), 0.0
    monkeypatch.setattr("baghdad.server.runtime.clock.steady", lambda: passed)
    clock = Clock()
    async with a_registry(sqlite, ScriptedBots(), clock) as registry:
        actor = await a_game(registry, BEN, move_seconds=30, grace_seconds=0)
        real = time.time()
        monkeypatch.setattr(time, "time", lambda: real - 3600)
        passed = 30.0
        registry._scheduler._timer_over(actor)  # it has waited so long
        await happens(actor, StoodIn)


@in_loop
async def test_a_clock_that_was_set_back_between_two_runs(database: str) -> None:
    clock = ManualClock()
    async with a_registry(database, clock=clock) as registry:
        code = (await a_game(registry, BEN, move_seconds=60, grace_seconds=0)).table.code
        clock.advance(10)
        await send(await registry.actor(code), 0, Move(0))
    clock._now -= 3_600_000
    async with a_registry(database, ScriptedBots(), clock) as registry:
        await until(lambda: code in registry.actors)
        actor = registry.actors[code]
        shown = actor.snapshot(0, (0,))
        assert shown.clock is not None
        assert shown.clock.deadline == shown.at + 60_000, "as long as agreed, and no hour more"
        clock.advance(59)
        assert not actor.table.stand_ins
        clock.advance(1)
        await happens(actor, StoodIn)
        await until(lambda: actor.thinking is None and actor.working is None)
        await asyncio.sleep(0)
    times = [each.at for each in await stored_events(database, code)]
    assert times == sorted(times)
