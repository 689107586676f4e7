"""A real server in a thread, and people who talk to it over real sockets and plain HTTP."""

import asyncio
import itertools
import json
import ssl
import threading
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import httpx
from websockets.sync.client import ClientConnection, connect

from baghdad.rules.engine.actions import TOKENS
from baghdad.server.app import make_app
from baghdad.server.domain.commands import Move
from baghdad.server.domain.limits import Limits
from baghdad.server.runtime.registry import TableRegistry
from baghdad.server.storage.event_store import database_url
from baghdad.server.transport.serving import Server, serving
from baghdad.server.wire.requests import CommandMessage
from support.pledges import number_of, promise_of
from support.tables import thieving

Message = dict[str, Any]
Result = TypeVar("Result")
GENEROUS = Limits(
    tables_an_hour=1_000_000,
    listed_of_one=1_000_000,
    tickets_an_hour=1_000_000,
    requests_a_second=1_000_000,
    pages_at_once=1_000_000,
    connections=1_000_000,
    handshakes=1_000_000,
    arrivals_at_once=1_000_000,
    messages_a_second=1_000_000,
    burst=1_000_000,
    heavy_each=1_000_000,
    heavy_in_all=1_000_000,
    talk_at_once=1_000_000,
    misses_at_once=1_000_000,
    absent_seconds=0,
)
"""So that the tests of everything else meet no limit."""
PATIENCE = 60.0
"""Seconds after which a test is taken to hang; nothing is ever waited for so long."""
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""All is plain here, and the machine's certificates take long to load."""
FAR = 50.0
"""For a client: longer than any answer takes."""


class Reachable:
    """A server that people can come to."""

    def __init__(self) -> None:
        self._clients: list[httpx.Client] = []

    @property
    def address(self) -> str:
        raise NotImplementedError

    @property
    def url(self) -> str:
        return f"http://{self.address}"

    def let_go(self) -> None:
        for client in self._clients:
            client.close()

    def client(self, *secrets: str, **headers: str) -> httpx.Client:
        if secrets:
            headers["authorization"] = f"Bearer {'.'.join(secrets)}"
        made = httpx.Client(
            base_url=self.url, headers=headers, timeout=FAR, trust_env=False, verify=NO_TLS
        )
        self._clients.append(made)
        return made

    def create(
        self,
        name: str = "Ali",
        chairs: Sequence[Mapping[str, Any]] = (),
        promise: str | None = None,
        **agreement: Any,
    ) -> "Guest":
        """Set a table up, and be its host."""
        asked = {"name": name, "agreement": agreement, "chairs": list(chairs), "promise": promise}
        with self.client() as http:
            return Guest(self, good(http.post("/api/tables", json=asked)))

    def join(self, code: str, name: str = "Bea", **asked: Any) -> "Guest":
        with self.client() as http:
            answer = http.post(f"/api/tables/{code}/join", json={"name": name} | asked)
        return Guest(self, good(answer))

    def people(self, count: int, *, numbers: bool = False, **agreement: Any) -> list["Guest"]:
        """Several people at one table, by seat, when the game has begun.

        With `numbers`, all of them have brought one to the deal.
        """
        promises = [promise_of(n) if numbers else None for n in range(count)]
        agreed: dict[str, Any] = {"players": count, "start": "order"} | agreement
        host = self.create(promise=promises[0], **agreed)
        others = enumerate(promises[1:], 1)
        joined = [self.join(host.code, f"Guest {n}", promise=promise) for n, promise in others]
        guests = [host, *joined]
        host.wants("start")
        for n, guest in enumerate(guests):
            if numbers:
                guest.wants("bring", number=number_of(n))
        return guests

    def spectator(self, code: str) -> "Guest":
        return Guest(self, {"code": code, "keys": []})


