"""What is done with every answer."""

import logging
from typing import Any

from fastapi import Request
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Receive, Scope, Send

from baghdad.server.domain.refusals import RefusedError
from baghdad.server.wire.replies import Problem

from .http import language_of, reply

log = logging.getLogger(__name__)

HEADERS = {
    # The rules come to the browser as WebAssembly: of script, that alone may be compiled.
    b"content-security-policy": b"default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; "
    b"img-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; "
    b"form-action 'none'; frame-ancestors 'none'",
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"x-frame-options": b"DENY",
    b"cross-origin-opener-policy": b"same-origin",
    b"permissions-policy": b"camera=(), microphone=(), geolocation=()",
}


HTTPS_ONLY = (b"strict-transport-security", b"max-age=31536000")
"""For a year: browsers then never send a cookie to anybody who only claims to be this server."""
UNKEPT = (b"cache-control", b"no-store")
"""Where an answer does not say itself how long it may be kept: it may be of a hidden game."""


class SecurityHeaders:
    """Around everything: puts the security headers on every answer, also where there is a bug."""

    def __init__(self, app: ASGIApp, *, secure: bool) -> None:
        """`secure`: the server is reached through HTTPS only."""
        self.app = app
        self._headers = [*HEADERS.items(), *([HTTPS_ONLY] if secure else [])]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        begun = False

        async def send_with_headers(message: Any) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = [*message.get("headers", []), *self._headers]
                if not any(name == b"cache-control" for name, _ in headers):
                    headers.append(UNKEPT)
                message["headers"] = headers
            await send(message)

        try:
            await self.app(scope, receive, send_with_headers)
        except ClientDisconnect:
            pass  # gone before all was sent: nobody is left to answer, and nothing has failed
        except Exception:
            # Nothing of the inside is shown; the log has it.
            log.exception("a request failed", extra={"path": scope["path"]})
            if not begun:
                text = RefusedError("failed").said(language_of(Request(scope)))
                answer = reply(Problem(text, "server.failed"), 500)
                await answer(scope, receive, send_with_headers)
