"""What all routes share: the services behind them, requests read, answers written."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Annotated, Any, TypeVar

import msgspec
from fastapi import Path, Query, Request, Response, WebSocket
from starlette.types import Receive, Scope, Send

from baghdad.server.domain.codes import LONGEST_CODE, SHORTEST_CODE
from baghdad.server.domain.events import PersonNumber
from baghdad.server.domain.limits import Limits
from baghdad.server.domain.refusals import RefusedError
from baghdad.server.ops import metrics
from baghdad.server.runtime.lobby import LobbyList
from baghdad.server.runtime.members import Members
from baghdad.server.runtime.record_reader import RecordReader
from baghdad.server.runtime.registry import TableRegistry
from baghdad.server.runtime.ticket_desk import TicketDesk
from baghdad.server.runtime.turns import Turns
from baghdad.server.wire.codec import encode, understood
from baghdad.server.wire.replies import Problem
from baghdad.text import LANGUAGES

from .rates import AddressLimiter, Buckets, TokenBucket, network_of
from .reach import Endpoint
from .shared_rates import SharedRates
from .websocket import Connections

Kind = TypeVar("Kind")

CODES = {
    "too_fast": 429,
    "many_misses": 429,
    "too_long": 413,
    "not_read": 503,
    "wrong_host": 421,
    "no_table": 404,
    "no_game": 404,
    "no_secret": 403,
    "hidden": 403,
    "not_understood": 400,
    "json_only": 400,
}
"""HTTP's word for each refusal; 409 for all others, which come from the game."""
PAGES_AT_ONCE = 2
"""Pages of whole games that are made at a time: each adds a slice of work to every round of the
loop."""
PIECE = 64 * 1024
"""Bytes of a long answer that go to the network at a time."""
GONE = 499
"""For the log of a proxy; whoever asked has gone, and hears nothing."""

Code = Annotated[
    str, Path(pattern=f"^[2-9A-Za-z]{{{SHORTEST_CODE},{LONGEST_CODE}}}$", examples=["F7KQXM"])
]
Language = Annotated[str, Query(alias="lang", max_length=20, examples=["de"])]
Viewer = Annotated[int | None, Query(alias="as", ge=0, le=1_000_000)]


class Services:
    """What the routes need, kept with the app."""

    def __init__(
        self,
        registry: TableRegistry,
        connections: Connections,
        limits: Limits,
        endpoint: Endpoint,
        members: Members | None = None,
    ) -> None:
        self.registry = registry
        self.members = members
        """Where several processes share a database."""
        metrics.WRITABLE.set_function(lambda: registry.storage.writable)
        self.connections = connections
        self.limits = limits
        self.endpoint = endpoint
        known, households = limits.addresses, limits.households
        self.requests = AddressLimiter(
            limits.requests_a_second, limits.burst * 2, known, households
        )
        self.files = AddressLimiter(limits.pages_a_second, limits.pages_at_once, known, households)
        self._messages = Buckets(limits.messages_a_second, limits.burst, known)
        """Of each person at a table,"""
        self._speaking = AddressLimiter(
            limits.messages_a_second * limits.speakers,
            limits.burst * limits.speakers,
            known,
            households,
        )
        """and of an address."""
        self.lobby = LobbyList(registry, limits.listed_of_one, members)
        self.tickets = AddressLimiter(
            limits.tickets_an_hour / 3600, limits.tickets_an_hour, known, households
        )
        tables = limits.tables_an_hour
        self.set_up = AddressLimiter(tables / 3600, tables, known, households)
        """Tables, where networks of IPv6 count: of creators nobody knows which are neighbours."""
        joins_an_hour = limits.tables_an_hour * limits.joins_a_table
        self.joins = AddressLimiter(joins_an_hour / 3600, joins_an_hour, known, households)
        self.misses = AddressLimiter(
            limits.misses_a_minute / 60, limits.misses_at_once, known, households
        )
        if members is not None:
            limited = {
                "requests": self.requests,
                "messages": self._speaking,
                "tickets": self.tickets,
                "tables": self.set_up,
                "joins": self.joins,
                "misses": self.misses,
            }
            SharedRates(limited, members)
        self.transfers = TicketDesk(registry.clock, members)
        self.records = RecordReader(registry.clock, limits)
        self.pages = Turns("page", PAGES_AT_ONCE, limits.heavy_each, limits.heavy_in_all)

    def message_rates(
        self, code: str, person: PersonNumber | None, address: str
    ) -> tuple[TokenBucket, ...]:
        """All that count a message: the person's, wherever it comes from, and the address's."""
        own = () if person is None else (self._messages.of((code, person)),)
        return *own, *self._speaking.all_of(address)


def services_of(request: Request | WebSocket) -> Services:
    services: Services = request.app.state.services
    return services


def language_of(request: Request | WebSocket) -> str:
    """The language asked for in the address, or by the browser."""
    wanted = [request.query_params.get("lang", "")]
    wanted += request.headers.get("accept-language", "").split(",")
    for each in wanted:
        if each.strip()[:2].lower() in LANGUAGES:
            return each.strip()[:2].lower()
    return "en"


def address_of(request: Request | WebSocket) -> str:
    return network_of(request.client.host) if request.client else ""


def count_heavy(request: Request) -> None:
    """Count what takes long, beyond the one request that was counted at the gate.

    Raises `RefusedError` where an address asks for too much of it.
    """
    services = services_of(request)
    if not services.requests.take(address_of(request), services.limits.heavy_cost - 1):
        raise RefusedError("too_fast")


async def unless_gone(request: Request, work: Coroutine[Any, Any, Kind]) -> Kind | None:
    """What comes of some work; None where the client goes before it is done: it ends then.

    The body of the request must have been read.
    """
    working = asyncio.create_task(work)
    leaving = asyncio.create_task(_left(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        return await working if working.done() else None
    finally:
        working.cancel()
        leaving.cancel()


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


class LongAnswer(Response):
    """JSON of many bytes, encoded already. It goes out in pieces, as fast as the client reads: of
    the rest, nothing is copied meanwhile. Then it is `done`."""

    def __init__(self, body: bytes, done: Callable[[], Any]) -> None:
        headers = {"Cache-Control": "no-store"}
        super().__init__(body, media_type="application/json", headers=headers)
        self._done = done

    async def __call__(self, _: Scope, __: Receive, send: Send) -> None:
        try:
            await send(
                {
                    "type": "http.response.start",
                    "status": self.status_code,
                    "headers": self.raw_headers,
                }
            )
            for start in range(0, len(self.body), PIECE):
                piece = bytes(self.body[start : start + PIECE])
                await send({"type": "http.response.body", "body": piece, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        finally:
            self._done()


async def read_body(request: Request, kind: type[Kind]) -> Kind:
    """The body of a request. Forms of foreign pages never come as JSON."""
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != "application/json":
        raise RefusedError("json_only")
    length = request.headers.get("content-length", "0")
    if not length.isdecimal() or int(length[:20]) > services_of(request).limits.body:
        raise RefusedError("too_long")  # before anything of it is read
    raw = bytearray()
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > services_of(request).limits.body:
            raise RefusedError("too_long")
    return understood(msgspec.json.Decoder(kind).decode, bytes(raw))


def reply(message: Any, code: int = 200) -> Response:
    return Response(
        encode(message), code, media_type="application/json", headers={"Cache-Control": "no-store"}
    )


def refuse(error: RefusedError, language: str) -> Response:
    key = error.key.partition(".")[2]
    return reply(Problem(error.said(language), error.key, error.rule), CODES.get(key, 409))
