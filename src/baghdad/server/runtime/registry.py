"""The hall: all tables that are awake. Each has one mailbox, and handles one letter after another.

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
from baghdad.server.domain import commands
from baghdad.server.domain.commands import Outcome, World
from baghdad.server.domain.events import Entry, Number, PersonNumber
from baghdad.server.domain.refusals import RefusedError, reason_of
from baghdad.server.domain.table import Table
from baghdad.server.ops import metrics
from baghdad.server.storage.event_store import ConflictError, Storage, StorageError
from baghdad.server.transport.auth import (
    hashed,
    new_code,
    new_secret,
    people_of,
    waiting_of,
)
from baghdad.server.wire.messages import (
    Answer,
    AnswerEnd,
    Bring,
    Chat,
    Command,
    Emote,
    Happened,
    Join,
    Key,
    NewTable,
    Page,
    Present,
    ProposeEnd,
    Resign,
    Snapshot,
    Summary,
    Welcome,
)
from baghdad.server.wire.projection import (
    Moment,
    encode,
    happened,
    kind_of,
    moment,
    snapshot,
    summary,
)

from .actor import (
    Letter,
    Listener,
    Room,
    StaleError,
)
from .bot_pool import Players
from .clock import Watch
from .scheduler import ABANDONED_AFTER, RETRY_SECONDS, Minder

log = logging.getLogger(__name__)

Kind = TypeVar("Kind")

PAGE = 200
"""Events in one answer to those who read a whole game."""
SLEEPY_SECONDS = 600
"""A table that nobody looks at leaves memory after this; it comes back when it is asked for."""
TIMELESS = (Bring, Chat, Emote, Resign, ProposeEnd, AnswerEnd)
"""Wishes that mean the same whatever has happened since: they are never out of date."""
SWEEP_SECONDS = 6 * 3600
"""How often games that nobody touches any more are looked for: often enough for days."""
MOST_SWEPT = 100
"""Of them at a time."""
LAST_LOOK_SECONDS = 1.0
"""For a table that is just being read when the server stops."""
BOT_SECONDS = 1.0
"""Time of a bot for one decision."""


class Hall:
    """All tables, over one storage."""

    def __init__(
        self,
        storage: Storage,
        players: Players,
        *,
        bot_seconds: float = BOT_SECONDS,
        watch: Watch | None = None,
    ) -> None:
        self.storage = storage
        self.watch = watch or Watch()
        self.rooms: dict[str, Room] = {}
        self.world = World(new_seed, randbelow, cache(bot_names))
        self._minder = Minder(players, self.watch, bot_seconds, self._post)
        self._loading: dict[str, asyncio.Task[Room | None]] = {}
        self._waking: asyncio.Task[None] | None = None
        self._sweeping: asyncio.Task[None] | None = None
        self._closing = False

    # Coming and going

    async def open(self) -> None:
        """Go on with every table that waits for a bot or a clock, and tidy up from time to time."""
        self._wake()
        self.watch.later(SLEEPY_SECONDS / 10, self._tidy)
        self.watch.later(SWEEP_SECONDS, self._sweep)

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
        await self._minder.close()
        working = [room.working for room in self.rooms.values() if room.working is not None]
        await asyncio.gather(*working, return_exceptions=True)

    async def room(self, code: str) -> Room:
        """A table, from memory or from its events. Raises `RefusedError` where there is none."""
        room = self.rooms.get(code)
        if room is None:
            loading = self._loading.get(code)
            if loading is None:
                loading = asyncio.create_task(self._load(code))
                self._loading[code] = loading
                loading.add_done_callback(lambda _: self._loading.pop(code, None))
            room = await asyncio.shield(loading)
            if room is None:
                raise RefusedError("no_table", code=code)
        room.used = self.watch.now()
        return room

    async def _load(self, code: str) -> Room | None:
        kept = await self.storage.events(code)
        if not kept:
            return None
        room = Room(Table(code), since=self.watch.now())
        room.catch_up(kept)
        self.rooms[code] = room
        metrics.TABLES.set(len(self.rooms))
        self._minder.settle(room)
        return room

    def _wake(self) -> None:
        if not self._closing:
            self._waking = asyncio.create_task(self._wake_all())

    async def _wake_all(self) -> None:
        try:
            for code in await self.storage.codes("playing"):
                if self._closing:
                    return
                try:
                    await self.room(code)
                except StorageError:
                    raise
                except Exception:  # the others must not suffer
                    log.exception("a table does not wake up", extra={"table": code})
        except StorageError as error:
            log.error("tables do not wake up yet: %s", error)
            self.watch.later(RETRY_SECONDS, self._wake)

    def _tidy(self) -> None:
        sleepy = self.watch.now() - 1000 * SLEEPY_SECONDS
        for code, room in list(self.rooms.items()):
            if room.used <= sleepy and not room.busy:
                del self.rooms[code]
        metrics.TABLES.set(len(self.rooms))
        self.watch.later(SLEEPY_SECONDS / 10, self._tidy)

    def _sweep(self) -> None:
        if self._closing:
            return
        if self._sweeping is None or self._sweeping.done():
            self._sweeping = asyncio.create_task(self._sweep_all())
        self.watch.later(SWEEP_SECONDS, self._sweep)

    async def _sweep_all(self) -> None:
        """Look at games that nobody has touched for long; each ends by itself (R28)."""
        try:
            since = self.watch.now() - ABANDONED_AFTER
            for code in await self.storage.idle(since, MOST_SWEPT):
                self._minder.settle(await self.room(code))
        except StorageError as error:
            log.error("abandoned games are not looked for: %s", error)

    # Asking

    async def create(self, wish: NewTable) -> Welcome:
        """Set a table up; the secrets in the answer are shown only here."""
        people = 1 + sum(chair.kind == "human" for chair in wish.chairs)
        secrets = [new_secret() for _ in range(people)]
        event = commands.create(wish, [hashed(secret) for secret in secrets], self.world)
        while True:
            code = new_code()
            entry = Entry(1, self.watch.now(), event)
            table = Table(code).after(entry)
            news = moment(Table(code), table, entry)
            try:
                await self.storage.append(
                    code, entry, "created", "gathering", listed=event.agreement.listed
                )
            except ConflictError:
                continue  # the code is taken
            room = Room(table, used=entry.at)
            room.take_in(table, news, "created")
            self.rooms[code] = room
            metrics.TABLES.set(len(self.rooms))
            metrics.event_of("created").inc()
            return Welcome(code, tuple(Key(n, secret) for n, secret in enumerate(secrets)))

    async def join(self, code: str, wish: Join, held: list[str]) -> Welcome:
        """Sit down at a table, or knock; `held` are the secrets that the device has already."""
        room, secret = await self.room(code), wish.secret or new_secret()
        if (waits := waiting_of(room.table, held)) is not None:  # once for a device
            return Welcome(code, (Key(*waits),), waiting=True)
        if not room.table.turned_away.isdisjoint(map(hashed, held)):
            raise RefusedError("turned_away")
        number = await self._post(
            room,
            f"join:{hashed(secret)[:16]}",
            lambda table: (commands.join(table, wish, hashed(secret)), None),
        )
        if (waits := waiting_of(room.table, [secret])) is not None:
            log.info("knocked", extra={"table": code, "event": number})
            return Welcome(code, (Key(*waits),), waiting=True)
        person = next(iter(people_of(room.table, [secret])), None)
        if person is None and hashed(secret) in room.table.turned_away:
            raise RefusedError("turned_away")
        if person is None:
            raise RefusedError("no_secret")  # it has sat here before, and left
        log.info("joined", extra={"table": code, "event": number})
        return Welcome(code, (Key(person, secret),))

    async def submit(
        self, room: Room, person: PersonNumber, command: Command, language: str
    ) -> Answer:
        """Handle a command of a person, once."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.take(room, person, command, language, partial(_resolve, answer))
        return await answer

    def take(
        self,
        room: Room,
        person: PersonNumber,
        command: Command,
        language: str,
        tell: Callable[[Answer], None],
    ) -> None:
        """Handle a command of a person, once, and tell the answer in the moment it is known."""
        wish = command.wish
        self._put(
            room,
            Letter(
                f"{person}:{command.id}",
                lambda table: commands.grant(table, person, wish, self.world),
                lambda outcome: tell(self._answer(room, person, command, language, outcome)),
                None if isinstance(wish, TIMELESS) else command.version,
            ),
        )

    def _answer(
        self,
        room: Room,
        person: PersonNumber,
        command: Command,
        language: str,
        outcome: Number | Exception,
    ) -> Answer:
        if isinstance(outcome, int):
            metrics.ACCEPTED.inc()
            return Answer(command.id, "accepted", outcome)
        missing: list[Happened] | None = None
        result: Literal["refused", "stale", "failed"]
        if isinstance(outcome, RefusedError | MoveError):
            result, why = "refused", outcome
        elif isinstance(outcome, StaleError):
            result, why = "stale", RefusedError("stale")
            missing = self.missing(room, command.version, person)
        else:
            # A bug of ours, or a disk that is full, never costs anybody the game.
            result, why = "failed", RefusedError("failed")
            bug = None if isinstance(outcome, StorageError) else outcome
            log.error("not done: %s", outcome, extra={"table": room.table.code}, exc_info=bug)
        metrics.COMMANDS.labels(result).inc()
        text, rule, key = reason_of(why, language)
        number = room.table.number
        return Answer(command.id, result, number, rule, text, key, tuple(missing or ()))

    # Looking

    def missing(
        self, room: Room, after: Number, person: PersonNumber | None
    ) -> list[Happened] | None:
        """The events after a number as one person sees them.

        None where they are too many, or where there never was such a number.
        """
        if after == room.table.number:
            return []
        if not room.recent or not room.recent[0].entry.number - 1 <= after < room.table.number:
            return None
        return [
            happened(each, room.table, person) for each in room.recent if each.entry.number > after
        ]

    def snapshot(
        self, room: Room, person: PersonNumber | None, people: tuple[PersonNumber, ...]
    ) -> Snapshot:
        now, present = self.watch.now(), room.present()
        return snapshot(room.table, now, person, people, present, tuple(room.log))

    def summary(self, room: Room, people: tuple[PersonNumber, ...]) -> Summary:
        """A table as a line in a list of games."""
        return summary(room.table, room.recent[-1].entry.at, people)

    async def page(self, room: Room, after: Number, person: PersonNumber | None) -> Page:
        """The events after a number, however old, as one person sees them."""
        kept = await self.storage.events(room.table.code)
        # Something may have been stored after it was read.
        table, last = Table(room.table.code), min(room.table.number, kept[-1].entry.number)
        found: list[Happened] = []
        for each in kept:
            before, table = table, table.after(each.entry)
            if each.entry.number > last:
                break
            if each.entry.number > after:
                if len(found) == PAGE:
                    return Page(last, tuple(found), more=True)
                found.append(happened(moment(before, table, each.entry), room.table, person))
        return Page(last, tuple(found))

    def who(self, room: Room, secrets: list[str]) -> tuple[PersonNumber, ...]:
        return people_of(room.table, secrets)

    # Listening

    def enter(self, room: Room, listener: Listener) -> None:
        """From now on the listener is told of every event."""
        before = room.present()
        room.listeners.add(listener)
        self._presence(room, before, listener.people)

    def leave(self, room: Room, listener: Listener) -> None:
        before = room.present()
        room.used = self.watch.now()
        room.listeners.discard(listener)
        self._presence(room, before, listener.people)

    def saw(self, room: Room, people: tuple[PersonNumber, ...]) -> None:
        """Somebody has come, gone or asked over plain HTTP, and so is there or was until now."""
        for person in people:
            room.seen[person] = self.watch.now()

    def _presence(
        self, room: Room, before: tuple[PersonNumber, ...], people: tuple[PersonNumber, ...]
    ) -> None:
        self.saw(room, people)
        after = room.present()
        if after != before:
            message = encode(Present(after))
            for each in room.listeners:
                each.tell(message)
            self._minder.set_alarm(room)

    # The mailbox

    async def _post(
        self,
        room: Room,
        command: str,
        decide: Callable[[Table], Outcome],
        version: Number | None = None,
    ) -> Number:
        done: asyncio.Future[Number] = asyncio.get_running_loop().create_future()
        self._put(room, Letter(command, decide, partial(_resolve, done), version))
        return await done

    def _put(self, room: Room, letter: Letter) -> None:
        room.letters.append(letter)
        if room.working is None:
            room.working = asyncio.create_task(self._work(room))

    async def _work(self, room: Room) -> None:
        try:
            while room.letters:
                letter = room.letters.popleft()
                try:
                    number = await self._handle(room, letter)
                except Exception as error:
                    letter.done(error)
                else:
                    letter.done(number)
        finally:
            room.working = None

    async def _handle(self, room: Room, letter: Letter) -> Number:
        version = letter.version
        if not room.fresh or (version is not None and version > room.table.number):
            await self._reload(room)
        if (number := room.commands.get(letter.command)) is not None:
            return number
        before = room.table
        if version is not None and not before.changed <= version <= before.number:
            raise StaleError
        event, game = letter.decide(before)
        entry = Entry(before.number + 1, self.watch.now(), event)
        after = before.after(entry, game)
        # Before it is stored: an event that can't be shown must not get into the table.
        news = moment(before, after, entry)
        began = time.perf_counter()
        try:
            await self.storage.append(
                before.code, entry, letter.command, state_of(after), listed=False
            )
        except ConflictError:
            await self._reload(room)
            if room.table.number == before.number:
                raise StorageError("refused, though nothing is there") from None
            return await self._handle(room, letter)  # as if it had come after those
        except StorageError:
            room.fresh = False
            self._minder.again(room)
            raise
        metrics.COMMIT.observe(time.perf_counter() - began)
        metrics.event_of(kind_of(event)).inc()
        room.take_in(after, news, letter.command)
        self._broadcast(room, news)
        self._minder.settle(room)
        return entry.number

    async def _reload(self, room: Room) -> None:
        """Take in what another server has written, or what came through despite an error."""
        kept = await self.storage.events(room.table.code, room.table.number)
        if not room.fresh:
            room.since = self.watch.now()
        room.fresh = True
        for news in room.catch_up(kept):
            self._broadcast(room, news)
        self._minder.settle(room)

    def _broadcast(self, room: Room, news: Moment) -> None:
        encoded: dict[PersonNumber | None, bytes] = {}
        for listener in tuple(room.listeners):
            person = listener.person
            message = encoded.get(person)
            if message is None:
                message = encoded[person] = encode(happened(news, room.table, person))
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
