"""Everybody else: somebody who asks for `/health`, and two who play, in a process of their own."""

import asyncio
import os
import random
import time
from contextlib import suppress
from multiprocessing.connection import Connection

import msgspec
import uvloop

from benchmarks.load.wire import Socket, connect

from .attack import Attack, Facts
from .wire import OTHERS, PATIENCE, get, once, started, upgrade

ASKS_A_SECOND = 20.0
MOVES_A_SECOND = 4.0
MOST_ASKING = 200

Times = list[tuple[float, float]]
"""When something was asked, by the machine's monotonic clock, and the seconds until the answer."""


class Own(msgspec.Struct):
    legal: list[int]


class Heard(msgspec.Struct):
    """The parts of a message from the server that matter here."""

    type: str
    number: int = 0
    own: Own | None = None


decode = msgspec.json.Decoder(Heard).decode


class Players:
    """Two people at one table, each with a socket. A move is through when both know of it."""

    def __init__(self, port: int, address: str = OTHERS) -> None:
        self.port = port
        self.address = address
        self.times: Times = []
        self.code, self.secrets = started(port, address)
        self._number = 0
        self._turn: tuple[int, list[int]] = (0, [])
        self._heard = 0
        self._both = asyncio.Event()
        self.sockets: list[Socket] = []

    async def come(self) -> None:
        for person, secret in enumerate(self.secrets):

            def hear(_: Socket, text: bytes, person: int = person) -> None:
                self._hear(person, text)

            asking = upgrade(self.code, self.port, secret)
            self.sockets.append(await connect(self.port, self.address, asking, hear))
        async with asyncio.timeout(PATIENCE):
            while not self._turn[1]:
                await asyncio.sleep(0.01)

    async def play(self) -> None:
        """Move from time to time, until cancelled."""
        count = 0
        while True:
            began = time.monotonic()
            count += 1
            self._heard = 0
            self._both.clear()
            person, legal = self._turn
            action = random.choice(legal)
            self._turn = person, []
            self.sockets[person].send(
                b'{"id":"m%d","version":%d,"wish":{"type":"move","action":%d}}'
                % (count, self._number, action)
            )
            try:
                async with asyncio.timeout(PATIENCE):
                    await self._both.wait()
            finally:
                self.times.append((began, time.monotonic() - began))
            await asyncio.sleep(max(0.0, began + 1 / MOVES_A_SECOND - time.monotonic()))

    def _hear(self, person: int, text: bytes) -> None:
        heard = decode(text)
        if heard.type in ("event", "snapshot"):
            self._number = heard.number
            if heard.own is not None and heard.own.legal:
                self._turn = person, heard.own.legal
        if heard.type == "event":
            self._heard += 1
            if self._heard == len(self.secrets):
                self._both.set()

    def go(self) -> None:
        for each in self.sockets:
            each.close()


async def ask_health(port: int, times: Times) -> None:
    """Ask at a steady rate, however long the answers take; each on a connection of its own."""
    raw, asking = get("/health", "Connection: close"), set[asyncio.Task[None]]()

    async def one(due: float) -> None:
        status = 0
        try:
            status = await once(port, raw, OTHERS)
        finally:
            # Somebody who is not answered waits until the end.
            times.append(
                (due, PATIENCE if status == 0 and not ending() else time.monotonic() - due)
            )

    def ending() -> bool:
        task = asyncio.current_task()
        return task is not None and task.cancelling() > 0

    due = time.monotonic()
    try:
        while True:
            due += 1 / ASKS_A_SECOND
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            if len(asking) < MOST_ASKING:
                task = asyncio.create_task(one(due))
                asking.add(task)
                task.add_done_callback(asking.discard)
    finally:
        for task in list(asking):
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)


async def look_on(port: int, attack: Attack, pipe: Connection) -> tuple[Times, Times, Facts]:
    """Live beside the attack until told to stop."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(pipe.fileno(), stop.set)
    health: Times = []
    players = await asyncio.to_thread(Players, port) if attack.plays else None
    if players is not None:
        await players.come()
    tasks = [asyncio.create_task(ask_health(port, health))]
    if players is not None:
        tasks.append(asyncio.create_task(players.play()))
    witness = asyncio.create_task(attack.witness(port, stop))
    pipe.send("there")
    await stop.wait()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    seen: Facts = {}
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            seen = await witness
    if players is not None:
        players.go()
    return health, players.times if players is not None else [], seen


def others(port: int, attack: Attack, cores: set[int], pipe: Connection) -> None:
    """What their process runs."""
    os.sched_setaffinity(0, cores)
    pipe.send(uvloop.run(look_on(port, attack, pipe)))
