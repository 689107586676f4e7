"""Bots think for people who are there first, for all creators in turn, and pause for nobody."""

import asyncio
import os
from collections.abc import Callable
from itertools import count

import pytest

from baghdad.server.domain.agreement import Agreement
from baghdad.server.domain.commands import Move, NewChair, NewTable, ProposeEnd, Start
from baghdad.server.domain.events import StoodIn
from baghdad.server.runtime import fair_queue
from baghdad.server.runtime.actor import PAUSE_SECONDS, POLL_SECONDS, TableActor
from baghdad.server.runtime.bot_pool import BotPool, BotWorker
from baghdad.server.runtime.bot_worker import BotRequest
from baghdad.server.runtime.fair_queue import UNWATCHED_EVERY, Claim, FairQueue
from baghdad.server.runtime.registry import SLEEPY_SECONDS, TableRegistry
from support.runtime import (
    FakeListener,
    ManualClock,
    ScriptedBots,
    a_game,
    a_registry,
    happens,
    in_loop,
    send,
    until,
)

BEN = NewChair("human", name="Ben")
ALI, KASIM = NewChair("bot", level="ali"), NewChair("bot", level="kasim")
STRONG = NewChair("bot", level="scheherazade")

# The queue


def always() -> bool:
    return True


def never() -> bool:
    return False


def filled(*waiting: tuple[str, Callable[[], bool], str]) -> FairQueue[str]:
    queue: FairQueue[str] = FairQueue()
    for creator, watched, item in waiting:
        queue.put(Claim(creator, watched), item)
    return queue


def all_of(queue: FairQueue[str]) -> list[str]:
    return [queue.take() for _ in range(len(queue))]


def test_what_somebody_waits_for_comes_first() -> None:
    queue = filled(("A", never, "1"), ("A", never, "2"), ("A", always, "3"), ("B", always, "4"))
    assert all_of(queue) == ["3", "4", "1", "2"]
    with pytest.raises(IndexError):
        queue.take()


def test_whether_somebody_is_there_is_asked_in_the_moment_of_choosing() -> None:
    here = {"1": False, "2": True}
    queue = filled(("A", lambda: here["1"], "1"), ("B", lambda: here["2"], "2"))
    here.update({"1": True, "2": False})
    assert all_of(queue) == ["1", "2"]


def test_creators_are_served_in_turn_however_much_of_theirs_waits() -> None:
    many = [("A", always, f"A{n}") for n in range(60)]
    queue = filled(*many, ("B", always, "B0"), ("B", always, "B1"), ("C", always, "C0"))
    assert all_of(queue)[:6] == ["A0", "B0", "C0", "A1", "B1", "A2"]


def test_who_was_not_served_lately_does_not_wait_for_a_second_one_of_others() -> None:
    queue = filled(*(("A", always, f"A{n}") for n in range(60)))
    served = []
    for n in range(3):  # the person's bots move one after another
        served.append(queue.take())
        queue.put(Claim("B", always), f"B{n}")
        served.append(queue.take())
    assert served == ["A0", "B0", "A1", "B1", "A2", "B2"]


def test_nothing_waits_for_ever() -> None:
    """However much comes for which somebody waits."""
    queue = filled(*(("A", never, f"A{n}") for n in range(3)))
    new, served = count(), list[str]()
    for _ in range(3 * UNWATCHED_EVERY):
        queue.put(Claim(f"someone {next(new)}", always), "watched")
        served.append(queue.take())
    assert [n for n, each in enumerate(served, 1) if each != "watched"] == [
        UNWATCHED_EVERY,
        2 * UNWATCHED_EVERY,
        3 * UNWATCHED_EVERY,
    ]


def test_the_queue_remembers_a_bounded_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_queue, "REMEMBERED", 5)
    queue = filled(*((f"someone {n}", always, "") for n in range(20)))
    all_of(queue)
    assert len(queue._served) == 5
    assert not queue._waiting


# The pool


class OneByOne:
    """What the processes are asked, each answered when a test wants it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.levels: list[str] = []
        self._answers: list[asyncio.Future[None]] = []
        asked = self

        async def ask(_: BotWorker, request: BotRequest, __: float) -> list[int]:
            asked.levels.append(request.level)
            answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            asked._answers.append(answer)
            await answer
            return request.legal[:1]

        monkeypatch.setattr(BotWorker, "ask", ask)

    async def answer(self) -> None:
        """The process that has been asked last answers, and is asked something else."""
        before = len(self.levels)
        self._answers[-1].set_result(None)
        await until(lambda: len(self.levels) > before)


async def of_bots(registry: TableRegistry, address: str) -> TableActor:
    """A game of four strong bots alone, set up from an address."""
    wanted = NewTable("Eve", chairs=(STRONG,) * 2, screen=True)
    actor = await registry.actor((await registry.create(wanted, address)).code)
    assert (await send(actor, 0, Start())).result == "accepted"
    return actor


async def of_person(registry: TableRegistry, address: str) -> TableActor:
    """A game against kasim; it is the person's turn."""
    wanted = NewTable("Ann", Agreement(start="order"), (KASIM,))
    actor = await registry.actor((await registry.create(wanted, address)).code)
    assert (await send(actor, 0, Start())).result == "accepted"
    return actor


