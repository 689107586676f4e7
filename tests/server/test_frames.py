"""The fast path onto the wire: the same frames as through ASGI, in the same order."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.websockets import WebSocket, WebSocketState
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode

from baghdad.server.domain.limits import Limits
from baghdad.server.transport.doors import Doors
from baghdad.server.transport.serving import FAST_PATH, Config, FastWebSocket, framed, unframed
from baghdad.server.transport.websocket import Connection, Outbox
from support.live_server import FAR

REQUEST = (
    b"GET / HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536, 200_000])
def test_a_text_of_any_size_is_framed_as_websockets_does(size: int) -> None:
    text = b"x" * size
    assert framed(text) == Frame(Opcode.TEXT, text).serialize(mask=False)


def test_nothing_overtakes_a_message_that_waits_for_a_slow_client() -> None:
    sent: list[str] = []
    free = asyncio.Event()

    async def send(message: Any) -> None:
        """Through ASGI, which waits until the client has read."""
        await free.wait()
        sent.append(message["text"])

    def write(texts: Iterable[bytes]) -> bool:
        """The fast path."""
        if free.is_set():
            sent.extend(text.decode() for text in texts)
        return free.is_set()

    async def nothing() -> Any:
        raise AssertionError("nobody listens here")

    async def session() -> None:
        socket = WebSocket({"type": "websocket"}, nothing, send)
        socket.application_state = WebSocketState.CONNECTED
        connection = Connection(socket, None, (), write, Outbox())
        sending = asyncio.create_task(connection.send_all())
        connection.send(b"first")
        while connection._queue:  # until the task has taken it
            await asyncio.sleep(0)
        free.set()
        connection.send(b"second")
        while len(sent) < 2:
            await asyncio.sleep(0)
        connection.send(b"third")
        sending.cancel()
        async with asyncio.timeout(FAR):  # by the fast path: the task is gone
            while len(sent) < 3:
                await asyncio.sleep(0)

    asyncio.run(session())
    assert sent == ["first", "second", "third"]


def test_a_socket_that_fails_keeps_nothing_from_the_others() -> None:
    heard: list[bytes] = []

    def fail(_: Iterable[bytes]) -> bool:
        raise RuntimeError("a bug of ours")

    def write(texts: Iterable[bytes]) -> bool:
        heard.append(b" ".join(texts))
        return True

    async def session() -> None:
        outbox, socket = Outbox(), Mock(spec=WebSocket)
        connections = [Connection(socket, None, (), each, outbox) for each in (fail, write)]
        for text in (b"an event", b"and an answer"):
            for connection in connections:
                connection.send(text)
        await asyncio.sleep(0)

    asyncio.run(session())
    assert heard == [b"an event and an answer"]


# In


def masked(text: bytes, opcode: Opcode = Opcode.TEXT, *, fin: bool = True) -> bytes:
    return Frame(opcode, text, fin).serialize(mask=True)


def lengthy(text: bytes) -> bytes:
    """A frame whose length is written with more bytes than it needs."""
    return b"\x81\xfe" + len(text).to_bytes(2, "big") + bytes(4) + text


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 500, 65_535])
def test_a_whole_text_needs_no_parser(size: int) -> None:
    text = bytes(number % 128 for number in range(size))
    assert unframed(masked(text)) == text


@pytest.mark.parametrize(
    "data",
    [
        b"",
        masked(b"text")[:-1],
        masked(b"text") + b"\x81",
        masked(b"") * 2,
        masked(b"text", fin=False),
        masked(b"text", Opcode.BINARY),
        masked(b"text", Opcode.PING),
        masked(b"text", Opcode.CONT),
        framed(b"not masked, but long enough"),
        b"\xc1" + masked(b"a bit that is reserved")[1:],
        lengthy(b"text"),
        masked(bytes(1 << 16)),
        b"\x81\xff" + bytes(131),  # as long as it would be, were 127 a length
    ],
    ids=range(13),  # masks are random, names of tests are not
)
def test_everything_else_is_the_parsers(data: bytes) -> None:
    assert unframed(data) is None


class Wire:
    """The server's end of a socket, its client's bytes, and the texts that were heard."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.fast = 0
        doors = Doors(Limits())
        config = Config(self._app, limits=Limits(), doors=doors, interface="asgi3", log_config=None)
        config.load()
        self.protocol = FastWebSocket(config, ServerState(), {})
        transport = Mock(spec=asyncio.Transport)
        transport.is_closing.return_value = False
        transport.get_extra_info.return_value = None
        self.protocol.connection_made(transport)

    async def _app(self, scope: Any, receive: Callable[[], Any], send: Callable[..., Any]) -> None:
        if scope["type"] != "websocket":
            return
        await receive()
        await send({"type": "websocket.accept"})
        scope["extensions"][FAST_PATH]["listen"](self._take)
        while (event := await receive())["type"] != "websocket.disconnect":
            self.heard.append(event["text"])

    def _take(self, body: bytes) -> bool:
        self.fast += 1
        self.heard.append(body.decode())
        return True

    async def open(self) -> None:
        self.protocol.data_received(REQUEST)
        while self.protocol.receiver is None:
            await asyncio.sleep(0)


whole = st.text(max_size=300).map(str.encode)
sent_alone = whole.map(lambda text: (text, masked(text)))
others = st.one_of(
    whole.map(lambda text: (text, lengthy(text))),
    st.tuples(whole, whole).map(
        lambda parts: (
            parts[0] + parts[1],
            masked(parts[0], fin=False)
            + masked(b"ping", Opcode.PING)
            + masked(parts[1], Opcode.CONT),
        )
    ),
)


@given(st.lists(sent_alone | others, max_size=8), st.lists(st.integers(1, 600)), st.booleans())
def test_texts_are_heard_in_order_however_they_are_cut(
    messages: list[tuple[bytes, bytes]], cuts: list[int], patient: bool
) -> None:
    sent = b"".join(data for _, data in messages)

    async def session() -> list[str]:
        wire, at = Wire(), 0
        await wire.open()
        for size in (*cuts, len(sent)):
            if at < len(sent):
                wire.protocol.data_received(sent[at : at + size])
                at += size
            if patient:
                await asyncio.sleep(0)
        while len(wire.heard) < len(messages):
            await asyncio.sleep(0)
        return wire.heard

    async def in_time() -> list[str]:
        return await asyncio.wait_for(session(), FAR)

    assert asyncio.run(in_time()) == [text.decode() for text, _ in messages]


def test_a_text_goes_past_the_parser_only_between_its_frames() -> None:
    async def session() -> None:
        wire = Wire()
        await wire.open()
        take, protocol = wire.protocol.data_received, wire.protocol
        parsed = Mock(wraps=protocol._parse)
        protocol._parse = parsed  # type: ignore[method-assign]
        take(masked(b"first"))
        assert (wire.heard, parsed.call_count) == (["first"], 0)
        begun = masked(b"second")
        take(begun[:2])  # the parser waits for the rest, with an empty buffer
        take(begun[2:])
        assert (wire.heard[1:], parsed.call_count) == (["second"], 2)
        take(masked(b"third") * 2)
        assert (len(wire.heard), parsed.call_count) == (4, 3)
        left = protocol.frames_left
        take(masked(b"last"))
        assert (wire.heard[4:], parsed.call_count) == (["last"], 3)
        assert protocol.frames_left == left - 1

    asyncio.run(session())
