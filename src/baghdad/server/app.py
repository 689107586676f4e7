"""The server as an ASGI application."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.routing import Route

from baghdad import __version__
from baghdad.server.domain.limits import Limits
from baghdad.server.domain.refusals import RefusedError
from baghdad.server.ops.collector import collect_in_time
from baghdad.server.ops.metrics import watch
from baghdad.server.runtime.bot_pool import BotPool
from baghdad.server.runtime.members import Members
from baghdad.server.runtime.record_reader import UnreadError
from baghdad.server.runtime.registry import BOT_SECONDS, TableRegistry
from baghdad.server.runtime.remote_bots import KIND, Machines
from baghdad.server.storage.errors import ElsewhereError, FencedError, StorageError
from baghdad.server.storage.event_store import EventStore
from baghdad.server.transport.gate import Gate
from baghdad.server.transport.http import Services, language_of, refuse, reply
from baghdad.server.transport.middleware import SecurityHeaders
from baghdad.server.transport.rates import TableLimiter
from baghdad.server.transport.reach import Endpoint
from baghdad.server.transport.relay import MOVED, Exchange, Relay
from baghdad.server.transport.routes import lobby, operations, records, tables, transfers
from baghdad.server.transport.static import nothing_here, page_routes
from baghdad.server.transport.websocket import Connections
from baghdad.server.wire.codec import encode
from baghdad.server.wire.openapi import components
from baghdad.server.wire.replies import Problem
from baghdad.text import say

if TYPE_CHECKING:
    from baghdad.server.bus.bus import Bus

log = logging.getLogger(__name__)


def make_app(
    database: str,
    *,
    limits: Limits | None = None,
    processes: int | None = None,
    bot_seconds: float = BOT_SECONDS,
    endpoint: Endpoint | None = None,
    ready_for: Sequence[str] = (),
    metrics: bool = True,
    bus: str | None = None,
) -> FastAPI:
    """The whole server over one database.

    The bots of `ready_for` compile what they need at once, before it is the turn of any of them.
    `endpoint` is where it listens, so that links for others can be made; loopback by default.
    `bus`: where other processes over the same PostgreSQL are met.
    `metrics`: whether `/metrics` is here; else the operator has put it elsewhere.
    """
    limits, endpoint = limits or Limits(), endpoint or Endpoint()
    exchange = None if bus is None else Exchange(limits.body)

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        storage = await EventStore.open(database)
        watch(storage)
        bots = BotPool(processes)
        charge = TableLimiter(limits).take
        registry = TableRegistry(
            storage, bots, bot_seconds=bot_seconds, limits=limits, charge=charge
        )
        connections = Connections(registry.clock, limits)
        line, members = await _meet(app, registry, connections, exchange, bus)
        if line is not None and members is not None:
            _borrow(bots, line, members)
        app.state.services = Services(registry, connections, limits, endpoint, members)
        connections.open()
        await registry.open()
        getting_ready = asyncio.create_task(bots.get_ready(ready_for))
        collecting = asyncio.create_task(collect_in_time(lambda: connections.sockets))
        log.info("ready")
        try:
            yield
        finally:
            for task in (getting_ready, collecting):
                task.cancel()
            await asyncio.gather(getting_ready, collecting, return_exceptions=True)
            await connections.close()
            await app.state.services.records.close()
            if members is not None:
                await members.leave()
            if line is not None:
                await line.close()
            await registry.close()
            await bots.close()
            await storage.close()
            log.info("stopped")

    app = FastAPI(
        title="Baghdad",
        version=__version__,
        summary="Tables of the board game Thief of Baghdad / 12 Thieves.",
        lifespan=life,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,  # ours is written once
        redirect_slashes=False,  # it would copy the Host header
    )
    app.state.limits = limits
    for routes in (tables, records, lobby, transfers, operations):
        app.include_router(routes.router)
    if metrics:
        app.include_router(operations.figures)
    app.router.routes.extend(page_routes())
    if exchange is not None:
        app.add_middleware(Relay, exchange=exchange)
    app.add_middleware(Gate, endpoint=endpoint, limits=limits)
    app.add_middleware(SecurityHeaders, secure=endpoint.secure)
    app.add_exception_handler(RefusedError, _refused)
    app.add_exception_handler(RequestValidationError, _not_understood)
    app.add_exception_handler(HTTPException, _problem)
    app.add_exception_handler(FencedError, _moved)
    app.add_exception_handler(ElsewhereError, _moved)
    app.add_exception_handler(StorageError, _not_stored)
    app.add_exception_handler(UnreadError, _not_read)
    _describe(app)
    return app


async def _meet(
    app: FastAPI,
    registry: TableRegistry,
    connections: Connections,
    exchange: Exchange | None,
    bus: str | None,
) -> "tuple[Bus | None, Members | None]":
    """Take a place among the processes that share the database; SQLite has one alone."""
    lease = registry.storage.own(__version__)
    if lease is None:
        return None, None
    members = Members(registry, lease, exchange)
    line = None
    if exchange is not None and bus is not None:
        from baghdad.server.bus.bus import Bus

        line = Bus(bus, lease.id)
        await line.open()
        exchange.open(app, line, members, connections)
    await members.join()
    return line, members


def _borrow(bots: BotPool, bus: "Bus", members: Members) -> None:
    """Let bots think on other machines as well."""
    machines = Machines()
    members.heard[KIND] = machines.hear
    members.every.append(lambda: bots.borrow(bus, machines.share(1 + len(members.living))))


def _describe(app: FastAPI) -> None:
    """Add the messages' own schemas to the document that FastAPI makes of the routes."""
    plain: Callable[[], dict[str, Any]] = app.openapi

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            made = plain()
            schemas = made.setdefault("components", {}).setdefault("schemas", {})
            schemas.update(components())
            for path in made["paths"].values():
                for operation in path.values():
                    # Bad parameters are answered as everything else is.
                    if operation["responses"].pop("422", None):
                        operation["responses"].setdefault(
                            "400",
                            {
                                "description": "Not understood.",
                                "content": {
                                    "application/json": {
                                        "schema": {"$ref": "#/components/schemas/Problem"}
                                    }
                                },
                            },
                        )
            for unused in ("HTTPValidationError", "ValidationError"):
                schemas.pop(unused, None)
            app.openapi_schema = made
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]
    written = cache(lambda: encode(document()))

    async def described(_: Request) -> Response:
        return Response(written(), media_type="application/json")

    app.add_route("/api/openapi.json", described, include_in_schema=False)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, RefusedError), "registered for it"
    return refuse(error, language_of(request))


