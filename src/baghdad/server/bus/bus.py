"""This process on the bus: what it sends each other process, in order, and what it is sent.

NATS may lose what it carries. Packets between two processes are numbered, so a gap is noticed by
the next one; then both sides begin anew with each other, and numbers of events heal the rest.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Iterator
from contextlib import suppress
from itertools import count
from urllib.parse import urlsplit

import msgspec
import nats
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error

from baghdad.server.ops import metrics

from .packets import Call, Item, Packet, Reset, Text, decode_call, decode_packet, encode

log = logging.getLogger(__name__)

SUBJECT = "baghdad.1"
"""With the version of what crosses the bus: those of another one don't hear each other."""
LARGEST = 256 * 1024
"""Bytes of a packet, about; NATS takes a megabyte unless told."""
ITEM_BYTES = 200
"""What surrounds a message, generously."""
BEAT_SECONDS = 0.5
"""Between two packets to everybody whom this process talks with, and to itself."""
SILENT_SECONDS = 3 * BEAT_SECONDS
"""Whoever does not hear itself for so long is cut off, whatever its connection says."""
CONNECT_SECONDS = 5
UNHEARD_SECONDS = 0.2
"""Between two words of those who don't listen: where the bus has just started again, nobody does
for a moment."""
NO_RESPONDERS = "503"


class NoBusError(Exception):
    """The bus is not there, or does not let us in."""


class Outbox:
    """What waits for a process. A message that is the same for several sockets is in it once."""

    def __init__(self) -> None:
        self._items: list[Item] = []
        self._texts: dict[int, int] = {}
        """By body: where it stands,"""
        self._last: dict[int, int] = {}
        """and by socket: where the last message for it stands, since their order stays."""

    def put(self, item: Item) -> None:
        if isinstance(item, Text):
            place = self._texts.get(id(item.body), -1)
            if place > max(self._last.get(each, -1) for each in item.ids):
                there = self._items[place]
                assert isinstance(there, Text), "it is a message's place"
                self._items[place] = Text(there.ids + item.ids, there.body)
            else:
                place = self._texts[id(item.body)] = len(self._items)
                self._items.append(item)
            self._last |= dict.fromkeys(item.ids, place)
            return
        if not isinstance(item, Reset):
            self._last[item.id] = len(self._items)
        self._items.append(item)

    def pieces(self) -> Iterator[tuple[Item, ...]]:
        """All of it, in groups that fit into a packet."""
        some: list[Item] = []
        size = 0
        for item in self._items:
            length = len(getattr(item, "body", b"")) + ITEM_BYTES
            if some and size + length > LARGEST:
                yield tuple(some)
                some, size = [], 0
            some.append(item)
            size += length
        yield tuple(some)


