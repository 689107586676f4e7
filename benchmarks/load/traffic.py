"""Tables that send commands, at a steady rate or one after another, and count what comes back."""

import asyncio
import random
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Sequence

from .wire import Socket

SEATS = 4
TABLES_PER_ADDRESS = 1
"""So that a server's limits for one address don't matter."""
CONNECTING = 50
"""Tables that connect at the same time."""
PATIENCE = 60.0
"""Seconds until the last answers must have come."""


def nothing(*_: object) -> None:
    """Nobody waits for the table."""


class Table(ABC):
    """Four sockets. A command is through when all four have received what it did."""

    def __init__(self) -> None:
        self.sockets: list[Socket] = []
        self.done: Callable[[Table, float], None] = nothing
        self.commands = 0
        """Sent so far,"""
        self.repeated = 0
        """and how often one was sent again, since nothing came of it."""
        self._sent = 0.0
        self._receipts = 0

    @abstractmethod
    async def connect(self) -> None:
        """Open the sockets, and wait until a first command can be sent."""

    @abstractmethod
    def command(self) -> None:
        """Send one that is legal now."""

    def play(self) -> None:
        self.commands += 1
        self._receipts = 0
        self._sent = time.perf_counter()
        self.command()

    def received(self) -> None:
        """One of the four knows."""
        self._receipts += 1
        if self._receipts == SEATS:
            self.done(self, time.perf_counter() - self._sent)

    def close(self) -> None:
        for socket in self.sockets:
            socket.close()


class Traffic:
    """All tables of a run."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self.tables = tables
        self._idle: deque[Table] = deque(random.sample(tables, len(tables)))

    async def connect(self) -> None:
        for start in range(0, len(self.tables), CONNECTING):
            group = self.tables[start : start + CONNECTING]
            await asyncio.gather(*(table.connect() for table in group))

    async def steady(self, rate: float, seconds: float) -> list[float]:
        """Send `rate` commands a second, however long they take; their times."""
        times: list[float] = []

        def done(table: Table, taken: float) -> None:
            times.append(taken)
            self._idle.append(table)

        self._tell(done)
        began, sent, wanted = time.perf_counter(), 0, int(rate * seconds)
        while sent < wanted:
            due = min(wanted, int((time.perf_counter() - began) * rate))
            while sent < due and self._idle:
                self._idle.popleft().play()
                sent += 1
            await asyncio.sleep(0.001)
        await self._quiet()
        return times

    async def full(self, warm: float, seconds: float, mark: Callable[[], None]) -> list[float]:
        """Let every table send its next command as soon as it can; the times after warming up.

        `mark` is called when measuring begins and when it ends.
        """
        times: list[float] = []
        going = True

        def done(table: Table, taken: float) -> None:
            times.append(taken)
            if going:
                table.play()
            else:
                self._idle.append(table)

        self._tell(done)
        while self._idle:
            self._idle.popleft().play()
        await asyncio.sleep(warm)
        times.clear()
        mark()
        await asyncio.sleep(seconds)
        mark()
        measured, going = times.copy(), False
        await self._quiet()
        return measured

    def close(self) -> None:
        for table in self.tables:
            table.close()

    def _tell(self, done: Callable[[Table, float], None]) -> None:
        for table in self.tables:
            table.done = done

    async def _quiet(self) -> None:
        async with asyncio.timeout(PATIENCE):
            while len(self._idle) < len(self.tables):
                await asyncio.sleep(0.01)


def address_of(place: int) -> str:
    """The address, within this machine, from which a table's people come."""
    number = place // TABLES_PER_ADDRESS
    return f"127.0.{1 + number // 250}.{1 + number % 250}"
