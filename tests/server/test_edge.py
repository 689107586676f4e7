"""What is refused before anybody else notices: endless heads, floods, crowds."""

import asyncio
import select
import socket
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import REGISTRY

from baghdad.server.domain.limits import Limits
from baghdad.server.transport.serving import FRAMES_A_MESSAGE, SLICE, FastWebSocket
from baghdad.server.transport.websocket import SLOW
from support.live_server import FAR, Guest, LiveServer

REQUEST = b"GET /health HTTP/1.1\r\nHost: localhost\r\n"


@contextmanager
def serving(folder: Path, **limits: Any) -> Iterator[LiveServer]:
    server = LiveServer(folder, limits=Limits(**limits))
    try:
        yield server
    finally:
        server.stop()


class Raw:
    """A connection that says whatever it likes."""

    def __init__(
        self, server: LiveServer, source: str = "127.0.0.1", *, small: bool = False
    ) -> None:
        """`small`: takes little that it does not read."""
        host, _, port = server.address.partition(":")
        self.socket = socket.socket()
        self.socket.settimeout(FAR)
        if small:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.bind((source, 0))
        self.socket.connect((host, int(port)))

    def send(self, data: bytes) -> None:
        """As much of it as is taken."""
        try:
            self.socket.sendall(data)
        except OSError:
            return

    def answer(self) -> bytes:
        """All that comes until the connection is closed."""
        parts = []
        try:
            while part := self.socket.recv(1 << 16):
                parts.append(part)
        except ConnectionError:
            pass
        return b"".join(parts)

    def status(self) -> int:
        return int(self.answer().split()[1])

    def wait_for_cut(self) -> None:
        """Without reading anything."""
        poll = select.poll()
        poll.register(self.socket, 0)
        assert poll.poll(10_000)

    def close(self) -> None:
        self.socket.close()


@pytest.fixture
def raw() -> Iterator[Callable[..., Raw]]:
    made: list[Raw] = []

    def connect(server: LiveServer, source: str = "127.0.0.1", *, small: bool = False) -> Raw:
        made.append(Raw(server, source, small=small))
        return made[-1]

    yield connect
    for each in made:
        each.close()


def counted(name: str, why: str) -> float:
    return REGISTRY.get_sample_value(f"baghdad_connections_{name}_total", {"why": why}) or 0.0


# Requests


def test_a_head_has_its_length_and_its_number_of_headers(
    server: LiveServer, raw: Callable[..., Raw]
) -> None:
    limits = Limits()
    for endless in (
        b"x: " + b"a" * limits.head,  # one header
        b"x: y\r\n" * (limits.headers + 1),  # many
        b"\r\n" * limits.head,  # none at all
    ):
        visitor = raw(server)
        visitor.send((b"" if endless.startswith(b"\r") else REQUEST) + endless)
        assert visitor.status() == 431
    visitor = raw(server)
    visitor.send(b"GET /" + b"a" * limits.head)
    assert visitor.status() == 431, "the line of the request counts"
    visitor = raw(server)
    visitor.send(REQUEST + b"x: y\r\n" * 90 + b"y: " + b"a" * 20_000)
    visitor.send(b"\r\nConnection: close\r\n\r\n")
    assert visitor.status() == 200, "what is long, but not too long, is served"


def test_what_follows_a_body_is_a_head_again(server: LiveServer, raw: Callable[..., Raw]) -> None:
    visitor, body = raw(server), b"a" * 200_000
    visitor.send(REQUEST + b"Content-Length: %d\r\n\r\n" % len(body) + body)
    visitor.send(REQUEST + b"x: " + b"a" * 100_000)
    answers = visitor.answer()
    assert answers.startswith(b"HTTP/1.1 200")
    assert b"HTTP/1.1 431" in answers


def test_a_head_that_does_not_end_in_time_is_told_so(
    tmp_path: Path, raw: Callable[..., Raw]
) -> None:
    with serving(tmp_path, head_seconds=0.1) as server:
        half = raw(server)
        half.send(REQUEST)
        assert half.status() == 408
        assert raw(server).answer() == b"", "somebody who has said nothing is told nothing"
        second = raw(server)
        second.send(REQUEST + b"\r\n" + REQUEST)
        assert second.answer().startswith(b"HTTP/1.1 200"), "the half one behind it is closed, too"


def test_a_body_that_does_not_end_in_time_is_told_so(
    tmp_path: Path, raw: Callable[..., Raw]
) -> None:
    with serving(tmp_path, body_seconds=0.1) as server:
        for path in (b"/api/tables", b"/api/verify"):
            visitor = raw(server)
            visitor.send(b"POST %s HTTP/1.1\r\nHost: localhost\r\n" % path)
            visitor.send(b"Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{")
            assert visitor.status() == 408
        unread = raw(server)
        unread.send(REQUEST + b"Content-Length: 9\r\n\r\n{")
        assert unread.status() == 200, "nobody waits for that body; then the connection is closed"


CHUNKED = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
CHUNKED += b"Content-Type: application/json\r\n\r\n"


