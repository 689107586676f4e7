"""Attackers at a low rate, each from an address of its own: `python -m benchmarks.soak.attackers`.

A process of its own, so that nobody who is measured waits for the attacker's own work. What
becomes of each attack is counted, and printed as JSON at the end; that it is refused is no error.
"""

import asyncio
import json
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from baghdad import Game, Options
from baghdad.rules.engine.actions import TOKENS

from ..load.wire import PING, PONG, TEXT, frame, request
from .asking import ask

LARGEST_RECORD = 198_000
"""Characters: just below what is read at all."""
LOST = (OSError, EOFError, TimeoutError, ValueError, LookupError)
"""How a server that has had enough looks from outside: answers are cut, or not what was asked."""


class Attacker:
    """One who does the same again and again, and forgets what it got."""

    def __init__(self, port: int, place: int, counts: Counter[str]) -> None:
        self.port = port
        self.address = f"127.0.0.{10 + place}"
        self.counts = counts
        self.code = ""
        self.secret: str | None = None
        self.count = 0

    async def get(self, path: str) -> int:
        status, _ = await ask(self.port, self.address, "GET", path)
        return status

    async def post(self, path: str, body: dict[str, Any]) -> tuple[int, bytes]:
        return await ask(self.port, self.address, "POST", path, body, self.secret)

    async def own_table(self, **asked: Any) -> bool:
        """Have a table of one's own, with a game of two people on one device."""
        if self.code:
            return True
        chairs = [{"kind": "human", "name": "Eve"}]
        status, body = await self.post("/api/tables", {"name": "Mallory", "chairs": chairs} | asked)
        if status != 200:
            return False
        welcome = json.loads(body)
        self.code, keys = welcome["code"], welcome["keys"]
        self.secret = ".".join(key["secret"] for key in keys)
        start = {"id": "start", "version": 1, "wish": {"type": "start"}}
        await self.post(f"/api/tables/{self.code}/commands", start)
        return True

    async def socket(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", self.port, local_addr=(self.address, 0), limit=1 << 20
        )
        writer.write(request(f"/api/tables/{self.code}/socket", f"127.0.0.1:{self.port}"))
        await reader.readuntil(b"\r\n\r\n")
        return reader, writer

    async def pour(self, writer: asyncio.StreamWriter, piece: bytes, times: int) -> str:
        """Send something again and again, without reading; how it ended."""
        try:
            for _ in range(times):
                writer.write(piece)
                async with asyncio.timeout(5):
                    await writer.drain()
                await asyncio.sleep(0.01)
            return "taken"
        except TimeoutError:
            return "not read"
        except OSError:
            return "cut"
        finally:
            writer.transport.abort()


async def endless_headers(me: Attacker) -> object:
    _, writer = await asyncio.open_connection("127.0.0.1", me.port, local_addr=(me.address, 0))
    writer.write(b"GET / HTTP/1.1\r\n")
    return await me.pour(writer, b"X-Padding: " + b"x" * 4000 + b"\r\n", 500)


