"""Before every request and socket: is it for us, and does its address ask for too much?"""

from collections.abc import Iterator
from contextlib import contextmanager

from fastapi import Request, WebSocket
from starlette.types import ASGIApp, Receive, Scope, Send

from baghdad.server.domain.limits import Limits
from baghdad.server.domain.refusals import RefusedError

from .doors import Doors
from .http import address_of, language_of, refuse, services_of
from .reach import Endpoint
from .websocket import LATER, close_with_reason

COUNTED = ("/api/", "/ready", "/metrics")
"""What costs more than sending a file."""


LONGEST_HOST = 100
"""Letters of a name that are said back."""


class TurnedAwayError(Exception):
    """Before the application has heard of it."""

    def __init__(self, why: RefusedError) -> None:
        super().__init__(why.key)
        self.why = why


class Gate:
    """Refuses what is not for this server, and what is too much of one address.

    Where a proxy stands before the server, it also counts what is under way of each address:
    connections are the proxy's own then.
    """

    def __init__(self, app: ASGIApp, endpoint: Endpoint, limits: Limits) -> None:
        self.app = app
        self.endpoint = endpoint
        self.under_way = Doors(limits, arrivals=False) if endpoint.proxied else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            request = Request(scope)
            try:
                with self._entered(request):
                    await self.app(scope, receive, send)
            except TurnedAwayError as error:
                await refuse(error.why, language_of(request))(scope, receive, send)
        elif scope["type"] == "websocket":
            socket = WebSocket(scope, receive, send)
            try:
                with self._entered(socket):
                    await self.app(scope, receive, send)
            except TurnedAwayError as error:
                if error.why.key == "server.too_fast":
                    await close_with_reason(socket, LATER, error.why.said(language_of(socket)))
                else:
                    await socket.close()  # before it is accepted: 403
        else:
            await self.app(scope, receive, send)

    @contextmanager
    def _entered(self, asking: Request | WebSocket) -> Iterator[None]:
        self._check(asking)
        entry = None
        if self.under_way is not None:
            entry = self.under_way.enter(asking.client.host if asking.client else "")
            if entry is None:
                raise TurnedAwayError(RefusedError("too_fast"))
            entry.finish()
        try:
            yield
        finally:
            if entry is not None:
                entry.leave()

    def _check(self, asking: Request | WebSocket) -> None:
        host = asking.headers.get("host")
        if host is not None and not self.endpoint.is_called(host):
            raise TurnedAwayError(RefusedError("wrong_host", host=host[:LONGEST_HOST]))
        services = services_of(asking)
        costly = asking.scope["path"].startswith(COUNTED)
        if not (services.requests if costly else services.files).take(address_of(asking)):
            raise TurnedAwayError(RefusedError("too_fast"))
