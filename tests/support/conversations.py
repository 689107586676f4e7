"""What people ask of a table, and what they are told: written down, to be held in other hands.

Everything goes through the server's interfaces, as from one device that several people share:
plain HTTP, and a socket for each of them. `tests/server/test_same_messages.py` plays it all again
with the page's own tables, which have no server.
"""

import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from random import Random
from typing import Any

from baghdad.rules.engine.actions import ACTION_COUNT, TOKENS
from support.live_server import ClientSocket, Guest, LiveServer, Message, good, sensible

LANGUAGES = ("en", "de", "nl", "cs")
NO_MOVES = (
    "+R(RRRR)", "+R(G)", "R>R(R)", "R>G(W)", "nR>>G(RG)", "nR>G(R)", "R>G(RG)", "=RGW", "=??", "=*",
    "hello", "", "nR>G(GR)", "+R(*R)", "@", "a" * 60, "it's", 'it\'s "this"', " nr > g(r *)", "-x",
)  # fmt: skip
"""Texts that are no moves, impossible ones, and moves that are written in another way."""
QUIET_SECONDS = 60.0


@dataclass
class Chance:
    """What a server drew for its tables, in order: to be drawn again elsewhere."""

    secrets: list[str] = field(default_factory=list)
    picks: list[int] = field(default_factory=list)

    def new_seed(self) -> str:
        self.secrets.append(f"{len(self.secrets):064x}")
        return self.secrets[-1]

    def pick(self, bound: int) -> int:
        self.picks.append(Random(f"pick {len(self.picks)}").randrange(bound))
        return self.picks[-1]