async def half_request(me: Attacker) -> object:
    """Left open until the server has enough of it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", me.port, local_addr=(me.address, 0))
    try:
        writer.write(b"GET / HTTP/1.1\r\nHost: 127")
        async with asyncio.timeout(60):
            await reader.read()
        return "cut"
    except TimeoutError:
        return "kept for a minute"
    finally:
        writer.transport.abort()


async def flood(me: Attacker) -> object:
    if not await me.own_table():
        return "no table"
    _, writer = await me.socket()
    me.count += 1
    opcode = (PING, PONG, TEXT)[me.count % 3]
    return await me.pour(writer, frame(opcode, b"") * 500, 20)


async def unread_pings(me: Attacker) -> object:
    if not await me.own_table():
        return "no table"
    _, writer = await me.socket()
    return await me.pour(writer, frame(PING, b"x" * 125) * 200, 100)


async def whole_game(me: Attacker) -> object:
    """Read from the beginning, of a table that takes moves back all the time."""
    return await me.get(f"/api/tables/{LOOPED[-1]}/events?whole=true") if LOOPED else "no table"


LOOPED: list[str] = []
"""The table at which moves are taken back."""


async def move_and_undo(me: Attacker) -> object:
    """In a loop, over new connections."""
    if not await me.own_table():
        return "no table"
    LOOPED[:] = [me.code]
    path = f"/api/tables/{me.code}"
    result: object = "nothing"
    for _ in range(20):
        status, body = await ask(me.port, me.address, "GET", path, secret=me.secret)
        if status != 200:
            return status
        shown = json.loads(body)
        if shown["table"]["state"] != "playing":
            me.code = ""  # another game, the next time
            return "over"
        seat = shown["shown"]["seat"]
        person = shown["table"]["chairs"][shown["table"]["order"][seat]]["person"]
        _, body = await ask(me.port, me.address, "GET", f"{path}?as={person}", secret=me.secret)
        own = json.loads(body)["own"]
        wish: dict[str, Any] = {"type": "undo"}
        if not own["undo"]:
            # What ends a turn can't be taken back.
            loose = [action for action in own["legal"] if not TOKENS[action].startswith("-")]
            wish = {"type": "move", "action": random.choice(loose or own["legal"])}
        me.count += 1
        command = {"id": f"{time.time_ns()}", "version": shown["number"], "wish": wish}
        result, _ = await me.post(f"{path}/commands", command | {"person": person})
    return result


async def strong_bots(me: Attacker) -> object:
    """A table of four strong bots that nobody looks at."""
    chairs = [{"kind": "bot", "level": "scheherazade"}] * 4
    asked = {"name": "Mallory", "agreement": {"players": 4}, "chairs": chairs, "screen": True}
    status, body = await me.post("/api/tables", asked)
    if status != 200:
        return status
    welcome = json.loads(body)
    me.secret = welcome["keys"][0]["secret"]
    start = {"id": "start", "version": 1, "wish": {"type": "start"}}
    status, _ = await me.post(f"/api/tables/{welcome['code']}/commands", start)
    return status


async def lobby(me: Attacker) -> object:
    """Tables in the lobby, and talk at them."""
    asked = {"name": "Mallory", "agreement": {"listed": True}}
    status, body = await me.post("/api/tables", asked)
    if status != 200:
        return status
    welcome = json.loads(body)
    me.secret = welcome["keys"][0]["secret"]
    chat = {"id": "chat", "version": 1, "wish": {"type": "chat", "text": "buy"}}
    status, _ = await me.post(f"/api/tables/{welcome['code']}/commands", chat)
    return status


async def large_record(me: Attacker) -> object:
    me.count += 1
    path = ("/api/verify", "/api/replay")[me.count % 2]
    return (await me.post(path, {"record": RECORD[0]}))[0]


RECORD: list[str] = []


async def guess(me: Attacker) -> object:
    code = "".join(random.choices("23456789BCDFGHJKMNPQRSTVWXZ", k=6))
    return await me.get(f"/api/tables/{code}")


async def nonsense(me: Attacker) -> object:
    """Bytes that mean nothing."""
    _, writer = await asyncio.open_connection("127.0.0.1", me.port, local_addr=(me.address, 0))
    return await me.pour(writer, random.randbytes(2000), 5)


ATTACKS: dict[Callable[[Attacker], Awaitable[object]], float] = {
    endless_headers: 20.0,
    half_request: 2.0,
    flood: 15.0,
    unread_pings: 30.0,
    whole_game: 1.0,
    move_and_undo: 10.0,
    strong_bots: 90.0,
    lobby: 60.0,
    large_record: 10.0,
    guess: 0.5,
    nonsense: 10.0,
}
"""Each with the seconds between two of them."""


def long_record() -> str:
    """Of a game at random that lasts as long as can be."""
    game, rng = Game.with_options(Options(4), seed=1), random.Random(1)
    while not game.over:
        for _ in range(200):
            if game.over:
                break
            game.play(rng.choice(game.legal()))
        if len(game.record()) > LARGEST_RECORD:
            break
    return game.record()[:LARGEST_RECORD]


async def again(
    attack: Callable[[Attacker], Awaitable[object]], pause: float, me: Attacker
) -> None:
    async def once() -> None:
        try:
            ended = await attack(me)
        except LOST as error:
            ended = type(error).__name__
        me.counts[f"{attack.__name__}: {ended}"] += 1

    under_way: set[asyncio.Task[None]] = set()
    while True:
        await asyncio.sleep(pause * random.uniform(0.5, 1.5))
        if len(under_way) < 40:
            task = asyncio.create_task(once())
            under_way.add(task)
            task.add_done_callback(under_way.discard)


async def main() -> None:
    counts: Counter[str] = Counter()
    port, often = int(sys.argv[1]), float(sys.argv[2])
    stop = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, stop.set)
    RECORD.append(await asyncio.to_thread(long_record))
    tasks = [
        asyncio.create_task(again(attack, pause / often, Attacker(port, place, counts)))
        for place, (attack, pause) in enumerate(ATTACKS.items())
    ]
    await stop.wait()
    for task in tasks:
        task.cancel()
    print(msgspec.json.encode(counts).decode())


if __name__ == "__main__":
    asyncio.run(main())
