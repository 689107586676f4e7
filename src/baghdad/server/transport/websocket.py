"""The socket: events as they happen, commands as they come."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress

import msgspec
from msgspec.structs import replace
from starlette.websockets import WebSocket, WebSocketDisconnect

from baghdad.server.domain.events import PersonNumber
from baghdad.server.domain.limits import Limits
from baghdad.server.domain.refusals import RefusedError
from baghdad.server.ops import metrics
from baghdad.server.runtime.actor import COME_BACK, TableActor
from baghdad.server.runtime.clock import Clock
from baghdad.server.storage.errors import FencedError
from baghdad.server.wire.codec import encode, understood
from baghdad.server.wire.messages import Answer, Heartbeat, Presence
from baghdad.server.wire.requests import CommandMessage

from .rates import TokenBucket
from .serving import FAST_PATH, HOSTED

log = logging.getLogger(__name__)

QUEUE = 128
"""Messages that may wait for a client: some 100 KB. One that is further behind is closed, and
comes back for a snapshot, which is smaller."""
BEAT_SECONDS = 15.0
"""A silent connection is tested this often; proxies commonly cut after 60 s."""
BEATS_AT_ONCE = 100
"""Then everybody else has a turn: those for thousands of sockets take a tenth of a second."""
LONGEST_REASON = 120
"""Bytes of a reason to close a socket; the protocol allows 123."""
NO_TABLE, NOT_YOURS, SLOW, LATER, RESTART = 4404, 4403, 4408, 4429, COME_BACK
"""Why a socket was closed."""

decode_command = msgspec.json.Decoder(CommandMessage).decode


class Outbox:
    """Connections with something to send: all that is sent in one turn of the loop goes out
    together, so that an event and the answer to the command that made it are one write."""

    def __init__(self) -> None:
        self._waiting: list[Connection] = []

    def add(self, connection: "Connection") -> None:
        if not self._waiting:  # one call for all: a commit has the events of many tables
            asyncio.get_running_loop().call_soon(self._flush)
        self._waiting.append(connection)

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        for each in waiting:
            try:
                each.flush()
            except Exception:  # of one socket; the others must not suffer
                log.exception("a socket takes nothing")


class Connection:
    """One client's end: a bounded queue, and a task that empties it where `flush` can't."""

    __slots__ = (
        "_closing",
        "_outbox",
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
        outbox: Outbox,
    ) -> None:
        self.socket = socket
        self.person = person
        self.people = people
        self._outbox = outbox
        self._queue: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self._sending = False
        """Whether the task has taken a message from the queue: nothing may overtake it."""
        self._write = write
        """The fast path out; it returns False where it is not free."""
        self._closing: int | None = None
        self.sent = time.monotonic()

    def send(self, message: bytes) -> None:
        """Send a message in a moment; what is sent until then goes out together with it."""
        if self._closing is not None:
            return  # nothing comes after a gap
        if len(self._queue) >= QUEUE:
            metrics.SLOW.inc()
            self._queue.clear()
            self.close(SLOW)
        else:
            self._queue.append(message)
            if len(self._queue) == 1:
                self._outbox.add(self)

    def flush(self) -> None:
        """Send all that waits, by the fast path if that is free."""
        if not self._sending and self._write(self._queue):
            self._queue.clear()
            self.sent = time.monotonic()
        else:
            self._wake.set()

    def close(self, code: int) -> None:
        """Send what waits, and close the socket."""
        if self._queue:
            self.flush()
        self._closing = self._closing or code
        self._wake.set()

    async def send_all(self) -> None:
        """Send what waits, until the connection is closed or the client has gone."""
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


def no_fast_write(_: Iterable[bytes]) -> bool:
    """Under another server than ours there is no fast path out,"""
    return False


def no_fast_read(_: Callable[[bytes], bool]) -> None:
    """nor in."""


class LongPoll:
    """Somebody who waits for the next event over plain HTTP."""

    def __init__(self, person: PersonNumber | None, people: tuple[PersonNumber, ...]) -> None:
        self.person = person
        self.people = people
        self.over = False
        self._wake = asyncio.Event()

    def send(self, _: bytes) -> None:
        self._wake.set()

    def close(self, _: int) -> None:
        self.over = True
        self._wake.set()

    async def wait(self) -> None:
        await self._wake.wait()
        self._wake.clear()


class Connections:
    """All who are connected."""

    def __init__(self, clock: Clock, limits: Limits) -> None:
        self.clock = clock
        self.limits = limits
        self.outbox = Outbox()
        self._open: set[Connection] = set()
        self._polls: set[LongPoll] = set()
        self._beating: asyncio.Task[None] | None = None
        self._stopping = False

    @property
    def sockets(self) -> int:
        """How many are open."""
        return len(self._open)

    def open(self) -> None:
        self._beating = asyncio.create_task(self._beat())

    async def close(self) -> None:
        """Tell everybody to come back later, also clients that are just coming in."""
        self._stopping = True
        if self._beating is not None:
            self._beating.cancel()
        connected: list[Connection | LongPoll] = [*self._open, *self._polls]
        for each in connected:
            each.close(RESTART)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS / 3)  # so that none is silent for much longer
            await self._beat_once()

    async def _beat_once(self) -> None:
        now, beat = time.monotonic(), encode(Heartbeat(self.clock.now()))
        silent = [each for each in self._open if now - each.sent > BEAT_SECONDS]
        for start in range(0, len(silent), BEATS_AT_ONCE):
            for connection in silent[start : start + BEATS_AT_ONCE]:
                connection.send(beat)
            await asyncio.sleep(0)

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
        actor.enter(poll)
        try:
            async with asyncio.timeout(seconds):
                while actor.table.number == number and not poll.over:
                    await poll.wait()
        except TimeoutError:
            pass
        finally:
            actor.leave(poll)
            self._polls.discard(poll)

    @contextmanager
    def kept(self, connection: Connection) -> Iterator[None]:
        """A socket that is served elsewhere: it is tested, and told when we stop."""
        self._open.add(connection)
        metrics.SOCKETS.inc()
        if self._stopping:
            connection.close(RESTART)
        try:
            yield
        finally:
            self._open.discard(connection)
            metrics.SOCKETS.dec()

    async def serve(
        self,
        socket: WebSocket,
        actor: TableActor,
        people: tuple[PersonNumber, ...],
        person: PersonNumber | None,
        after: int | None,
        language: str,
        rates: tuple[TokenBucket, ...],
    ) -> None:
        """Talk with one client until it goes. `rates`: what counts its messages."""
        await socket.accept()
        if actor.lost:  # in this moment
            await socket.close(RESTART)
            return
        fast_path = socket.scope.get("extensions", {}).get(FAST_PATH, {})
        write = fast_path.get("write", no_fast_write)
        connection = Connection(socket, person, people, write, self.outbox)
        here = HOSTED not in socket.scope.get("extensions", {})
        if here:
            self._open.add(connection)
            metrics.SOCKETS.inc()
        sending = asyncio.create_task(connection.send_all())
        try:
            caught_up = greet(connection, actor, after)
            actor.enter(connection)
            if caught_up:  # the people there may have changed, too, while it was away
                connection.send(encode(Presence(actor.shown_present())))
            session = Session(actor, connection, self.limits.frame, language, rates)
            fast_path.get("listen", no_fast_read)(session.receive)
            if self._stopping:
                connection.close(RESTART)
            await session.listen()
        except (WebSocketDisconnect, RuntimeError, FencedError):
            pass  # it has gone; it will come back
        except asyncio.CancelledError:
            if not self._stopping:
                raise
            # It has not gone in time, and is not waited for any longer.
        finally:
            actor.leave(connection)
            if here:
                self._open.discard(connection)
                metrics.SOCKETS.dec()
            sending.cancel()


async def close_with_reason(socket: WebSocket, code: int, reason: str) -> None:
    """Accept a socket and close it: a browser learns the reason of an open one only."""
    await socket.accept()
    await socket.close(code, reason.encode()[:LONGEST_REASON].decode(errors="ignore"))


def greet(connection: Connection, actor: TableActor, after: int | None) -> bool:
    """Send what was missed since `after`, or everything; returns whether it was the first."""
    missed = None if after is None else actor.missing(after, connection.person)
    if missed is None:
        connection.send(encode(actor.snapshot(connection.person, connection.people)))
        return False
    for each in missed:
        connection.send(encode(each))
    return True


class Session:
    """What one client wants of its table, one command after another."""

    def __init__(
        self,
        actor: TableActor,
        connection: Connection,
        largest: int,
        language: str,
        rates: tuple[TokenBucket, ...],
    ) -> None:
        self._actor = actor
        self._connection = connection
        self._largest = largest
        self._rates = rates
        """Of the person, on whatever socket, and of the address."""
        self._language = language
        self._busy = False
        """Whether a command that came by the fast path is still being handled."""

    def receive(self, body: bytes) -> bool:
        """Take a command by the fast path, at once.

        Returns False where it can't: then the message goes through ASGI's queue to `listen`.
        """
        if self._busy:
            return False
        try:
            message, person = self._read(body)
        except RefusedError:
            return False
        if person is None:
            return False
        self._busy = True
        self._actor.enqueue(person, message, self._language, self._reply)
        return True

    async def listen(self) -> None:
        """Handle one message of ASGI's queue after another, until the client goes."""
        receive = self._connection.socket.receive
        while (event := await receive())["type"] != "websocket.disconnect":
            name = ""
            try:
                message, person = self._read(event.get("text") or event.get("bytes") or b"")
                name = message.id
                if person is None:
                    raise RefusedError("no_secret")
            except RefusedError as error:
                reason, number = error.said(self._language), self._actor.table.number
                self._reply(Answer(name, "refused", number, None, reason, error.key))
            else:
                self._reply(await self._actor.submit(person, message, self._language))

    def _read(self, body: str | bytes) -> tuple[CommandMessage, PersonNumber | None]:
        """A command and whose it is; None for somebody whose secret the client does not hold.

        Raises `RefusedError` for what a table need not hear of.
        """
        for rate in self._rates:
            if not rate.take():
                raise RefusedError("too_fast")
        if len(body) > self._largest:
            raise RefusedError("too_long")
        message = understood(decode_command, body)
        person = self._connection.person if message.person is None else message.person
        return message, person if person in self._connection.people else None

    def _reply(self, answer: Answer | FencedError) -> None:
        self._busy = False
        if isinstance(answer, FencedError):
            return  # the socket is being closed, and whoever comes back asks again
        # What was missed has come over this connection already, in its place.
        self._connection.send(encode(replace(answer, missing=()) if answer.missing else answer))
