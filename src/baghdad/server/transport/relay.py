"""Clients who are here, of tables that may be anywhere.

A request to a table that another process owns goes there whole, over the bus, and so does a socket:
the owner serves both as if the client were there. When a table moves, because its owner stopped or
died, or when something was missed on the way, the client notices nothing. Its socket is opened
again at the new owner, after the last event that it has had, and commands that were not answered
are sent again: they have ids, so that each happens once.
"""

import asyncio
import logging
import re
import time
from contextlib import suppress
from itertools import count
from secrets import randbelow
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode

import msgspec
from msgspec.structs import replace
from starlette.requests import Request as HttpRequest
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from baghdad.server.bus.packets import (
    Call,
    Closed,
    Frame,
    Gone,
    Item,
    Open,
    Part,
    Question,
    Request,
    Text,
)
from baghdad.server.domain.commands import Join
from baghdad.server.domain.refusals import RefusedError
from baghdad.server.ops import metrics
from baghdad.server.runtime.actor import COME_BACK
from baghdad.server.runtime.credentials import new_secret
from baghdad.server.runtime.members import Members
from baghdad.server.storage.errors import StorageError
from baghdad.server.storage.ownership import Owner
from baghdad.server.wire.replies import Problem

from .hosting import Host
from .http import language_of, refuse, reply
from .serving import FAST_PATH
from .websocket import Connection, Connections, no_fast_read, no_fast_write

if TYPE_CHECKING:
    from baghdad.server.bus.bus import Bus  # brings NATS, which most servers do without

log = logging.getLogger(__name__)

TABLE = re.compile(r"/api/tables/([2-9A-Za-z]+)(/|$)")
PATIENCE_SECONDS = 10.0
"""For somebody to own the table, and to answer: three times what a takeover takes. Then the client
has to come again, and comes to another process."""
ANSWER_SECONDS = 2.0
"""For what one process asks another, which is little work."""
PAUSE_SECONDS = 0.1
"""Between two looks for the owner."""
MOST_UNANSWERED = 128
"""Commands of a socket that are kept until they are answered: more than fit into its limits."""
KEPT_HEADERS = {
    b"host",
    b"origin",
    b"cookie",
    b"authorization",
    b"accept-language",
    b"content-type",
    b"content-length",
}
"""What a table is told of a request: no more than it reads."""
MOVED = "baghdad-moved"
"""A header of an answer that is none: the table is not here any more."""
NUMBERED = re.compile(rb'\{"type":"(?:event|snapshot)","number":(\d+)')
ANSWER = b'{"type":"answer",'
MOST_OWNERS = 100_000
"""Tables whose owner is remembered; then all are looked up again."""
JOINS = re.compile(r"/api/tables/[2-9A-Za-z]+/join")


class Named(msgspec.Struct):
    """Of a command or its answer, what they are matched by."""

    id: str


name_of = msgspec.json.Decoder(Named).decode
decode_join = msgspec.json.Decoder(Join).decode


class MovedError(Exception):
    """Whoever was asked does not own the table, or is gone."""


class Relay:
    """ASGI middleware: passes on what is for a table to whoever owns it."""

    def __init__(self, app: ASGIApp, exchange: "Exchange") -> None:
        self.app = app
        self.exchange = exchange
        exchange.host.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = TABLE.match(scope["path"]) if scope["type"] in ("http", "websocket") else None
        if found is None:
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await self.exchange.pass_on(scope, receive, send, found[1].upper())
        else:
            await self.exchange.serve(WebSocket(scope, receive, send), found[1].upper())


