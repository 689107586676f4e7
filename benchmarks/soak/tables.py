"""Tables: people come, play one game after another at a human pace, and go."""

import asyncio
import random
import secrets
import time
from collections import deque
from typing import Any

import msgspec

from baghdad.jit.compiler import COMPILED
from baghdad.rules.engine.actions import TOKENS
from baghdad.server.domain.commands import EMOTES
from baghdad.server.transport.static import STATIC

from ..histories.register import Recorded
from .asking import ask
from .people import REMEMBERED, Person, State, World

LEVELS = ("random", "maruf", "kasim") if COMPILED else ("random",)
"""Bots that need next to no time: how strong they are does not matter here."""
STUCK = 120.0
"""Seconds without any event, while all people are there and want to play."""
LOST = (OSError, EOFError, TimeoutError)
"""How a server that is away looks from outside."""
TRIES = 200
"""Before somebody gives up to set a table up, or to sit down: restarts take a while."""
VANISH, POCKET, TALK, FACE, LOOK, BACK = 0.006, 0.003, 0.04, 0.02, 0.02, 0.1
"""How often, instead of a move: somebody vanishes, puts the phone away, says something, makes a
face, looks around over plain HTTP; and how often a move is taken back."""


PAGE_BUILT = (STATIC / "index.html").is_file()
"""Where it is not, such as on a machine without Node.js, the server says so with 503, and nobody
asks for it."""


class Welcome(msgspec.Struct):
    code: str
    keys: list[dict[str, Any]]


