"""A client's end of a WebSocket that costs little, so that the server is what is measured."""

import asyncio
import base64
import os
import struct
from collections.abc import Callable
from typing import cast

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
FINAL = 0x80
MASKED = b"\0\0\0\0"
"""A client must mask what it sends; with this mask nothing changes."""


def frame(opcode: int, payload: bytes) -> bytes:
    """A masked frame, as clients send it."""
    size = len(payload)
    if size < 126:
        return bytes((FINAL | opcode, FINAL | size)) + MASKED + payload
    return struct.pack("!BBH", FINAL | opcode, FINAL | 126, size) + MASKED + payload


class Socket(asyncio.Protocol):
    """Sends text, and hands on the text that comes."""

    def __init__(self, request: bytes, hear: "Callable[[Socket, bytes], None]") -> None:
        self.open: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.closing = False
        self._request = request
        self._hear = hear
        self._rest = b""

    def send(self, text: bytes) -> None:
        self._transport.write(frame(TEXT, text))

    def close(self) -> None:
        self.closing = True
        self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        if self._rest:
            data = self._rest + data
        start = 0 if self.open.done() else self._opened(data)
        while (size := len(data) - start) >= 2:
            length, head = data[start + 1], 2
            if length == 126:
                if size < 4:
                    break
                length, head = (data[start + 2] << 8) | data[start + 3], 4
            elif length == 127:
                if size < 10:
                    break
                length, head = int.from_bytes(data[start + 2 : start + 10], "big"), 10
            if size < head + length:
                break
            payload = data[start + head : start + head + length]
            self._take(data[start] & 15, payload)
            start += head + length
        self._rest = data[start:]

    def _opened(self, data: bytes) -> int:
        """Where the first frame begins, after the answer to the request."""
        end = data.find(b"\r\n\r\n")
        if end < 0:
            return 0
        if not data.startswith(b"HTTP/1.1 101"):
            self.open.set_exception(ConnectionError(data[:200]))
            self._transport.abort()
            return len(data)
        self.open.set_result(None)
        return end + 4

    def _take(self, opcode: int, payload: bytes) -> None:
        if opcode == TEXT:
            self._hear(self, payload)
        elif opcode == PING:
            self._transport.write(frame(PONG, payload))
        elif opcode == CLOSE and not self.closing:
            self.closed(payload)

    def closed(self, payload: bytes) -> None:
        """Told by the server to go, which a benchmark does not expect."""
        raise ConnectionError(f"closed by the server: {payload!r}")

    def connection_lost(self, error: Exception | None) -> None:
        if not self.closing and not self.open.done():
            self.open.set_exception(error or ConnectionError("closed by the server"))


def request(path: str, host: str, *headers: str) -> bytes:
    """What asks for a socket."""
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: {host}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
        "Sec-WebSocket-Version: 13",
        *headers,
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


async def connect(
    port: int, address: str, asking: bytes, hear: Callable[[Socket, bytes], None]
) -> Socket:
    """A socket that is open. `address`: of ours, within this machine."""
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(
        lambda: Socket(asking, hear), "127.0.0.1", port, local_addr=(address, 0)
    )
    await socket.open
    return socket
