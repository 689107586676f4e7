"""Python's garbage collector, kept from stopping everybody.

A look at everything takes a tenth of a millisecond for each open socket: half a second with
4,000 of them, in which nobody is answered. Closed sockets and tables that leave memory make no
cycles, so there is next to nothing to find: it is done where it is short, and seldom where not.
"""

import asyncio
import gc
import time
from collections.abc import Callable

from . import metrics

NEVER = 1_000_000
COLLECT = (10_000, 5, NEVER)
"""When it looks for cycles (`gc.set_threshold`): among the young ones as often as that costs little
(a look at 50,000 of them takes some 20 ms), at everything never by itself."""
LOOK_SECONDS = 60.0
"""Between questions whether it is time."""
FEW_SOCKETS = 250
"""With no more than these open a look at everything takes some 30 ms."""
QUIET_SECONDS = 600.0
"""Between looks at everything while few are there,"""
CROWDED_SECONDS = 24 * 3600.0
"""and while many are: half a second once a day."""


def tune_garbage_collector() -> None:
    """Keep the collector away from all that is loaded, and let it come seldom."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT)


def due(seconds: float, sockets: int) -> bool:
    """Whether to look at everything, so long after the last time.

    >>> due(700, 10), due(700, 4000), due(90_000, 4000)
    (True, False, True)
    """
    return seconds >= (QUIET_SECONDS if sockets <= FEW_SOCKETS else CROWDED_SECONDS)


async def collect_in_time(sockets: Callable[[], int]) -> None:
    """Look at everything from time to time, for as long as the server runs."""
    last = time.monotonic()
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        began = time.monotonic()
        if due(began - last, sockets()):
            gc.collect()
            last = time.monotonic()
            metrics.COLLECTING.set(last - began)