class LiveServer(Reachable):
    """A server that runs, with its database."""

    def __init__(
        self,
        folder: Path,
        *,
        limits: Limits = GENEROUS,
        port: int = 0,
        proxy: str | None = None,
        database: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.folder = folder
        self.database = database or database_url(folder)
        self.app = make_app(self.database, limits=limits, processes=1, **options)
        self.uvicorn: Server = serving(self.app, "127.0.0.1", port, proxy=proxy)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._started = threading.Event()
        self._thread.start()
        assert self._started.wait(PATIENCE)

    def _run(self) -> None:
        self.loop = asyncio.new_event_loop()

        async def serve() -> None:
            serving_ = asyncio.create_task(self.uvicorn.serve())
            while not self.uvicorn.started and not serving_.done():
                await asyncio.sleep(0.01)
            self._started.set()
            await serving_

        self.loop.run_until_complete(serve())
        self.loop.close()

    @property
    def address(self) -> str:
        port = self.uvicorn.servers[0].sockets[0].getsockname()[1]
        return f"127.0.0.1:{port}"

    @property
    def registry(self) -> TableRegistry:
        registry: TableRegistry = self.app.state.services.registry
        return registry

    def call(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Run something on the server's own loop."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE)

    def stop(self) -> None:
        self.let_go()
        self.uvicorn.should_exit = True
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()


class Guest:
    """Somebody at a table, or a spectator: with the secrets, and nothing else."""

    def __init__(self, server: Reachable, welcome: Message) -> None:
        self.server = server
        self.welcome = welcome
        self.code: str = welcome["code"]
        self.secrets: list[str] = [key["secret"] for key in welcome["keys"]]
        self.person: int | None = welcome["keys"][0]["person"] if welcome["keys"] else None
        self.path = f"/api/tables/{self.code}"
        self._numbers = itertools.count(1)
        self.http = server.client(*self.secrets)

    @property
    def live(self) -> LiveServer:
        """The server, where it is one in this process."""
        assert isinstance(self.server, LiveServer)
        return self.server

    def at(self, server: Reachable) -> "Guest":
        """The same person, who comes by way of another server."""
        return Guest(server, self.welcome)

    def get(self, path: str = "", **params: Any) -> httpx.Response:
        return self.http.get(self.path + path, params=params)

    def look(self, **params: Any) -> Message:
        return good(self.get(**params))

    def events(self, after: int = 0, **params: Any) -> Message:
        return good(self.get("/events", after=after, **params))

    def command(self, kind: str, **values: Any) -> Message:
        """What a command looks like, for the version that is now."""
        id_ = values.pop("id", f"{self.person}-{next(self._numbers)}")
        version = values.pop("version", None)
        if version is None:
            version = self.look()["number"]
        return {"id": id_, "version": version, "wish": {"type": kind} | values}

    def send(self, command: Message, **params: Any) -> httpx.Response:
        return self.http.post(f"{self.path}/commands", json=command, params=params)

    def asks(self, kind: str, **values: Any) -> Message:
        """What becomes of a command."""
        answer: Message = self.send(self.command(kind, **values)).json()
        return answer

    def wants(self, kind: str, **values: Any) -> int:
        """The number of the event that a command makes."""
        answer = self.asks(kind, **values)
        assert answer["result"] == "accepted", answer
        number: int = answer["number"]
        return number

    def refusal(self, kind: str, **values: Any) -> str:
        """Why a command is refused; and it changes nothing."""
        before = self.look()["number"]
        answer = self.asks(kind, **values)
        assert answer["result"] == "refused", answer
        assert self.look()["number"] == before
        return str(answer["key"]).partition(".")[2]

    @contextmanager
    def socket(self, **params: Any) -> Iterator["ClientSocket"]:
        headers = {"Authorization": f"Bearer {'.'.join(self.secrets)}"} if self.secrets else {}
        query = "&".join(f"{name.rstrip('_')}={value}" for name, value in params.items())
        url = f"ws://{self.server.address}{self.path}/socket?{query}"
        with connect(
            url, additional_headers=headers, compression=None, proxy=None, open_timeout=FAR
        ) as raw:
            yield ClientSocket(raw)


class ClientSocket:
    """An open socket, and everything that came over it."""

    def __init__(self, raw: ClientConnection) -> None:
        self.raw = raw
        self.bytes: list[bytes] = []

    def get(self) -> Message:
        """The next message."""
        text = self.raw.recv(timeout=FAR)
        self.bytes.append(text.encode() if isinstance(text, str) else text)
        message: Message = json.loads(text)
        return message

    def until(self, kind: str, /, **values: Any) -> Message:
        """The next message of a kind, with some values."""
        while True:
            message = self.get()
            if message["type"] == kind and values.items() <= message.items():
                return message

    def ask(self, command: Message) -> Message:
        """Send a command, and wait for its answer."""
        self.raw.send(json.dumps(command))
        return self.until("answer", id=command["id"])


def good(response: httpx.Response) -> Message:
    assert response.is_success, response.text
    body: Message = response.json()
    return body


def on_turn(people: Sequence[Guest]) -> Guest:
    """Whose turn it is, of people by seat."""
    seat: int = people[0].look()["shown"]["seat"]
    return people[seat]


def sensible(legal: Sequence[int], random: Random) -> int:
    """A move that brings the game on."""
    token = thieving(sorted(TOKENS[action] for action in legal), random)
    return TOKENS.index(token)


def play_on(people: Sequence[Guest], random: Random, moves: int = 100_000) -> None:
    """Play this many moves, or until the game is over: through the same actor, without HTTP."""
    server, code = people[0].live, people[0].code

    async def play() -> None:
        actor = await server.registry.actor(code)
        for _ in range(moves):
            table = actor.table
            if table.game is None or table.on_turn is None:
                return
            person = table.chairs[table.order[table.on_turn]].person
            assert person is not None, "people play"
            move = Move(sensible(table.game.legal(), random))
            command = CommandMessage(f"on-{table.number}", table.number, move)
            answer = await actor.submit(person, command, "en")
            assert answer.result == "accepted", answer

    server.call(play())