class Exchange:
    """What goes on between this process and all others about tables."""

    def __init__(self, largest: int) -> None:
        """`largest`: bytes of a request's body."""
        self.host = Host(self._to_client)
        self.members: Members | None = None
        self.connections: Connections | None = None
        self.bus: Bus | None = None
        self._largest = largest
        self._owners: dict[str, str] = {}
        self._looking: dict[str, asyncio.Task[Owner | None]] = {}
        self._ids = count(1)
        self._asked: dict[int, Asked] = {}
        self._sockets: dict[int, RelayedSocket] = {}

    @property
    def here(self) -> str:
        assert self.members is not None, "it has joined before the first request"
        return self.members.lease.id

    def open(self, root: Any, bus: "Bus", members: Members, connections: Connections) -> None:
        """The server has started; `root`: the whole application."""
        self.host.root = root
        self.bus, self.members, self.connections = bus, members, connections
        self.host.answers = members.answers
        bus.received, bus.reset, bus.called = self.received, self.reset, self.called
        bus.unheard = members.look

    # To and from other processes

    def send(self, process: str, item: Item) -> None:
        assert self.bus is not None, "the server has started"
        self.bus.send(process, item)

    def called(self, call: Call) -> None:
        """Somebody tells all."""
        assert self.members is not None, "it has joined before anything is heard"
        if (hear := self.members.heard.get(call.kind)) is not None:
            hear(call.body)

    def call(self, kind: str, body: bytes = b"") -> None:
        assert self.bus is not None, "the server has started"
        self.bus.call(kind, body)

    @property
    def linked(self) -> bool:
        return self.bus is not None and self.bus.linked

    def _to_client(self, process: str, item: Item) -> None:
        if process == self.here:
            self.received(process, item)
        else:
            self.send(process, item)

    def to_owner(self, process: str, item: Item) -> None:
        if process == self.here:
            self.host.take(process, item)
        else:
            self.send(process, item)

    def received(self, sender: str, item: Item) -> None:
        """Something has come from a process."""
        if isinstance(item, Text):
            number = number_in(item.body)
            for each in item.ids:
                if (socket := self._sockets.get(each)) is not None:
                    socket.text(item.body, number)
        elif isinstance(item, Part):
            if (asked := self._asked.get(item.id)) is not None:
                asked.parts.put_nowait(item)
        elif isinstance(item, Closed):
            if (socket := self._sockets.get(item.id)) is not None:
                socket.closed(item)
        else:
            self.host.take(sender, item)

    def reset(self, process: str | None) -> None:
        """Whatever is under way with a process, or all others, begins anew."""
        self.host.reset(process, self.here)
        for asked in list(self._asked.values()):
            if asked.process != self.here and process in (None, asked.process):
                asked.parts.put_nowait(None)
        for socket in list(self._sockets.values()):
            if socket.process != self.here and process in (None, socket.process):
                socket.move()

    def looked(self) -> None:
        """Ask again whoever is asked of a process that does not live."""
        assert self.members is not None, "it calls this"
        here = {self.here, *self.members.living}
        for asked in self._asked.values():
            if asked.process not in here:
                asked.parts.put_nowait(None)
        for socket in list(self._sockets.values()):
            if socket.process not in here:
                socket.move()
        if self.bus is not None:
            self.bus.keep(self.members.living)
        self.count()

    def gone(self, process: str | None) -> None:
        if process is None and self.bus is not None:
            # The others are told: their clients may have come again before they are forgotten here.
            self.bus.begin_anew(None)
            return
        self.reset(process)
        if process is not None and self.bus is not None:
            self.bus.forget(process)

    async def ask(self, process: str, kind: str, body: bytes) -> bytes:
        """What a process answers. Raises `TimeoutError`, also where it is gone."""
        id_, asked = next(self._ids), Asked(process)
        self._asked[id_] = asked
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                self.to_owner(process, Question(id_, kind, body))
                part = await asked.parts.get()
        finally:
            del self._asked[id_]
        if part is None or not part.status:
            raise TimeoutError
        return part.body

    # Where a table is

    async def owner_of(self, code: str) -> str:
        """The process that owns a table; this one where nobody does who lives."""
        members = self.members
        assert members is not None, "it has joined before the first request"
        if code in members.registry.actors and members.valid:
            return self.here
        owner = self._owners.get(code)
        if owner in members.living:
            return owner
        found = await self._look_up(members, code)
        if found is not None and found.id is not None and found.living and found.id != self.here:
            if found.id not in members.living:
                members.look()  # it has just come
            self._remember(code, found.id)
            return found.id
        if found is not None and not members.valid:
            raise MovedError
        return self.here

    async def _look_up(self, members: Members, code: str) -> Owner | None:
        """Ask the database once for all who are at a table: they ask in the same moment."""
        if (asking := self._looking.get(code)) is None:
            asking = self._looking[code] = asyncio.create_task(members.lease.owner_of(code))

            def over(done: "asyncio.Task[Owner | None]") -> None:
                del self._looking[code]
                if not done.cancelled():
                    done.exception()  # perhaps nobody waits for it any more

            asking.add_done_callback(over)
        return await asyncio.shield(asking)

    def _remember(self, code: str, owner: str) -> None:
        if len(self._owners) > MOST_OWNERS:
            self._owners.clear()
        self._owners[code] = owner

    def moved(self, code: str) -> None:
        self._owners.pop(code, None)

    # Plain HTTP

    async def pass_on(self, scope: Scope, receive: Receive, send: Send, code: str) -> None:
        """Answer a request, here or by way of the owner."""
        request = request_of(scope)
        if request.method not in ("GET", "HEAD"):
            body = await self._body(receive)
            if body is None:
                refusal = refuse(RefusedError("too_long"), language_of(HttpRequest(scope)))
                await refusal(scope, receive, send)
                return
            request = repeatable(replace(request, body=body))
        leaving = asyncio.create_task(left(receive))
        try:
            end = time.monotonic() + PATIENCE_SECONDS
            while not leaving.done():
                try:
                    await self._ask(request, code, send, leaving)
                except (MovedError, StorageError):
                    self.moved(code)
                    if time.monotonic() > end:
                        await nobody(scope)(scope, receive, send)
                        return
                    await asyncio.sleep(PAUSE_SECONDS)
                else:
                    return
        finally:
            leaving.cancel()

    async def _body(self, receive: Receive) -> bytes | None:
        body, more = bytearray(), True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                break
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > self._largest:
                return None
        return bytes(body)

    async def _ask(
        self, request: Request, code: str, send: Send, leaving: "asyncio.Task[None]"
    ) -> None:
        """Raises `MovedError` before anything of the answer is sent."""
        process = await self.owner_of(code)
        id_, asked = next(self._ids), Asked(process)
        self._asked[id_] = asked
        begun = done = False
        try:
            self.to_owner(process, Open(id_, request))
            while not done:
                part = await asked.next(leaving)
                if part is None:
                    if begun or leaving.done():
                        return  # cut off in the middle: the client sees that it is not whole
                    raise MovedError
                if not begun:
                    done = not part.status
                    if done:
                        raise RuntimeError("a request failed at the owner, whose log has it")
                    if any(name == MOVED.encode() for name, _ in part.headers):
                        done = True
                        raise MovedError
                    headers = list(part.headers)
                    start = {"type": "http.response.start", "status": part.status}
                    await send({**start, "headers": headers})
                    begun = True
                done = not part.more
                body = {"type": "http.response.body", "body": part.body, "more_body": part.more}
                await send(body)
        finally:
            del self._asked[id_]
            if not done:
                self.to_owner(process, Gone(id_))

    # Sockets

    async def serve(self, socket: WebSocket, code: str) -> None:
        """Talk with a client, wherever its table is."""
        assert self.connections is not None, "the server has started"
        relayed = RelayedSocket(self, socket, code, self.connections)
        await relayed.run()

    def attach(self, socket: "RelayedSocket") -> int:
        id_ = next(self._ids)
        self._sockets[id_] = socket
        return id_

    def detach(self, id_: int, process: str, *, tell: bool) -> None:
        if self._sockets.pop(id_, None) is not None and tell:
            self.to_owner(process, Gone(id_))

    def count(self) -> None:
        away = sum(each.process not in ("", self.here) for each in self._sockets.values())
        metrics.RELAYED.set(away)


