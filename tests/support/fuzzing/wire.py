"""Connections: raw bytes in any chunks into the server's own protocols, over a transport of ours.

Behind them is the whole server with a database, but no network, no processes and no bots that
think.
"""

import asyncio
import logging
import re
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import msgspec
from websockets.exceptions import ProtocolError
from websockets.frames import Frame, Opcode
from websockets.protocol import CLIENT, OPEN, Protocol

from baghdad.server.app import make_app
from baghdad.server.domain.commands import NewChair, NewTable, Start
from baghdad.server.domain.limits import Limits
from baghdad.server.runtime import record_worker
from baghdad.server.runtime.record_reader import RecordReader
from baghdad.server.runtime.record_worker import RecordReply, RecordRequest
from baghdad.server.runtime.registry import TableRegistry
from baghdad.server.storage.event_store import database_url
from baghdad.server.transport.serving import serving
from baghdad.server.wire.requests import CommandMessage
from support.live_server import GENEROUS
from support.runtime import ScriptedBots

from .choices import Choices

PLAYED, GATHERING, KEYS = b"%PLAYED%", b"%OPEN%", b"%KEYS%"
"""Stand for codes of tables made for this input, and for the secrets of all who sit there."""
HANDSHAKE = (
    b"GET /api/tables/%PLAYED%/socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
    b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
PLAYER = b"Authorization: Bearer %KEYS%\r\n"
PEERS = ("127.0.0.1", "192.0.2.7")
"""A proxy whose headers are believed, and anybody else."""
GRACE_SECONDS = 0.004
"""For answers that wait for the database, before the client goes: most are there at once."""
PATIENCE = 60.0
"""Seconds until what was begun for a client who has gone must have ended."""
HIGH_WATER = 64 * 1024
"""From how many bytes on that the client has not read a transport asks to wait: asyncio's."""
MOST_UNREAD = 1024 * 1024
"""Bytes that may wait for a client who reads nothing."""
MOST_TABLES = 500
"""Then everything begins anew, so that memory stays small however long this runs."""
TIGHT = replace(
    GENEROUS, body=600, frame=300, pieces=4, head=1000, headers=12, pipelined=3, burst=60,
    messages_a_second=10.0,
)  # fmt: skip
"""Limits that a short input can reach."""
SERVER_ERROR = re.compile(rb"HTTP/1\.1 (5(?!03)\d\d)")


def http(data: bytes) -> None:
    """A connection: how it behaves in two bytes, then all that the client sends."""
    choices = Choices(data)
    way, size, sent = choices.byte(), choices.byte(), choices.rest()
    _harness(way).talk(sent, way, size)


def socket(data: bytes) -> None:
    """A socket at a table that is played at, of a player or a spectator: its frames."""
    answer, _, back = talk_at_table(data).partition(b"\r\n\r\n")
    if answer.startswith(b"HTTP/1.1 101"):
        check_frames(back)


def talk_at_table(data: bytes) -> bytes:
    """What comes back to a client who sends frames."""
    choices = Choices(data)
    way, size, frames = choices.byte(), choices.byte(), choices.rest()
    head = HANDSHAKE + (PLAYER if way & 4 else b"") + b"\r\n"
    return _harness(way).talk(frames, way, size, head)


def frame(opcode: Opcode, payload: bytes, *, fin: bool = True) -> bytes:
    """A frame of a client. Its mask leaves the payload as it is, so that a fuzzer can read it."""
    with patch("websockets.frames.secrets.token_bytes", bytes):
        return Frame(opcode, payload, fin).serialize(mask=True)


def check_frames(back: bytes) -> None:
    """What came back must be good frames, and no command may have failed."""
    reader = Protocol(CLIENT, state=OPEN, max_size=None)
    reader.receive_data(back)
    if isinstance(reader.parser_exc, ProtocolError):
        raise reader.parser_exc
    for event in reader.events_received():
        if isinstance(event, Frame) and event.opcode is Opcode.TEXT:
            message = msgspec.json.decode(event.data)
            assert message.get("result") != "failed", message


class FakeTransport(asyncio.Transport):
    """The client's end, which keeps what it is sent."""

    def __init__(self, protocol: asyncio.Protocol, peer: str, *, reads: bool) -> None:
        super().__init__({"peername": (peer, 40_000), "sockname": ("127.0.0.1", 8080)})
        self.protocol: Any = protocol
        self.reads = reads
        self.sent = bytearray()
        self.closed = False
        self.reading = True
        self._full = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self.closed:
            return
        self.sent += data
        if not self.reads and len(self.sent) > HIGH_WATER and not self._full:
            self._full = True
            self.protocol.pause_writing()

    def get_write_buffer_size(self) -> int:
        return 0 if self.reads else len(self.sent)

    def get_write_buffer_limits(self) -> tuple[int, int]:
        return HIGH_WATER // 4, HIGH_WATER

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None: ...

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self.protocol = protocol

    def get_protocol(self) -> asyncio.BaseProtocol:
        protocol: asyncio.BaseProtocol = self.protocol
        return protocol

    def is_closing(self) -> bool:
        return self.closed

    def is_reading(self) -> bool:
        return self.reading

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None: ...

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            asyncio.get_running_loop().call_soon(self.protocol.connection_lost, None)

    def abort(self) -> None:
        self.close()


class Harness(logging.Handler):
    """The server, and everything that goes wrong in it."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(logging.ERROR)
        shared = Path("/dev/shm")  # where there is one, the disk has nothing to do
        self._folder = TemporaryDirectory(dir=shared if shared.is_dir() else None)
        self._open = AsyncExitStack()
        self._failures: list[str] = []
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(lambda _, context: self._failures.append(str(context)))
        self.tables = 0
        self.app = make_app(database_url(Path(self._folder.name)), limits=limits)
        self._server = serving(self.app, proxy=PEERS[0])
        self._server.config.load()
        logging.getLogger().addHandler(self)
        with patch("baghdad.server.app.BotPool", lambda *_, **__: ScriptedBots()):
            life = self.app.router.lifespan_context(self.app)
            self._loop.run_until_complete(self._open.enter_async_context(life))
        reader: RecordReader = self.app.state.services.records
        reader._ask = read_here  # type: ignore[method-assign]

    def emit(self, record: logging.LogRecord) -> None:
        self._failures.append(logging.Formatter().format(record))

    def stop(self) -> None:
        self._loop.run_until_complete(self._open.aclose())
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()
        logging.getLogger().removeHandler(self)
        self._folder.cleanup()

    def talk(self, sent: bytes, way: int, size: int, head: bytes = b"") -> bytes:
        """What comes back to a client who sends this.

        `way`: bit 0, the client reads nothing; bit 1, it is no proxy; bit 2, on a socket it is a
        player; bit 3, the server's limits are tight. `size`: of its chunks, 0 for all at once.
        """
        self._failures.clear()
        talking = self._talk(sent, way, size, head)
        back = self._loop.run_until_complete(talking)
        if self._failures:
            raise AssertionError("\n".join(self._failures))
        if found := SERVER_ERROR.search(back):
            raise AssertionError(found[0].decode())
        if way & 1:
            assert len(back) <= MOST_UNREAD, f"{len(back)} bytes wait for a client who reads none"
        return back

    async def _talk(self, sent: bytes, way: int, size: int, head: bytes) -> bytes:
        head, sent = await self._named(head, sent)
        state, config = self._server.server_state, self._server.config
        make: Any = config.http_protocol_class
        protocol = make(config=config, server_state=state, app_state={})
        transport = FakeTransport(protocol, PEERS[way >> 1 & 1], reads=not way & 1)
        protocol.connection_made(transport)
        for chunk in (*([head] if head else []), *chunks(sent, size)):
            if transport.closed:
                break
            if chunk is head or not transport.reading:
                await self._settle()
            if not transport.reading:
                break
            transport.protocol.data_received(chunk)
            await asyncio.sleep(0)
        await self._settle()
        transport.close()
        await asyncio.sleep(0)
        if state.tasks:
            _, hanging = await asyncio.wait(state.tasks, timeout=PATIENCE)
            assert not hanging, f"still there after the client has gone: {hanging}"
        return bytes(transport.sent)

    async def _settle(self) -> None:
        """Let everything happen that can without another byte."""
        await asyncio.sleep(0)
        if tasks := self._server.server_state.tasks:
            await asyncio.wait(tasks, timeout=GRACE_SECONDS)

    async def _named(self, *texts: bytes) -> tuple[bytes, ...]:
        """With codes and secrets of tables in place of what stands for them."""
        whole, keys = b"".join(texts), b""
        for name, begun in ((GATHERING, False), (PLAYED, True)):
            if name in whole:
                code, keys = await self._table(begun=begun)
                texts = tuple(text.replace(name, code) for text in texts)
        return tuple(text.replace(KEYS, keys) for text in texts)

    async def _table(self, *, begun: bool) -> tuple[bytes, bytes]:
        self.tables += 1
        registry: TableRegistry = self.app.state.services.registry
        chairs = (NewChair("human", name="Bea"),) if begun else ()
        welcome = await registry.create(NewTable("Ann", chairs=chairs))
        if begun:
            actor = await registry.actor(welcome.code)
            await actor.submit(0, CommandMessage("start", 1, Start()), "en")
        return welcome.code.encode(), ".".join(key.secret for key in welcome.keys).encode()


async def read_here(request: RecordRequest) -> RecordReply:
    """In place of a process that reads records."""
    return record_worker.reply(request)


def chunks(data: bytes, size: int) -> Iterator[bytes]:
    for at in range(0, len(data), size or len(data) or 1):
        yield data[at : at + (size or len(data))]


_running: dict[bool, Harness] = {}


def _harness(way: int) -> Harness:
    tight = bool(way & 8)
    if tight in _running and _running[tight].tables > MOST_TABLES:
        _running.pop(tight).stop()
    if tight not in _running:
        _running[tight] = Harness(TIGHT if tight else GENEROUS)
    return _running[tight]


def close() -> None:
    """Let the servers go, where there are any."""
    while _running:
        _running.popitem()[1].stop()
