"""Uvicorn's end of an HTTP connection, with bounds on all that comes before the application.

Its parser, httptools, has none: it takes headers as long as they come.
"""

import asyncio
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from baghdad.server.ops import metrics
from baghdad.text import say

from .guarded import Guarded

if TYPE_CHECKING:
    from .serving import Config

SLICE = 16 * 1024
"""Bytes that the parser is given at a time: where a part of a request ends inside of one, its
bytes are not counted for the next part."""
LINGER_BYTES = 1024 * 1024
LINGER_SECONDS = 2.0
"""What a client may go on sending after it was refused: whoever cuts a connection at once takes
back the answer, too, which says why."""


class GuardedHttp(Guarded, HttpToolsProtocol):
    """Counts the bytes of a request before they are parsed, and the seconds that they take."""

    def __init__(self, config: "Config", *args: Any, **kwargs: Any) -> None:
        super().__init__(config, *args, **kwargs)
        self.limits = config.limits
        self.doors = config.doors
        self._in_head = True
        """Whether a head is awaited or has begun; else a body."""
        self._taken = 0
        """Bytes of it so far,"""
        self._parts = 0
        """and how many heads and bodies there were before it."""
        self._pieces = 0
        """That the body came in."""
        self._deadline: asyncio.TimerHandle | None = None
        self._refusal: tuple[int, str] | None = None
        """Why the parser was stopped: a status, and the key of its text."""
        self._lingering: int | None = None
        """Bytes that may still come, and are not looked at, once the client was refused."""

    # The connection

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.entry = self.doors.enter(self.client[0] if self.client else "")
        if self.entry is None:
            self._lingering = 0
            transport.abort()
        else:
            self._set_deadline(self.limits.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        self._unset_deadline()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        if self._lingering is None:
            super().shutdown()
        else:
            self.transport.abort()

    def handle_websocket_upgrade(self) -> None:
        self._unset_deadline()
        super().handle_websocket_upgrade()
        # They know each other, and nobody else knows them any more.
        self.parser = None  # type: ignore[assignment]
        successor = self.transport.get_protocol()
        if isinstance(successor, Guarded):
            successor.entry, self.entry = self.entry, None
            if successor.is_lost:  # such as with a body; it would stay open for ever
                metrics.CUT_CONNECTIONS.labels("no_http").inc()
                self.transport.write(answer(400, "no_http"))
                self.transport.close()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.is_closing():
            self.watch_reader()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self.watch_reader()

    # What comes

    def data_received(self, data: bytes) -> None:
        while data:
            if self._lingering is not None:
                self._linger(len(data))
                return
            if self._in_head and self._deadline is None:
                self._set_deadline(self.limits.head_seconds)
            # The application refuses a body that is too long in words; it is stopped here where
            # nobody listens. Chunks have bytes of their own.
            most = self.limits.head if self._in_head else 2 * self.limits.body
            left = most - self._taken
            if left <= 0:
                self._refuse(*((431, "head_too_long") if self._in_head else (413, "too_long")))
                return
            part, before = data[: min(left, SLICE)], self._parts
            super().data_received(part)
            if self.transport.is_closing() or self.transport.get_protocol() is not self:
                return
            self._taken = self._taken + len(part) if self._parts == before else 0
            data = data[len(part) :]
        if not self._in_head and self._deadline is None:
            self._set_deadline(self.limits.body_seconds)

    def on_message_begin(self) -> None:
        if self._deadline is None:  # behind another request
            self._set_deadline(self.limits.head_seconds)
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        if len(self.headers) >= self.limits.headers:
            self._stop_parser(431, "head_too_long")
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if len(self.pipeline) >= self.limits.pipelined:
            self._stop_parser(429, "too_fast")
        if self.entry is not None:
            self.entry.finish()
        self._begin_part(in_head=False)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._pieces += 1
        if self._pieces > self.limits.pieces:
            self._stop_parser(413, "too_long")
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._begin_part(in_head=True)
        super().on_message_complete()

    def _begin_part(self, *, in_head: bool) -> None:
        self._in_head = in_head
        self._parts += 1
        self._pieces = 0
        self._unset_deadline()

    # What is too much

    def _set_deadline(self, seconds: float) -> None:
        self._deadline = self.loop.call_later(seconds, self._is_late)

    def _unset_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _is_late(self) -> None:
        self._deadline = None
        if self._in_head and self._taken == 0:
            self.transport.close()  # a browser that connected in case it would need it
        else:
            self._refuse(408, "too_slow")

    def _stop_parser(self, status: int, key: str) -> None:
        """Called by the parser, which stops at any error, and has `send_400_response` called."""
        self._refusal = status, key
        raise ValueError(key)

    def send_400_response(self, _: str) -> None:
        self._refuse(*(self._refusal or (400, "no_http")))

    def _refuse(self, status: int, key: str) -> None:
        """Say why, where that is possible, and take nothing more."""
        metrics.CUT_CONNECTIONS.labels(key).inc()
        self._unset_deadline()
        self._lingering = LINGER_BYTES
        cycle, in_body = self.cycle, not self._in_head
        if cycle is not None and not cycle.response_complete:
            cycle.disconnected = True  # whatever the application would still say
            cycle.message_event.set()
            if cycle.response_started or not in_body:
                self.transport.abort()  # an earlier answer is on its way
                return
        if cycle is None or not cycle.response_complete or not in_body:
            self.transport.write(answer(status, key))
        self.flow.resume_reading()
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.loop.call_later(LINGER_SECONDS, self.transport.abort)

    def _linger(self, size: int) -> None:
        assert self._lingering is not None, "it was refused"
        self._lingering -= size
        if self._lingering < 0:
            self.transport.abort()


def answer(status: int, key: str) -> bytes:
    """An answer to what was not understood, so that nobody knows in which language."""
    text = say(f"server.{key}", "en").encode()
    return b"".join(
        (
            STATUS_LINE[status],
            b"content-type: text/plain; charset=utf-8\r\n",
            b"content-length: %d\r\n" % len(text),
            b"connection: close\r\n\r\n",
            text,
        )
    )
