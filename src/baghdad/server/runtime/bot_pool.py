"""Bots at tables: they think in processes of their own, with a limit, and never cost a game."""

import asyncio
import logging
import os
import time
from collections.abc import Sequence

import msgspec

from baghdad.server.ops import metrics

from .bot_worker import BotReply, BotRequest
from .pipe import framed
from .worker import WorkerProcess

log = logging.getLogger(__name__)

READY_SECONDS = 180.0
"""For a bot's first answer in a new process: it may have to compile its code on a slow machine."""
SPARE_SECONDS = 4.0
"""Beyond a bot's own budget: a busy machine is not a reason to replace it, but people wait."""


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


class BotPool:
    """A few processes for all bots of all tables."""

    def __init__(self, processes: int | None = None, spare: float = SPARE_SECONDS) -> None:
        self._spare = spare
        count = processes or max(1, (os.cpu_count() or 2) - 1)
        self._all = [BotWorker() for _ in range(count)]
        self._free: asyncio.LifoQueue[BotWorker] = asyncio.LifoQueue()
        for worker in self._all:
            self._free.put_nowait(worker)

    async def think(
        self, level: str, view: bytes, legal: list[int], seed: str, seconds: float
    ) -> list[int] | None:
        """What a bot wants to play; None where it failed, crashed or was late."""
        request = BotRequest(level, view, legal, seed, seconds)
        return await self._ask(request, seconds + self._spare)

    async def agrees(self, level: str, view: bytes, seed: str) -> bool:
        """Whether a bot agrees to end the game without a winner (R28); one that fails does not."""
        # Asked so seldom that it may have to be compiled first.
        answer = await self._ask(BotRequest(level, view, [], seed, 0.0, end=True), READY_SECONDS)
        return answer == [1]

    async def _ask(self, request: BotRequest, seconds: float) -> list[int] | None:
        level = request.level
        worker = await self._free.get()
        began = time.perf_counter()
        try:
            actions = await worker.ask(request, seconds)
            why = "failed"
        except (TimeoutError, EOFError, OSError, msgspec.MsgspecError) as error:
            actions = []
            why = "late" if isinstance(error, TimeoutError) else "crashed"
        finally:
            self._free.put_nowait(worker)
        if not actions:
            metrics.INSTEAD.labels(level, why).inc()
            log.warning("a bot has no answer", extra={"bot": level, "why": why})
            return None
        if not request.end:
            metrics.THINKING.labels(level).observe(time.perf_counter() - began)
        return actions

    async def get_ready(self, levels: Sequence[str]) -> None:
        """Prepare one process for these bots, while nobody waits for them yet."""
        for level in levels:
            worker = await self._free.get()
            try:
                await worker.prepare(level)
            except (TimeoutError, EOFError, OSError):
                log.warning("a bot does not get ready", extra={"bot": level})
                await worker.stop()
            finally:
                self._free.put_nowait(worker)
            await asyncio.sleep(0)  # a table that waits comes first

    async def close(self) -> None:
        await asyncio.gather(*(worker.stop() for worker in self._all))
