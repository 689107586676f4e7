"""Tables of strong bots, for which nobody waits."""

import asyncio
import time
from collections.abc import Iterator
from typing import Any

from .attack import Attack, Check, Facts, Outcome, below
from .wire import NEWCOMER, ask, command, good, new_table, open_socket

STRONG = {"kind": "bot", "level": "scheherazade"}
LEVEL = {"level": STRONG["level"]}
TABLES = 60
KASIM_SECONDS = 3.0
WATCH_SECONDS = 25.0


class StrongBots(Attack):
    """Sixty tables at which four strong bots play, and nobody looks."""

    name = "bots"
    what = f"{TABLES} tables of four strong bots from one address, nobody watching"
    alone = True
    needs_bots = True
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
        waits: list[float] = []
        await asyncio.to_thread(play_kasim, port, over.is_set, waits)
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


def play_kasim(port: int, over: Any, waits: list[float]) -> None:
    """Play until it is over; how long it took after each own turn until the next."""
    code, secrets = new_table(
        port, NEWCOMER, agreement={"start": "order"}, chairs=[{"kind": "bot", "level": "kasim"}]
    )
    path, secret, count = f"/api/tables/{code}", secrets[0], 0

    def look() -> Any:
        return good(ask(port, path, secret=secret, address=NEWCOMER))

    def plays(kind: str, version: int, **values: Any) -> None:
        nonlocal count
        count += 1
        asked = command(count, version, kind, **values)
        good(ask(port, f"{path}/commands", asked, secret=secret, address=NEWCOMER))

    line = open_socket(port, code, secret, NEWCOMER)  # somebody who is present
    plays("start", look()["number"])
    while not over():
        seen = look()
        if seen["shown"]["seat"] == 0 and seen["own"]["legal"]:
            # The first is the end of the turn, or the next guard.
            plays("move", seen["number"], action=seen["own"]["legal"][0])
            seen = look()
        began = time.monotonic()
        while seen["shown"]["seat"] != 0 and not over():
            number = seen["number"]
            good(ask(port, f"{path}/events?after={number}&wait=2", secret=secret, address=NEWCOMER))
            seen = look()
        waits.append(time.monotonic() - began)
        time.sleep(0.3)
    line.close()
