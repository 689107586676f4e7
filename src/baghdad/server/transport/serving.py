"""Uvicorn, set up for tables: small frames, many sockets, nothing compressed."""

import asyncio
import socket
import time
from collections.abc import Callable, Iterable
from typing import Any

import uvicorn
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Close, CloseCode, Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import Event, State

from baghdad.server.domain.limits import Limits
from baghdad.server.ops import metrics
from baghdad.server.ops.open_files import is_short, most_connections

from .doors import Doors
from .guarded import Guarded

try:
    from websockets.speedups import apply_mask
except ImportError:  # where it is not compiled
    from websockets.utils import apply_mask

try:
    from . import guarded_http
except ImportError:  # where there is no httptools; h11 has limits of its own for headers
    guarded_http = None  # type: ignore[assignment]

PING_SECONDS = 20.0
"""A dead phone is noticed within twice this time: soon enough to show that somebody has gone."""
STOP_SECONDS = 5
"""For requests that are being answered when the server is told to stop: all but records take
milliseconds, and a service manager's patience is commonly 10 s or more."""
TICKS_A_SECOND = 10
"""How often uvicorn calls `on_tick`."""
LARGEST_FRAME = 64 * 1024
"""Bytes: what is larger is cut off before it is read. Well above `Limits.frame`, so that a command
that is only too long is answered with the reason."""
SLICE = 512
"""Bytes of frames that are parsed at a time, so that a budget is never exceeded by many frames."""
FRAMES_A_SLICE = SLICE // 6 + 1
"""None has less than six bytes, and the first may have begun before."""
TOO_FAST = 4429
"""The code with which a socket is closed that sends too much."""
END = b"\r\n\r\n"
"""Of a request's head."""
FAST_PATH = "baghdad.fast_path"
"""The extension of an ASGI scope in which `write` and `listen` of `FastWebSocket` are found."""

HOSTED = "baghdad.hosted"
"""The extension of a scope whose client is at another process: it is counted there."""


class Config(uvicorn.Config):
    """Uvicorn's, and what our connections are bound by."""

    def __init__(self, *args: Any, limits: Limits, doors: Doors, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.limits = limits
        self.doors = doors


class FastWebSocket(Guarded, WebSocketsSansIOProtocol):
    """Uvicorn's end of a socket, with a fast path in and out: no task, no layers, no waiting.

    A text that comes alone and whole, as nearly all do, goes past the parser; whatever else comes
    is the parser's, and so is all that follows until it is through with it.

    What comes has a budget, of bytes and of frames, before it is parsed. Only when it runs low is
    it looked how much has been added to it since.
    """

    def __init__(self, config: Config, *args: Any, **kwargs: Any) -> None:
        super().__init__(config, *args, **kwargs)
        limits = config.limits
        self.limits = limits
        self.frames_left = self.most_frames = float(limits.burst * limits.frames_a_message)
        self.bytes_left = self.most_bytes = float(max(limits.burst * limits.frame, LARGEST_FRAME))
        self.refilled = time.monotonic()
        self.parsing = 0
        """Bytes that were given to the parser, less those of the frames that came of them: 0 only
        between frames. What was cut into pieces, or was longer than it need be, stays in it."""
        self.receiver: Callable[[bytes], bool] | None = None
        """Takes a text, or returns False: then it goes through ASGI's queue."""
        self.fast_path: dict[object, object] = {"write": self.write, "listen": self.listen}

    @property
    def is_lost(self) -> bool:
        return self.conn.handshake_exc is not None and not self.transport.is_closing()

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][FAST_PATH] = self.fast_path

    def data_received(self, data: bytes) -> None:
        size = len(data)
        if not self.handshake_initiated and not self.parsing and data.find(END) == size - len(END):
            self.parsing = -size  # the request, which is no frame, and nothing else
        if size <= SLICE <= self.bytes_left and self.frames_left >= FRAMES_A_SLICE:
            self.bytes_left -= size  # a message of an ordinary size
            if self.parsing or not self._receive(data):
                self._parse(data)
            return
        for start in range(0, size, SLICE):
            part = data[start : start + SLICE]
            self._refill()
            self.bytes_left -= len(part)
            if self.bytes_left < 0 or self.frames_left < 0:
                self._cut()
            if self.transport.is_closing():
                return
            self._parse(part)

    def _receive(self, data: bytes) -> bool:
        """Hand a text on that needs no parser; False where this is none, or nobody takes it."""
        receiver = self.receiver
        if receiver is None or self.conn.state is not State.OPEN or not self.queue.empty():
            return False
        text = unframed(data)
        if text is None or not receiver(text):
            return False
        self.frames_left -= 1
        return True

    def _parse(self, data: bytes) -> None:
        self.parsing += len(data)
        super().data_received(data)

    def _refill(self) -> None:
        """Budgets grow with time, as those of the messages that may come."""
        now = time.monotonic()
        limits = self.limits
        messages = (now - self.refilled) * limits.messages_a_second
        self.refilled = now
        frames = self.frames_left + messages * limits.frames_a_message
        self.frames_left = min(frames, self.most_frames)
        self.bytes_left = min(self.bytes_left + messages * limits.frame, self.most_bytes)

    def _cut(self) -> None:
        """No handshake: it would go on sending until it answers."""
        if not self.transport.is_closing():
            metrics.CUT_CONNECTIONS.labels("too_fast").inc()
            if self.handshake_complete and not self.close_sent and self.writable.is_set():
                close = Close(TOO_FAST, "").serialize()
                self.transport.write(Frame(Opcode.CLOSE, close).serialize(mask=False))
            self.transport.abort()

    def handle_events(self) -> None:
        events = self.conn.events
        self.frames_left -= len(events)
        self.parsing -= sum(map(bytes_of, events))
        super().handle_events()

    def handle_ping(self) -> None:
        # Only the latest of several has to be answered, and nobody who does not read.
        pongs = self.conn.data_to_send()
        if not self.transport.get_write_buffer_size():
            self.transport.write(b"".join(pongs))

    def handle_cont(self, event: Frame) -> None:
        super().handle_cont(event)
        if len(self.frames) > self.limits.pieces:
            self._cut()

    async def send(self, message: Any) -> None:
        await super().send(message)
        if self.close_timer is not None:
            self.watch_reader()

    def handle_close(self, event: Frame) -> None:
        super().handle_close(event)
        self.watch_reader()

    def handle_parser_exception(self) -> None:
        super().handle_parser_exception()
        self.watch_reader()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()  # it has not read for long, and may never

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        # No circle is left behind for the collector, which would come late: neither of ours nor of
        # the parser's, which waits in the middle of a frame and knows what it failed at.
        self.receiver = None
        self.fast_path.clear()
        self.conn.parser.close()
        self.conn.parser_exc = self.conn.handshake_exc = None

    def listen(self, receiver: Callable[[bytes], bool]) -> None:
        """From now on texts go to the receiver first."""
        self.receiver = receiver

    def handle_text(self, event: Frame) -> None:
        # A part of a longer text, or one behind others that wait, must go through ASGI's queue.
        receiver = self.receiver if event.fin and self.queue.empty() else None
        if receiver is None or not receiver(bytes(event.data)):
            super().handle_text(event)

    def send_receive_event_to_app(self) -> None:
        try:
            if self.curr_msg_data_type == "text":
                b"".join(self.frames).decode()
        except UnicodeDecodeError:  # uvicorn would do the same, but log a failure of ours
            self.frames = []
            if self.conn.state is State.OPEN:  # the client may have said goodbye behind it
                self.conn.send_close(CloseCode.INVALID_DATA)
            self.handle_parser_exception()
        else:
            super().send_receive_event_to_app()

    def write(self, texts: Iterable[bytes]) -> bool:
        """Send texts now; returns False where they would have to wait, or the socket is closing."""
        closing = self.conn.state is not State.OPEN or self.transport.is_closing()
        if closing or not self.writable.is_set():
            return False
        self.transport.write(b"".join(map(framed, texts)))
        return True


