"""Processes of other machines in which bots think: `baghdad worker`, asked over the bus.

They are given views, never states, as those of this machine are.
"""

import time
from typing import Protocol

import msgspec

from .bot_worker import BotReply, BotRequest

KIND = "workers"
"""Said to all by machines that let bots think: how many processes they have."""
SUBJECT = "think"
"""Of requests; whoever hears one first answers it."""
QUIET_SECONDS = 3.0
"""A machine that has said nothing for so long is not asked any more."""
MOST_SLOTS, MOST_MACHINES = 1024, 1024
"""That are believed: more than any machine has, and more machines than anybody runs."""
WAY_SECONDS = 1.0
"""For a request and its answer to cross the bus, and to wait for its turn there."""

encode = msgspec.msgpack.Encoder().encode
decode_slots = msgspec.msgpack.Decoder(tuple[str, int]).decode
decode_request = msgspec.msgpack.Decoder(BotRequest).decode
decode_reply = msgspec.msgpack.Decoder(BotReply).decode


class Asks(Protocol):
    """A way to somebody who answers."""

    async def request(self, subject: str, body: bytes, seconds: float, /) -> bytes:
        """Raises `TimeoutError`, also where nobody is there."""


class RemoteWorker:
    """A process somewhere, asked one thing at a time."""

    def __init__(self, bus: Asks) -> None:
        self._bus = bus

    async def ask(self, request: BotRequest, seconds: float) -> list[int]:
        """Raises `TimeoutError` or `EOFError`."""
        body = await self._bus.request(SUBJECT, encode(request), seconds + WAY_SECONDS)
        actions = decode_reply(body).actions
        if not actions:
            raise EOFError("the machine has no answer")
        return actions

    async def stop(self) -> None:
        """Nothing of it is ours."""


class Machines:
    """Machines that let bots think, by what they say of themselves."""

    def __init__(self) -> None:
        self._slots: dict[str, tuple[int, float]] = {}

    def hear(self, body: bytes) -> None:
        machine, slots = decode_slots(body)
        if machine in self._slots or len(self._slots) < MOST_MACHINES:
            self._slots[machine] = min(max(slots, 0), MOST_SLOTS), time.monotonic()

    def share(self, processes: int) -> int:
        """How many of their processes are this one's to ask, where so many share them."""
        lately = time.monotonic() - QUIET_SECONDS
        self._slots = {name: each for name, each in self._slots.items() if each[1] > lately}
        return -(-sum(slots for slots, _ in self._slots.values()) // processes)
