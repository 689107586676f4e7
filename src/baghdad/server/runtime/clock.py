"""What time it is, and what is to be done later. Tests bring a clock of their own."""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

from baghdad.server.domain.events import Milliseconds

STEADY = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))
"""The clock that nobody sets, and that counts while a laptop sleeps: Linux has a name of its own
for that one, and so has every system without any."""


def steady() -> float:
    """Seconds since some moment."""
    return time.monotonic() if STEADY is None else time.clock_gettime(STEADY)


class Timer(Protocol):
    """Something that will be done later."""

    def cancel(self) -> None: ...


class Clock:
    """The machine's time as it was at the start, and from then on what has passed.

    Somebody who sets the machine's clock, or a network that does, moves nobody's deadline.
    """

    def __init__(self) -> None:
        self._start = time.time() - steady()

    def now(self) -> Milliseconds:
        return int((self._start + steady()) * 1000)

    def later(self, seconds: float, call: Callable[[], None]) -> Timer:
        return asyncio.get_running_loop().call_later(seconds, call)
