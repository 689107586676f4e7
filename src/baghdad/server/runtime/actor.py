"""One table that is awake: an actor, which alone writes to it, with a mailbox.

The way of every command: decide, append the event, commit, take it in, show it to each audience.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Literal, Protocol, TypeVar

from msgspec.structs import replace

from baghdad.rules.errors import MoveError
from baghdad.server.domain.commands import NEVER_STALE, PLAYING
from baghdad.server.domain.decisions.decide import decide
from baghdad.server.domain.decisions.world import Outcome, World
from baghdad.server.domain.events import (
    Created,
    EventNumber,
    Milliseconds,
    PersonNumber,
    Rematched,
    StoredEvent,
)
from baghdad.server.domain.evolution.evolve import evolve
from baghdad.server.domain.refusals import RefusedError, reason_of
from baghdad.server.domain.table import Table
from baghdad.server.ops import metrics
from baghdad.server.storage.errors import ConflictError, FencedError, StorageError
from baghdad.server.storage.event_store import EventStore
from baghdad.server.wire import snapshots
from baghdad.server.wire.codec import encode
from baghdad.server.wire.messages import Answer, EventMessage, Page, Presence, Snapshot
from baghdad.server.wire.projection import Projection, kind_of, message_for, project
from baghdad.server.wire.replies import Summary
from baghdad.server.wire.requests import CommandMessage

from .clock import Clock, Timer
from .fair_queue import Claim
from .handled import HandledCommands
from .pace import Pace
from .turns import Slices

log = logging.getLogger(__name__)

Kind = TypeVar("Kind")

RECENT = 32
"""Events that a returning client gets one by one: about a round of four players. One that has
missed more gets a snapshot, which is not larger than those would be."""
LONGEST_LOG = 500
"""Lines of the log in a snapshot: longer than nearly all games."""
PAGE = 200
"""Events in one answer to those who read a whole game: few enough to be made in some milliseconds,
enough to read a long game in some ten answers. Also from one checkpoint to the next."""
READ_AT_ONCE = 500
"""Events that are taken from the database at a time: about a millisecond on the loop."""
PAUSE_SECONDS = 300
"""Bots don't think on where nobody has looked for so long: long enough to look something up, short
enough that games which nobody follows take no time from those that somebody does."""
POLL_SECONDS = 30
"""Somebody who looked so lately waits there: plain HTTP is asked at least that often."""


COME_BACK = 1012
"""Why a socket is closed whose table goes on elsewhere, or soon: the reason of a restart."""


class StaleError(Exception):
    """The sender did not know the latest events."""


class Listener(Protocol):
    """Somebody who is told what happens at a table."""

    person: PersonNumber | None
    """With whose eyes it looks."""
    people: tuple[PersonNumber, ...]
    """All people who share the device: those who wait for another's turn to end are there, too."""

    def send(self, message: bytes, /) -> None:
        """Must not wait; a slow one is its own problem."""

    def close(self, code: int, /) -> None:
        """The table is no longer here; `code` is a socket's reason."""


class Scheduler(Protocol):
    """Sees to it that a table goes on without being asked."""

    def look_after(self, actor: "TableActor", /) -> None:
        """Something has happened at the table."""

    def set_timer(self, actor: "TableActor", /) -> None:
        """Somebody has come or gone."""

    def retry_later(self, actor: "TableActor", /) -> None:
        """Something has failed."""


@dataclass(slots=True)
class PendingCommand:
    """Something that a table is to handle, and who waits for the answer."""

    command_id: str
    """By which it is found again: however often it comes, it happens once."""
    decide: Callable[[Table], Outcome]
    done: Callable[[EventNumber | Exception], None]
    """Told the number of the event that it made, or why there is none."""
    version: EventNumber | None = None
    """What the sender knew; None where that does not matter."""
    sent_after: EventNumber | None = None
    """The same, also where it does not matter; None where it can't have been sent before."""


