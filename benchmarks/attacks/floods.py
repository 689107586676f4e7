"""Requests as fast as they are answered: what is cheap to ask and dear to answer."""

import asyncio
import json
import random

from .attack import HEADERS_MB, Attack, Facts
from .wire import flood, get, new_table, post

LETTERS = "23456789BCDFGHJKMNPQRSTVWXZ"


class Flood(Attack):
    """A request on eight connections, again and again."""

    memory = HEADERS_MB
    duration = 4.0

    def raw(self, number: int) -> bytes:
        """Request `number`."""
        raise NotImplementedError

    def send(self, port: int) -> Facts:
        self.random = random.Random(1)
        return asyncio.run(flood(port, self.raw, self.seconds)).facts()


class Codes(Flood):
    """Guessing the codes of tables."""

    name = "codes"
    what = "tables that do not exist, as fast as they are answered"

    def raw(self, number: int) -> bytes:
        return get(f"/api/tables/{''.join(self.random.choices(LETTERS, k=6))}")


class Secrets(Flood):
    """Snapshots with as many secrets as are looked at, and then some."""

    name = "secrets"
    what = "snapshots with a bearer token and a cookie of 8 KB of secrets"

    def set_up(self, port: int) -> None:
        self.code, _ = new_table(port)

    def raw(self, number: int) -> bytes:
        many = ".".join(f"{number:024d}" for _ in range(300))
        return get(
            f"/api/tables/{self.code}",
            f"Authorization: Bearer {many}",
            f"Cookie: baghdad-{self.code}={many}",
        )


class Pages(Flood):
    """Files and documents, for which no table is asked."""

    name = "pages"
    what = "`/api/openapi.json`, `/metrics`, the page and its levels in a loop"
    paths = ("/api/openapi.json", "/metrics", "/", "/api/levels?lang=cs", "/nothing", "/t/ABCDEF")

    def raw(self, number: int) -> bytes:
        return get(self.paths[number % len(self.paths)], "Accept-Language: " + "xx," * 1000)


class Numbers(Flood):
    """Numbers in addresses that no machine can hold."""

    name = "numbers"
    what = "numbers of 4,000 digits in addresses and bodies"

    def set_up(self, port: int) -> None:
        self.code, _ = new_table(port)

    def raw(self, number: int) -> bytes:
        digits, path = "9" * 4000, f"/api/tables/{self.code}"
        if number % 3 == 0:
            return get(f"{path}/events?after={digits}&wait={digits}&as={digits}")
        if number % 3 == 1:
            return get(f"{path}/games/{digits}/replay")
        return post(f"{path}/commands", f'{{"id":"a","version":{digits},"wish":{digits}}}'.encode())


class Tickets(Flood):
    """Tickets to take 200 tables to another device."""

    name = "tickets"
    what = "tickets for 200 tables with four numbers each"

    def set_up(self, port: int) -> None:
        games = [
            {"code": "ABCDEF".replace("A", "B").replace("E", "F"), "numbers": ["a" * 64] * 4}
            for _ in range(200)
        ]
        self.ticket = json.dumps({"games": games, "name": "Ali"}).encode()

    def raw(self, number: int) -> bytes:
        if number % 2:
            return post("/api/transfers/peek", b'{"ticket":"%s"}' % (b"a" * 22))
        return post("/api/transfers", self.ticket)


class Nested(Flood):
    """Bodies of nothing but brackets, and names of nothing but marks."""

    name = "nested"
    what = "bodies of 250 KB of brackets, and of escapes"

    def set_up(self, port: int) -> None:
        self.bodies = [b"[" * 250_000, b'{"name":"' + b"\\u0301" * 40_000 + b'"}']

    def raw(self, number: int) -> bytes:
        return post("/api/tables", self.bodies[number % 2])


class Sockets(Flood):
    """Sockets that are asked for and refused: of other pages, and at tables that are not there."""

    name = "handshakes"
    what = "WebSocket handshakes that are refused, as fast as they are answered"

    def raw(self, number: int) -> bytes:
        return get(
            "/api/tables/BBBBBB/socket",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==",
            "Origin: http://elsewhere.example",
        )
