"""What is refused before anybody else notices: endless heads, floods, crowds."""

import asyncio
import errno
import gc
import logging
import resource
import select
import socket
import struct
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from prometheus_client import REGISTRY
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import ConnectionClosed

from baghdad.cli import main
from baghdad.cli.files import UsageError
from baghdad.cli.parser import make_parser
from baghdad.cli.serve import DATABASE_VARIABLE, given_database, limits_of, serve_metrics
from baghdad.server.domain.limits import Limits
from baghdad.server.ops.logs import Seldom
from baghdad.server.ops.open_files import (
    RESERVE,
    is_short,
    most_connections,
    raise_open_files,
)
from baghdad.server.transport.doors import Doors
from baghdad.server.transport.guarded import Guarded
from baghdad.server.transport.rates import LONGEST_NAME, AddressLimiter, network_of, site_of
from baghdad.server.transport.reach import Endpoint
from baghdad.server.transport.serving import SLICE, FastWebSocket
from baghdad.server.transport.websocket import SLOW
from support.live_server import FAR, Guest, LiveServer
from support.runtime import ManualClock

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
        assert poll.poll(1000 * FAR)

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
    with serving(tmp_path, head_seconds=1.0) as server:  # longer than anybody needs to begin
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


class Plain:
    """What uvicorn does itself."""

    def pause_writing(self) -> None: ...

    def resume_writing(self) -> None: ...


class Watched(Guarded, Plain):
    """A connection over which `waiting` bytes are to be read."""

    def __init__(self, clock: ManualClock) -> None:
        self.waiting = 0
        self.config = Mock(limits=Limits())
        self.loop = Mock(call_later=lambda s, call, size: clock.later(s, partial(call, size)))
        self.line = self.transport = Mock()
        self.line.get_write_buffer_size = lambda: self.waiting
        self.line.is_closing.return_value = False


def test_whoever_reads_slowly_is_not_cut_off() -> None:
    clock, often = ManualClock(), Limits().unread_seconds * 0.7
    visitor = Watched(clock)
    for _ in range(5):  # as much is to be read whenever it could be looked at
        visitor.waiting = 80_000
        visitor.pause_writing()
        clock.advance(often)
        visitor.waiting = 16_000
        visitor.resume_writing()
    visitor.line.abort.assert_not_called()
    visitor.waiting = 80_000
    visitor.pause_writing()
    clock.advance(often)
    visitor.waiting = 70_000
    clock.advance(often)
    visitor.line.abort.assert_called_once()


def test_whoever_does_not_read_the_end_is_cut_off() -> None:
    clock = ManualClock()
    visitor = Watched(clock)
    visitor.waiting = 80_000
    visitor.pause_writing()
    visitor.line.is_closing.return_value = True
    visitor.waiting = 16_000
    visitor.resume_writing()
    clock.advance(Limits().unread_seconds)
    visitor.line.abort.assert_called_once()


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
        flooding.send(frame(opcode, payload) * (40 * Limits().frames_a_message + 2 * SLICE))
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


def test_opening_sockets_counts_as_asking(tmp_path: Path) -> None:
    with serving(tmp_path, requests_a_second=0.001, burst=5) as server:
        guest = server.create()  # one of ten
        for _ in range(9):
            with guest.socket() as wire:
                wire.until("snapshot")
        with guest.socket() as wire, pytest.raises(ConnectionClosed):
            wire.get()
        assert wire.raw.close_code == 4429
        assert "too much" in str(wire.raw.close_reason)


# Connections


def is_open(visitor: Raw) -> bool:
    visitor.send(REQUEST + b"\r\n")
    try:
        return visitor.socket.recv(1 << 16).startswith(b"HTTP/1.1 200")
    except ConnectionError:
        return False


def test_an_address_has_a_number_of_connections_and_others_have_theirs(
    tmp_path: Path, raw: Callable[..., Raw]
) -> None:
    with serving(tmp_path, connections=5, handshakes=3) as server:
        before = counted("refused", "address")
        crowd = [raw(server, "127.0.0.2") for _ in range(10)]
        assert [each.answer() for each in crowd[3:]] == [b""] * 7, "half requests are fewer"
        assert counted("refused", "address") == before + 7
        assert all(is_open(each) for each in crowd[:3])
        more = [raw(server, "127.0.0.2") for _ in range(3)]
        assert [is_open(each) for each in more] == [True, True, False]
        assert is_open(raw(server, "127.0.0.3"))
        crowd[0].close()
        while not is_open(raw(server, "127.0.0.2")):  # as soon as it is seen to have gone
            pass