@pytest.mark.parametrize("watching", [False, True])
@in_loop
async def test_a_person_does_not_wait_for_many_tables_of_another(
    sqlite: str, watching: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one process: for what it is just doing, and not for those who have waited longer."""
    asked, clock = OneByOne(monkeypatch), ManualClock()
    async with a_registry(sqlite, BotPool(1), clock) as registry:
        tables = [await of_bots(registry, "192.0.2.1") for _ in range(10)]
        await until(lambda: len(asked.levels) == 1)
        if watching:  # somebody who holds sockets at all of them is still one
            for each in tables:
                each.enter(FakeListener(0))
        clock.advance(POLL_SECONDS)
        person = await of_person(registry, "192.0.2.2")
        person.enter(FakeListener(0))
        await send(person, 0, Move(action=0))
        await until(lambda: person.thinking is not None)
        await asyncio.sleep(0)
        await asked.answer()
        assert asked.levels[-1] == "kasim"
        await asked.answer()
        assert asked.levels[-1] == "scheherazade"


@in_loop
async def test_tables_of_no_known_creator_are_not_one(sqlite: str) -> None:
    """Those of an older version: each stands for itself."""
    async with a_registry(sqlite) as registry:
        first, second = [await a_game(registry, BEN) for _ in range(2)]
        assert first.table.creator is None
        assert first.claim.creator != second.claim.creator


@in_loop
async def test_who_gives_up_waiting_takes_no_process_along(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked, bots = OneByOne(monkeypatch), BotPool(1)
    first, second, third = (
        asyncio.create_task(bots.think(level, b"", [7], "", 1.0)) for level in "abc"
    )
    await until(lambda: asked.levels == ["a"])
    second.cancel()
    await asked.answer()
    assert asked.levels == ["a", "c"]
    asked._answers[-1].set_result(None)
    assert await first == await third == [7]
    assert len(bots._free) == 1


# Pausing


def nothing_left(actor: TableActor) -> bool:
    return actor.thinking is None and actor.asking is None and actor.timer is None


@in_loop
async def test_bots_pause_where_nobody_looks_and_play_on_for_who_comes(sqlite: str) -> None:
    clock, bots = ManualClock(), ScriptedBots()
    bots.free.clear()
    async with a_registry(sqlite, bots, clock) as registry:
        actor = await of_bots(registry, "192.0.2.1")
        code = actor.table.code
        await until(lambda: len(bots.asked) == 1)
        clock.advance(PAUSE_SECONDS)
        bots.free.set()
        await until(lambda: nothing_left(actor))
        assert len(bots.asked) == 1, "what was begun is played, and no more"
        bots.free.clear()
        clock.advance(2 * SLEEPY_SECONDS)
        assert code not in registry.actors, "it sleeps"
        again = await registry.actor(code)  # as the server itself does, and the lobby
        assert nothing_left(again)
        again.look()
        await until(lambda: len(bots.asked) == 2)


@in_loop
async def test_bots_play_on_while_somebody_is_there(sqlite: str) -> None:
    clock, bots = ManualClock(), ScriptedBots()
    bots.free.clear()
    async with a_registry(sqlite, bots, clock) as registry:
        actor = await of_bots(registry, "192.0.2.1")
        spectator = FakeListener(None)

        def one_move(legal: list[int]) -> list[int]:
            bots.free.clear()
            return legal[:1]

        actor.enter(spectator)
        clock.advance(10 * PAUSE_SECONDS)
        bots.choose = one_move
        bots.free.set()
        await until(lambda: len(bots.asked) == 2)
        actor.leave(spectator)
        clock.advance(PAUSE_SECONDS - 1)
        bots.free.set()
        await until(lambda: len(bots.asked) == 3)
        clock.advance(1)
        bots.free.set()
        await until(lambda: nothing_left(actor))
        assert len(bots.asked) == 3
        actor.enter(spectator)
        await until(lambda: len(bots.asked) == 4)


@in_loop
async def test_a_clock_rings_where_nobody_looks_and_the_bot_waits(sqlite: str) -> None:
    clock, bots = ManualClock(), ScriptedBots()
    bots.free.clear()
    async with a_registry(sqlite, bots, clock) as registry:
        actor = await a_game(registry, BEN, move_seconds=2 * PAUSE_SECONDS, grace_seconds=0)
        clock.advance(2 * PAUSE_SECONDS)
        await happens(actor, StoodIn)
        assert nothing_left(actor)
        assert not bots.asked
        actor.look()
        await until(lambda: len(bots.asked) == 1)


@in_loop
async def test_answers_to_a_proposal_pause_as_well(sqlite: str) -> None:
    clock, bots = ManualClock(), ScriptedBots()
    bots.hopeless = {"ali", "kasim"}
    bots.free.clear()
    async with a_registry(sqlite, bots, clock) as registry:
        actor = await a_game(registry, ALI, KASIM, players=3)
        await send(actor, 0, ProposeEnd())
        await until(lambda: len(bots.proposed) == 1)
        clock.advance(PAUSE_SECONDS)
        bots.free.set()
        await until(lambda: nothing_left(actor))
        assert len(bots.proposed) == 1
        assert not actor.table.over
        actor.look()
        await until(lambda: actor.table.over)


# The processes


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="not on this system")
def test_bots_take_no_processor_that_the_server_may_not_use(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 5, 9})
    assert len(BotPool()._all) == 2
