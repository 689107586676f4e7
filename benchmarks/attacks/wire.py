"""Plain connections to the server, from chosen addresses of this machine."""

import asyncio
import json
import socket
import time
from collections.abc import Callable, Iterable
from http.client import HTTPConnection
from typing import Any, NamedTuple

from benchmarks.load.wire import CLOSE, TEXT, request

OTHERS, NEWCOMER = "127.0.0.3", "127.0.0.4"
"""Where those are who play meanwhile, and somebody who has never been there."""
PATIENCE = 20.0
"""Seconds after which somebody gives up."""


class Self:
    """Who this process is; an attacker, where nothing else is said."""

    address = "127.0.0.2"


class Answer(NamedTuple):
    """What the server says."""

    status: int
    body: Any


def connect(port: int, address: str | None = None, *, receive: int | None = None) -> socket.socket:
    """A connection; `receive`: bytes that wait here for somebody who does not read."""
    made = socket.socket()
    if receive is not None:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
    made.bind((address or Self.address, 0))
    made.settimeout(PATIENCE)
    made.connect(("127.0.0.1", port))
    return made


def ask(
    port: int,
    path: str,
    body: Any = None,
    *,
    secret: str = "",
    address: str | None = None,
    patience: float = PATIENCE,
) -> Answer:
    """One request; with a body it is posted."""
    line = HTTPConnection(
        "127.0.0.1", port, timeout=patience, source_address=(address or Self.address, 0)
    )
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    if body is not None:
        headers["Content-Type"] = "application/json"
    try:
        text = None if body is None else json.dumps(body)
        line.request("GET" if body is None else "POST", path, text, headers)
        answer = line.getresponse()
        raw = answer.read()
    finally:
        line.close()
    is_json = "json" in answer.getheader("content-type", "")
    return Answer(answer.status, json.loads(raw) if is_json else raw)


def good(answer: Answer) -> Any:
    if answer.status >= 300:
        raise ConnectionError(f"{answer.status}: {answer.body!r}")
    return answer.body


def new_table(port: int, address: str | None = None, **asked: Any) -> tuple[str, list[str]]:
    """The code of a new table, and the secrets of those who share the device."""
    welcome = good(ask(port, "/api/tables", {"name": "Ali"} | asked, address=address))
    return welcome["code"], [key["secret"] for key in welcome["keys"]]


def command(number: int, version: int, kind: str, **values: Any) -> dict[str, Any]:
    return {"id": f"c{number}", "version": version, "wish": {"type": kind} | values}


def started(port: int, address: str | None = None, **agreement: Any) -> tuple[str, list[str]]:
    """A game of two people on one device that has begun."""
    other = [{"kind": "human", "name": "Bea"}]
    code, secrets = new_table(port, address, agreement={"start": "order"} | agreement, chairs=other)
    path = f"/api/tables/{code}/commands"
    good(ask(port, path, command(0, 1, "start"), secret=secrets[0], address=address))
    return code, secrets


def upgrade(code: str, port: int, secret: str = "", query: str = "") -> bytes:
    """What asks for a table's socket."""
    headers = [f"Authorization: Bearer {secret}"] if secret else []
    return request(f"/api/tables/{code}/socket{query}", f"127.0.0.1:{port}", *headers)


def open_socket(
    port: int,
    code: str,
    secret: str = "",
    address: str | None = None,
    *,
    query: str = "",
    receive: int | None = None,
) -> socket.socket:
    """A WebSocket that is open, as a plain connection. Raises `ConnectionError`."""
    made = connect(port, address, receive=receive)
    try:
        made.sendall(upgrade(code, port, secret, query))
        head = b""
        while b"\r\n\r\n" not in head:
            got = made.recv(1)
            if not got:
                raise ConnectionError("closed")
            head += got
        if not head.startswith(b"HTTP/1.1 101"):
            raise ConnectionError(head[:60])
    except OSError:
        made.close()
        raise
    return made


class Messages:
    """What comes over a WebSocket that was opened as a plain connection."""

    def __init__(self, line: socket.socket) -> None:
        self.line = line
        self._rest = b""

    def next(self, patience: float = 2.0) -> dict[str, Any] | None:
        """The next message; None where the socket is closed, or nothing comes."""
        self.line.settimeout(patience)
        while True:
            while (found := self._frame()) is None:
                try:
                    got = self.line.recv(65_536)
                except OSError:
                    return None
                if not got:
                    return None
                self._rest += got
            kind, payload = found
            if kind == TEXT:
                message: dict[str, Any] = json.loads(payload)
                return message
            if kind == CLOSE:
                return None

    def _frame(self) -> tuple[int, bytes] | None:
        data = self._rest
        if len(data) < 10 and not (len(data) >= 2 and data[1] < 126):
            return None
        length, head = data[1], 2
        if length == 126:
            length, head = int.from_bytes(data[2:4], "big"), 4
        elif length == 127:
            length, head = int.from_bytes(data[2:10], "big"), 10
        if len(data) < head + length:
            return None
        self._rest = data[head + length :]
        return data[0] & 15, data[head : head + length]