def test_connections_of_an_address_come_at_a_rate(tmp_path: Path, raw: Callable[..., Raw]) -> None:
    with serving(tmp_path, arrivals_a_second=0.001, arrivals_at_once=3) as server:
        came = []
        for _ in range(5):  # one after another
            visitor = raw(server, "127.0.0.2")
            came.append(is_open(visitor))
            visitor.close()
        assert came == [True] * 3 + [False] * 2
        assert is_open(raw(server, "127.0.0.3"))


def test_a_socket_that_is_asked_for_with_a_body_is_refused_and_forgotten(
    tmp_path: Path, raw: Callable[..., Raw]
) -> None:
    with serving(tmp_path) as server:
        visitor = raw(server)
        visitor.send(
            b"GET /api/tables/BBBBBB/socket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
            b"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nContent-Length: 5\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\nhello"
        )
        assert visitor.answer().startswith(b"HTTP/1.1 400 "), "and not left waiting for ever"
        while server.uvicorn.config.doors.open:  # type: ignore[attr-defined]
            server.call(asyncio.sleep(0))


def test_a_socket_keeps_its_place_until_it_goes(tmp_path: Path, raw: Callable[..., Raw]) -> None:
    with serving(tmp_path, connections=2) as server:
        guest = server.create()
        guest.http.close()
        first = upgraded(guest, raw(server, "127.0.0.2"))
        upgraded(guest, raw(server, "127.0.0.2"))
        assert not is_open(raw(server, "127.0.0.2"))
        first.close()
        while not is_open(raw(server, "127.0.0.2")):
            pass


@pytest.mark.parametrize(
    "last",
    [
        pytest.param(frame(CLOSE, b"\x03\xe8"), id="goodbye"),
        pytest.param(b"", id="without a word"),
        pytest.param(b"\xff" * 6, id="no frame"),
        pytest.param(frame(TEXT, b"half", fin=False), id="half a message"),
        pytest.param(frame(PING, b"") * 2000, id="flood"),
    ],
)
def test_a_socket_that_has_gone_leaves_nothing_for_the_garbage_collector(
    tmp_path: Path, raw: Callable[..., Raw], monkeypatch: pytest.MonkeyPatch, last: bytes
) -> None:
    """It looks at old things seldom: whatever waits for it takes memory for long."""
    parts: list[weakref.ref[Any]] = []

    def noted(protocol: FastWebSocket, transport: Any) -> None:
        http = transport.get_protocol()
        parts.extend(weakref.ref(each) for each in (protocol, protocol.conn, http))
        WebSocketsSansIOProtocol.connection_made(protocol, transport)

    monkeypatch.setattr(FastWebSocket, "connection_made", noted)
    gc.disable()
    try:
        with serving(tmp_path) as server:
            guest = server.create()
            guest.http.close()
            visitor = upgraded(guest, raw(server))
            visitor.send(last)
            visitor.close()
            rounds = 0
            while any(part() for part in parts) and rounds < 10_000:
                server.call(asyncio.sleep(0))
                rounds += 1
            assert parts
            assert not [part() for part in parts if part() is not None]
    finally:
        gc.enable()


def test_behind_a_proxy_people_are_counted_not_the_proxy(tmp_path: Path) -> None:
    limits, proxied = Limits(connections=2, arrivals_at_once=1), Endpoint(proxied=True)
    doors = Doors(limits, proxies=("127.0.0.1",))
    assert [doors.enter("127.0.0.1") is not None for _ in range(5)] == [True] * 5
    server = LiveServer(tmp_path, limits=limits, endpoint=proxied, proxy="127.0.0.1")
    try:
        guest = server.create()

        def look(address: str, **params: int) -> int:
            headers = {"X-Forwarded-For": address}
            return guest.http.get(
                f"{guest.path}/events", params=params, headers=headers
            ).status_code

        with ThreadPoolExecutor() as pool:
            polls = [pool.submit(look, "192.0.2.1", after=1, wait=20) for _ in range(2)]
            while len(server.app.state.services.connections._polls) < 2:
                server.call(asyncio.sleep(0))
            assert look("192.0.2.1") == 429
            assert look("192.0.2.2") == 200
            guest.wants("chat", text="hello")
            assert [each.result(FAR) for each in polls] == [200, 200]
        assert look("192.0.2.1") == 200
    finally:
        server.stop()


