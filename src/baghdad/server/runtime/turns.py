"""Long work shares the server: in turns between those who ask, and in slices on the loop."""

import asyncio
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from baghdad.server.domain.refusals import RefusedError
from baghdad.server.ops import metrics

SLICE_SECONDS = 0.002
"""Of long work on the loop at a time: a move that comes meanwhile waits for no more."""


class Turns:
    """Some work at a time, one for each who asks; those who wait are served in turn.

    Whoever asks for much waits for it alone: the next one's turn comes after one piece of it.
    """

    def __init__(self, kind: str, at_once: int, most_each: int = 0, most: int = 0) -> None:
        """`most_each`, `most`: of one who asks, and of all, at work or waiting; 0 for any."""
        self._kind = kind
        self._free = at_once
        self._most_each = most_each
        self._most = most
        self._asked: Counter[str] = Counter()
        self._working: set[str] = set()
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self.waiting = 0

    @contextmanager
    def place(self, who: str) -> Iterator[None]:
        """A place among those who wait or work. Raises `RefusedError` where there is none."""
        each, every = self._asked[who], self._asked.total()
        if (self._most_each and each >= self._most_each) or (self._most and every >= self._most):
            metrics.TURNED_DOWN.labels(self._kind).inc()
            raise RefusedError("too_fast")
        self._asked[who] += 1
        try:
            yield
        finally:
            self._asked[who] -= 1
            if not self._asked[who]:
                del self._asked[who]

    @asynccontextmanager
    async def turn(self, who: str) -> AsyncIterator[None]:
        """Wait for one's turn, and have it. Whoever is cancelled leaves the queue."""
        await self._wait(who)
        try:
            yield
        finally:
            if who in self._waiting:
                self._waiting.move_to_end(who)
            self._leave(who)

    def _leave(self, who: str) -> None:
        self._working.discard(who)
        self._free += 1
        self._call()

    async def _wait(self, who: str) -> None:
        called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(who, deque()).append(called)
        self.waiting += 1
        self._call()
        try:
            await called
        except asyncio.CancelledError:
            if called.cancelled():
                self._forget(who, called)
            else:  # just called
                self._leave(who)
            raise

    def _call(self) -> None:
        """Let those begin whose turn it is: the longest unserved first, of each the oldest."""
        for who in list(self._waiting):
            if not self._free:
                return
            if who not in self._working:
                called = self._waiting[who][0]
                self._forget(who, called)
                self._free -= 1
                self._working.add(who)
                called.set_result(None)

    def _forget(self, who: str, called: "asyncio.Future[None]") -> None:
        queue = self._waiting[who]
        queue.remove(called)
        self.waiting -= 1
        if not queue:
            del self._waiting[who]


class Slices:
    """Long work on the loop: between its slices everything else goes on."""

    def __init__(self) -> None:
        self._since = time.perf_counter()

    @property
    def over(self) -> bool:
        return time.perf_counter() - self._since >= SLICE_SECONDS

    async def rest(self) -> None:
        """Let the others have their turn."""
        await asyncio.sleep(0)
        self._since = time.perf_counter()
