"""People: each with a secret, an address and a socket, and always at most one command on the way.

They remember what was acknowledged, notice what must not be, come back when they were cut off, and
ask again for what was not answered.
"""

import asyncio
import random
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import msgspec

from ..histories.register import Accepted, Read, Recorded
from ..load.wire import Socket, request
from .figures import Figures
from .journal import Journal

UNANSWERED = 20.0
"""Seconds after which a command on an open socket should have been answered, restarts aside."""
CONNECT_SECONDS = 20.0
"""For one server to answer; with several, there is another sooner."""
SILENCE = 25.0
"""Seconds without a word after which a connection is given up, as the page does: the server says
something every 15."""
REMEMBERED = 64
"""Events of a table whose times may still be asked for."""


class Own(msgspec.Struct):
    legal: list[int]
    undo: bool = False


class Chair(msgspec.Struct):
    kind: str
    person: int | None = None
    stand_in: str | None = None


class State(msgspec.Struct):
    state: str
    chairs: list[Chair]
    offers: list[int] = []


class Heard(msgspec.Struct):
    """The parts of a message from the server that matter here."""

    type: str
    number: int = 0
    at: int = 0
    id: str = ""
    result: str = ""
    key: str | None = None
    kind: str = ""
    own: Own | None = None
    table: State | None = None
    people: list[int] = []


decode = msgspec.json.Decoder(Heard).decode


def shown(at: int, kind: str) -> str:
    """By what everybody knows an event: when it was, and of what kind."""
    return f"{at} {kind}"


class Link(Socket):
    """A person's end of a socket, which says when it is gone."""

    def __init__(
        self,
        asking: bytes,
        hear: Callable[[Socket, bytes], None],
        lost: Callable[["Link", int], None],
    ) -> None:
        super().__init__(asking, hear)
        self.reading = True
        self._lost = lost
        self._code = 0

    def closed(self, payload: bytes) -> None:
        self._code = int.from_bytes(payload[:2], "big")
        self._transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        super().connection_lost(error)
        self._lost(self, self._code)

    def vanish(self) -> None:
        """Be gone without a word."""
        self._transport.abort()

    def stop_reading(self) -> None:
        """As a phone in a pocket: nothing is read, no ping is answered."""
        self.reading = False
        self._transport.pause_reading()


@dataclass(slots=True)
class World:
    """What all people share."""

    ports: list[int]
    """Of all servers; any of them will do."""
    figures: Figures
    journal: Journal
    recorded: bool = False
    """Whether each table's history is kept in memory."""
    patience: float = CONNECT_SECONDS
    absence: float = 1.0
    """Times as long as usual are people away."""
    rng: random.Random = field(default_factory=lambda: random.Random(1))
    sockets: int = 0
    """Open ones, of people who sit or look on."""
    quiet: bool = False
    """Nobody does anything, for now,"""
    finish: bool = False
    """and for good."""
    _addresses: int = 0

    @property
    def port(self) -> int:
        return self.rng.choice(self.ports)

    def new_address(self) -> str:
        """Another one every time, apart from those of attackers."""
        self._addresses += 1
        number = self._addresses
        return f"127.{1 + number // 62_500 % 200}.{number // 250 % 250}.{1 + number % 250}"


class Place(Protocol):
    """The table that a person is at, as far as the person needs it."""

    code: str
    sent: dict[int, float]
    early: "deque[tuple[int, int | None, float]]"
    history: Recorded | None

    def looked(self, number: int, state: State | None) -> None:
        """Somebody has learned what the table is like after an event."""


@dataclass(slots=True)
class Pending:
    """A command that was not answered yet."""

    id: str
    text: bytes
    called: float
    sent: float
    repeated: bool = False


