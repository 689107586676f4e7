"""Tables of strong bots, for which nobody waits."""

import asyncio
import time
from collections.abc import Callable, Iterator
from typing import Any

from .attack import Attack, Check, Facts, Outcome, below
from .wire import NEWCOMER, ask, command, good, new_table, open_socket

STRONG = {"kind": "bot", "level": "scheherazade"}
LEVEL = {"level": STRONG["level"]}
TABLES = 60
KASIM_SECONDS = 3.0
WATCH_SECONDS = 20.0


class StrongBots(Attack):
    """Sixty tables at which four strong bots play, and nobody looks."""

    name = "bots"
    what = f"{TABLES} tables of four strong bots from one address, nobody watching"
    alone = True
    watched = False
    others = None
    """What matters is how long a bot lets a person wait."""

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        self.seconds = 12.0 if quick else WATCH_SECONDS

    def send(self, port: int) -> Facts:
        begun, refused, watching = 0, 0, []
        began = time.monotonic()
        for _ in range(TABLES):
            try:
                code = self.begin(port)
                begun += 1
                if self.watched:
                    watching.append(open_socket(port, code))
            except OSError:
                refused += 1
        time.sleep(max(0.0, began + self.seconds - time.monotonic()))
        return {"tables begun": begun, "refused": refused, "sockets": len(watching)}

    def begin(self, port: int) -> str:
        """The code of a table at which bots play. Raises `OSError` where it is refused."""
        code, secrets = new_table(port, screen=True, agreement={"players": 4}, chairs=[STRONG] * 4)
        wants(port, code, secrets[0], 1, "start")
        return code

    async def witness(self, port: int, over: asyncio.Event) -> Facts:
        """Somebody who plays against kasim."""
        somebody = AgainstKasim(port, over.is_set)
        await asyncio.to_thread(somebody.play)
        waits = somebody.waits
        return {"turns against kasim": len(waits), "longest wait s": round(max(waits), 2)}

    def checks(self, outcome: Outcome) -> Iterator[Check]:
        yield from super().checks(outcome)
        waited = outcome.seen.get("longest wait s", 999.0)
        yield below("a person's longest wait for kasim, s", waited, KASIM_SECONDS)


class WatchedBots(StrongBots):
    """The same, with somebody at each of them who looks on."""

    name = "watched-bots"
    what = f"{TABLES} tables of four strong bots from one address, a socket at each"
    watched = True


class StandIns(StrongBots):
    """People who never move, for whom strong bots stand in."""

    name = "stand-ins"
    what = f"{TABLES} tables at which strong bots stand in for four people after 5 s"

    def begin(self, port: int) -> str:
        clock = {"move_seconds": 5, "grace_seconds": 0, "stand_in": STRONG["level"]}
        people = [{"kind": "human", "name": f"Guest {n}"} for n in range(3)]
        code, secrets = new_table(port, agreement={"players": 4} | clock, chairs=people)
        wants(port, code, secrets[0], 1, "start")
        return code


class ArrangedBots(StrongBots):
    """Tables that are set up empty; the bots come later."""

    name = "arranged-bots"
    what = f"{TABLES} tables to which four strong bots are called one by one"

    def begin(self, port: int) -> str:
        code, secrets = new_table(port, screen=True, agreement={"players": 4})
        for chair in range(4):
            wants(port, code, secrets[0], 1 + chair, "arrange", chair=chair, to="bot", **LEVEL)
        wants(port, code, secrets[0], 5, "start")
        return code


def wants(port: int, code: str, secret: str, version: int, kind: str, **values: Any) -> None:
    """A command that has to be accepted."""
    path = f"/api/tables/{code}/commands"
    good(ask(port, path, command(version, version, kind, **values), secret=secret))


class AgainstKasim:
    """Somebody who plays against kasim, at one table after another."""

    def __init__(self, port: int, over: Callable[[], bool]) -> None:
        self.port = port
        self.over = over
        self.waits: list[float] = []
        """After each own turn: seconds until the next."""
        self._count = 0

    def play(self) -> None:
        while not self.over():
            self._game()

    def _game(self) -> None:
        bot = {"kind": "bot", "level": "kasim"}
        code, secrets = new_table(self.port, NEWCOMER, agreement={"start": "order"}, chairs=[bot])
        self._path, self._secret = f"/api/tables/{code}", secrets[0]
        line = open_socket(self.port, code, self._secret, NEWCOMER)  # somebody who is present
        self._wants("start", self._look()["number"])
        seen = self._look()
        while not self.over() and seen["table"]["state"] == "playing":
            if seen["own"]["legal"]:
                # The first is the end of the turn, or the next guard.
                self._wants("move", seen["number"], action=seen["own"]["legal"][0])
                seen = self._look()
            began = time.monotonic()
            while seen["table"]["state"] == "playing" and not seen["own"]["legal"]:
                if self.over():
                    break
                self._ask(f"/events?after={seen['number']}&wait=2")
                seen = self._look()
            self.waits.append(time.monotonic() - began)
            time.sleep(0.3)
        line.close()

    def _ask(self, path: str, body: Any = None) -> Any:
        path = f"{self._path}{path}"
        return good(ask(self.port, path, body, secret=self._secret, address=NEWCOMER))

    def _look(self) -> Any:
        return self._ask("")

    def _wants(self, kind: str, version: int, **values: Any) -> None:
        self._count += 1
        self._ask("/commands", command(self._count, version, kind, **values))
