"""Many connections that stay half open, and requests that never end."""

import asyncio
import socket
import time
from collections.abc import Iterator

from ..load.servers import many_files
from .attack import Attack, Check, Facts, Outcome, at_most
from .databases import code_of
from .wire import (
    NEWCOMER,
    Messages,
    Tally,
    ask,
    closing_word,
    connect,
    get,
    good,
    new_table,
    once,
    open_socket,
    push,
)

SHORTAGE = ("limit", "refused", "full", "short", "connections", "cut")
"""Of such words is the name of a figure in `/metrics` that tells of it."""


def open_many(
    port: int, count: int, said: bytes = b"", receive: int | None = None, pause: float = 0.0
) -> tuple[list[socket.socket], int]:
    """Many connections on which something is said at once; and how many were refused."""
    many_files(count + 200)
    lines, refused = list[socket.socket](), 0
    for _ in range(count):
        try:
            line = connect(port, receive=receive)
            line.sendall(said)
            line.setblocking(False)
            lines.append(line)
        except OSError:
            refused += 1
        time.sleep(pause)
    return lines, refused


def hold(lines: list[socket.socket], until: float) -> int:
    """Keep connections until then, and close them; how many the server had left open."""
    time.sleep(max(0.0, until - time.monotonic()))
    still = sum(is_open(line) for line in lines)
    for line in lines:
        line.close()
    return still


class HalfRequests(Attack):
    """More connections than the server may have files, each with half a request."""

    name = "half-requests"
    what = "1,100 half requests from one address, `ulimit -n 1024`"
    alone = True
    files = 1024
    duration = 10.0
    wanted = 1100

    def send(self, port: int) -> Facts:
        half = b"GET /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half: "
        until = time.monotonic() + self.seconds
        lines, refused = open_many(port, self.wanted, half)
        still = hold(lines, until)
        return {"connections": len(lines), "refused": refused, "open at the end": still}

    async def witness(self, port: int, over: asyncio.Event) -> Facts:
        """Newcomers, one after another, as long as it lasts."""
        tally = Tally()
        while not over.is_set():
            tally.add(await once(port, get("/", "Connection: close"), NEWCOMER, 3.0) or "not in")
            await asyncio.sleep(0.25)
        return {"newcomers": tally.facts()}

    def look(self, port: int) -> Facts:
        text = ask(port, "/metrics", address=NEWCOMER).body.decode()
        told = [
            line.split()[0].partition("{")[0]
            for line in text.splitlines()
            if line.startswith("baghdad_") and float(line.split()[-1]) > 0
            if any(word in line for word in SHORTAGE) and "_created" not in line
        ]
        return {"told by /metrics": ", ".join(dict.fromkeys(told)) or "nothing"}

    def checks(self, outcome: Outcome) -> Iterator[Check]:
        yield from super().checks(outcome)
        out = outcome.seen.get("newcomers", {"not in": 1}).get("not in", 0)
        yield at_most("newcomers who did not get in", out, 0)
        told = outcome.seen.get("told by /metrics", "nothing")
        yield Check("/metrics tells of it", told, told != "nothing")


def is_open(line: socket.socket) -> bool:
    """Whether the server has neither answered nor closed."""
    try:
        return not line.recv(1) and False
    except BlockingIOError:
        return True
    except OSError:
        return False


class SilentConnections(Attack):
    """Connections on which nothing is ever said."""

    name = "silence"
    what = "2,000 connections that say nothing"
    memory = 50.0

    def send(self, port: int) -> Facts:
        until = time.monotonic() + 15
        lines, refused = open_many(port, 2000)
        still = hold(lines, until)
        return {"connections": len(lines), "refused": refused, "open after 15 s": still}

    def checks(self, outcome: Outcome) -> Iterator[Check]:
        yield from super().checks(outcome)
        yield at_most("connections open after 15 s", outcome.sent.get("open after 15 s", 2000), 0)


class SlowBodies(Attack):
    """Requests whose bodies trickle in."""

    name = "slow-bodies"
    what = "200 posts of 200 KB that come a byte a second"
    memory = 50.0

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        self.seconds = 35.0
        """Longer than any body of such a size may take."""

    def send(self, port: int) -> Facts:
        head = (
            b"POST /api/replay HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            b'Content-Length: 200000\r\n\r\n{"record":"'
        )
        lines, refused = open_many(port, 200, head)
        began, kept = time.monotonic(), lines
        while kept and time.monotonic() - began < self.seconds:
            time.sleep(1)
            kept = [line for line in kept if is_open(line) and sent(line, b"a")]
        facts = {"connections": len(lines), "refused": refused, "open at the end": len(kept)}
        for line in lines:
            line.close()
        return facts | {"last one cut after s": round(time.monotonic() - began)}

    def checks(self, outcome: Outcome) -> Iterator[Check]:
        yield from super().checks(outcome)
        still = outcome.sent.get("open at the end", 200)
        yield at_most(f"bodies still coming after {self.seconds:g} s", still, 0)


