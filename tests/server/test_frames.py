"""The fast path onto the wire: the same frames as through ASGI, in the same order."""

import asyncio
from collections.abc import Iterable
from typing import Any
from unittest.mock import Mock

import pytest
from starlette.websockets import WebSocket, WebSocketState
from websockets.frames import Frame, Opcode

from baghdad.server.transport.serving import framed
from baghdad.server.transport.websocket import Connection, Outbox
from support.live_server import FAR


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