class Conversation:
    """Requests to one table and what came of them, with all that its people heard meanwhile."""

    def __init__(self, server: LiveServer, chance: Chance, **asked: Any) -> None:
        self.server = server
        self._chance, self._drawn = chance, (len(chance.secrets), len(chance.picks))
        self.random = Random(f"conversation {self._drawn}")
        self.steps: list[Message] = []
        self._count = 0
        self._number = 1
        self._sockets: dict[int, ClientSocket] = {}
        self._stack = ExitStack()
        with server.client() as http:
            answer = http.post("/api/tables", json=asked)
        self.steps.append({"path": "tables", "body": asked, "status": 200, "answer": answer.json()})
        self.guest = Guest(server, good(answer))
        self.people = list(range(len(self.guest.secrets)))
        for person in self.people:
            self.enter(person)

    async def _actor(self) -> Any:
        return await self.server.registry.actor(self.guest.code)

    def enter(self, person: int, **params: Any) -> None:
        """Somebody's page is opened."""
        socket = self._stack.enter_context(self.guest.socket(as_=person, **params))
        self._sockets[person] = socket
        self.steps.append({"enter": person, **params, "heard": [_told(socket)]})

    def ask(self, path: str, body: Message | None = None) -> Message:
        """A request below the table's path, in one language after another."""
        language = LANGUAGES[len(self.steps) % len(LANGUAGES)]
        http = self.guest.http
        url = f"{self.guest.path}{path}{'&' if '?' in path else '?'}lang={language}"
        answer = http.get(url) if body is None else http.post(url, json=body)
        plain = answer.headers["content-type"].startswith("text/")
        said: Any = answer.text if plain else answer.json()
        step = {"path": f"tables/CODE{path}", "language": language, "status": answer.status_code}
        self.steps.append(step | {"answer": said} | ({} if body is None else {"body": body}))
        return said if isinstance(said, dict) else {}

    def set_up(self, asked: Message) -> None:
        """Another table is asked for, which can't be."""
        language = LANGUAGES[len(self.steps) % len(LANGUAGES)]
        with self.server.client() as http:
            answer = http.post("/api/tables", params={"lang": language}, json=asked)
        assert not answer.is_success
        step = {"path": "tables", "body": asked, "language": language}
        self.steps.append(step | {"status": answer.status_code, "answer": answer.json()})

    def send(self, person: int, kind: str, /, **values: Any) -> Message:
        """A command; whatever comes of it, bots included, is heard by all before the next one."""
        self._count += 1
        version = values.pop("version", self._number)
        command = {"id": f"c{self._count}", "version": version, "person": person}
        answer = self.ask("/commands", command | {"wish": {"type": kind} | values})
        self.rest()
        return answer

    def rest(self) -> None:
        """Wait until no bot has anything to do, and take down what was heard."""
        end = time.monotonic() + QUIET_SECONDS
        while (actor := self.server.call(self._actor())) and (
            actor.thinking or actor.asking or actor.mailbox or actor.working
        ):
            assert time.monotonic() < end, "bots have come to rest"
            time.sleep(0.002)
        self._number = actor.table.number
        for person, socket in self._sockets.items():
            missing = self._number - self._last(person)
            heard = [socket.until("event") for _ in range(missing)]
            if heard:
                self.steps.append({"hear": person, "heard": heard})

    def _last(self, person: int) -> int:
        told = [
            message["number"]
            for step in self.steps
            if person in (step.get("enter"), step.get("hear"))
            for message in step["heard"]
        ]
        return int(max(told))

    # Playing

    @property
    def actor(self) -> Any:
        return self.server.call(self._actor())

    @property
    def on_turn(self) -> int | None:
        """The person whose turn it is, where it is a person's."""
        table = self.actor.table
        if table.on_turn is None or table.bot_at(table.on_turn) is not None:
            return None
        person: int | None = table.chairs[table.order[table.on_turn]].person
        return person

    def play(self, moves: int = 10_000, mistakes: float = 0.2) -> None:
        """So many moves of people, most of them good ones, or until the end."""
        random = self.random
        for _ in range(moves):
            person = self.on_turn
            if person is None:
                return
            if random.random() < mistakes:
                self.blunder(person)
                continue
            legal = self.actor.table.game.legal()
            action = sensible(legal, random)
            self.send(person, "move", action=TOKENS[action] if random.random() < 0.5 else action)

    def blunder(self, person: int) -> None:
        """Something that is hardly ever right; where it is, it happens."""
        random = self.random
        match random.randrange(7):
            case 0 | 1:
                self.send(person, "move", action=random.randrange(ACTION_COUNT))
            case 2:
                self.send(person, "move", action=random.choice(TOKENS).lower())
            case 3:
                self.send(person, "move", action=random.choice(NO_MOVES))
            case 4:
                self.send(person, "undo")
            case 5:
                self.send(random.choice(self.people), "move", action=random.randrange(400))
            case 6:
                self.send(person, "move", action=0, version=max(0, self._number - 3))

    def look(self, whole: bool = False) -> None:
        """All that can be asked about a table."""
        for person in self.people:
            self.ask(f"?as={person}")
            self.ask(f"/events?after={max(0, self._number - 5)}&as={person}")
            if whole:
                self.ask(f"/events?whole=true&after=0&as={person}")
                self.ask(f"/events?whole=true&after={self._number // 2}&as={person}")
        for path in (
            "/summary",
            "/games",
            "/record",
            "/replay",
            "/games/1/record",
            "/games/9/replay",
        ):
            self.ask(path)

    def done(self) -> Message:
        """The whole of it, as data."""
        self._stack.close()
        secrets, picks = self._drawn
        return {
            "secrets": self._chance.secrets[secrets:],
            "picks": self._chance.picks[picks:],
            "levels": self.server.registry.world.levels(),
            "steps": self.steps,
        }


def _told(socket: ClientSocket) -> Message:
    """The first thing that somebody is told who comes."""
    return socket.until("snapshot")


def table(
    players: int, chairs: Sequence[Message] = (), name: str = "Ali", **agreement: Any
) -> dict[str, Any]:
    """A table whose other chairs are people on the same device, unless they are something else."""
    names = ("Bea", "Cem", "Dido")
    others = list(chairs) or [{"kind": "human", "name": each} for each in names[: players - 1]]
    return {"name": name, "agreement": {"players": players} | agreement, "chairs": others}
