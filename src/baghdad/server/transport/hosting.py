"""Requests and sockets whose clients are at another process: served as if they were here."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from starlette.types import ASGIApp, Message, Scope

from baghdad.server.bus.packets import (
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
from baghdad.server.storage.errors import StorageError

from .serving import FAST_PATH, HOSTED

log = logging.getLogger(__name__)

ANSWERED = 200
PIECE = 128 * 1024
"""Bytes of an answer that cross the bus together."""


class Host:
    """All that this process serves to clients who are at others, or came through `Relay` here."""

    def __init__(self, send: Callable[[str, Item], None]) -> None:
        """`send` takes what goes to a process, in order."""
        self.app: ASGIApp | None = None
        """What is below the relay,"""
        self.root: Any = None
        """and the whole application, which has the services."""
        self._send = send
        self._open: dict[tuple[str, int], Hosted] = {}
        self._answering: set[asyncio.Task[None]] = set()
        self.answers: dict[str, Callable[[bytes], Awaitable[bytes]]] = {}
        """By kind of question."""

    def take(self, sender: str, item: Item) -> None:
        """Something that a client has sent, or done; or what another process asks."""
        if isinstance(item, Question):
            task = asyncio.create_task(self._answer(sender, item))
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)
        elif isinstance(item, Open):
            assert self.app is not None, "it is there before the first request"
            request, name = item.request, (sender, item.id)
            kind = HostedSocket if request.kind == "websocket" else HostedRequest
            hosted = kind(item.id, request, lambda each: self._send(sender, each))
            self._open[name] = hosted
            task = asyncio.create_task(hosted.run(self.app, self.root))
            task.add_done_callback(lambda _: self._open.pop(name, None))
        elif isinstance(item, Frame | Gone) and (found := self._open.get((sender, item.id))):
            found.take(item)

    async def _answer(self, sender: str, question: Question) -> None:
        try:
            body = await self.answers[question.kind](question.body)
        except StorageError:
            body = None
        except Exception:  # also what only a newer version knows
            log.exception("a question is not answered", extra={"kind": question.kind})
            body = None
        if body is None:
            self._send(sender, Part(question.id, b""))
        else:
            self._send(sender, Part(question.id, body, status=ANSWERED))

    def reset(self, process: str | None, here: str) -> None:
        """Clients of a process, or of all others, are not there any more; they come again."""
        for name, hosted in list(self._open.items()):
            if name[0] != here and process in (None, name[0]):
                hosted.take(Gone(name[1]))
                self._open.pop(name, None)


class Hosted:
    """One request, or one socket."""

    def __init__(self, id_: int, request: Request, send: Callable[[Item], None]) -> None:
        self.id = id_
        self.request = request
        self.send_item = send
        self.gone = False
        self.queue: asyncio.Queue[Message] = asyncio.Queue()

    async def run(self, app: ASGIApp, root: Any) -> None:
        try:
            await app({**self.scope(), "app": root}, self.queue.get, self.send)
        except Exception:
            log.exception("a request failed", extra={"path": self.request.path})
            self.fail()

    def scope(self) -> Scope:
        request = self.request
        return {
            "type": request.kind,
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": request.method,
            "scheme": request.scheme,
            "path": request.path,
            "raw_path": request.path.encode(),
            "root_path": "",
            "query_string": request.query,
            "headers": list(request.headers),
            "client": (request.client, 0),
            "server": None,
            "state": {},
            "extensions": {HOSTED: {}},
        }

    def take(self, item: Frame | Gone, /) -> None:
        raise NotImplementedError

    async def send(self, message: Message) -> None:
        raise NotImplementedError

    def fail(self) -> None:
        raise NotImplementedError

    def out(self, item: Item) -> None:
        if not self.gone:
            self.send_item(item)


class HostedRequest(Hosted):
    """A request over plain HTTP."""

    def __init__(self, id_: int, request: Request, send: Callable[[Item], None]) -> None:
        super().__init__(id_, request, send)
        self._begun: tuple[int, tuple[tuple[bytes, bytes], ...]] = (0, ())
        self.queue.put_nowait({"type": "http.request", "body": request.body, "more_body": False})

    def take(self, _: Frame | Gone, /) -> None:
        self.gone = True
        self.queue.put_nowait({"type": "http.disconnect"})

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._begun = message["status"], tuple(map(tuple, message.get("headers", ())))
        elif message["type"] == "http.response.body":
            body, more = message.get("body", b""), message.get("more_body", False)
            places = range(0, max(len(body), 1), PIECE)
            for start in places:
                last = start == places[-1] and not more
                self.out(Part(self.id, body[start : start + PIECE], not last, *self._begun))
                self._begun = (0, ())
            if more:
                await asyncio.sleep(0)  # a long answer leaves room for others

    def fail(self) -> None:
        self.out(Part(self.id, b""))


class HostedSocket(Hosted):
    """A socket. It has the same fast path as one of our own."""

    def __init__(self, id_: int, request: Request, send: Callable[[Item], None]) -> None:
        super().__init__(id_, request, send)
        self._accepted = False
        self._receiver: Callable[[bytes], bool] | None = None
        self.queue.put_nowait({"type": "websocket.connect"})

    def scope(self) -> Scope:
        scope = super().scope()
        scope["subprotocols"] = []
        scope["extensions"][FAST_PATH] = {"write": self._write, "listen": self._listen}
        return scope

    def _listen(self, receiver: Callable[[bytes], bool]) -> None:
        self._receiver = receiver

    def _write(self, texts: Iterable[bytes]) -> bool:
        for text in texts:
            self.out(Text((self.id,), text))
        return True

    def take(self, item: Frame | Gone, /) -> None:
        if isinstance(item, Gone):
            self.gone, self._receiver = True, None
            self.queue.put_nowait({"type": "websocket.disconnect", "code": 1006})
        elif self._receiver is None or not self.queue.empty() or not self._receiver(item.body):
            self.queue.put_nowait({"type": "websocket.receive", "text": text_of(item.body)})

    async def send(self, message: Any) -> None:
        if message["type"] == "websocket.accept":
            self._accepted = True
        elif message["type"] == "websocket.send":
            self.out(Text((self.id,), message["text"].encode()))
        elif message["type"] == "websocket.close":
            code, reason = message.get("code", 1000), message.get("reason") or ""
            self.out(Closed(self.id, code, reason, self._accepted))
            self.take(Gone(self.id))

    def fail(self) -> None:
        self.out(Closed(self.id, 1011, "", self._accepted))


def text_of(body: bytes) -> str:
    """A message as text; what is none is refused by whoever reads it."""
    return body.decode(errors="replace")
