"""All tables that are awake. Each has one mailbox, and handles one command after another.

The way of every command: validate, append the event, commit, show it to each audience.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from functools import cache, partial
from secrets import randbelow
from typing import Any, Literal, TypeVar

from baghdad.bots import bot_names
from baghdad.rules.errors import MoveError
from baghdad.rules.fair import new_seed
from baghdad.server.domain.commands import (
    AnswerEnd,
    Bring,
    Chat,
    Emote,
    Join,
    NewTable,
    ProposeEnd,
    Resign,
)
from baghdad.server.domain.decisions import gathering
from baghdad.server.domain.decisions.decide import decide
from baghdad.server.domain.decisions.world import Outcome, World
from baghdad.server.domain.events import EventNumber, PersonNumber, StoredEvent
from baghdad.server.domain.evolution.evolve import evolve
from baghdad.server.domain.refusals import RefusedError, reason_of
from baghdad.server.domain.table import Table
from baghdad.server.ops import metrics
from baghdad.server.storage.event_store import ConflictError, EventStore, StorageError
from baghdad.server.transport.auth import (
    hashed,
    new_code,
    new_secret,
    people_of,
    waiting_of,
)
from baghdad.server.wire.codec import encode
from baghdad.server.wire.messages import Answer, EventMessage, Page, Presence, Snapshot
from baghdad.server.wire.projection import Projection, kind_of, message_for, project
from baghdad.server.wire.replies import Key, Summary, Welcome
from baghdad.server.wire.requests import CommandMessage
from baghdad.server.wire.snapshots import snapshot, summary

from .actor import (
    Listener,
    PendingCommand,
    StaleError,
    TableActor,
)
from .bot_pool import BotPool
from .clock import Clock
from .scheduler import ABANDONED_AFTER, RETRY_SECONDS, TurnScheduler

log = logging.getLogger(__name__)

Kind = TypeVar("Kind")

PAGE = 200
"""Events in one answer to those who read a whole game."""
SLEEPY_SECONDS = 600
"""A table that nobody looks at leaves memory after this; it comes back when it is asked for."""
TIMELESS = (Bring, Chat, Emote, Resign, ProposeEnd, AnswerEnd)
"""Commands that mean the same whatever has happened since: they are never out of date."""
SWEEP_SECONDS = 6 * 3600
"""How often games that nobody touches any more are looked for: often enough for days."""
MOST_SWEPT = 100
"""Of them at a time."""
LAST_LOOK_SECONDS = 1.0
"""For a table that is just being read when the server stops."""
BOT_SECONDS = 1.0
"""Time of a bot for one decision."""


class TableRegistry:
    """All tables, over one storage."""

    def __init__(
        self,
        storage: EventStore,
        bots: BotPool,
        *,
        bot_seconds: float = BOT_SECONDS,
        clock: Clock | None = None,
    ) -> None:
        self.storage = storage
        self.clock = clock or Clock()
        self.actors: dict[str, TableActor] = {}
        self.world = World(new_seed, randbelow, cache(bot_names))
        self._scheduler = TurnScheduler(bots, self.clock, bot_seconds, self._post)
        self._loading: dict[str, asyncio.Task[TableActor | None]] = {}
        self._waking: asyncio.Task[None] | None = None
        self._sweeping: asyncio.Task[None] | None = None
        self._closing = False

    # Coming and going

    async def open(self) -> None:
        """Go on with every table that waits for a bot or a clock, and tidy up from time to time."""
        self._wake()
        self.clock.later(SLEEPY_SECONDS / 10, self._tidy)
        self.clock.later(SWEEP_SECONDS, self._sweep)

    async def close(self) -> None:
        """Finish what has been begun; nothing new is taken."""
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

    async def actor(self, code: str) -> TableActor:
        """A table, from memory or from its events. Raises `RefusedError` where there is none."""
        actor = self.actors.get(code)
        if actor is None:
            loading = self._loading.get(code)
            if loading is None:
                loading = asyncio.create_task(self._load(code))
                self._loading[code] = loading
                loading.add_done_callback(lambda _: self._loading.pop(code, None))
            actor = await asyncio.shield(loading)
            if actor is None:
                raise RefusedError("no_table", code=code)
        actor.used = self.clock.now()
        return actor

    async def _load(self, code: str) -> TableActor | None:
        events = await self.storage.events(code)
        if not events:
            return None
        actor = TableActor(Table(code), since=self.clock.now())
        actor.catch_up(events)
        self.actors[code] = actor
        metrics.TABLES.set(len(self.actors))
        self._scheduler.settle(actor)
        return actor

    def _wake(self) -> None:
        if not self._closing:
            self._waking = asyncio.create_task(self._wake_all())

    async def _wake_all(self) -> None:
        try:
            for code in await self.storage.codes("playing"):
                if self._closing:
                    return
                try:
                    await self.actor(code)
                except StorageError:
                    raise
                except Exception:  # the others must not suffer
                    log.exception("a table does not wake up", extra={"table": code})
        except StorageError as error:
            log.error("tables do not wake up yet: %s", error)
            self.clock.later(RETRY_SECONDS, self._wake)

    def _tidy(self) -> None:
        sleepy = self.clock.now() - 1000 * SLEEPY_SECONDS
        for code, actor in list(self.actors.items()):
            if actor.used <= sleepy and not actor.busy:
                del self.actors[code]
        metrics.TABLES.set(len(self.actors))
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
            for code in await self.storage.idle(since, MOST_SWEPT):
                self._scheduler.settle(await self.actor(code))
        except StorageError as error:
            log.error("abandoned games are not looked for: %s", error)

    # Asking

    async def create(self, wish: NewTable) -> Welcome:
        """Set a table up; the secrets in the answer are shown only here."""
        people = 1 + sum(chair.kind == "human" for chair in wish.chairs)
        secrets = [new_secret() for _ in range(people)]
        event = gathering.create(wish, [hashed(secret) for secret in secrets], self.world)
        while True:
            code = new_code()
            stored = StoredEvent(1, self.clock.now(), event, "created")
            table = evolve(Table(code), stored)
            projection = project(Table(code), table, stored)
            try:
                await self.storage.append(code, stored, "gathering", listed=event.agreement.listed)
            except ConflictError:
                continue  # the code is taken
            actor = TableActor(table, used=stored.at)
            actor.take_in(table, projection)
            self.actors[code] = actor
            metrics.TABLES.set(len(self.actors))
            metrics.event_of("created").inc()
            return Welcome(code, tuple(Key(n, secret) for n, secret in enumerate(secrets)))

    async def join(self, code: str, wish: Join, held: list[str]) -> Welcome:
        """Sit down at a table, or knock; `held` are the secrets that the device has already."""
        actor, secret = await self.actor(code), wish.secret or new_secret()
        if (waits := waiting_of(actor.table, held)) is not None:  # once for a device
            return Welcome(code, (Key(*waits),), waiting=True)
        if not actor.table.turned_away.isdisjoint(map(hashed, held)):
            raise RefusedError("turned_away")
        number = await self._post(
            actor,
            f"join:{hashed(secret)[:16]}",
            lambda table: (gathering.join(table, wish, hashed(secret)), None),
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

    async def submit(
        self, actor: TableActor, person: PersonNumber, message: CommandMessage, language: str
    ) -> Answer:
        """Handle a command of a person, once."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.take(actor, person, message, language, partial(_resolve, answer))
        return await answer

    def take(
        self,
        actor: TableActor,
        person: PersonNumber,
        message: CommandMessage,
        language: str,
        tell: Callable[[Answer], None],
    ) -> None:
        """Handle a command of a person, once, and tell the answer in the moment it is known."""
        command = message.command
        self._put(
            actor,
            PendingCommand(
                f"{person}:{message.id}",
                lambda table: decide(table, person, command, self.world),
                lambda outcome: tell(self._answer(actor, person, message, language, outcome)),
                None if isinstance(command, TIMELESS) else message.version,
            ),
        )

    def _answer(
        self,
        actor: TableActor,
        person: PersonNumber,
        message: CommandMessage,
        language: str,
        outcome: EventNumber | Exception,
    ) -> Answer:
        if isinstance(outcome, int):
            metrics.ACCEPTED.inc()
            return Answer(message.id, "accepted", outcome)
        missing: list[EventMessage] | None = None
        result: Literal["refused", "stale", "failed"]
        if isinstance(outcome, RefusedError | MoveError):
            result, why = "refused", outcome
        elif isinstance(outcome, StaleError):
            result, why = "stale", RefusedError("stale")
            missing = self.missing(actor, message.version, person)
        else:
            # A bug of ours, or a disk that is full, never costs anybody the game.
            result, why = "failed", RefusedError("failed")
            bug = None if isinstance(outcome, StorageError) else outcome
            log.error("not done: %s", outcome, extra={"table": actor.table.code}, exc_info=bug)
        metrics.COMMANDS.labels(result).inc()
        text, rule, key = reason_of(why, language)
        number = actor.table.number
        return Answer(message.id, result, number, rule, text, key, tuple(missing or ()))

    # Looking

    def missing(
        self, actor: TableActor, after: EventNumber, person: PersonNumber | None
    ) -> list[EventMessage] | None:
        """The events after a number as one person sees them.

        None where they are too many, or where there never was such a number.
        """
        if after == actor.table.number:
            return []
        if not actor.recent or not actor.recent[0].stored.number - 1 <= after < actor.table.number:
            return None
        return [
            message_for(each, actor.table, person)
            for each in actor.recent
            if each.stored.number > after
        ]

    def snapshot(
        self, actor: TableActor, person: PersonNumber | None, people: tuple[PersonNumber, ...]
    ) -> Snapshot:
        now, present = self.clock.now(), actor.present()
        return snapshot(actor.table, now, person, people, present, tuple(actor.log))

    def summary(self, actor: TableActor, people: tuple[PersonNumber, ...]) -> Summary:
        """A table as a line in a list of games."""
        return summary(actor.table, actor.recent[-1].stored.at, people)

    async def page(
        self, actor: TableActor, after: EventNumber, person: PersonNumber | None
    ) -> Page:
        """The events after a number, however old, as one person sees them."""
        events = await self.storage.events(actor.table.code)
        # Something may have been stored after it was read.
        table, last = Table(actor.table.code), min(actor.table.number, events[-1].number)
        found: list[EventMessage] = []
        for each in events:
            before, table = table, evolve(table, each)
            if each.number > last:
                break
            if each.number > after:
                if len(found) == PAGE:
                    return Page(last, tuple(found), more=True)
                found.append(message_for(project(before, table, each), actor.table, person))
        return Page(last, tuple(found))

    def who(self, actor: TableActor, secrets: list[str]) -> tuple[PersonNumber, ...]:
        return people_of(actor.table, secrets)

    # Listening

    def enter(self, actor: TableActor, listener: Listener) -> None:
        """From now on the listener is told of every event."""
        before = actor.present()
        actor.listeners.add(listener)
        self._presence(actor, before, listener.people)

    def leave(self, actor: TableActor, listener: Listener) -> None:
        before = actor.present()
        actor.used = self.clock.now()
        actor.listeners.discard(listener)
        self._presence(actor, before, listener.people)

    def saw(self, actor: TableActor, people: tuple[PersonNumber, ...]) -> None:
        """Somebody has come, gone or asked over plain HTTP, and so is there or was until now."""
        for person in people:
            actor.seen[person] = self.clock.now()

    def _presence(
        self, actor: TableActor, before: tuple[PersonNumber, ...], people: tuple[PersonNumber, ...]
    ) -> None:
        self.saw(actor, people)
        after = actor.present()
        if after != before:
            message = encode(Presence(after))
            for each in actor.listeners:
                each.tell(message)
            self._scheduler.set_timer(actor)

    # The mailbox

    async def _post(
        self,
        actor: TableActor,
        command: str,
        decide: Callable[[Table], Outcome],
        version: EventNumber | None = None,
    ) -> EventNumber:
        done: asyncio.Future[EventNumber] = asyncio.get_running_loop().create_future()
        self._put(actor, PendingCommand(command, decide, partial(_resolve, done), version))
        return await done

    def _put(self, actor: TableActor, pending: PendingCommand) -> None:
        actor.mailbox.append(pending)
        if actor.working is None:
            actor.working = asyncio.create_task(self._work(actor))

    async def _work(self, actor: TableActor) -> None:
        try:
            while actor.mailbox:
                pending = actor.mailbox.popleft()
                try:
                    number = await self._handle(actor, pending)
                except Exception as error:
                    pending.done(error)
                else:
                    pending.done(number)
        finally:
            actor.working = None

    async def _handle(self, actor: TableActor, pending: PendingCommand) -> EventNumber:
        version = pending.version
        if not actor.fresh or (version is not None and version > actor.table.number):
            await self._reload(actor)
        if (number := actor.commands.get(pending.command)) is not None:
            return number
        before = actor.table
        if version is not None and not before.changed <= version <= before.number:
            raise StaleError
        event, game = pending.decide(before)
        stored = StoredEvent(before.number + 1, self.clock.now(), event, pending.command)
        after = evolve(before, stored, game)
        # Before it is stored: an event that can't be shown must not get into the table.
        projection = project(before, after, stored)
        began = time.perf_counter()
        try:
            await self.storage.append(before.code, stored, state_of(after), listed=False)
        except ConflictError:
            await self._reload(actor)
            if actor.table.number == before.number:
                raise StorageError("refused, though nothing is there") from None
            return await self._handle(actor, pending)  # as if it had come after those
        except StorageError:
            actor.fresh = False
            self._scheduler.again(actor)
            raise
        metrics.COMMIT.observe(time.perf_counter() - began)
        metrics.event_of(kind_of(event)).inc()
        actor.take_in(after, projection)
        self._broadcast(actor, projection)
        self._scheduler.settle(actor)
        return stored.number

    async def _reload(self, actor: TableActor) -> None:
        """Take in what another server has written, or what came through despite an error."""
        events = await self.storage.events(actor.table.code, actor.table.number)
        if not actor.fresh:
            actor.since = self.clock.now()
        actor.fresh = True
        for projection in actor.catch_up(events):
            self._broadcast(actor, projection)
        self._scheduler.settle(actor)

    def _broadcast(self, actor: TableActor, projection: Projection) -> None:
        encoded: dict[PersonNumber | None, bytes] = {}
        for listener in tuple(actor.listeners):
            person = listener.person
            message = encoded.get(person)
            if message is None:
                message = encoded[person] = encode(message_for(projection, actor.table, person))
            listener.tell(message)


def _resolve(waiting: "asyncio.Future[Kind]", outcome: Kind | Exception) -> None:
    if waiting.done():
        return  # whoever waited has gone
    if isinstance(outcome, Exception):
        waiting.set_exception(outcome)
    else:
        waiting.set_result(outcome)


def state_of(table: Table) -> str:
    """What the storage's list of tables says of it."""
    if table.game is None:
        return "gathering" if table.people else "over"
    return "over" if table.game.over else "playing"