def test_a_network_of_ipv6_counts_as_a_household_and_a_site() -> None:
    limiter = AddressLimiter(0.001, burst=2, most=100, households=3)
    households = [network_of(f"2001:db8:0:{n:x}00::{n}") for n in range(4)]
    assert len(set(households)) == 4
    assert network_of("2001:db8:0:1ff::9") == households[1], "a household has 56 bits"
    taken = [limiter.take(each) for each in households for _ in range(2)]
    assert taken == [True] * 6 + [False] * 2, "a site of 48 bits has more, but not without end"
    assert [limiter.is_spent(each) for each in households] == [True] * 4
    assert limiter.take(network_of("2001:db8:1::1"))
    doors = Doors(Limits(connections=2, households=2))
    entered = [doors.enter(f"2001:db8:0:{n:x}00::1") for n in range(3) for _ in range(2)]
    assert [each is not None for each in entered] == [True] * 4 + [False] * 2
    for each in entered[:4]:
        assert each is not None
        each.leave()
    assert not doors._connected
    assert not doors._unfinished


def test_a_household_that_is_refused_takes_nothing_from_its_neighbours() -> None:
    limiter = AddressLimiter(0.001, burst=2, most=100, households=2)
    loud, quiet = network_of("2001:db8::1"), network_of("2001:db8:0:100::1")
    assert [limiter.take(loud) for _ in range(10)] == [True] * 2 + [False] * 8
    assert [limiter.take(quiet, cost) for cost in (3, 2)] == [False, True]
    assert not limiter.is_spent(network_of("2001:db8:1::1"))


def test_a_site_sets_up_tables_for_some_households(tmp_path: Path) -> None:
    limits, proxied = Limits(tables_an_hour=1, households=2), Endpoint(proxied=True)
    server = LiveServer(tmp_path, limits=limits, endpoint=proxied, proxy="127.0.0.1")

    def set_up(address: str) -> int:
        with server.client(**{"X-Forwarded-For": address}) as http:
            return http.post("/api/tables", json={"name": "Ali"}).status_code

    try:
        assert [set_up(f"2001:db8:0:{n}00::1") for n in range(4)] == [200, 200, 429, 429]
        assert [set_up("2001:db8:1::1"), set_up("2001:db8:1::2")] == [200, 429]
    finally:
        server.stop()


def test_a_school_class_opens_the_page_at_one_moment() -> None:
    doors = Doors(Limits())
    browsers = [doors.enter("192.0.2.7") for _ in range(30) for _ in range(6)]
    assert None not in browsers, "all have connected before the first request has come"


def test_what_a_trusted_proxy_calls_an_address_is_bounded() -> None:
    assert len(network_of("x" * 10_000)) == LONGEST_NAME
    assert site_of("not:an address") is None


def test_the_limit_of_files_is_raised_and_shortage_is_seen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 900), hard))
        assert most_connections() == min(soft, 900) - RESERVE
        raise_open_files()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (hard, hard)
        raise_open_files()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (hard, hard), "never lowered"
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    before = counted("refused", "files")
    assert Doors(Limits(), most=0).enter("192.0.2.1") is None
    assert counted("refused", "files") == before + 1
    assert "ulimit -n" in caplog.text

    def none_left(_: int) -> int:
        raise OSError(errno.EMFILE, "Too many open files")

    assert not is_short()
    with serving(tmp_path) as server:
        monkeypatch.setattr("os.dup", none_left)
        while counted("refused", "files") == before + 1:  # it looks every second
            server.call(asyncio.sleep(0.01))


def test_the_same_line_is_not_logged_for_ever() -> None:
    seldom = Seldom(most=3, seconds=60)
    lines = [
        logging.LogRecord("x", logging.WARNING, "", 0, "too many: %s", (n,), None)
        for n in range(10)
    ]
    passed = [line.getMessage() for line in lines if seldom.filter(line)]
    assert passed[:2] == ["too many: 0", "too many: 1"]
    assert len(passed) == 3
    assert "left out" in passed[2]
    later = logging.LogRecord("x", logging.WARNING, "", 0, "too many: %s", (10,), None)
    later.created += 61
    assert seldom.filter(later)


# For whom a request is


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("localhost", True),
        ("LOCALHOST:8080", True),
        ("game.localhost", True),
        ("127.0.0.1:1", True),
        ("127.8.9.1", True),
        ("[::1]:8080", True),
        ("baghdad.example.org", False),
        ("localhost.example.org", False),
        ("127.0.0.1.example.org", False),
        ("192.168.1.20", False),
        ("[", False),
        ("", False),
    ],
)
def test_on_loopback_only_names_of_this_machine_are_answered(
    server: LiveServer, host: str, allowed: bool
) -> None:
    with server.client() as http:
        answer = http.get("/health", headers={"Host": host})
        assert answer.status_code == (200 if allowed else 421)
        assert allowed or "--public-url" in answer.json()["reason"]


