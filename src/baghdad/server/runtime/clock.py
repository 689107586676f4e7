"""What time it is, and what is to be done later. Tests bring a clock of their own."""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

from baghdad.server.domain.events import Milliseconds


class Timer(Protocol):
    """Something that will be done later."""

    def cancel(self) -> None: ...


class Clock:
    """The machine's own time."""

    def now(self) -> Milliseconds:
        return int(time.time() * 1000)

    def later(self, seconds: float, call: Callable[[], None]) -> Timer:
        return asyncio.get_running_loop().call_later(seconds, call)