class Asked:
    """A request that somebody is to answer."""

    def __init__(self, process: str) -> None:
        self.process = process
        self.parts: asyncio.Queue[Part | None] = asyncio.Queue()

    async def next(self, leaving: "asyncio.Task[None]") -> Part | None:
        """The next part; None where there will be none, or nobody waits for it."""
        if not self.parts.empty():
            return self.parts.get_nowait()
        getting = asyncio.create_task(self.parts.get())
        await asyncio.wait({getting, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if getting.done():
            return getting.result()
        getting.cancel()
        return None


class RelayedSocket:
    """One client's socket, and where it is served."""

    def __init__(
        self, exchange: Exchange, socket: WebSocket, code: str, connections: Connections
    ) -> None:
        self.process = ""
        """That serves it now."""
        self._exchange = exchange
        self._socket = socket
        self._code = code
        self._connections = connections
        self._request = request_of(socket.scope)
        self._fast_path = socket.scope.get("extensions", {}).get(FAST_PATH, {})
        self._id = 0
        self._number: int | None = None
        """Of the last event that the client has had."""
        self._unanswered: dict[str, bytes] = {}
        self._connection: Connection | None = None
        self._before: list[bytes] = []
        """What came before the socket was accepted."""
        self._heard = asyncio.Event()
        self._moved = asyncio.Event()
        self._end: Closed | None = None
        self._served = False
        """Whether a word came of whoever serves it now."""

    async def run(self) -> None:
        await self._socket.receive()  # that it connects
        serving = asyncio.create_task(self._serve())
        try:
            if not await self._accepted(serving):
                return
            await self._listen(serving)
        finally:
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)
            self._exchange.detach(self._id, self.process, tell=True)

    async def _accepted(self, serving: "asyncio.Task[None]") -> bool:
        """Wait for the first word of the owner."""
        heard = asyncio.create_task(self._heard.wait())
        await asyncio.wait({heard, serving}, return_when=asyncio.FIRST_COMPLETED)
        heard.cancel()
        if self._heard.is_set():
            await self._socket.accept()
            return True
        end = self._end or Closed(0, COME_BACK)
        with suppress(WebSocketDisconnect, RuntimeError):
            if end.accepted:
                await self._socket.accept()
            await self._socket.close(end.code, end.reason)
        return False

    async def _listen(self, serving: "asyncio.Task[None]") -> None:
        """Pass on what the client sends, until one of the two has gone."""
        write = self._fast_path.get("write", no_fast_write)
        outbox = self._connections.outbox
        connection = self._connection = Connection(self._socket, None, (), write, outbox)
        sending = asyncio.create_task(connection.send_all())
        reading = asyncio.create_task(self._read())
        try:
            with self._connections.kept(connection):
                for each in self._before:
                    connection.send(each)
                self._before.clear()
                self._fast_path.get("listen", no_fast_read)(self._frame)
                await asyncio.wait({sending, reading, serving}, return_when=asyncio.FIRST_COMPLETED)
                if serving.done():
                    connection.close((self._end or Closed(0, COME_BACK)).code)
                    await asyncio.wait({sending, reading}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, reading):
                task.cancel()

    async def _read(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            while (event := await self._socket.receive())["type"] != "websocket.disconnect":
                self._frame((event.get("text") or "").encode() or event.get("bytes") or b"")

    def _frame(self, body: bytes) -> bool:
        """The client has sent something."""
        name = named(body)
        if name and len(self._unanswered) < MOST_UNANSWERED:
            self._unanswered[name] = body
        if self._id and not self._moved.is_set():
            self._exchange.to_owner(self.process, Frame(self._id, body))
        return True

    # With the owner

    async def _serve(self) -> None:
        """Have somebody serve the client, for as long as somebody does."""
        end = time.monotonic() + PATIENCE_SECONDS
        while self._end is None and time.monotonic() < end:
            try:
                process = await self._exchange.owner_of(self._code)
            except (MovedError, StorageError):
                await asyncio.sleep(PAUSE_SECONDS)
                continue
            self._attach(process)
            try:
                await self._moved.wait()
            finally:
                if self._end is None:
                    self._exchange.detach(self._id, self.process, tell=True)
                    self._id = 0
            if self._end is None:
                if self._served:
                    end = time.monotonic() + PATIENCE_SECONDS
                self._exchange.moved(self._code)
                await asyncio.sleep(PAUSE_SECONDS * randbelow(100) / 100)

    def _attach(self, process: str) -> None:
        self.process, self._served = process, False
        self._moved.clear()
        self._id = self._exchange.attach(self)
        request = self._request
        if self._number is not None:
            request = replace(request, query=after(request.query, self._number))
        self._exchange.to_owner(process, Open(self._id, request))
        for body in self._unanswered.values():
            self._exchange.to_owner(process, Frame(self._id, body))

    def move(self) -> None:
        """Whoever serves the client does so no longer."""
        self._moved.set()

    def text(self, body: bytes, number: int | None) -> None:
        """A message for the client."""
        if self._moved.is_set():
            return  # it comes again
        if number is not None:
            self._number = number
        elif body.startswith(ANSWER):
            self._answered(named(body))
        self._served = True
        if self._connection is not None:
            self._connection.send(body)
        else:
            self._before.append(body)
            self._heard.set()

    def _answered(self, name: str) -> None:
        if name:
            self._unanswered.pop(name, None)
        elif self._unanswered:  # refused before its name was read: the latest
            self._unanswered.popitem()

    def closed(self, item: Closed) -> None:
        """The owner closes the socket."""
        if item.code != COME_BACK:
            self._end = item
        self._moved.set()


def request_of(scope: Scope) -> Request:
    """A client's request, with what a table reads of it."""
    headers = tuple((name, value) for name, value in scope["headers"] if name in KEPT_HEADERS)
    client = scope["client"][0] if scope.get("client") else ""
    return Request(
        scope["type"],
        scope["path"],
        scope["query_string"],
        headers,
        client,
        scope.get("scheme", "http"),
        scope.get("method", "GET"),
    )


def repeatable(request: Request) -> Request:
    """The same request, so that it happens once though it is sent twice: the secret of somebody who
    sits down is chosen here where the client has chosen none."""
    if not JOINS.fullmatch(request.path):
        return request
    try:
        join = decode_join(request.body)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return request  # it is refused with the reason
    if join.secret is not None:
        return request
    body = msgspec.json.encode(replace(join, secret=new_secret()))
    others = tuple(each for each in request.headers if each[0] != b"content-length")
    headers = (*others, (b"content-length", str(len(body)).encode()))
    return replace(request, body=body, headers=headers)


def after(query: bytes, number: int) -> bytes:
    """The query of a socket that begins after an event."""
    others = [each for each in parse_qsl(query.decode("latin-1")) if each[0] != "after"]
    return urlencode([*others, ("after", str(number))]).encode()


def number_in(body: bytes) -> int | None:
    """The number of an event or a snapshot; None for any other message."""
    found = NUMBERED.match(body)
    return None if found is None else int(found[1])


def named(body: bytes) -> str:
    """The name of a command or an answer; nothing where it has none."""
    try:
        return name_of(body).id
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return ""


def nobody(scope: Scope) -> Response:
    """What is answered where no process owns a table for long."""
    log.error("nobody owns a table", extra={"path": scope["path"]})
    text = RefusedError("failed").said(language_of(HttpRequest(scope)))
    return reply(Problem(text, "server.failed"), 503)


async def left(receive: Receive) -> None:
    """Return when the client has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