@dataclass(slots=True, eq=False)
class TableActor:
    """A table in memory, with all that is not in its events."""

    table: Table
    storage: EventStore
    clock: Clock
    scheduler: Scheduler
    world: World
    pace: Pace = field(init=False)
    """Of talk, chairs and offers."""
    commands: HandledCommands = field(default_factory=HandledCommands)
    checkpoints: list[Table] = field(default_factory=list)
    """The table after every `PAGE` events: whoever looks back starts from there."""
    recent: deque[Projection] = field(default_factory=lambda: deque(maxlen=RECENT))
    log: deque[EventMessage] = field(default_factory=lambda: deque(maxlen=LONGEST_LOG))
    mailbox: deque[PendingCommand] = field(default_factory=deque)
    working: "asyncio.Task[None] | None" = None
    """Empties the mailbox."""
    thinking: "asyncio.Task[None] | None" = None
    """A bot thinks about its turn."""
    asking: "asyncio.Task[None] | None" = None
    """Bots think about a proposal to end the game."""
    ending: "asyncio.Task[None] | None" = None
    """The game is ended because it is abandoned, or too long."""
    timer: Timer | None = None
    """Goes off when a bot is to stand in for the player whose turn it is."""
    retry: Timer | None = None
    """Goes off after a failure, so that the table goes on by itself."""
    listeners: set[Listener] = field(default_factory=set)
    leaving: dict[PersonNumber, Milliseconds] = field(default_factory=dict)
    """By person whose last connection has just ended: until when the others are not told."""
    absence: Timer | None = None
    """Goes off when that time is over."""
    told_present: tuple[PersonNumber, ...] = ()
    """Whom the others believe to be there."""
    seen: dict[PersonNumber, Milliseconds] = field(default_factory=dict)
    """By person: when somebody was last there."""
    used: Milliseconds = 0
    """When the table was last asked for, by the registry's clock; 0 where only the server itself
    has woken it."""
    looked: Milliseconds = 0
    """When somebody last looked at it, or when something last happened before it was woken."""
    shift: Milliseconds = 0
    """By how much the table's time is ahead of the clock."""
    since: Milliseconds = 0
    """From when on it could be reached: nobody is late for what came before."""
    fresh: bool = True
    """False after a failure whose outcome is unknown: the events must be read again."""
    lost: bool = False
    """Whether the table is another process's by now: nothing goes on here."""
    forget: "Callable[[TableActor], None]" = lambda _: None
    """Told when the table is lost."""

    def __post_init__(self) -> None:
        limits = self.world.limits
        self.pace = Pace(limits.talk_at_once, limits.talk_a_minute)

    @property
    def busy(self) -> bool:
        """Whether it must stay in memory."""
        waits = self.timer or self.retry
        works = self.mailbox or self.working or self.thinking or self.asking or self.ending
        return bool(self.listeners or works or waits)

    # Time, and who is there

    def now(self) -> Milliseconds:
        """The table's time. It never goes back: where the machine's clock was set back between
        two runs of the server, it goes on from the last event."""
        return self.clock.now() + self.shift

    @property
    def watched(self) -> bool:
        """Whether somebody is there."""
        return bool(self.listeners) or self.now() - self.looked < 1000 * POLL_SECONDS

    @property
    def paused(self) -> bool:
        """Whether nobody has looked for so long that bots don't think on."""
        return not self.listeners and self.now() - self.looked >= 1000 * PAUSE_SECONDS

    @property
    def claim(self) -> Claim:
        """What the table's bots wait with: for its creator, or where none is known, for itself."""
        return Claim(self.table.creator or self.table.code, lambda: self.watched)

    def look(self) -> None:
        """Somebody looks: bots that have paused play on."""
        paused, self.looked = self.paused, self.now()
        if paused:
            self.scheduler.look_after(self)

    # The mailbox

    async def submit(self, person: PersonNumber, message: CommandMessage, language: str) -> Answer:
        """Handle a command of a person, once."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.enqueue(person, message, language, partial(_resolve, answer))
        return await answer

    def enqueue(
        self,
        person: PersonNumber,
        message: CommandMessage,
        language: str,
        reply: Callable[[Answer | FencedError], None],
    ) -> None:
        """Handle a command of a person, once, and reply in the moment its outcome is known."""
        command = message.command
        decided = partial(decide, person=person, command=command, world=self.world)
        self.mailbox.append(
            PendingCommand(
                f"{person}:{message.id}",
                decided
                if isinstance(command, PLAYING)
                else partial(self._at_pace, person, decided),
                partial(self._answer, person, message, language, reply),
                None if isinstance(command, NEVER_STALE) else message.version,
                message.version,
            )
        )
        self._wake()

    def _at_pace(
        self, person: PersonNumber, decided: Callable[[Table], Outcome], table: Table
    ) -> Outcome:
        """What somebody could ask for without end, as often as a person does."""
        now = self.clock.now()
        if not self.pace.allows(person, now):
            raise RefusedError("too_fast")
        outcome = decided(table)
        self.pace.take(person, now)
        return outcome

    async def post(
        self,
        command_id: str,
        decide: Callable[[Table], Outcome],
        sent_after: EventNumber | None = None,
    ) -> EventNumber:
        """Handle what the server itself wants; the number of the event that it makes."""
        done: asyncio.Future[EventNumber] = asyncio.get_running_loop().create_future()
        resolve = partial(_resolve, done)
        self.mailbox.append(PendingCommand(command_id, decide, resolve, sent_after=sent_after))
        self._wake()
        return await done

    def _wake(self) -> None:
        if self.working is None:
            self.working = asyncio.create_task(self._work())

    async def _work(self) -> None:
        try:
            while self.mailbox:
                pending = self.mailbox.popleft()
                try:
                    number = await self._handle(pending)
                except Exception as error:
                    pending.done(error)
                else:
                    pending.done(number)
        finally:
            self.working = None

    async def _handle(self, pending: PendingCommand) -> EventNumber:
        if self.lost:
            raise FencedError("lost")
        version = pending.version
        if not self.fresh or (version is not None and version > self.table.number):
            await self._reload()
        number = self.commands.get(pending.command_id)
        if number is None and self.commands.may_be_older(pending.sent_after):
            number = await self.storage.number_of(self.table.code, pending.command_id)
        if number is not None:
            return number
        before = self.table
        if version is not None and not before.changed <= version <= before.number:
            raise StaleError
        event, game = pending.decide(before)
        stored = StoredEvent(before.number + 1, self.now(), event, pending.command_id)
        after = evolve(before, stored, game)
        # Before it is stored: an event that can't be shown must not get into the table.
        projection = project(before, after, stored)
        began = time.perf_counter()
        try:
            await self.storage.append(before.code, stored, state_in_list(after), listed=False)
        except ConflictError:
            await self._reload()
            if self.table.number > before.number:
                return await self._handle(pending)  # as if it had come after those
            number = await self.storage.number_of(before.code, pending.command_id)
            if number is None:
                raise StorageError("refused, though nothing is there") from None
            return number  # it came long ago, at another version
        except FencedError:
            self.lose()
            raise
        except StorageError:
            self.fresh = False
            self.scheduler.retry_later(self)
            raise
        metrics.COMMIT.observe(time.perf_counter() - began)
        metrics.event_of(kind_of(event)).inc()
        self.take_in(after, projection)
        self.scheduler.look_after(self)
        return stored.number

    def lose(self) -> None:
        """The table is another process's: whoever is here has to look for it again."""
        if self.lost:
            return
        self.lost = True
        self.forget(self)
        for each in (self.timer, self.retry, self.absence):
            if each is not None:
                each.cancel()
        self.timer = self.retry = self.absence = None
        for listener in tuple(self.listeners):
            listener.close(COME_BACK)

    async def _reload(self) -> None:
        """Take in what another server has written, or what came through despite an error."""
        await self.catch_up()
        if not self.fresh:
            self.since = self.now()
        self.fresh = True
        self.scheduler.look_after(self)

    async def know(self, number: EventNumber) -> None:
        """Read what is stored, where somebody has seen an event that is not known here: nobody is
        shown a table as it was before that.

        Raises `FencedError` where the event was made by another process, whose the table is now.
        """
        if number <= self.table.number:
            return
        lease, code = self.storage.lease, self.table.code
        if lease is not None and code not in await lease.still_ours([code]):
            self.lose()
            raise FencedError("taken over by another process")
        done: asyncio.Future[EventNumber] = asyncio.get_running_loop().create_future()
        resolve = partial(_resolve, done)
        self.mailbox.append(PendingCommand("", _nothing, resolve, version=number))
        self._wake()
        with suppress(StaleError):
            await done

    async def load(self) -> None:
        """Take in all that is stored. Nobody knows the table yet, so of events that are too old for
        the log no message is needed."""
        await self.catch_up(heard=False)

    async def catch_up(self, heard: bool = True) -> None:
        """Take in events that others have stored, in slices; who listens hears of all of them."""
        slices, unseen, more = Slices(), 0, True
        while more:
            events = await self.storage.events(self.table.code, self.table.number, READ_AT_ONCE)
            more = len(events) == READ_AT_ONCE
            if more and not unseen and not heard:
                unseen = await self.storage.last_number(self.table.code) - LONGEST_LOG
            for each in events:
                if slices.over:
                    await slices.rest()
                before, after = self.table, evolve(self.table, each)
                if each.number > unseen:
                    self.take_in(after, project(before, after, each))
                else:
                    self._go_on(after, each)
        self.shift = max(self.shift, self.table.touched - self.clock.now())

    def take_in(self, table: Table, projection: Projection) -> None:
        """Go on to the table after an event that is stored, and show it to all who listen."""
        self._go_on(table, projection.stored)
        self.recent.append(projection)
        if isinstance(projection.stored.event, (Created, Rematched)):
            self.log.clear()
        public = projection.public
        whole = public.table is not None or public.clock is not None
        self.log.append(replace(public, table=None, clock=None) if whole else public)
        encoded: dict[PersonNumber | None, bytes] = {}
        for listener in tuple(self.listeners):
            person = listener.person
            message = encoded.get(person)
            if message is None:
                message = encoded[person] = encode(message_for(projection, table, person))
            listener.send(message)

    def _go_on(self, table: Table, stored: StoredEvent) -> None:
        self.table = table
        self.commands.add(stored.command_id, stored.number)
        if stored.number % PAGE == 0:
            self.checkpoints.append(checkpoint(table))

    def _answer(
        self,
        person: PersonNumber,
        message: CommandMessage,
        language: str,
        reply: Callable[[Answer | FencedError], None],
        outcome: EventNumber | Exception,
    ) -> None:
        if isinstance(outcome, FencedError):
            reply(outcome)  # whoever owns the table now decides
            return
        if isinstance(outcome, int):
            metrics.ACCEPTED.inc()
            reply(Answer(message.id, "accepted", outcome))
            return
        missing: list[EventMessage] | None = None
        result: Literal["refused", "stale", "failed"]
        if isinstance(outcome, RefusedError | MoveError):
            result, why = "refused", outcome
        elif isinstance(outcome, StaleError):
            result, why = "stale", RefusedError("stale")
            missing = self.missing(message.version, person)
        else:
            # A bug of ours, or a disk that is full, never costs anybody the game.
            result, why = "failed", RefusedError("failed")
            bug = None if isinstance(outcome, StorageError) else outcome
            log.error("not done: %s", outcome, extra={"table": self.table.code}, exc_info=bug)
        metrics.COMMANDS.labels(result).inc()
        text, rule, key = reason_of(why, language)
        number = self.table.number
        reply(Answer(message.id, result, number, rule, text, key, tuple(missing or ())))

    # Listening

    def enter(self, listener: Listener) -> None:
        """From now on the listener is told of every event."""
        before = self.present()
        self.look()
        self.listeners.add(listener)
        self._presence(before, listener.people)

    def leave(self, listener: Listener) -> None:
        before = self.present()
        self.used, self.looked = self.clock.now(), self.now()
        self.listeners.discard(listener)
        grace = self.world.limits.absent_seconds
        if grace and listener.people:
            self.leaving |= dict.fromkeys(listener.people, self.now() + int(1000 * grace))
            self._wait_for_return(grace)
        self._presence(before, listener.people)

    def saw(self, people: tuple[PersonNumber, ...]) -> None:
        """Somebody has come, gone or asked over plain HTTP, and so is there or was until now."""
        for person in people:
            self.seen[person] = self.now()

    def present(self) -> tuple[PersonNumber, ...]:
        """People who are connected, or share a device that is."""
        here = {person for each in self.listeners for person in each.people}
        return tuple(person for person in sorted(self.table.people) if person in here)

    def shown_present(self) -> tuple[PersonNumber, ...]:
        """People who are connected, or were a moment ago: who polls comes back at once."""
        now = self.now()
        here = {*self.present(), *(who for who, until in self.leaving.items() if until > now)}
        return tuple(person for person in sorted(self.table.people) if person in here)

    def _presence(self, before: tuple[PersonNumber, ...], people: tuple[PersonNumber, ...]) -> None:
        self.saw(people)
        if self.present() != before:
            self.scheduler.set_timer(self)
        self._tell_presence()

    def _tell_presence(self) -> None:
        after = self.shown_present()
        if after != self.told_present:
            self.told_present = after
            message = encode(Presence(after))
            for each in self.listeners:
                each.send(message)

    def _wait_for_return(self, seconds: float) -> None:
        if self.absence is None:
            self.absence = self.clock.later(seconds, self._grace_over)

    def _grace_over(self) -> None:
        """Somebody has been away for long enough that the others should know."""
        self.absence, now = None, self.now()
        self.leaving = {who: until for who, until in self.leaving.items() if until > now}
        if self.leaving:
            self._wait_for_return((min(self.leaving.values()) - now) / 1000)
        self._tell_presence()

    # Looking

    def missing(self, after: EventNumber, person: PersonNumber | None) -> list[EventMessage] | None:
        """The events after a number as one person sees them.

        None where they are too many, or where there never was such a number.
        """
        if after == self.table.number:
            return []
        if not self.recent or not self.recent[0].stored.number - 1 <= after < self.table.number:
            return None
        return [
            message_for(each, self.table, person)
            for each in self.recent
            if each.stored.number > after
        ]

    def snapshot(self, person: PersonNumber | None, people: tuple[PersonNumber, ...]) -> Snapshot:
        """Everything that one person may know now, or a spectator (None)."""
        now, log = self.now(), tuple(self.log)
        return snapshots.snapshot(self.table, now, person, people, self.shown_present(), log)

    def summary(self, people: tuple[PersonNumber, ...]) -> Summary:
        """A table as a line in a list of games."""
        return snapshots.summary(self.table, self.table.touched, people)

    async def page(self, after: EventNumber, person: PersonNumber | None) -> Page:
        """The events after a number, however old, as one person sees them: up to a checkpoint."""
        last = self.table.number
        if after >= last:
            return Page(last, ())
        passed = after // PAGE
        table = self.checkpoints[passed - 1] if passed else Table(self.table.code)
        found: list[EventMessage] = []
        slices = Slices()
        for each in await self.storage.events(table.code, table.number, PAGE):
            # Something may have been stored that is not taken in yet.
            if each.number > last:
                break
            if slices.over:
                await slices.rest()
            before, table = table, evolve(table, each)
            if each.number > after:
                found.append(message_for(project(before, table, each), self.table, person))
        return Page(last, tuple(found), more=table.number < last)


def _nothing(_: Table) -> Outcome:
    raise StaleError


def _resolve(waiting: "asyncio.Future[Kind]", outcome: Kind | Exception) -> None:
    if waiting.done():
        return  # the one who waited has gone
    if isinstance(outcome, Exception):
        waiting.set_exception(outcome)
    else:
        waiting.set_result(outcome)


def checkpoint(table: Table) -> Table:
    """A table to look on from, without what only later records need: some two kilobytes."""
    game = table.game and table.game.from_this_turn()
    return replace(table, game=game, past=())


def state_in_list(table: Table) -> str:
    """What the storage's list of tables says of it."""
    if table.game is None:
        return "gathering" if table.people else "over"
    return "over" if table.game.over else "playing"