def framed(text: bytes) -> bytes:
    """A text as one unmasked frame (RFC 6455, section 5.2)."""
    size = len(text)
    if size < 126:
        return bytes((0x81, size)) + text
    if size < 1 << 16:
        return b"\x81\x7e" + size.to_bytes(2, "big") + text
    return b"\x81\x7f" + size.to_bytes(8, "big") + text


def unframed(data: bytes) -> bytes | None:
    """The text of a client's frame, where all of it is there, and nothing else."""
    if len(data) < 6 or data[0] != 0x81:
        return None
    start, size = 2, data[1] - 0x80  # it must be masked
    if size == 126:
        start, size = 4, int.from_bytes(data[2:4], "big")
        if size < 126:
            return None
    elif size > 126:
        return None
    text = start + 4
    return apply_mask(data[text:], data[start:text]) if len(data) == text + size else None


def bytes_of(event: Event) -> int:
    """How long a client's frame is at least; 0 for the request, and for parts of a text."""
    if not isinstance(event, Frame) or not event.fin or event.opcode is Opcode.CONT:
        return 0
    size = len(event.data)
    return 6 + size + (0 if size < 126 else 2 if size < 1 << 16 else 8)


class Server(uvicorn.Server):
    """Says when it is open, and goodbye to the sockets before it waits for them to go."""

    def __init__(self, config: uvicorn.Config, welcome: Callable[[], None]) -> None:
        super().__init__(config)
        self.welcome = welcome

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.welcome()

    async def on_tick(self, counter: int) -> bool:
        config = self.config
        if counter % TICKS_A_SECOND == 0 and isinstance(config, Config) and is_short():
            config.doors.short()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        app: Any = self.config.app
        services = app.state.services
        if services.members is not None and services.members.links is not None:
            await services.members.leave()  # first, so that others go on meanwhile
        await services.connections.close()
        await services.records.close()
        await asyncio.sleep(0)  # the connections' own tasks send it
        await super().shutdown(sockets)
        # To be told to stop is not an error: without this, uvicorn ends by the signal once more.
        self._captured_signals.clear()


def serving(
    app: Any,
    host: str = "127.0.0.1",
    port: int = 0,
    *,
    proxy: str | None = None,
    welcome: Callable[[], None] = lambda: None,
) -> Server:
    """A server for the app, with its limits.

    `host` and `port`: where it is not given sockets to run with. `proxy`: addresses whose
    forwarded headers are believed. `welcome` is called when people can come.
    """
    limits: Limits = getattr(app.state, "limits", Limits())
    proxies: Any = ProxyHeadersMiddleware(app, proxy).trusted_hosts if proxy is not None else ()
    config = Config(
        app,
        limits=limits,
        doors=Doors(limits, proxies, most_connections()),
        http="h11" if guarded_http is None else guarded_http.GuardedHttp,
        h11_max_incomplete_event_size=limits.head,
        host=host,
        port=port,
        ws=FastWebSocket,
        ws_max_size=LARGEST_FRAME,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        ws_per_message_deflate=False,
        log_config=None,
        access_log=False,
        proxy_headers=proxy is not None,
        forwarded_allow_ips=proxy,
        server_header=False,
        timeout_graceful_shutdown=STOP_SECONDS,
    )
    return Server(config, welcome)