def test_other_names_are_known_where_the_operator_gave_them_or_can_have_others() -> None:
    public = "https://baghdad.example.org"
    assert Endpoint(public=public).is_called("baghdad.example.org:443")
    assert not Endpoint(public=public).is_called("evil.example.org")
    assert Endpoint(public=public, proxied=True).is_called("localhost")
    assert not Endpoint(public=public, proxied=True).is_called("evil.example.org")
    assert Endpoint(proxied=True).is_called("any.example.org"), "the proxy's name is not known"
    assert Endpoint("0.0.0.0").is_called("any.example.org")


def test_a_socket_for_another_name_is_refused(server: LiveServer, raw: Callable[..., Raw]) -> None:
    guest, visitor = server.create(), raw(server)
    visitor.send(f"GET {guest.path}/socket HTTP/1.1\r\nHost: evil.example.org\r\n".encode())
    visitor.send(b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n")
    visitor.send(b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
    assert visitor.status() == 403


def test_a_request_without_a_host_is_no_browsers(
    server: LiveServer, raw: Callable[..., Raw]
) -> None:
    visitor = raw(server)
    visitor.send(b"GET /health HTTP/1.0\r\n\r\n")
    assert visitor.status() == 200


def test_no_redirect_names_a_host(server: LiveServer) -> None:
    with server.client() as http:
        for path in ("/rules/", "/t/F7KQXM/", "/t/F7KQXM/1/replay/", "/new/"):
            answer = http.get(path, params={"lang": "de"})
            assert answer.status_code == 307
            assert answer.headers["location"] == f"{path[:-1]}?lang=de"
        for path in ("/api/tables/", "/health/", "//evil.example.org/", "/t//evil.example.org/"):
            answer = http.get(f"{server.url}{path}")
            assert answer.status_code in (400, 404)
            assert "location" not in answer.headers


def test_what_may_be_hidden_is_kept_by_no_cache(server: LiveServer) -> None:
    people = server.people(2, watching="nobody")
    people[0].wants("resign")
    for path in ("/record", "/replay", "/games/1/record", "/games/1/replay", "/events", "/games"):
        answer = people[0].get(path)
        assert answer.status_code == 200
        assert answer.headers.get_list("cache-control") == ["no-store"], path
    with server.client() as http:
        for path in ("/metrics", "/api/openapi.json", "/nothing"):
            assert http.get(path).headers.get_list("cache-control") == ["no-store"]


@pytest.mark.parametrize("secure", [False, True])
def test_browsers_are_told_of_https_where_there_is_nothing_else(
    tmp_path: Path, secure: bool
) -> None:
    server = LiveServer(tmp_path, endpoint=Endpoint(secure=secure))
    try:
        with server.client() as http:
            told = http.get("/health").headers.get("strict-transport-security")
        assert told == ("max-age=31536000" if secure else None)
    finally:
        server.stop()


# What an operator says


def test_figures_have_an_address_of_their_own_when_asked(tmp_path: Path) -> None:
    server = LiveServer(tmp_path, metrics=False)
    try:
        with server.client() as http:
            assert http.get("/metrics").status_code == 404
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            with pytest.raises(UsageError, match=str(taken.getsockname()[1])):
                serve_metrics(taken.getsockname(), "en")
    finally:
        server.stop()
    parse = make_parser("en").parse_args
    assert parse(["serve", "--metrics", "[::1]:9100"]).metrics == ("::1", 9100)
    for wrong in ("9100", "localhost", "localhost:0", "localhost:http", "a/b:9100"):
        with pytest.raises(SystemExit):
            parse(["serve", "--metrics", wrong])


def test_connections_of_an_address_can_be_set() -> None:
    options = make_parser("en").parse_args(["serve", "--connections-per-client", "7"])
    assert limits_of(options) == Limits(connections=7)


def test_the_database_may_stand_in_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(DATABASE_VARIABLE, "postgresql://ali:sesame@127.0.0.1:1/baghdad")
    for command in (["serve", "--port", "0"], ["export"]):
        assert main(["--lang", "en", *command]) == 2
        said = capsys.readouterr().err
        assert "postgresql://ali:***@127.0.0.1:1/baghdad" in said
        assert "sesame" not in said
    other = f"sqlite:///{tmp_path}/other.db"
    parse = make_parser("en").parse_args
    assert given_database(parse(["export", "--database-url", other])) == other
    assert given_database(parse(["serve", "--data", str(tmp_path)])) is None
