"""Tables of our own server: whole games of random legal moves, one after another."""

import asyncio
import http.client
import json
import random
from collections.abc import Sequence
from functools import partial

import msgspec

from .traffic import SEATS, Table, address_of
from .wire import Socket, connect, request

UNHEARD = 15.0
"""Seconds after which a command is sent again: where all servers live, none takes as long."""


GOOD = ("accepted", "failed")
"""Answers that leave a command to be sent again, at worst."""


class Own(msgspec.Struct):
    legal: list[int]


class State(msgspec.Struct):
    state: str
    offers: list[int] = []


class Heard(msgspec.Struct):
    """The parts of a message from the server that matter here."""

    type: str
    number: int = 0
    result: str = ""
    own: Own | None = None
    table: State | None = None


decode = msgspec.json.Decoder(Heard).decode


class OurTable(Table):
    """Four people, each with a secret and a socket."""

    def __init__(self, ports: Sequence[int], place: int) -> None:
        """`ports`: of all servers; each seat comes to another one."""
        super().__init__()
        self._ports = [ports[(place + seat) % len(ports)] for seat in range(SEATS)]
        self._address = address_of(place)
        self._number = 0
        self._state = "gathering"
        self._offers = 0
        self._turn: tuple[int, list[int]] = (0, [])
        self._known = [0] * SEATS
        """The last event that each of the four has,"""
        self._awaited = 0
        """and the one that the last command makes."""
        self._asked: tuple[int, bytes] = (0, b"")
        self._ready = 0
        self._code, self._secrets = self._set_up()

    def _set_up(self) -> tuple[str, list[str]]:
        line = http.client.HTTPConnection(
            "127.0.0.1", self._ports[0], source_address=(self._address, 0)
        )
        others = [{"kind": "human", "name": f"Player {seat}"} for seat in range(1, SEATS)]
        asked = {"name": "Player 0", "agreement": {"players": SEATS}, "chairs": others}
        line.request("POST", "/api/tables", json.dumps(asked), {"Content-Type": "application/json"})
        answer = line.getresponse()
        body = json.loads(answer.read())
        if answer.status >= 300:
            raise ConnectionError(body)
        line.close()
        return body["code"], [key["secret"] for key in body["keys"]]

    async def connect(self) -> None:
        for person, (port, secret) in enumerate(zip(self._ports, self._secrets, strict=True)):
            asking = request(
                f"/api/tables/{self._code}/socket",
                f"127.0.0.1:{port}",
                f"Authorization: Bearer {secret}",
            )
            hear = partial(self._hear, person)
            self.sockets.append(await connect(port, self._address, asking, hear))
        while self._ready < SEATS:
            await asyncio.sleep(0.01)
        self._watch(0)

    def command(self) -> None:
        if self._state == "playing":
            person, legal = self._turn
            asked = b'{"type":"move","action":%d}' % random.choice(legal)
        else:
            # Another game is begun when all have agreed, one after another.
            over = self._state == "over"
            person, asked = self._offers, b'{"type":"rematch"}' if over else b'{"type":"start"}'
        text = b'{"id":"%d","version":%d,"wish":%b}' % (self.commands, self._number, asked)
        self._asked, self._awaited = (person, text), self._number + 1
        self.sockets[person].send(text)

    def _watch(self, commands: int) -> None:
        """Send again what was sent before the last look, and is not through."""
        if self.commands == commands and min(self._known) < self._awaited:
            self.repeated += 1
            person, text = self._asked
            self.sockets[person].send(text)
        asyncio.get_running_loop().call_later(UNHEARD, self._watch, self.commands)

    def _hear(self, person: int, _: Socket, text: bytes) -> None:
        heard = decode(text)
        if heard.own is not None and heard.own.legal:
            self._turn = person, heard.own.legal
        if heard.table is not None:
            self._state, self._offers = heard.table.state, len(heard.table.offers)
        if heard.type == "snapshot":
            self._ready += 1
        elif heard.type == "answer" and heard.result not in GOOD:
            raise ValueError(text)
        if heard.number > self._known[person] and heard.type in ("event", "snapshot"):
            new = self._known[person] < self._awaited <= heard.number
            self._known[person] = heard.number
            self._number = max(self._number, heard.number)
            if new:
                self.received()
