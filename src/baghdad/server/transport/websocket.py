"""The socket: events as they happen, commands as they come."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace
from starlette.websockets import WebSocket, WebSocketDisconnect

from baghdad.server.domain.events import PersonNumber
from baghdad.server.domain.refusals import RefusedError
from baghdad.server.ops import metrics
from baghdad.server.runtime.actor import TableActor
from baghdad.server.runtime.registry import TableRegistry
from baghdad.server.wire.codec import encode, understood
from baghdad.server.wire.messages import Answer, Heartbeat, Presence
from baghdad.server.wire.requests import CommandMessage

from .auth import Limits, TokenBucket
from .serving import SHORT_WAY

log = logging.getLogger(__name__)

QUEUE = 128
"""Messages that may wait for a client: some 100 KB. One that is further behind is closed, and
comes back for a snapshot, which is smaller."""
BEAT_SECONDS = 15.0
"""A silent connection is tested this often; proxies commonly cut after 60 s."""
NO_TABLE, NOT_YOURS, SLOW, LATER, RESTART = 4404, 4403, 4408, 4429, 1012
"""Why a socket was closed."""

decode_command = msgspec.json.Decoder(CommandMessage).decode


class Connection:
    """One client's end: a bounded queue, and a task that empties it where `flush` can't."""

    __slots__ = (
        "_closing",
        "_flush_soon",
        "_queue",
        "_sending",
        "_wake",
        "_write",
        "people",
        "person",
        "sent",
        "socket",
    )

    def __init__(
        self,
        socket: WebSocket,
        person: PersonNumber | None,
        people: tuple[PersonNumber, ...],
        write: Callable[[Iterable[bytes]], bool],
        flush_soon: "Callable[[Connection], None]",
    ) -> None:
        self.socket = socket
        self.person = person
        self.people = people
        self._queue: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self._sending = False
        """Whether the task has taken a message from the queue: nothing may overtake it."""
        self._write = write
        self._flush_soon = flush_soon
        self._closing: int | None = None
        self.sent = time.monotonic()

    def tell(self, message: bytes) -> None:
        if self._closing is not None:
            return  # nothing comes after a gap
        if len(self._queue) >= QUEUE:
            metrics.SLOW.inc()
            self._queue.clear()
            self.hang_up(SLOW)
        else:
            self._queue.append(message)
            if len(self._queue) == 1:
                self._flush_soon(self)

    def flush(self) -> None:
        """Send all that waits, by the short way if that is free."""
        if not self._sending and self._write(self._queue):
            self._queue.clear()
            self.sent = time.monotonic()
        else:
            self._wake.set()

    def hang_up(self, code: int) -> None:
        if self._queue:
            self.flush()
        self._closing = self._closing or code
        self._wake.set()

    async def send_all(self) -> None:
        """Send what is told, until the connection is closed or the client has gone."""
        with suppress(WebSocketDisconnect, RuntimeError):
            await self._send_all()

    async def _send_all(self) -> None:
        send = self.socket.send
        while self._closing is None:
            self._sending = True
            while self._queue:
                message = self._queue.popleft()
                await send({"type": "websocket.send", "text": message.decode()})
                self.sent = time.monotonic()
            self._sending = False
            if self._closing is None:
                await self._wake.wait()
                self._wake.clear()
        await self.socket.close(self._closing)


def never(_: Iterable[bytes]) -> bool:
    """Another server than ours knows no short way out."""
    return False


def nothing(_: Callable[[bytes], bool]) -> None:
    """Nor in."""


class LongPoll:
    """Somebody who waits for the next event over plain HTTP."""

    def __init__(self, person: PersonNumber | None, people: tuple[PersonNumber, ...]) -> None:
        self.person = person
        self.people = people
        self.over = False
        self._wake = asyncio.Event()

    def tell(self, _: bytes) -> None:
        self._wake.set()

    def hang_up(self, _: int) -> None:
        self.over = True
        self._wake.set()

    async def wait(self) -> None:
        await self._wake.wait()
        self._wake.clear()


class Connections:
    """All who are connected."""

    def __init__(self, registry: TableRegistry, limits: Limits) -> None:
        self.registry = registry
        self.limits = limits
        self._open: set[Connection] = set()
        self._told: list[Connection] = []
        self._polls: set[LongPoll] = set()
        self._beating: asyncio.Task[None] | None = None
        self._stopping = False

    def open(self) -> None:
        self._beating = asyncio.create_task(self._beat())

    async def close(self) -> None:
        """Tell everybody to come back later, and whoever is just coming in."""
        self._stopping = True
        if self._beating is not None:
            self._beating.cancel()
        connected: list[Connection | LongPoll] = [*self._open, *self._polls]
        for each in connected:
            each.hang_up(RESTART)

    def _flush_soon(self, connection: Connection) -> None:
        if not self._told:
            # An event and the answer to the command that made it go out together.
            asyncio.get_running_loop().call_soon(self._flush)
        self._told.append(connection)

    def _flush(self) -> None:
        told, self._told = self._told, []
        for connection in told:
            connection.flush()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS / 3)
            now, beat = time.monotonic(), encode(Heartbeat(self.registry.clock.now()))
            for connection in self._open:
                if now - connection.sent > BEAT_SECONDS:
                    connection.tell(beat)

    async def wait(
        self,
        actor: TableActor,
        person: PersonNumber | None,
        people: tuple[PersonNumber, ...],
        seconds: float,
    ) -> None:
        """Return when something has happened, time is up, or the server stops."""
        poll, number = LongPoll(person, people), actor.table.number
        poll.over = self._stopping
        self._polls.add(poll)
        self.registry.enter(actor, poll)
        try:
            async with asyncio.timeout(seconds):
                while actor.table.number == number and not poll.over:
                    await poll.wait()
        except TimeoutError:
            pass
        finally:
            self.registry.leave(actor, poll)
            self._polls.discard(poll)

    async def serve(
        self,
        socket: WebSocket,
        actor: TableActor,
        people: tuple[PersonNumber, ...],
        person: PersonNumber | None,
        after: int | None,
        language: str,
    ) -> None:
        """Talk with one client until it goes."""
        await socket.accept()
        ways = socket.scope.get("extensions", {}).get(SHORT_WAY, {})
        connection = Connection(socket, person, people, ways.get("write", never), self._flush_soon)
        self._open.add(connection)
        metrics.SOCKETS.inc()
        sending = asyncio.create_task(connection.send_all())
        try:
            caught_up = self._greet(connection, actor, people, after)
            self.registry.enter(actor, connection)
            if caught_up:  # who is there may have changed, too, while it was away
                connection.tell(encode(Presence(actor.present())))
            session = Session(self.registry, self.limits, connection, actor, people, language)
            ways.get("listen", nothing)(session.hear)
            if self._stopping:
                connection.hang_up(RESTART)
            await session.listen()
        except (WebSocketDisconnect, RuntimeError):
            pass  # it has gone; it will come back
        except asyncio.CancelledError:
            if not self._stopping:
                raise
            # It has not gone in time, and is not waited for any longer.
        finally:
            self.registry.leave(actor, connection)
            self._open.discard(connection)
            metrics.SOCKETS.dec()
            sending.cancel()

    def _greet(
        self,
        connection: Connection,
        actor: TableActor,
        people: tuple[PersonNumber, ...],
        after: int | None,
    ) -> bool:
        """What was missed since `after`, or everything; says whether it was the first."""
        missed = None if after is None else self.registry.missing(actor, after, connection.person)
        if missed is None:
            connection.tell(encode(self.registry.snapshot(actor, connection.person, people)))
            return False
        for each in missed:
            connection.tell(encode(each))
        return True


class Session:
    """What one client says to its table."""

    def __init__(
        self,
        registry: TableRegistry,
        limits: Limits,
        connection: Connection,
        actor: TableActor,
        people: tuple[PersonNumber, ...],
        language: str,
    ) -> None:
        self._hall = registry
        self._frame = limits.frame
        self._limit = TokenBucket(limits.messages_a_second, limits.burst)
        self._connection = connection
        self._room = actor
        self._people = people
        self._language = language
        self._asking = False
        """Whether a command that came the short way is still being handled."""

    async def listen(self) -> None:
        """Handle one message after another, until the client goes."""
        receive = self._connection.socket.receive
        while (message := await receive())["type"] != "websocket.disconnect":
            name = ""
            try:
                command = self._read(message.get("text") or message.get("bytes") or b"")
                name = command.id
                person = self._person(command)
            except RefusedError as error:
                reason, number = error.said(self._language), self._room.table.number
                self._answer(Answer(name, "refused", number, None, reason, error.key))
            else:
                registry, actor = self._hall, self._room
                self._answer(await registry.submit(actor, person, command, self._language))

    def hear(self, body: bytes) -> bool:
        """The short way: take a command at once. Whatever else it is must go the long way."""
        if self._asking:
            return False
        try:
            command = self._read(body)
            person = self._person(command)
        except RefusedError:
            return False
        self._asking = True
        self._hall.take(self._room, person, command, self._language, self._answer)
        return True

    def _read(self, body: str | bytes) -> CommandMessage:
        """Raises `RefusedError` for what a table need not hear of."""
        if not self._limit.take():
            raise RefusedError("too_fast")
        if len(body) > self._frame:
            raise RefusedError("too_long")
        return understood(decode_command, body)

    def _person(self, command: CommandMessage) -> PersonNumber:
        person = self._connection.person if command.person is None else command.person
        if person is None or person not in self._people:
            raise RefusedError("no_secret")
        return person

    def _answer(self, answer: Answer) -> None:
        self._asking = False
        # What was missed has come over this connection already, in its place.
        self._connection.tell(encode(replace(answer, missing=()) if answer.missing else answer))


def same_origin(socket: WebSocket, public: str | None) -> bool:
    """Whether a page of ours opened the socket, or a program, which has no origin.

    `public`: the origin that the operator gave out, where a proxy passes another `Host` on.
    """
    origin = socket.headers.get("origin")
    if origin is None or origin == public:
        return True
    try:
        return urlsplit(origin).netloc == socket.headers.get("host")
    except ValueError:
        return False