class Bus:
    """Packets to and from other processes."""

    def __init__(self, address: str, id_: str) -> None:
        self.address = address
        self.id = id_
        self.received: Callable[[str, Item], None] = lambda *_: None
        """Told of everything that another process sends,"""
        self.reset: Callable[[str | None], None] = lambda _: None
        """and with whom to begin anew; None: with everybody."""
        self.called: Callable[[Call], None] = lambda _: None
        self.unheard: Callable[[], None] = lambda: None
        """Told when somebody who was sent something does not listen: it has died, or is cut off."""
        self._unheard_at = -UNHEARD_SECONDS
        self._client = Client()
        self._streams = count(time.time_ns())
        self._sent: dict[str, tuple[int, int]] = {}
        """By process: the stream, and the number of the last packet."""
        self._got: dict[str, tuple[int, int]] = {}
        self._waiting: dict[str, Outbox] = {}
        self._calls: list[Call] = []
        self._wake = asyncio.Event()
        self._heard = 0.0
        self._trouble: Exception | None = None
        self._was_linked = False
        self._tasks: list[asyncio.Task[None]] = []
        self._answering: set[asyncio.Task[None]] = set()

    # The connection

    async def open(self) -> None:
        """Connect. Raises `NoBusError`."""
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await self._connect()
        except (Error, OSError, TimeoutError) as error:
            await self._let_go()
            trouble = self._trouble or error
            raise NoBusError(str(trouble) or type(trouble).__name__) from error
        self._heard = time.monotonic()
        self._was_linked = True
        metrics.BUS.set_function(lambda: float(self.linked))
        self._tasks = [
            asyncio.create_task(self._send_all(), name="bus"),
            asyncio.create_task(self._beat(), name="bus beats"),
        ]

    async def _connect(self) -> None:
        await self._client.connect(
            servers=[self.address],
            name=f"baghdad {self.id}",
            reconnect_time_wait=0.1,  # type: ignore[arg-type]
            # The first time it says what is wrong, instead of trying for ever.
            max_reconnect_attempts=1,
            allow_reconnect=False,
            ping_interval=2,
            max_outstanding_pings=2,
            reconnected_cb=self._reconnected,
            error_cb=self._failed,
        )
        self._client.options |= {"max_reconnect_attempts": -1, "allow_reconnect": True}
        await self._client.subscribe(self._inbox(self.id), cb=self._take)
        await self._client.subscribe(f"{SUBJECT}.all", cb=self._take_call)
        await self._client.subscribe(self._returns, cb=self._take_return)
        await self._client.flush()

    async def close(self) -> None:
        """Send what waits, and let go."""
        with suppress(Exception):
            await self._send_once()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with suppress(Exception):
            async with asyncio.timeout(1):
                await self._client.flush(1)
        await self._let_go()

    async def _let_go(self) -> None:
        with suppress(Exception):
            async with asyncio.timeout(1):
                await self._client.close()

    @property
    def linked(self) -> bool:
        """Whether what is sent comes through."""
        return self._client.is_connected and time.monotonic() - self._heard < SILENT_SECONDS

    async def _reconnected(self) -> None:
        log.warning("the bus is back")
        self.begin_anew(None)

    async def _failed(self, error: Exception) -> None:
        self._trouble = error
        log.warning("the bus: %s", str(error) or type(error).__name__)
        if isinstance(error, nats.errors.SlowConsumerError):  # something was dropped
            self.begin_anew(None)

    @staticmethod
    def _inbox(process: str) -> str:
        return f"{SUBJECT}.to.{process}"

    @property
    def _returns(self) -> str:
        """Where NATS says that nobody listens."""
        return f"{SUBJECT}.unheard.{self.id}"

    # Sending

    def send(self, process: str, item: Item) -> None:
        """Send something to a process in a moment, together with all that comes until then."""
        if process not in self._waiting:
            self._waiting[process] = Outbox()
        self._waiting[process].put(item)
        self._wake.set()

    def call(self, kind: str, body: bytes = b"") -> None:
        """Tell all processes something."""
        self._calls.append(Call(self.id, kind, body))
        self._wake.set()

    async def request(self, subject: str, body: bytes, seconds: float) -> bytes:
        """What somebody answers who listens there. Raises `TimeoutError`, also where nobody is."""
        try:
            answer = await self._client.request(f"{SUBJECT}.{subject}", body, timeout=seconds)
        except (Error, OSError) as error:
            raise TimeoutError(str(error)) from error
        return answer.data

    async def answer(self, subject: str, handle: Callable[[bytes], Awaitable[bytes]]) -> None:
        """Answer requests, each of which comes to one of all who do."""

        async def reply(message: Msg) -> None:
            with suppress(Error, OSError):
                await message.respond(await handle(message.data))

        async def begin(message: Msg) -> None:
            task = asyncio.create_task(reply(message))
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)

        await self._client.subscribe(f"{SUBJECT}.{subject}", queue=subject, cb=begin)

    async def _send_all(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                await self._send_once()
            except (Error, OSError) as error:
                log.warning("the bus takes nothing: %s", str(error) or type(error).__name__)
                self.begin_anew(None)

    async def _send_once(self) -> None:
        waiting, self._waiting = self._waiting, {}
        calls, self._calls = self._calls, []
        if not self._client.is_connected:
            return  # whoever comes back begins anew
        for process, outbox in waiting.items():
            for some in outbox.pieces():
                await self._publish(process, some)
        for each in calls:
            await self._client.publish(f"{SUBJECT}.all", encode(each))

    async def _publish(self, process: str, items: tuple[Item, ...]) -> None:
        packet = encode(self._packet(process, items))
        await self._client.publish(self._inbox(process), packet, self._returns)

    def _packet(self, process: str, items: tuple[Item, ...]) -> Packet:
        stream, number = self._sent.get(process) or (next(self._streams), 0)
        self._sent[process] = stream, number + 1
        return Packet(self.id, stream, number + 1, items)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            try:
                if self._client.is_connected:
                    for process in [self.id, *self._sent]:
                        if process not in self._waiting:
                            await self._publish(process, ())
            except (Error, OSError) as error:
                log.warning("the bus takes nothing: %s", str(error) or type(error).__name__)
            if self._was_linked and not self.linked:
                log.warning("the bus is not reached")
                self._was_linked = False

    def forget(self, process: str) -> None:
        """A process is gone."""
        for each in (self._sent, self._got, self._waiting):
            each.pop(process, None)

    def keep(self, living: Collection[str]) -> None:
        """Send nothing more to anybody else: what was still said to a process that is gone would
        have it sent beats for ever."""
        for process in {*self._sent, *self._waiting} - {self.id, *living}:
            self._sent.pop(process, None)
            self._waiting.pop(process, None)

    # Receiving

    async def _take(self, message: Msg) -> None:
        try:
            packet = decode_packet(message.data)
        except msgspec.MsgspecError as error:
            log.warning("not understood, on the bus: %s", error)
            return
        sender = packet.sender
        if sender == self.id:
            self._heard = time.monotonic()
            if not self._was_linked:
                self._was_linked = True
                self.begin_anew(None)
            return
        stream, number = self._got.get(sender, (0, 0))
        self._got[sender] = packet.stream, packet.number
        if packet.stream != stream:
            whole = packet.number == 1
            if stream or not whole:  # the other one has begun anew, or its beginning is missed
                self.begin_anew(sender, tell=not whole)
                self._got[sender] = packet.stream, packet.number
        elif packet.number != number + 1:
            self.begin_anew(sender)
            self._got[sender] = packet.stream, packet.number
        for item in packet.items:
            if isinstance(item, Reset):
                self.begin_anew(sender, tell=False)
                self._got[sender] = packet.stream, packet.number
            else:
                self._handle(sender, item)

    def _handle(self, sender: str, item: Item) -> None:
        try:
            self.received(sender, item)
        except Exception:  # the next one must not suffer
            log.exception("not taken, from the bus")

    async def _take_return(self, message: Msg) -> None:
        now, status = time.monotonic(), (message.headers or {}).get("Status")
        if status == NO_RESPONDERS and now - self._unheard_at > UNHEARD_SECONDS:
            self._unheard_at = now
            self.unheard()

    async def _take_call(self, message: Msg) -> None:
        with suppress(msgspec.MsgspecError):
            call = decode_call(message.data)
            if call.sender != self.id:
                self.called(call)

    def begin_anew(self, process: str | None, *, tell: bool = True) -> None:
        """Something was missed, or somebody was away: forget what is under way, and say so."""
        metrics.RESETS.inc()
        for each in list(self._sent) if process is None else [process]:
            self._waiting.pop(each, None)
            if tell:
                self.send(each, Reset())
        self.reset(process)


def shown(address: str) -> str:
    """An address of a bus without its password."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.hostname or ''}:{parts.port or 4222}"
