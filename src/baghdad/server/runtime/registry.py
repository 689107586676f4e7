"""All tables that are awake: they are set up, woken, joined, and leave memory again."""

import asyncio
import logging
import time
from collections.abc import Callable
from functools import cache
from secrets import randbelow
from typing import Any

from baghdad.bots import bot_names
from baghdad.rules.fair import new_seed
from baghdad.server.domain.codes import code_length
from baghdad.server.domain.commands import Join, NewTable
from baghdad.server.domain.decisions import gathering
from baghdad.server.domain.decisions.world import World
from baghdad.server.domain.events import StoredEvent
from baghdad.server.domain.evolution.evolve import evolve
from baghdad.server.domain.limits import Limits
from baghdad.server.domain.refusals import RefusedError
from baghdad.server.domain.table import Table
from baghdad.server.ops import metrics
from baghdad.server.storage.errors import ConflictError, ElsewhereError, StorageError
from baghdad.server.storage.event_store import EventStore
from baghdad.server.wire.projection import project
from baghdad.server.wire.replies import Key, Welcome

from .actor import PAUSE_SECONDS, TableActor
from .bot_pool import BotPool
from .clock import Clock
from .credentials import Creators, hashed, new_code, new_secret, people_of, waiting_of
from .scheduler import ABANDONED_AFTER, RETRY_SECONDS, TurnScheduler, bot_waits
from .turns import Turns

log = logging.getLogger(__name__)

SLEEPY_SECONDS = 300
"""A table that nobody looks at leaves memory after this; it comes back when it is asked for. Long
enough for somebody who looks something up, short enough that memory holds only what is played."""
SWEEP_SECONDS = 6 * 3600
"""How often games that nobody touches any more are looked for: often enough for days."""
FIRST_SWEEP_SECONDS = 60
"""After the start: when those who were there before are back."""
REST = 4
"""After each table that the server wakes of its own accord it rests so many times as long as that
took: all others have four fifths of its time, whatever the machine."""
LAST_LOOK_SECONDS = 1.0
"""For a table that is just being read when the server stops: a local database needs a hundredth."""
LATELY_SECONDS = 10
"""A table that was asked for so lately stays: whoever asked may be about to sit down at it."""
LOADED_AT_ONCE = 2
"""Tables: while one is read from the database, another is replayed. Each adds a slice of work to
every round of the loop."""
BOT_SECONDS = 1.0
"""Time of a bot for one decision: strong enough, and people don't have to wait."""


