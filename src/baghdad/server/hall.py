"""The hall: all tables that are awake. Each has one mailbox, and handles one letter after another.

The way of every command: validate, append the event, commit, show it to each audience.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from secrets import randbelow
from typing import Protocol

from msgspec.structs import replace

from ..bots import bot_names
from ..rules.actions import END_TURN, PASS_CARDS
from ..rules.errors import MoveError
from ..rules.fair import new_seed
from ..rules.game import Game
from ..rules.material import Seat
from . import commands, metrics
from .commands import Outcome, World
from .events import AnyEvent, Created, Entry, Milliseconds, Number, PersonNumber, StoodIn
from .messages import (
    Answer,
    Chat,
    Command,
    Emote,
    Happened,
    Join,
    Key,
    NewTable,
    Page,
    Present,
    Snapshot,
    Welcome,
)
from .players import Players
from .projection import Moment, deadline, encode, happened, kind_of, moment, snapshot
from .refusals import RefusedError, reason_of
from .security import hashed, new_code, new_secret, people_of
from .storage import ConflictError, Kept, Storage, StorageError
from .table import Table

log = logging.getLogger(__name__)

RECENT = 32
"""Events that a returning client gets one by one; beyond, it gets a snapshot."""
PAGE = 200
"""Events in one answer to those who read a whole game."""
LONGEST_LOG = 500
"""Lines of the log in a snapshot: longer than nearly all games."""
SLEEPY_SECONDS = 600
"""A table that nobody looks at leaves memory after this; it comes back when it is asked for."""
BOT_SECONDS = 1.0
"""Time of a bot for one decision."""


class Listener(Protocol):
    """Somebody who is told what happens at a table."""

    person: PersonNumber | None

    def tell(self, message: bytes, /) -> None:
        """Must not wait; a slow one is its own problem."""


@dataclass(slots=True)
class Letter:
    """Something that a table is to handle, and who waits for the answer."""

    command: str
    decide: Callable[[Table], Outcome]
    done: "asyncio.Future[Number]"
    version: Number | None = None
    """What the sender knew; None where that does not matter."""


class StaleError(Exception):
    """The sender did not know the latest events."""


@dataclass(slots=True)
class Room:
    """A table in memory, with all that is not in its events."""

    table: Table
    commands: dict[str, Number] = field(default_factory=dict)
    recent: deque[Moment] = field(default_factory=lambda: deque(maxlen=RECENT))
    log: deque[Happened] = field(default_factory=lambda: deque(maxlen=LONGEST_LOG))
    letters: deque[Letter] = field(default_factory=deque)
    working: "asyncio.Task[None] | None" = None
    thinking: "asyncio.Task[None] | None" = None
    alarm: asyncio.TimerHandle | None = None
    listeners: set[Listener] = field(default_factory=set)
    seen: dict[PersonNumber, Milliseconds] = field(default_factory=dict)
    used: float = field(default_factory=time.monotonic)
    fresh: bool = True
    """False after a failure whose outcome is unknown: the events must be read again."""

    def present(self) -> tuple[PersonNumber, ...]:
        """People who are connected."""
        return tuple(sorted({each.person for each in self.listeners if each.person is not None}))


class Hall:
    """All tables, over one storage."""

    def __init__(self, storage: Storage, players: Players, *, bot_seconds: float = BOT_SECONDS):
        self.storage = storage
        self.players = players
        self.bot_seconds = bot_seconds
        self.rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room | None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = False
        self.world = World(new_seed, randbelow, bot_names)

    # Coming and going

    async def open(self) -> None:
        """Go on with every table that waits for a bot or a clock, and tidy up from time to time."""
        self._spawn(self._wake_all())
        self._spawn(self._tidy())

    async def close(self) -> None:
        """Finish what has been begun; nothing new is taken."""
        self._closing = True
        for task in list(self._tasks):
            task.cancel()
        for room in self.rooms.values():
            if room.alarm is not None:
                room.alarm.cancel()
            if room.thinking is not None:
                room.thinking.cancel()
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
        room.used = time.monotonic()
        return room

    async def _load(self, code: str) -> Room | None:
        kept = await self.storage.events(code)
        if not kept:
            return None
        room = Room(Table(code))
        _catch_up(room, kept)
        self.rooms[code] = room
        metrics.TABLES.set(len(self.rooms))
        self._settle(room)
        return room

    async def _wake_all(self) -> None:
        for code in await self.storage.codes("playing"):
            try:
                await self.room(code)
            except Exception:
                log.exception("a table does not wake up", extra={"table": code})

    async def _tidy(self) -> None:
        while True:
            await asyncio.sleep(SLEEPY_SECONDS / 10)
            now = time.monotonic()
            for code, room in list(self.rooms.items()):
                busy = room.listeners or room.letters or room.working or room.thinking or room.alarm
                if not busy and now - room.used > SLEEPY_SECONDS:
                    del self.rooms[code]
            metrics.TABLES.set(len(self.rooms))

    # Asking

    async def create(self, wish: NewTable) -> Welcome:
        """Set a table up; the secrets in the answer are shown only here."""
        people = 1 + sum(chair.kind == "human" for chair in wish.chairs)
        secrets = [new_secret() for _ in range(people)]
        event = commands.create(wish, [hashed(secret) for secret in secrets], self.world)
        while True:
            code = new_code()
            entry = Entry(1, now_ms(), event)
            table = Table(code).after(entry)
            try:
                await self.storage.append(
                    code, entry, "created", "gathering", listed=event.agreement.listed
                )
            except ConflictError:
                continue  # the code is taken
            room = Room(table)
            _note(room, Table(code), entry, "created")
            self.rooms[code] = room
            metrics.TABLES.set(len(self.rooms))
            metrics.EVENTS.labels("created").inc()
            return Welcome(code, tuple(Key(n, secret) for n, secret in enumerate(secrets)))

    async def join(self, code: str, wish: Join) -> Welcome:
        """Sit down at a table."""
        room, secret = await self.room(code), new_secret()
        number = await self._post(
            room,
            f"join:{hashed(secret)[:16]}",
            lambda table: (commands.join(table, wish, hashed(secret)), None),
        )
        person = next(n for n, each in room.table.people.items() if each.secret == hashed(secret))
        log.info("joined", extra={"table": code, "event": number})
        return Welcome(code, (Key(person, secret),))

    async def submit(
        self, room: Room, person: PersonNumber, command: Command, language: str
    ) -> Answer:
        """Handle a command of a person, once."""
        wish = command.wish
        talk = isinstance(wish, Chat | Emote)
        try:
            number = await self._post(
                room,
                f"{person}:{command.id}",
                lambda table: commands.grant(table, person, wish, self.world),
                None if talk else command.version,
            )
        except (RefusedError, MoveError) as error:
            metrics.COMMANDS.labels("refused").inc()
            text, rule, key = reason_of(error, language)
            return Answer(command.id, "refused", room.table.number, rule, text, key)
        except StaleError:
            metrics.COMMANDS.labels("stale").inc()
            text, rule, key = reason_of(RefusedError("stale"), language)
            missing = self.missing(room, command.version, person)
            return Answer(
                command.id, "stale", room.table.number, rule, text, key, tuple(missing or ())
            )
        except Exception as error:
            # A bug of ours, or a disk that is full, never costs anybody the game.
            metrics.COMMANDS.labels("failed").inc()
            if not isinstance(error, StorageError):
                log.exception("a command failed", extra={"table": room.table.code})
            else:
                log.error("not stored: %s", error, extra={"table": room.table.code})
            text, rule, key = reason_of(RefusedError("failed"), language)
            return Answer(command.id, "failed", room.table.number, rule, text, key)
        metrics.COMMANDS.labels("accepted").inc()
        return Answer(command.id, "accepted", number)

    # Looking

    def missing(
        self, room: Room, after: Number, person: PersonNumber | None
    ) -> list[Happened] | None:
        """The events after a number as one person sees them; None where they are too many."""
        if after >= room.table.number:
            return []
        if not room.recent or after + 1 < room.recent[0].entry.number:
            return None
        return [
            happened(each, room.table, person) for each in room.recent if each.entry.number > after
        ]

    def snapshot(
        self, room: Room, person: PersonNumber | None, people: tuple[PersonNumber, ...]
    ) -> Snapshot:
        return snapshot(room.table, now_ms(), person, people, room.present(), tuple(room.log))

    async def page(self, room: Room, after: Number, person: PersonNumber | None) -> Page:
        """The events after a number, however old, as one person sees them."""
        kept = await self.storage.events(room.table.code)
        table, last = Table(room.table.code), room.table.number
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
        self._presence(room, before, listener.person)

    def leave(self, room: Room, listener: Listener) -> None:
        before = room.present()
        room.listeners.discard(listener)
        self._presence(room, before, listener.person)

    def saw(self, room: Room, people: tuple[PersonNumber, ...]) -> None:
        """Somebody has asked over plain HTTP, and so is there."""
        for person in people:
            room.seen[person] = now_ms()

    def _presence(
        self, room: Room, before: tuple[PersonNumber, ...], person: PersonNumber | None
    ) -> None:
        if person is not None:
            room.seen[person] = now_ms()
        after = room.present()
        if after != before:
            message = encode(Present(after))
            for each in room.listeners:
                each.tell(message)
            self._set_alarm(room)

    # The mailbox

    async def _post(
        self,
        room: Room,
        command: str,
        decide: Callable[[Table], Outcome],
        version: Number | None = None,
    ) -> Number:
        done: asyncio.Future[Number] = asyncio.get_running_loop().create_future()
        room.letters.append(Letter(command, decide, done, version))
        if room.working is None:
            room.working = asyncio.create_task(self._work(room))
        return await done

    async def _work(self, room: Room) -> None:
        try:
            while room.letters:
                letter = room.letters.popleft()
                try:
                    number = await self._handle(room, letter)
                except Exception as error:
                    if not letter.done.done():
                        letter.done.set_exception(error)
                else:
                    if not letter.done.done():
                        letter.done.set_result(number)
        finally:
            room.working = None

    async def _handle(self, room: Room, letter: Letter) -> Number:
        if not room.fresh:
            await self._reload(room)
        if (number := room.commands.get(letter.command)) is not None:
            return number
        if letter.version is not None and letter.version < room.table.changed:
            raise StaleError
        before = room.table
        event, game = letter.decide(before)
        entry = Entry(before.number + 1, now_ms(), event)
        after = before.after(entry, game)
        began = time.perf_counter()
        try:
            await self.storage.append(
                before.code, entry, letter.command, state_of(after), listed=False
            )
        except ConflictError:
            await self._reload(room)
            if (number := room.commands.get(letter.command)) is not None:
                return number
            raise StaleError from None
        except StorageError:
            room.fresh = False
            raise
        metrics.COMMIT.observe(time.perf_counter() - began)
        metrics.EVENTS.labels(kind_of(event)).inc()
        room.table = after
        self._broadcast(room, _note(room, before, entry, letter.command))
        self._settle(room)
        return entry.number

    async def _reload(self, room: Room) -> None:
        """Take in what another server has written, or what came through despite an error."""
        known = room.table.number
        _catch_up(room, await self.storage.events(room.table.code, known))
        room.fresh = True
        for each in room.recent:
            if each.entry.number > known:
                self._broadcast(room, each)
        self._settle(room)

    def _broadcast(self, room: Room, news: Moment) -> None:
        encoded: dict[PersonNumber | None, bytes] = {}
        for listener in tuple(room.listeners):
            person = listener.person
            message = encoded.get(person)
            if message is None:
                message = encoded[person] = encode(happened(news, room.table, person))
            listener.tell(message)

    # Bots and clocks

    def _settle(self, room: Room) -> None:
        """See to it that the table goes on: a bot thinks, or an alarm waits for a person."""
        if self._closing:
            return
        table = room.table
        seat = table.on_turn
        waits = table.playing and seat is not None and table.bot_at(seat) is not None
        if waits and room.thinking is None:
            room.thinking = asyncio.create_task(self._think(room))
        self._set_alarm(room)

    async def _think(self, room: Room) -> None:
        try:
            while (seat := room.table.on_turn) is not None and not self._closing:
                level = room.table.bot_at(seat)
                game = room.table.game
                if level is None or game is None:
                    return
                await self._bot_turn(room, seat, level, game)
        except (StorageError, OSError):
            log.exception("a bot could not move", extra={"table": room.table.code})
            self._later(1.0, room)
        finally:
            room.thinking = None

    def _later(self, seconds: float, room: Room) -> None:
        asyncio.get_running_loop().call_later(seconds, lambda: self._settle(room))

    async def _bot_turn(self, room: Room, seat: Seat, level: str, game: Game) -> None:
        """Let a bot decide, and play what it has decided, as long as nobody interferes."""
        base = room.table.changed
        # Its generator: the same after a restart, and nothing that tells of the seed.
        stream = f"{room.table.code} {room.table.number}"
        actions = await self.players.think(
            level, bytes(game.view(seat)), game.legal(), stream, self.bot_seconds
        )
        instead = actions is None
        for action in actions or [simple_action(game)]:
            try:
                await self._bot_move(room, seat, action, base, instead)
            except StaleError:
                return
            except MoveError as error:
                metrics.INSTEAD.labels(level, "illegal").inc()
                log.warning("%s wanted what is illegal: %s", level, error)
                now = room.table.game
                if now is not None and room.table.on_turn == seat:
                    base = room.table.changed
                    await self._bot_move(room, seat, simple_action(now), base, True)
                return
            base = room.table.changed

    async def _bot_move(
        self, room: Room, seat: Seat, action: int, base: Number, instead: bool
    ) -> None:
        def decide(table: Table) -> Outcome:
            if table.changed != base or table.bot_at(seat) is None:
                raise StaleError  # the player is back, or another server was faster
            return commands.move(table, seat, action, bot=True, instead=instead)

        await self._post(room, f"bot:{base}", decide)

    def _set_alarm(self, room: Room) -> None:
        if room.alarm is not None:
            room.alarm.cancel()
            room.alarm = None
        due = self._stand_in_due(room)
        if due is not None and not self._closing:
            wait = max(0.0, (due - now_ms()) / 1000)
            loop = asyncio.get_running_loop()
            room.alarm = loop.call_later(wait, lambda: self._spawn(self._ring(room)))

    def _stand_in_due(self, room: Room) -> Milliseconds | None:
        """When a bot stands in for the player on turn; None while there is no reason to."""
        table, agreement = room.table, room.table.agreement
        seat = table.on_turn
        if not table.playing or seat is None or agreement.stand_in is None:
            return None
        if table.bot_at(seat) is not None:
            return None
        grace = 1000 * agreement.grace_seconds
        end = deadline(table)
        if end is not None:
            return end + grace
        person = table.chairs[table.order[seat]].person
        if person is None or person in room.present():
            return None
        return max(table.on_since, room.seen.setdefault(person, now_ms())) + grace

    async def _ring(self, room: Room) -> None:
        def decide(table: Table) -> Outcome:
            due = self._stand_in_due(room)
            if due is None or due > now_ms() or table.on_turn is None:
                raise StaleError
            return StoodIn(table.on_turn, table.agreement.stand_in or ""), None

        room.alarm = None
        try:
            await self._post(room, f"alarm:{room.table.number}", decide)
        except StaleError:
            self._set_alarm(room)
        except Exception:
            log.exception("no bot stands in", extra={"table": room.table.code})
            self._later(1.0, room)

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def now_ms() -> Milliseconds:
    return int(time.time() * 1000)


def state_of(table: Table) -> str:
    """What the storage's list of tables says of it."""
    if table.game is None:
        return "gathering" if table.people else "over"
    return "over" if table.game.over else "playing"


def simple_action(game: Game) -> int:
    """What is played for a bot that has no answer: end the turn, or the first legal placement."""
    legal = game.legal()
    for action in (END_TURN, PASS_CARDS):
        if action in legal:
            return action
    return legal[0]


def _note(room: Room, before: Table, entry: Entry, command: str) -> Moment:
    """Remember an event that the table has taken in."""
    news = moment(before, room.table, entry)
    room.commands[command] = entry.number
    room.recent.append(news)
    if _opens_a_log(entry.event):
        room.log.clear()
    room.log.append(replace(news.public, table=None, clock=None))
    return news


def _opens_a_log(event: AnyEvent) -> bool:
    return isinstance(event, Created) or kind_of(event) == "rematched"


def _catch_up(room: Room, kept: list[Kept]) -> None:
    for each in kept:
        before = room.table
        room.table = before.after(each.entry)
        _note(room, before, each.entry, each.command)