async def _not_understood(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError), "registered for it"
    first = error.errors()[0]
    why = f"{first['loc'][-1]}: {first['msg']}"
    return refuse(RefusedError("not_understood", why=why), language_of(request))


async def _problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException), "registered for it"
    if error.status_code == 404 and (page := nothing_here(request)) is not None:
        return page
    language = language_of(request)
    key = "no_page" if error.status_code == 404 else "not_so"
    answer = reply(Problem(say(f"server.{key}", language), f"server.{key}"), error.status_code)
    if error.status_code == 405:
        answer.headers["Allow"] = ", ".join(methods_of(request))
    return answer


def methods_of(request: Request) -> list[str]:
    """What an address can be asked for."""
    path, routes = request.url.path, request.app.routes
    here = [each for each in routes if isinstance(each, Route) and each.path_regex.match(path)]
    return sorted({method for each in here for method in each.methods or ()})


async def _not_stored(request: Request, error: Exception) -> Response:
    log.error("not stored: %s", error)
    return reply(Problem(RefusedError("failed").said(language_of(request)), "server.failed"), 503)


async def _moved(request: Request, _: Exception) -> Response:
    """A table is another process's: the relay before us asks that one."""
    text = RefusedError("failed").said(language_of(request))
    answer = reply(Problem(text, "server.failed"), 503)
    answer.headers[MOVED] = "1"
    return answer


async def _not_read(request: Request, error: Exception) -> Response:
    log.error("not read: %s", error)
    return refuse(RefusedError("not_read"), language_of(request))