class TableRegistry:
    """All tables, over one storage."""

    def __init__(
        self,
        storage: EventStore,
        bots: BotPool,
        *,
        bot_seconds: float = BOT_SECONDS,
        clock: Clock | None = None,
        limits: Limits | None = None,
        charge: Callable[[str | None, int, int], bool] = lambda *_: True,
    ) -> None:
        self.storage = storage
        self.clock = clock or Clock()
        self.actors: dict[str, TableActor] = {}
        self.world = World(new_seed, randbelow, cache(bot_names), limits or Limits(), charge)
        self._creators = Creators()
        self.may_own: Callable[[], bool] = lambda: True
        """Whether tables may be woken here: not where this process is cut off, or about to go."""
        self.listed = 0
        """Tables of the lobby that were set up since the start."""
        self._scheduler = TurnScheduler(bots, self.clock, bot_seconds)
        self._loads = Turns("load", LOADED_AT_ONCE)
        self._crowded = self.world.limits.idle_tables
        """Tables from which on some are looked for that may sleep."""
        self._loading: dict[str, asyncio.Task[TableActor | None]] = {}
        self._waking: asyncio.Task[None] | None = None
        self._sweeping: asyncio.Task[None] | None = None
        self._closing = False
        self._tables: int | None = None
        """How many there are, asleep or not: codes grow with them."""

    # Coming and going

    async def open(self) -> None:
        """Go on where a clock runs or somebody was just now, and tidy up from time to time."""
        self.wake()
        self.clock.later(SLEEPY_SECONDS / 10, self._tidy)
        self.clock.later(FIRST_SWEEP_SECONDS, self._sweep)

    async def close(self) -> None:
        """Finish what has been begun; nothing new is taken."""
        if self._closing:
            return
        self._closing = True
        begun = [task for task in (self._waking, self._sweeping) if task is not None]
        looking: list[asyncio.Task[Any]] = [*begun, *self._loading.values()]
        if looking:  # a connection that is cut off while it is made would stay open
            await asyncio.wait(looking, timeout=LAST_LOOK_SECONDS)
        for task in looking:
            task.cancel()
        await asyncio.gather(*looking, return_exceptions=True)
        await self._scheduler.close()
        working = [actor.working for actor in self.actors.values() if actor.working is not None]
        await asyncio.gather(*working, return_exceptions=True)

    async def actor(self, code: str, who: str = "") -> TableActor:
        """A table, from memory or from its events. Raises `RefusedError` where there is none.

        `who` asks for it: tables that sleep are loaded in turn for all who ask.
        """
        actor = await self._awake(code, who)
        if actor is None:
            raise RefusedError("no_table", code=code)
        actor.used = self.clock.now()
        return actor

    async def _awake(self, code: str, who: str = "") -> TableActor | None:
        actor = self.actors.get(code)
        if actor is None:
            if not self.may_own():
                raise ElsewhereError(None)
            loading = self._loading.get(code)
            if loading is None:
                loading = asyncio.create_task(self._load(code, who))
                self._loading[code] = loading
                loading.add_done_callback(lambda _: self._loading.pop(code, None))
            actor = await asyncio.shield(loading)
        return actor

    async def _load(self, code: str, who: str) -> TableActor | None:
        async with self._loads.turn(who):
            actor = self._new_actor(Table(code))
            while not await self._read(actor):
                actor = self._new_actor(Table(code))
            if not actor.table.number:
                return None
        if code in self.actors:  # it was just set up, and seen in the lobby in the same moment
            return self.actors[code]
        actor.since, actor.looked = actor.now(), actor.table.touched
        self._add(actor)
        self._scheduler.look_after(actor)
        return actor

    async def _read(self, actor: TableActor) -> bool:
        """Make a table ours and read it; False where it may have been lost meanwhile.

        What is read then would be shown for as long as nobody writes at it here.
        """
        if not self.may_own():
            raise ElsewhereError(None)
        term = self._term
        if self.storage.lease is not None:
            await self.storage.lease.claim(actor.table.code)
        await actor.load()
        return self._term == term

    @property
    def _term(self) -> int:
        return 0 if self.storage.lease is None else self.storage.lease.term

    def _new_actor(self, table: Table) -> TableActor:
        actor = TableActor(table, self.storage, self.clock, self._scheduler, self.world)
        actor.forget = self._forget
        return actor

    def _forget(self, actor: TableActor) -> None:
        """A table is another process's now."""
        code = actor.table.code
        if self.actors.get(code) is actor:
            self._let_sleep(code)
            metrics.TABLES.set(len(self.actors))

    def _let_sleep(self, code: str) -> None:
        del self.actors[code]
        if self.storage.lease is not None:
            self.storage.lease.epochs.pop(code, None)

    def lose_all(self) -> None:
        """None of the tables is ours any more, as far as we know."""
        for actor in tuple(self.actors.values()):
            actor.lose()

    async def hand_over(self) -> None:
        """Finish what has been begun at all tables, and let go of them."""
        await self.close()
        self.lose_all()
        if self.storage.lease is not None:
            await self.storage.lease.leave()

    async def take_over(self, codes: list[str]) -> None:
        """Go on at tables that have just become ours."""
        await asyncio.gather(*map(self._go_on, codes))

    async def _go_on(self, code: str) -> None:
        try:
            actor = await self._awake(code)
        except ElsewhereError:
            return  # somebody else goes on there
        except StorageError as error:
            log.error("a table is not taken over yet: %s", error, extra={"table": code})
            self.clock.later(RETRY_SECONDS, self.wake)  # it is ours, and nobody else looks for it
        except Exception:  # the others must not suffer
            log.exception("a table is not taken over", extra={"table": code})
        else:
            if actor is not None:
                self._scheduler.look_after(actor)

    def _add(self, actor: TableActor) -> None:
        """From now on the table is found, and this is the only one that writes to it."""
        if len(self.actors) >= self._crowded:
            self._make_room()
        self.actors[actor.table.code] = actor
        metrics.TABLES.set(len(self.actors))

    def _make_room(self) -> None:
        """Let tables sleep that nothing goes on at, the longest unused first.

        Those that nobody has asked for yet go by themselves.
        """
        most = self.world.limits.idle_tables
        lately = self.clock.now() - 1000 * LATELY_SECONDS
        idle = [each for each in self.actors.values() if 0 < each.used < lately and not each.busy]
        if len(idle) > most // 2:
            idle.sort(key=lambda actor: actor.used)
            for actor in idle[: len(idle) - most // 2]:
                self._let_sleep(actor.table.code)
        self._look_again()

    def _look_again(self) -> None:
        """Look for room when there are as many more: where all are busy, it takes long."""
        most = self.world.limits.idle_tables
        self._crowded = max(most, len(self.actors) + most // 2)

    def wake(self) -> None:
        """Go on where a clock runs or somebody was just now: nobody else may do so."""
        if not self._closing and (self._waking is None or self._waking.done()):
            self._waking = asyncio.create_task(self._wake_all())

    async def _wake_all(self) -> None:
        """Wake tables whose clock runs, and those where a bot may be to move for somebody.

        All others wait for the next one who looks, and bots there play on then.
        """
        try:
            await self._visit_all(
                await self.storage.to_wake(self.clock.now() - 1000 * PAUSE_SECONDS)
            )
        except StorageError as error:
            log.error("tables do not wake up yet: %s", error)
            self.clock.later(RETRY_SECONDS, self.wake)

    async def _visit_all(self, codes: list[str]) -> None:
        """Wake tables one by one; those where nothing is to be done don't stay in memory."""
        for code in codes:
            if self._closing:
                return
            began = time.perf_counter()
            try:
                await self._visit(code)
            except ElsewhereError:
                continue
            except StorageError:
                raise
            except Exception:  # the others must not suffer
                log.exception("a table does not wake up", extra={"table": code})
            # Also lets those take it who have come for it in this moment.
            await asyncio.sleep(REST * (time.perf_counter() - began))
            actor = self.actors.get(code)
            if actor is not None and not actor.used and not actor.busy:
                self._let_sleep(code)
                metrics.TABLES.set(len(self.actors))

    async def _visit(self, code: str) -> None:
        actor = await self._awake(code)
        if actor is not None:
            self._scheduler.look_after(actor)
            if actor.ending is not None:
                await asyncio.wait([actor.ending])

    def _tidy(self) -> None:
        sleepy = self.clock.now() - 1000 * SLEEPY_SECONDS
        for code, actor in list(self.actors.items()):
            if actor.used <= sleepy and not actor.busy:
                self._let_sleep(code)
        self._look_again()
        metrics.TABLES.set(len(self.actors))
        here = self.actors.values()
        metrics.PAUSED.set(sum(actor.paused and bot_waits(actor.table) for actor in here))
        self.clock.later(SLEEPY_SECONDS / 10, self._tidy)

    def _sweep(self) -> None:
        if self._closing:
            return
        if self._sweeping is None or self._sweeping.done():
            self._sweeping = asyncio.create_task(self._sweep_all())
        self.clock.later(SWEEP_SECONDS, self._sweep)

    async def _sweep_all(self) -> None:
        """Look at games that nobody has touched for long; each ends by itself (R28)."""
        try:
            since = self.clock.now() - ABANDONED_AFTER
            await self._visit_all(await self.storage.idle(since))
        except StorageError as error:
            log.error("abandoned games are not looked for: %s", error)

    # Sitting down

    async def create(self, command: NewTable, address: str | None = None) -> Welcome:
        """Set a table up, for whoever is at an address.

        The secrets in the answer are shown only here.
        """
        people = 1 + sum(chair.kind == "human" for chair in command.chairs)
        secrets = [new_secret() for _ in range(people)]
        creator = None if address is None else self._creators.of(address)
        event = gathering.create(
            command, [hashed(secret) for secret in secrets], self.world, creator
        )
        if self._tables is None:  # from now on it is counted here
            self._tables = await self.storage.count_tables()
        while True:
            code = new_code(code_length(self._tables))
            stored = StoredEvent(1, self.clock.now(), event, "created")
            table = evolve(Table(code), stored)
            projection = project(Table(code), table, stored)
            term = self._term
            try:
                await self.storage.append(code, stored, "gathering", listed=event.agreement.listed)
            except ConflictError:
                continue  # the code is taken
            self._tables += 1
            self.listed += event.agreement.listed
            # Perhaps somebody has found it in the lobby and loaded it, or all tables were lost.
            if code not in self.actors and self._term == term:
                actor = self._new_actor(table)
                actor.take_in(table, projection)
                self._add(actor)
            if (here := self.actors.get(code)) is not None:
                here.used = here.looked = stored.at
            metrics.event_of("created").inc()
            return Welcome(code, tuple(Key(n, secret) for n, secret in enumerate(secrets)))

    async def join(self, code: str, command: Join, held: list[str]) -> Welcome:
        """Sit down at a table, or knock; `held` are the secrets that the device has already."""
        actor, secret = await self.actor(code), command.secret or new_secret()
        if (waits := waiting_of(actor.table, held)) is not None:  # once for a device
            return Welcome(code, (Key(*waits),), waiting=True)
        if not actor.table.turned_away.isdisjoint(map(hashed, held)):
            raise RefusedError("turned_away")
        number = await actor.post(
            f"join:{hashed(secret)[:16]}",
            lambda table: (gathering.join(table, command, hashed(secret)), None),
            sent_after=0,
        )
        if (waits := waiting_of(actor.table, [secret])) is not None:
            log.info("knocked", extra={"table": code, "event": number})
            return Welcome(code, (Key(*waits),), waiting=True)
        person = next(iter(people_of(actor.table, [secret])), None)
        if person is None and hashed(secret) in actor.table.turned_away:
            raise RefusedError("turned_away")
        if person is None:
            raise RefusedError("no_secret")  # it has sat here before, and left
        log.info("joined", extra={"table": code, "event": number})
        return Welcome(code, (Key(person, secret),))