def sent(line: socket.socket, data: bytes) -> bool:
    try:
        return line.send(data) > 0
    except OSError:
        return False


class TinyChunks(Attack):
    """A body in chunks of one byte: each is an event for the server."""

    name = "tiny-chunks"
    what = "bodies in chunks of one byte, as fast as they are taken, 4 connections"
    memory = 50.0

    def send(self, port: int) -> Facts:
        head = (
            b"POST /api/replay HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        chunk, taken, tally, until = (
            b"1\r\na\r\n" * 4000,
            0,
            Tally(),
            time.monotonic() + self.seconds,
        )
        while time.monotonic() < until:
            lines = [connect(port) for _ in range(4)]
            for line in lines:
                line.sendall(head)
                taken += push(line, [chunk] * 64, until)
                tally.add(closing_word(line, 0.2)[:12].decode(errors="replace") or "silence")
                line.close()
        return {"chunks offered": taken // 6, **tally.facts()}


class Pipelined(Attack):
    """Thousands of requests in one go, whose answers are not read."""

    name = "pipelining"
    what = "requests in one stream whose answers are never read, 4 connections"
    memory = 50.0

    def send(self, port: int) -> Facts:
        piece, taken = get("/api/openapi.json") * 500, 0
        until = time.monotonic() + self.seconds
        connections = 0
        while time.monotonic() < until:
            lines = []
            for _ in range(4):
                try:
                    lines.append(connect(port, receive=4096))
                except OSError:
                    continue
            connections += len(lines)
            for line in lines:
                taken += push(line, [piece] * 1000, until, 1.0)
            for line in lines:
                line.close()
        return {"connections": connections, "requests offered": taken * 500 // len(piece)}


class LongPolls(Attack):
    """Requests that wait for the next event, in great number."""

    name = "long-polls"
    what = "2,000 polls that wait at one table"
    memory = 100.0

    def set_up(self, port: int) -> None:
        self.code, _ = new_table(port)

    def send(self, port: int) -> Facts:
        raw = get(f"/api/tables/{self.code}/events?after=1&wait=25")
        until = time.monotonic() + self.seconds
        lines, refused = open_many(port, 2000, raw)
        still = hold(lines, until)
        return {"polls": len(lines), "refused": refused, "waiting at the end": still}


class Reconnects(Attack):
    """Sockets that come and go as fast as they can, each for a whole snapshot."""

    name = "reconnects"
    what = "sockets at a long table opened and closed in a loop, a snapshot each"

    database = "long"

    def set_up(self, port: int) -> None:
        good(ask(port, f"/api/tables/{code_of(0)}", patience=60))  # it is awake

    def send(self, port: int) -> Facts:
        greeted = refused = 0
        until = time.monotonic() + self.seconds
        while time.monotonic() < until:
            try:
                line = open_socket(port, code_of(0), query="?after=0")
                if Messages(line).next() is None:  # told why not, since browsers see no other
                    refused += 1
                else:
                    greeted += 1
                line.close()
            except OSError:
                refused += 1
        return {"snapshots": greeted, "refused": refused}


class UnreadAnswers(Reconnects):
    """Long answers that are asked for and never read."""

    name = "unread-answers"
    what = "1,000 connections that ask for 200 events each, and read nothing"
    memory = 100.0

    def send(self, port: int) -> Facts:
        raw = get(f"/api/tables/{code_of(0)}/events?whole=true&after=16000") * 3
        until = time.monotonic() + self.seconds
        lines, refused = open_many(port, 1000, raw, receive=2048, pause=self.seconds / 1100)
        hold(lines, until)
        return {"connections": len(lines), "refused": refused}


class Garbage(Attack):
    """What is no HTTP at all: each piece of it may be worth a line in the log."""

    name = "garbage"
    what = "connections that say what is no HTTP, in a loop"

    def send(self, port: int) -> Facts:
        said, refused, until = 0, 0, time.monotonic() + self.seconds
        while time.monotonic() < until:
            try:
                line = connect(port)
                line.sendall(b"\x16\x03\x01 hello\r\n\r\n")
                closing_word(line, 0.2)
                line.close()
                said += 1
            except OSError:
                refused += 1
        return {"connections": said, "refused": refused}