@dataclass(slots=True, eq=False)
class Person:
    """Somebody who sits at a table, or looks on."""

    world: World
    place: Place
    address: str
    number: int | None = None
    secret: str | None = None
    known: int = 0
    """The last event that has come."""
    legal: list[int] = field(default_factory=list)
    undo: bool = False
    pending: Pending | None = None
    link: Link | None = None
    away: float = 0.0
    """Seconds to stay away for, after vanishing."""
    gone: bool = False
    """Never to come back."""
    settled: bool = False
    """Whether this connection has told everything that was missed."""
    last_answer: Heard | None = None
    port: int = 0
    """Of the server that this person is, or was last, connected to."""
    heard: float = 0.0
    """When this connection was last heard of."""
    _count: int = 0
    _cut: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def here(self) -> bool:
        return self.link is not None and self.link.reading and self.settled

    @property
    def idle(self) -> bool:
        return self.here and self.pending is None

    # Coming and going

    async def stay(self) -> None:
        """Be connected, whatever happens, until it is time to go."""
        while not self.gone:
            try:
                await self._come()
            except (OSError, TimeoutError) as error:
                if not self.world.figures.disturbed:
                    told = f"not connected: {type(error).__name__} {error}"
                    self.world.figures.counts[told[:60]] += 1
                await asyncio.sleep(self.world.rng.uniform(0.3, 1.5))
                continue
            self._repeat()
            await self._cut.wait()
            away, self.away = self.away, 0.0
            if not self.gone:
                await asyncio.sleep(away or self.world.rng.uniform(0.2, 1.0))

    async def _come(self) -> None:
        """To any server; the next one where nobody listens, as a proxy before them would do it."""
        ports = self.world.rng.sample(self.world.ports, len(self.world.ports))
        for port in ports[:-1]:
            try:
                return await self._come_to(port)
            except ConnectionRefusedError:
                continue
        return await self._come_to(ports[-1])

    async def _come_to(self, port: int) -> None:
        self._cut.clear()
        self.settled = False
        path = f"/api/tables/{self.place.code}/socket"
        if self.known:
            path += f"?after={self.known}"
        headers = [f"Authorization: Bearer {self.secret}"] if self.secret else []
        asking = request(path, f"127.0.0.1:{port}", *headers)
        async with asyncio.timeout(self.world.patience):
            _, link = await asyncio.get_running_loop().create_connection(
                lambda: Link(asking, self._hear, self._lost),
                "127.0.0.1",
                port,
                local_addr=(self.address, 0),
            )
            try:
                await link.open
            except BaseException:
                link.vanish()
                raise
        self.link, self.port, self.heard = link, port, time.perf_counter()
        self.world.sockets += 1

    def _lost(self, link: Link, code: int) -> None:
        if not link.closing and code not in (0, 1012):
            self.world.figures.counts[f"closed with {code}"] += 1
        if self.link is link:
            self.world.sockets -= 1
            self.link = None
            self.settled = False
            self._cut.set()

    def vanish(self, away: float) -> None:
        """Be gone without a word, and come back later."""
        self.away = away * self.world.absence
        if self.link is not None:
            self.link.closing = True
            self.link.vanish()

    def go(self) -> None:
        """For good."""
        self.gone = True
        if self.link is not None:
            self.link.close()

    # Saying

    def say(self, wish: dict[str, Any]) -> None:
        """Send a new command. Only who is idle may."""
        assert self.pending is None, "one at a time"
        self._count += 1
        name = f"c{self._count}"
        text = msgspec.json.encode({"id": name, "version": self.known, "wish": wish})
        now = time.perf_counter()
        self.pending = Pending(name, text, now, now)
        if self.place.history is not None:
            self.place.history.call(f"{self.number}:{name}", now)
        self._send(text)

    def _send(self, text: bytes) -> None:
        if self.link is not None:
            self.link.send(text)

    def _repeat(self) -> None:
        if self.pending is not None:
            self.pending.repeated = True
            self.pending.sent = time.perf_counter()
            self.world.figures.counts["sent again"] += 1
            self._send(self.pending.text)

    def remind(self) -> None:
        """Ask again where an answer should have come long ago; leave a connection that is dead."""
        if self.here and time.perf_counter() - self.heard > SILENCE:
            self.world.figures.counts["silent for too long"] += 1
            self.vanish(0.0)
        pending = self.pending
        if pending is None or not self.here:
            return
        if time.perf_counter() - pending.sent > UNANSWERED:
            if not self.world.figures.disturbed:
                self.world.figures.blame(
                    "unanswered", f"{self.place.code}, {self.number}: {pending.text!r}"
                )
            self._repeat()

    # Hearing

    def _hear(self, socket: Socket, text: bytes) -> None:
        if socket is not self.link and self.link is not None:
            return
        now, heard = time.perf_counter(), decode(text)
        self.heard = now
        match heard.type:
            case "event":
                self._event(heard, now)
            case "answer":
                self._answer(heard, now)
            case "snapshot":
                self._snapshot(heard)
            case "present":
                self.settled = True

    def _event(self, heard: Heard, now: float) -> None:
        number, place = heard.number, self.place
        if number != self.known + 1:
            self._blame("gap", f"{self.known} was followed by {number}")
        self.known = number
        if heard.own is not None:
            self.legal, self.undo = heard.own.legal, heard.own.undo
        if place.history is not None:
            place.history.see(number, shown(heard.at, heard.kind), now)
        place.looked(number, heard.table)
        if not self.here:
            return  # what was missed comes late
        sent = place.sent.get(number)
        if sent is None:
            place.early.append((number, self.number, now))
        else:
            self.world.figures.others.add(sent, now - sent)

    def _snapshot(self, heard: Heard) -> None:
        if heard.number < self.known:
            self._blame("gone back", f"{self.known} was seen, now it is {heard.number}")
        if self.number is not None and self.number not in heard.people:
            self._blame("seat lost", f"person {self.number} is not known any more")
        self.known = heard.number
        own = heard.own or Own([])
        self.legal, self.undo = own.legal, own.undo
        self.place.looked(heard.number, heard.table)
        self.settled = True

    def _answer(self, heard: Heard, now: float) -> None:
        figures, pending = self.world.figures, self.pending
        if pending is None or heard.id != pending.id:
            # Of something that was sent twice, or a refusal of what could not be read.
            figures.counts[f"other answer: {heard.result} {heard.key or ''}"] += 1
            return
        figures.counts[heard.result] += 1
        self.last_answer = heard
        if heard.result == "failed":
            # Nothing has happened; it is sent again.
            asyncio.get_running_loop().call_later(1.0, self._repeat)
            return
        self.pending = None
        if (history := self.place.history) is not None:
            told = f"{self.number}:{pending.id}"
            accepted = heard.result == "accepted"
            outcome = Accepted(told, heard.number) if accepted else Read(heard.number)
            history.answer(told, now, outcome)
        if heard.result == "refused":
            figures.counts[f"refused: {heard.key}"] += 1
        if heard.result != "accepted":
            return
        place = self.place
        self.world.journal.acknowledged(place.code, f"{self.number}:{pending.id}", heard.number)
        if pending.repeated:
            return
        figures.answers.add(pending.sent, now - pending.sent)
        place.sent[heard.number] = pending.sent
        place.sent.pop(heard.number - REMEMBERED, None)
        for number, who, at in place.early:
            if number == heard.number and who != self.number:
                figures.others.add(pending.sent, at - pending.sent)

    def _blame(self, kind: str, words: str) -> None:
        self.world.figures.blame(kind, f"{self.place.code}, {self.number}: {words}")
