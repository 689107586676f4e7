"""Bots at tables: they think in processes of their own, with a limit, and never cost a game."""

import asyncio
import logging
import os
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence

import msgspec

from baghdad.server.ops import metrics

from .bot_worker import Question, Reply, framed

log = logging.getLogger(__name__)

READY_SECONDS = 180.0
"""For a bot's first answer in a new process: it may have to compile its code on a slow machine."""
SPARE_SECONDS = 4.0
"""Beyond a bot's own budget: a busy machine is no reason to replace it."""


class Thinker:
    """One process, asked one thing at a time."""

    def __init__(self) -> None:
        self._process: Process | None = None
        self._ready: set[str] = set()

    async def ask(self, question: Question, seconds: float) -> list[int]:
        """Raises `TimeoutError` or `EOFError`; the process is gone then."""
        try:
            await self.prepare(question.level)
            return await self._exchange(question, seconds)
        except BaseException:
            await self.stop()
            raise

    async def prepare(self, level: str) -> None:
        """Let a bot compile what it needs, off the clock."""
        if level not in self._ready:
            await self._exchange(Question(level, b"", [], "", 0.0), READY_SECONDS)
            self._ready.add(level)

    async def _exchange(self, question: Question, seconds: float) -> list[int]:
        process = self._process or await self._start()
        assert process.stdin is not None, "started with pipes"
        assert process.stdout is not None, "started with pipes"
        async with asyncio.timeout(seconds):
            try:
                process.stdin.write(framed(question))
                await process.stdin.drain()
                size = int.from_bytes(await process.stdout.readexactly(4), "big")
                body = await process.stdout.readexactly(size)
            except ConnectionError as error:
                raise EOFError from error
        return msgspec.msgpack.decode(body, type=Reply).actions

    async def _start(self) -> Process:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            f"{__package__}.thinker",
            stdin=PIPE,
            stdout=PIPE,
            env=os.environ | {"NUMBA_NUM_THREADS": "1"},
        )
        return self._process

    async def stop(self) -> None:
        process, self._process, self._ready = self._process, None, set()
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()


class Players:
    """A few processes for all bots of all tables."""

    def __init__(self, processes: int | None = None, spare: float = SPARE_SECONDS) -> None:
        self._spare = spare
        count = processes or max(1, (os.cpu_count() or 2) - 1)
        self._all = [Thinker() for _ in range(count)]
        self._free: asyncio.LifoQueue[Thinker] = asyncio.LifoQueue()
        for thinker in self._all:
            self._free.put_nowait(thinker)

    async def think(
        self, level: str, view: bytes, legal: list[int], seed: str, seconds: float
    ) -> list[int] | None:
        """What a bot wants to play; None where it failed, crashed or was late."""
        question = Question(level, view, legal, seed, seconds)
        return await self._ask(question, seconds + self._spare)

    async def agrees(self, level: str, view: bytes, seed: str) -> bool:
        """Whether a bot agrees to end the game without a winner (R28); one that fails does not."""
        # Asked so seldom that it may have to be compiled first.
        answer = await self._ask(Question(level, view, [], seed, 0.0, end=True), READY_SECONDS)
        return answer == [1]

    async def _ask(self, question: Question, seconds: float) -> list[int] | None:
        level = question.level
        thinker = await self._free.get()
        began = time.perf_counter()
        try:
            actions = await thinker.ask(question, seconds)
            why = "failed"
        except (TimeoutError, EOFError, OSError, msgspec.MsgspecError) as error:
            actions = []
            why = "late" if isinstance(error, TimeoutError) else "crashed"
        finally:
            self._free.put_nowait(thinker)
        if not actions:
            metrics.INSTEAD.labels(level, why).inc()
            log.warning("a bot has no answer", extra={"bot": level, "why": why})
            return None
        if not question.end:
            metrics.THINKING.labels(level).observe(time.perf_counter() - began)
        return actions

    async def get_ready(self, levels: Sequence[str]) -> None:
        """Prepare one process for these bots, while nobody waits for them yet."""
        for level in levels:
            thinker = await self._free.get()
            try:
                await thinker.prepare(level)
            except (TimeoutError, EOFError, OSError):
                log.warning("a bot does not get ready", extra={"bot": level})
                await thinker.stop()
            finally:
                self._free.put_nowait(thinker)
            await asyncio.sleep(0)  # a table that waits comes first

    async def close(self) -> None:
        await asyncio.gather(*(thinker.stop() for thinker in self._all))
