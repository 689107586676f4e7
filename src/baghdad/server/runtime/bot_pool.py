"""Bots at tables: they think in processes of their own, with a limit, and never cost a game."""

import asyncio
import logging
import os
import time
from collections.abc import Sequence

import msgspec

from baghdad.server.ops import metrics

from .bot_worker import BotReply, BotRequest
from .fair_queue import Claim, FairQueue
from .pipe import framed
from .remote_bots import Asks, RemoteWorker
from .worker import WorkerProcess

log = logging.getLogger(__name__)

READY_SECONDS = 180.0
"""For a bot's first answer in a new process: it may have to compile its code on a slow machine."""
SPARE_SECONDS = 4.0
"""Beyond a bot's own budget: a busy machine is not a reason to replace it, but people wait."""
NOBODY = Claim("", lambda: False)
"""Of what the server itself wants."""


class BotWorker:
    """One process, asked one thing at a time."""

    def __init__(self) -> None:
        self._process = WorkerProcess(f"{__package__}.bot_worker")
        self._ready: set[str] = set()

    async def ask(self, request: BotRequest, seconds: float) -> list[int]:
        """Raises `TimeoutError` or `EOFError`; the process is gone then."""
        try:
            await self.prepare(request.level)
            return await self._exchange(request, seconds)
        except BaseException:
            await self.stop()
            raise

    async def prepare(self, level: str) -> None:
        """Let a bot compile what it needs, off the clock."""
        if level not in self._ready:
            await self._exchange(BotRequest(level, b"", [], "", 0.0), READY_SECONDS)
            self._ready.add(level)

    async def _exchange(self, request: BotRequest, seconds: float) -> list[int]:
        body = await self._process.exchange(framed(request), seconds)
        return msgspec.msgpack.decode(body, type=BotReply).actions

    async def stop(self) -> None:
        self._ready = set()
        await self._process.stop()


def processors() -> int:
    """Those that this process may use: in a container, or by `taskset`, fewer than there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 2


class BotPool:
    """A few processes for all bots of all tables."""

    def __init__(self, processes: int | None = None, spare: float = SPARE_SECONDS) -> None:
        self._spare = spare
        count = processes or max(1, processors() - 1)
        self._all = [BotWorker() for _ in range(count)]
        self._free = list(self._all)
        self._away: list[RemoteWorker] = []
        """Processes of other machines that are free,"""
        self._borrowed = self._lent = 0
        """how many there are, and how many there should be."""
        self._queue: FairQueue[asyncio.Future[BotWorker | RemoteWorker]] = FairQueue()

    async def think(
        self,
        level: str,
        view: bytes,
        legal: list[int],
        seed: str,
        seconds: float,
        claim: Claim = NOBODY,
    ) -> list[int] | None:
        """What a bot wants to play; None where it failed, crashed or was late."""
        request = BotRequest(level, view, legal, seed, seconds)
        return await self._ask(request, seconds + self._spare, claim)

    async def agrees(self, level: str, view: bytes, seed: str, claim: Claim = NOBODY) -> bool:
        """Whether a bot agrees to end the game without a winner (R28); one that fails does not."""
        # Asked so seldom that it may have to be compiled first.
        request = BotRequest(level, view, [], seed, 0.0, end=True)
        return await self._ask(request, READY_SECONDS, claim) == [1]

    def borrow(self, bus: Asks, number: int) -> None:
        """From now on ask so many processes of other machines, too."""
        self._lent = number
        while self._borrowed < number:
            self._borrowed += 1
            self._release(RemoteWorker(bus))
        while self._away and self._borrowed > number:
            self._away.pop()
            self._borrowed -= 1

    async def _ask(self, request: BotRequest, seconds: float, claim: Claim) -> list[int] | None:
        """A machine that is gone costs time, but no move: then somebody else is asked."""
        while isinstance(worker := await self._worker(claim), RemoteWorker):
            try:
                actions = await worker.ask(request, seconds)
            except (TimeoutError, EOFError, msgspec.MsgspecError) as error:
                log.warning("a bot elsewhere has no answer: %s", error or type(error).__name__)
                self._drop()
            except BaseException:
                self._drop()
                raise
            else:
                self._release(worker)
                return actions
        return await self._ask_here(worker, request, seconds)

    def _drop(self) -> None:
        """Ask one of another machine less, until it is said how many there are."""
        self._borrowed -= 1
        self._lent = min(self._lent, self._borrowed)

    async def _ask_here(
        self, worker: BotWorker, request: BotRequest, seconds: float
    ) -> list[int] | None:
        level = request.level
        began = time.perf_counter()
        try:
            actions = await worker.ask(request, seconds)
            why = "failed"
        except (TimeoutError, EOFError, OSError, msgspec.MsgspecError) as error:
            actions = []
            why = "late" if isinstance(error, TimeoutError) else "crashed"
        finally:
            self._release(worker)
        if not actions:
            metrics.INSTEAD.labels(level, why).inc()
            log.warning("a bot has no answer", extra={"bot": level, "why": why})
            return None
        if not request.end:
            metrics.THINKING.labels(level).observe(time.perf_counter() - began)
        return actions

    async def _worker(self, claim: Claim) -> BotWorker | RemoteWorker:
        """A process that is free, when it is one's turn: of this machine, where there is one."""
        if self._free or self._away:
            self._queue.count(claim.creator)
            return self._free.pop() if self._free else self._away.pop()
        given: asyncio.Future[BotWorker | RemoteWorker] = asyncio.get_running_loop().create_future()
        self._queue.put(claim, given)
        metrics.BOTS_WAITING.set(len(self._queue))
        try:
            return await given
        except asyncio.CancelledError:
            if given.done() and not given.cancelled():  # in this very moment
                self._release(given.result())
            raise

    def _release(self, worker: BotWorker | RemoteWorker) -> None:
        """Hand a process to whoever is next."""
        if isinstance(worker, RemoteWorker) and self._borrowed > self._lent:
            self._borrowed -= 1
            return
        while self._queue:
            given = self._queue.take()
            metrics.BOTS_WAITING.set(len(self._queue))
            if not given.done():  # else the one who waited has gone
                given.set_result(worker)
                return
        if isinstance(worker, RemoteWorker):
            self._away.append(worker)
        else:
            self._free.append(worker)

    async def get_ready(self, levels: Sequence[str]) -> None:
        """Prepare a process for these bots, beside those that tables use meanwhile.

        Then it takes the place of one of them, so that nobody waits while a bot compiles.
        """
        if not levels:
            return
        new = BotWorker()
        try:
            for level in levels:
                try:
                    await new.prepare(level)
                except (TimeoutError, EOFError, OSError):
                    log.warning("a bot does not get ready", extra={"bot": level})
                    await new.stop()
            while isinstance(old := await self._worker(NOBODY), RemoteWorker):
                self._release(old)
                await asyncio.sleep(SPARE_SECONDS)
        except BaseException:
            await new.stop()
            raise
        self._all[self._all.index(old)] = new
        self._release(new)
        await old.stop()

    async def close(self) -> None:
        await asyncio.gather(*(worker.stop() for worker in self._all))
