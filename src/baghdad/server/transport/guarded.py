"""What all connections have in common: a place at the door, and an eye on whether they read."""

import asyncio
import socket
import struct
from typing import Any

from baghdad.server.ops import metrics

from .doors import Entry

AT_ONCE = struct.pack("ii", 1, 0)
"""How a socket is closed: on, and no seconds (`SO_LINGER`)."""


class Guarded:
    """A connection that was counted at the door, and is cut where nobody reads what it is sent."""

    config: Any
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    entry: Entry | None = None
    _unread: asyncio.TimerHandle | None = None

    @property
    def is_lost(self) -> bool:
        """Whether it will never answer to what has come."""
        return False

    def watch_reader(self) -> None:
        """Something waits to be read: look from time to time whether it gets less."""
        waiting = self.transport.get_write_buffer_size()
        if waiting and self._unread is None:
            seconds = self.config.limits.unread_seconds
            self._unread = self.loop.call_later(seconds, self._look_at_reader, waiting)

    def _look_at_reader(self, before: int) -> None:
        self._unread = None
        waiting = self.transport.get_write_buffer_size()
        if waiting and before - waiting < self.config.limits.unread_bytes:
            metrics.CUT_CONNECTIONS.labels("unread").inc()
            # Nor shall the system keep what it will never read.
            sock = self.transport.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
            self.transport.abort()
        else:
            self.watch_reader()

    def pause_writing(self) -> None:
        super().pause_writing()  # type: ignore[misc]
        self.watch_reader()

    def resume_writing(self) -> None:
        super().resume_writing()  # type: ignore[misc]
        # It reads, and there may be as much to read again when it would be looked at: a long
        # answer goes out in pieces.
        self._unwatch()
        if self.transport.is_closing():
            self.watch_reader()

    def _unwatch(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)  # type: ignore[misc]
        self._unwatch()
        if self.entry is not None:
            self.entry.leave()
            self.entry = None
