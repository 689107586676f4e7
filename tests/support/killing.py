"""A real server that is killed, and people who play on whatever happens to it."""

import asyncio
import os
import random
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeAlias

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from baghdad.server.domain.events import StoredEvent
from baghdad.server.storage.event_store import EventStore
from baghdad.server.storage.event_store import async_url as asynchronous
from support.runtime import sound

Message: TypeAlias = dict[str, Any]
PAUSE = 0.04
"""Seconds between commands of a person, so that the server's limits are not what is tested."""
LOST = (OSError, EOFError, WebSocketException, httpx.HTTPError, TimeoutError)
"""How a killed server looks from outside."""


def free_port() -> int:
    """One that no system gives away by itself, since it has to stay free while nobody listens."""
    for port in range(20_000 + os.getpid() * 16 % 12_000, 32_768):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)):
                return port
    raise AssertionError("no port is free")


class ServerProcess:
    """`baghdad serve` in a process of its own, always on the same port.

    Its rules are not compiled: loading compiled ones is a third of the time of a start.
    """

    def __init__(self, database: str, folder: Path) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.errors = folder / "server.log"
        self._database = database
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "baghdad", "serve", "--port", str(self.port)]
        with self.errors.open("ab") as errors:
            self._process = subprocess.Popen(
                [*command, "--database-url", self._database],
                stdout=subprocess.DEVNULL,
                stderr=errors,
                env=os.environ | {"BAGHDAD_PLAIN": "1"},
            )

    async def ready(self) -> None:
        async with httpx.AsyncClient(base_url=self.url) as http:
            while True:
                assert self._process is not None
                assert self._process.poll() is None, self.errors.read_text()[-3000:]
                try:
                    await http.get("/health")
                except httpx.HTTPError:
                    await asyncio.sleep(0.02)
                else:
                    return

    async def end(self, how: signal.Signals) -> int:
        """Send a signal, and return the exit code."""
        assert self._process is not None
        self._process.send_signal(how)
        return await asyncio.to_thread(self._process.wait)

    def clean_up(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()


class Person:
    """Somebody who always has one command on the way, and asks again until it is answered."""

    def __init__(
        self, server: ServerProcess, code: str, number: int, secret: str, seed: int
    ) -> None:
        self.server = server
        self.code = code
        self.number = number
        self.acknowledged: dict[str, int] = {}
        """By command: the number of its event."""
        self.pending: Message | None = None
        self.repeats = 0
        """Commands that were sent again, because a server died with the answer."""
        self.known = 0
        self.own: Message | None = None
        self.finish = False
        self._rng = random.Random(seed)
        self.headers = {"Authorization": f"Bearer {secret}"}

    async def live(self) -> None:
        """Play and chat until told to finish, over all kills."""
        while not self.finish or self.pending is not None:
            try:
                await self._visit()
            except LOST:
                await asyncio.sleep(0.05)

    async def _visit(self) -> None:
        raise NotImplementedError

    def _next(self) -> Message:
        if self.pending is not None:
            self.repeats += 1
            return self.pending
        asked: Message = {"type": "chat", "text": f"{len(self.acknowledged)}"}
        if self.own is not None and self.own["legal"]:
            asked = {"type": "move", "action": self._rng.choice(self.own["legal"])}
        name = f"{len(self.acknowledged)}-{self._rng.getrandbits(32)}"
        self.pending = {"id": name, "version": self.known, "wish": asked}
        return self.pending

    def _answered(self, answer: Message) -> None:
        assert self.pending is not None
        if answer["result"] == "failed":
            return  # nothing has happened; it is sent again
        assert answer["result"] == "accepted", answer
        assert answer["id"] == self.pending["id"]
        self.acknowledged[answer["id"]] = answer["number"]
        self.pending = None

    def _looked(self, snapshot: Message) -> None:
        best = max(self.known, *self.acknowledged.values(), 0)
        assert snapshot["number"] >= best, "something that was seen is gone"
        self.known, self.own = snapshot["number"], snapshot["own"]


class SocketPerson(Person):
    """Over a socket."""

    async def _visit(self) -> None:
        url = f"{self.server.url.replace('http', 'ws')}/api/tables/{self.code}/socket"
        where = f"{url}?as={self.number}"
        async with connect(where, additional_headers=self.headers, proxy=None) as websocket:
            await self._take_in(websocket)
            while not self.finish or self.pending is not None:
                await websocket.send(httpx.Response(200, json=self._next()).text)
                while self.pending is not None:
                    await self._take_in(websocket)
                await asyncio.sleep(PAUSE)

    async def _take_in(self, websocket: ClientConnection) -> None:
        message = httpx.Response(200, content=await websocket.recv()).json()
        match message["type"]:
            case "snapshot":
                self._looked(message)
            case "event":
                assert message["number"] == self.known + 1, "events come without a gap"
                self.known = message["number"]
                self.own = message.get("own", self.own)
            case "answer":
                self._answered(message)


class HttpPerson(Person):
    """Over plain HTTP."""

    async def _visit(self) -> None:
        path, who = f"/api/tables/{self.code}", {"as": self.number}
        async with httpx.AsyncClient(base_url=self.server.url, headers=self.headers) as http:
            while not self.finish or self.pending is not None:
                self._looked((await http.get(path, params=who)).json())
                command = {**self._next(), "person": self.number}
                self._answered((await http.post(f"{path}/commands", json=command)).json())
                await asyncio.sleep(3 * PAUSE)


async def gather(
    server: ServerProcess, kind: type[Person], chairs: list[Message], seed: int
) -> list[Person]:
    """A new table on which a game has begun; its people."""
    asked = {"name": "Ann", "agreement": {"players": 1 + len(chairs)}, "chairs": chairs}
    async with httpx.AsyncClient(base_url=server.url) as http:
        welcome = (await http.post("/api/tables", json=asked)).raise_for_status().json()
        code, keys = welcome["code"], welcome["keys"]
        headers = {"Authorization": f"Bearer {keys[0]['secret']}"}
        start = {"id": "start", "version": 1, "wish": {"type": "start"}}
        begun = await http.post(f"/api/tables/{code}/commands", json=start, headers=headers)
        begun.raise_for_status()
    return [
        kind(server, code, key["person"], key["secret"], seed + number)
        for number, key in enumerate(keys)
    ]


async def stored(database: str, codes: Iterable[str]) -> dict[str, list[StoredEvent]]:
    """All events of some tables, read without the server."""
    storage = await EventStore.open(asynchronous(database))
    try:
        return {code: await storage.events(code) for code in codes}
    finally:
        await storage.close()


def nothing_lost(people: Iterable[Person], kept: dict[str, list[StoredEvent]]) -> None:
    """Every acknowledged command is there, where it was said to be; none is there twice."""
    for person in people:
        numbers = {each.command_id: each.number for each in kept[person.code]}
        for command, number in person.acknowledged.items():
            assert numbers.get(f"{person.number}:{command}") == number
    for code, events in kept.items():
        sound(code, events)


def nothing_more(people: Iterable[Person], kept: dict[str, list[StoredEvent]]) -> None:
    """Nothing is there that nobody was told of."""
    told = {(each.code, f"{each.number}:{name}") for each in people for name in each.acknowledged}
    for code, events in kept.items():
        for each in events[2:]:
            assert each.command_id.startswith("bot:") or (code, each.command_id) in told