class PlayedTable:
    """One table, from the moment when somebody sets it up until all have gone."""

    def __init__(self, world: World, pause: float, life: float) -> None:
        self.world = world
        self.code = ""
        self.people: list[Person] = []
        self.spectators: list[Person] = []
        self.sent: dict[int, float] = {}
        """By event: when its command was sent."""
        self.early: deque[tuple[int, int | None, float]] = deque(maxlen=REMEMBERED)
        """Events that came before the answer to their command: number, to whom, when."""
        self.number = 0
        self.state: State | None = None
        self.history = Recorded() if world.recorded else None
        self.pause = pause
        self._life = life
        self._heard = time.perf_counter()
        self._rng = random.Random(world.rng.getrandbits(32))
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def everybody(self) -> list[Person]:
        return [*self.people, *self.spectators]

    def looked(self, number: int, state: State | None) -> None:
        if number > self.number:
            self._heard = time.perf_counter()
        if number >= self.number:
            self.number = number
            if state is not None:
                self.state = state

    # From the beginning to the end

    async def live(self) -> None:
        try:
            await self._gather()
            self._tasks = [asyncio.create_task(each.stay()) for each in self.everybody]
            end = time.perf_counter() + self._life
            self._heard = time.perf_counter()
            while time.perf_counter() < end and not self.world.finish:
                await asyncio.sleep(self._rng.expovariate(1 / self.pause))
                if not self.world.quiet:
                    self._act()
                if self._stuck():
                    break
            await self._part()
        except LOST as error:
            self.world.figures.blame("table given up", f"{self.code}: {error!r}")
        finally:
            for each in self.everybody:
                each.go()
            for task in self._tasks:
                task.cancel()

    async def _gather(self) -> None:
        rng, world = self._rng, self.world
        players = rng.choice((2, 2, 3, 3, 4, 4))
        bots = rng.randrange(players) if rng.random() < 0.3 else 0
        family = world.new_address()
        shared = rng.random() < 0.3
        chairs = [{"kind": "bot", "level": rng.choice(LEVELS)} for _ in range(bots)]
        agreement: dict[str, Any] = {"players": players, "listed": rng.random() < 0.1}
        if rng.random() < 0.3:
            agreement |= {"stand_in": rng.choice(LEVELS), "grace_seconds": 15}
        asked = {"name": "Ann", "agreement": agreement, "chairs": chairs}
        welcome = await self._post(family, "/api/tables", asked)
        self.code = welcome.code
        world.journal.acknowledged(self.code, "created", 1)
        addresses = [family]
        for _ in range(players - bots - 1):
            address = family if shared else world.new_address()
            addresses.append(address)
            # With a secret of its own it may be sent again.
            wanted = {"name": "Ben", "secret": secrets.token_urlsafe(24)}
            joined = await self._post(address, f"/api/tables/{self.code}/join", wanted)
            welcome.keys += joined.keys
        self.people = [
            Person(world, self, address, key["person"], key["secret"])
            for address, key in zip(addresses, welcome.keys, strict=True)
        ]
        watching = rng.choice((0, 0, 1, 1, 2)) if players < 4 else rng.choice((0, 1))
        self.spectators = [Person(world, self, world.new_address()) for _ in range(watching)]

    async def _post(self, address: str, path: str, body: dict[str, Any]) -> Welcome:
        """Until it is answered."""
        for _ in range(TRIES):
            try:
                status, answer = await ask(self.world.port, address, "POST", path, body)
            except LOST:
                status, answer = 0, b""
            self._status(status, path)
            if status == 200:
                return msgspec.json.decode(answer, type=Welcome)
            await asyncio.sleep(1.0)
        raise TimeoutError(f"{path}: {status} {answer[:200]!r}")

    def _status(self, status: int, path: str) -> None:
        figures = self.world.figures
        figures.counts[f"HTTP {status}"] += 1
        if status >= 500 and not (status == 503 and figures.disturbed):
            figures.blame("server error", f"{status} for {path}")

    async def _part(self) -> None:
        """Wait for the last answers; then some say goodbye, and some are just gone."""
        end = time.perf_counter() + (90.0 if self.world.figures.disturbed else 45.0)
        while time.perf_counter() < end:
            for each in self.people:
                each.remind()
            if not any(each.pending for each in self.people):
                break
            await asyncio.sleep(0.25)
        else:
            late = [each.pending.text for each in self.people if each.pending is not None]
            self.world.figures.blame("never answered", f"{self.code}: {late!r}")
        if self._rng.random() < 0.5:
            for each in self.people:
                if each.idle:
                    each.say({"type": "leave"})
            await asyncio.sleep(0.5)

    def _stuck(self) -> bool:
        """Whether nothing happens any more, though everybody is there."""
        waits = time.perf_counter() - self._heard
        if waits < STUCK or self.world.quiet or self.world.figures.disturbed:
            return False
        if not all(each.here for each in self.people):
            return False
        state = self.state.state if self.state is not None else "unknown"
        self.world.figures.blame(
            "stuck",
            f"{self.code}: {state} at {self.number}, {waits:.0f} s, pending "
            f"{[p.pending.text for p in self.people if p.pending is not None]}, last answers "
            f"{[(p.last_answer.result, p.last_answer.key) for p in self.people if p.last_answer]}",
        )
        return True

    # What people do

    def _act(self) -> None:
        for each in self.people:
            each.remind()
        idle = [each for each in self.people if each.idle]
        if not idle:
            return
        rng = self._rng
        what, who = rng.random(), rng.choice(idle)
        for limit, act in (
            (VANISH, self._vanish),
            (POCKET, self._pocket),
            (TALK, self._talk),
            (FACE, self._face),
            (LOOK, self._look),
        ):
            if what < limit:
                act(who)
                return
            what -= limit
        self._play(idle)

    def press(self) -> None:
        """Whatever makes an event at once."""
        idle = [each for each in self.people if each.idle]
        self._play(idle)
        if idle and all(each.idle for each in idle):
            self._face(self._rng.choice(idle))

    def _vanish(self, _: Person) -> None:
        away = self._rng.choice((0.5, 5.0, 20.0, 40.0))
        self._rng.choice(self.everybody).vanish(away)

    def _pocket(self, _: Person) -> None:
        """Nothing is read for a while: a slow reader, who may be cut off meanwhile."""
        link = self._rng.choice(self.everybody).link
        if link is not None and link.reading:
            link.stop_reading()
            seconds = self._rng.choice((5.0, 25.0, 70.0)) * self.world.absence
            asyncio.get_running_loop().call_later(seconds, link.vanish)

    def _talk(self, who: Person) -> None:
        who.say({"type": "chat", "text": "x" * self._rng.randrange(1, 200)})

    def _face(self, who: Person) -> None:
        who.say({"type": "emote", "emote": self._rng.choice(EMOTES)})

    def _look(self, who: Person) -> None:
        """Over plain HTTP, as a list of games, the lobby or somebody who wants the record does."""
        table = f"/api/tables/{self.code}"
        paths = ["/api/tables", f"{table}/summary", f"{table}/games", table]
        paths += ["/"] * PAGE_BUILT
        paths.append(f"{table}/events?after={max(0, who.known - 10)}")
        if self.state is not None and self.state.state == "over":
            paths += [f"{table}/record", f"{table}/replay"]
        task = asyncio.create_task(self._get(who, self._rng.choice(paths)))
        self._tasks.append(task)
        task.add_done_callback(self._tasks.remove)

    async def _get(self, who: Person, path: str) -> None:
        try:
            status, _ = await ask(self.world.port, who.address, "GET", path, secret=who.secret)
        except LOST:
            status = 0
        self._status(status, path)

    def _play(self, idle: list[Person]) -> None:
        """Whatever brings the table on."""
        state, rng = self.state, self._rng
        if state is None:
            return
        absent = {chair.person for chair in state.chairs if chair.stand_in is not None}
        if state.state == "gathering":
            if idle and idle[0] is self.people[0]:
                idle[0].say({"type": "start"})
            return
        for each in idle:
            if state.state == "over":
                if each.number not in state.offers:
                    each.say({"type": "rematch"})
                    return
            elif each.number in absent:
                each.say({"type": "return"})
                return
            elif each.legal:
                if each.undo and rng.random() < BACK:
                    each.say({"type": "undo"})
                else:
                    each.say({"type": "move", "action": sensible(each.legal, rng)})
                return


def sensible(legal: list[int], rng: random.Random) -> int:
    """A random move, thieves first: so games come to their end."""
    for kind in ("+", ">>"):
        wanted = [action for action in legal if kind in TOKENS[action]]
        if wanted and rng.random() < 0.7:
            return rng.choice(wanted)
    return rng.choice(legal)