def push(line: socket.socket, pieces: Iterable[bytes], until: float, stuck: float = 3.0) -> int:
    """Send as fast as it is taken, and read what comes; the bytes sent when it was over.

    It is over when all is sent, time is up, the server closes, or it takes nothing for a while.
    """
    sent = 0
    line.settimeout(stuck)
    try:
        for piece in pieces:
            view = memoryview(piece)
            while view:
                if time.monotonic() > until:
                    return sent
                taken = line.send(view)
                sent += taken
                view = view[taken:]
    except OSError:
        pass
    return sent


def closing_word(line: socket.socket, patience: float = 2.0) -> bytes:
    """The last that the server says; nothing where it keeps the connection open in silence."""
    said = b""
    line.settimeout(patience)
    try:
        while (got := line.recv(65_536)) and len(said) < 1 << 20:
            said += got
    except TimeoutError:
        return said
    except OSError:
        return said or b"closed"
    return said or b"closed"


class Tally:
    """Counts answers by their kind."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}

    def add(self, kind: object) -> None:
        self.counts[str(kind)] = self.counts.get(str(kind), 0) + 1

    def facts(self) -> dict[str, int]:
        return dict(sorted(self.counts.items()))


async def exchange(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, raw: bytes) -> int:
    """Send a request on a connection that stays open, and read all of the answer; its status."""
    writer.write(raw)
    head = await reader.readuntil(b"\r\n\r\n")
    status = int(head[9:12])
    lower = head.lower()
    if (at := lower.find(b"content-length:")) >= 0:
        await reader.readexactly(int(lower[at + 15 : lower.index(b"\r\n", at)]))
    elif b"chunked" in lower:
        while size := int((await reader.readuntil(b"\r\n")).strip(), 16):
            await reader.readexactly(size + 2)
        await reader.readuntil(b"\r\n")
    return status


async def once(port: int, raw: bytes, address: str, patience: float = PATIENCE) -> int:
    """One request on a connection of its own; its status, 0 where there was no answer."""
    writer = None
    try:
        async with asyncio.timeout(patience):
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", port, local_addr=(address, 0), limit=1 << 20
            )
            return await exchange(reader, writer, raw)
    except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        return 0
    finally:
        if writer is not None:
            writer.close()


def get(path: str, *headers: str) -> bytes:
    return "\r\n".join([f"GET {path} HTTP/1.1", "Host: 127.0.0.1", *headers, "", ""]).encode()


def post(path: str, body: bytes, *headers: str) -> bytes:
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json"]
    lines += [f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


async def at_rate(
    port: int, raw: Callable[[int], bytes], rate: float, seconds: float, most: int = 500
) -> Tally:
    """So many requests a second, each on a connection of its own, whether they are answered or not.

    The attacker goes as soon as all is sent.
    """
    tally, tasks = Tally(), set[asyncio.Task[int]]()

    def done(task: asyncio.Task[int]) -> None:
        tasks.discard(task)
        if not task.cancelled():
            tally.add(task.result() or "no answer")

    began = time.monotonic()
    for number in range(int(rate * seconds)):
        await asyncio.sleep(max(0.0, began + number / rate - time.monotonic()))
        if len(tasks) < most:
            task = asyncio.create_task(once(port, raw(number), Self.address))
            task.add_done_callback(done)
            tasks.add(task)
    await asyncio.sleep(0.5)
    for task in list(tasks):
        tally.add("not answered yet")
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return tally


async def flood(
    port: int, raw: Callable[[int], bytes], seconds: float, connections: int = 8
) -> Tally:
    """As many requests as the server answers, on a few connections that stay open."""
    tally, until = Tally(), time.monotonic() + seconds

    async def one(number: int) -> None:
        while time.monotonic() < until:
            try:
                async with asyncio.timeout_at(asyncio.get_running_loop().time() + seconds):
                    reader, writer = await asyncio.open_connection(
                        "127.0.0.1", port, local_addr=(Self.address, 0), limit=1 << 20
                    )
                    try:
                        while time.monotonic() < until:
                            number += connections
                            tally.add(await exchange(reader, writer, raw(number)))
                    finally:
                        writer.close()
            except (OSError, TimeoutError, EOFError, asyncio.LimitOverrunError):
                tally.add("cut")
                await asyncio.sleep(0.05)

    await asyncio.gather(*(one(number) for number in range(connections)))
    return tally