@pytest.mark.parametrize(
    ("begin", "again"),
    [
        (b"1;", b"a" * 8192),  # the extension of a chunk
        (b"1\r\na\r\n0\r\n", b"x: " + b"a" * 8189),  # a trailer
        (b"1\r\n", b"a\r\n1\r\n" * 1024),  # tiny chunks
        (b"ffffff\r\n", b"a" * 8192),  # a long one
    ],
)
def test_a_chunked_body_is_bounded_whatever_it_is_made_of(
    server: LiveServer, raw: Callable[..., Raw], begin: bytes, again: bytes
) -> None:
    visitor = raw(server)
    visitor.send(CHUNKED + begin)
    for _ in range(4 * Limits().body // len(again)):
        visitor.send(again)
    assert visitor.status() in (413, 431)


def test_few_requests_wait_on_one_connection(server: LiveServer, raw: Callable[..., Raw]) -> None:
    before = counted("cut", "too_fast")
    visitor = raw(server)
    visitor.send((REQUEST + b"\r\n") * 1000)
    assert visitor.answer().count(b"HTTP/1.1 200") <= Limits().pipelined + 1
    assert counted("cut", "too_fast") == before + 1
    polite = raw(server)
    polite.send((REQUEST + b"\r\n") * 5 + REQUEST + b"Connection: close\r\n\r\n")
    assert polite.answer().count(b"HTTP/1.1 200") == 6


def test_an_answer_that_nobody_reads_does_not_wait_for_ever(
    tmp_path: Path, raw: Callable[..., Raw]
) -> None:
    with serving(tmp_path, unread_seconds=0.1) as server:
        before = counted("cut", "unread")
        for listening in server.uvicorn.servers[0].sockets:  # so that the system keeps little, too
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        visitor = raw(server, small=True)
        ask = b"GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
        visitor.send(ask * Limits().pipelined)
        visitor.wait_for_cut()
        assert counted("cut", "unread") == before + 1


# Sockets


def frame(opcode: int, payload: bytes = b"", *, fin: bool = True) -> bytes:
    """As a client sends it, with a mask of zeros."""
    size = len(payload)
    long = struct.pack("!BBH", opcode | fin << 7, 0xFE, size)
    return (long if size > 125 else bytes((opcode | fin << 7, 0x80 | size))) + bytes(4) + payload


CONT, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


def upgraded(guest: Guest, visitor: Raw) -> Raw:
    """A socket to a table, when its first message has come."""
    head = f"GET {guest.path}/socket HTTP/1.1\r\nHost: {guest.server.address}\r\n"
    head += "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    head += "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    visitor.send(head.encode())
    found = b""
    while b"snapshot" not in found:
        part = visitor.socket.recv(1 << 16)
        assert part, found
        found += part
    assert b"101" in found.split(b"\r\n")[0]
    return visitor


@pytest.mark.parametrize("opcode", [PING, PONG, TEXT, BINARY])
@pytest.mark.parametrize("payload", [b"", b"x" * 120])
def test_a_flood_of_frames_is_cut_off(
    tmp_path: Path, raw: Callable[..., Raw], opcode: int, payload: bytes
) -> None:
    with serving(tmp_path, messages_a_second=0.001, burst=40) as server:
        before = counted("cut", "too_fast")
        flooding = upgraded(server.create(), raw(server))
        flooding.send(frame(opcode, payload) * (40 * FRAMES_A_MESSAGE + 2 * SLICE))
        told = flooding.answer()
        assert counted("cut", "too_fast") == before + 1
        if opcode == PONG:  # else it may not have read so far
            assert told.endswith((4429).to_bytes(2, "big"))


def test_endless_fragments_are_cut_off(tmp_path: Path, raw: Callable[..., Raw]) -> None:
    with serving(tmp_path, pieces=50) as server:
        before = counted("cut", "too_fast")
        endless = upgraded(server.create(), raw(server))
        endless.send(frame(TEXT, fin=False) + frame(CONT, fin=False) * 49)
        endless.send(frame(PING, b"still here"))
        while b"still here" not in endless.socket.recv(1 << 16):
            pass
        endless.send(frame(CONT, fin=False))
        endless.answer()
        assert counted("cut", "too_fast") == before + 1


def test_a_flood_is_cut_off_also_from_somebody_who_was_told_to_go(
    tmp_path: Path, raw: Callable[..., Raw]
) -> None:
    with serving(tmp_path, messages_a_second=0.001, burst=40) as server:
        guest = server.create()
        flooding = upgraded(guest, raw(server))
        before = counted("cut", "too_fast")
        for connection in tuple(server.app.state.services.connections._open):
            server.loop.call_soon_threadsafe(connection.close, SLOW)
        while SLOW.to_bytes(2, "big") not in flooding.socket.recv(1 << 16):
            pass
        flooding.send(frame(PONG) * 2000)
        flooding.answer()
        assert counted("cut", "too_fast") == before + 1


def test_pongs_are_not_kept_for_somebody_who_does_not_read(
    tmp_path: Path, raw: Callable[..., Raw]
) -> None:
    with serving(tmp_path, messages_a_second=0.001, burst=10_000) as server:
        for listening in server.uvicorn.servers[0].sockets:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        deaf = upgraded(server.create(), raw(server, small=True))
        sockets = server.uvicorn.server_state.connections
        (protocol,) = (each for each in sockets if isinstance(each, FastWebSocket))
        deaf.send(frame(PING, bytes(120)) * 4000)
        while protocol.most_frames - protocol.frames_left < 3900:
            server.call(asyncio.sleep(0))
        assert 0 < protocol.transport.get_write_buffer_size() < 50_000, "of 500,000"
        deaf.close()


def test_somebody_who_sends_too_many_messages_is_told_so_first(tmp_path: Path) -> None:
    limits = Limits()
    with serving(tmp_path) as server, server.create().socket() as wire:
        wire.raw.send("x" * 60_000)  # too long is answered, not cut
        assert wire.until("answer")["key"] == "server.too_long"
        for _ in range(2 * limits.burst):
            wire.raw.send("{}")
        answers = [wire.until("answer")["key"] for _ in range(2 * limits.burst)]
        assert "server.too_fast" in answers
