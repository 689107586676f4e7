"""Uvicorn, set up for tables: small frames, many sockets, nothing compressed."""

import asyncio
import socket
from collections.abc import Callable, Iterable
from typing import Any

import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State

PING_SECONDS = 20.0
"""A dead phone is noticed within twice this time: soon enough to show that somebody has gone."""
STOP_SECONDS = 5
"""For requests that are being answered when the server is told to stop: all but records take
milliseconds, and a service manager's patience is commonly 10 s or more."""
LARGEST_FRAME = 64 * 1024
"""Bytes: what is larger is cut off before it is read. Well above `Limits.frame`, so that a command
that is only too long is answered with the reason."""
FAST_PATH = "baghdad.fast_path"
"""The extension of an ASGI scope in which `write` and `listen` of `FastWebSocket` are found."""


class FastWebSocket(WebSocketsSansIOProtocol):
    """Uvicorn's end of a socket, with a fast path in and out: no task, no layers, no waiting."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.receiver: Callable[[bytes], bool] | None = None
        """Takes a text, or returns False: then it goes through ASGI's queue."""
        self.fast_path: dict[object, object] = {"write": self.write, "listen": self.listen}

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][FAST_PATH] = self.fast_path

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.receiver = None  # no circle is left behind for the collector
        self.fast_path.clear()

    def listen(self, receiver: Callable[[bytes], bool]) -> None:
        """From now on texts go to the receiver first."""
        self.receiver = receiver

    def handle_text(self, event: Frame) -> None:
        # A part of a longer text, or one behind others that wait, must go through ASGI's queue.
        receiver = self.receiver if event.fin and self.queue.empty() else None
        if receiver is None or not receiver(bytes(event.data)):
            super().handle_text(event)

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


class Server(uvicorn.Server):
    """Says when it is open, and goodbye to the sockets before it waits for them to go."""

    def __init__(self, config: uvicorn.Config, welcome: Callable[[], None]) -> None:
        super().__init__(config)
        self.welcome = welcome

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.welcome()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        app: Any = self.config.app
        await app.state.services.connections.close()
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
    """A server for the app.

    `host` and `port`: where it is not given sockets to run with. `proxy`: addresses whose
    forwarded headers are believed. `welcome` is called when people can come.
    """
    config = uvicorn.Config(
        app,
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
