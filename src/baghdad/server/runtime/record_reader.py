"""Records played through for clients: in a process of its own, in turn for all who ask."""

import asyncio
import logging
from collections import OrderedDict
from contextlib import AbstractContextManager

import msgspec

from baghdad.server.domain.limits import Limits
from baghdad.server.domain.refusals import RefusedError
from baghdad.server.ops import metrics

from .clock import Clock, Timer
from .pipe import framed
from .record_worker import RecordReply, RecordRequest
from .turns import Turns
from .worker import WorkerProcess

log = logging.getLogger(__name__)

READY_SECONDS = 180.0
"""For a new process: it may have to compile the rules on a slow machine."""
RECORD_SECONDS = 30.0
"""For a record: the longest takes a second or two, and a machine may be slow and busy."""
IDLE_SECONDS = 300
"""Without anything to read, the process ends: it takes as much memory as the server itself."""
CACHE_BYTES = 16 * 1024 * 1024
"""Of replays that were asked for lately: some hundred. Games of tables are finished and the same
for all who look at them."""


class UnreadError(Exception):
    """A record was not read, through no fault of its own."""


class RecordReader:
    """Plays records through, one at a time."""

    def __init__(self, clock: Clock, limits: Limits) -> None:
        self._clock = clock
        self._limits = limits
        self._turns = Turns("record", 1, limits.heavy_each, limits.heavy_in_all)
        self._worker = WorkerProcess(f"{__package__}.record_worker")
        self._ready = False
        self._closing = False
        self._idle: Timer | None = None
        self._stopping: asyncio.Task[None] | None = None
        self._cache: OrderedDict[str, bytes] = OrderedDict()
        self._cached = 0

    def place(self, who: str) -> AbstractContextManager[None]:
        """For as long as somebody waits for a record, or has not taken all of the answer.

        Raises `RefusedError` where too many wait.
        """
        return self._turns.place(who)

    async def replay(self, who: str, text: str, language: str) -> bytes:
        """All steps of a record, encoded. Raises `RefusedError` or `UnreadError`."""
        body = self._cache.get(text)
        if body is None:
            request = RecordRequest("replay", text, self._limits.record_steps, language)
            body = await self._read(who, request)
            self._keep(text, body)
        else:
            self._cache.move_to_end(text)
        return body

    async def proof(
        self, who: str, text: str, language: str, promise: str | None, number: str | None
    ) -> bytes:
        """Whether a record's chance follows from what was promised, encoded. Raises likewise."""
        steps = self._limits.record_steps
        return await self._read(who, RecordRequest("proof", text, steps, language, promise, number))

    def _keep(self, text: str, body: bytes) -> None:
        if text in self._cache:  # several have asked for it at once
            return
        self._cached += len(text) + len(body)
        self._cache[text] = body
        while self._cached > CACHE_BYTES:
            old, oldest = self._cache.popitem(last=False)
            self._cached -= len(old) + len(oldest)

    async def _read(self, who: str, request: RecordRequest) -> bytes:
        metrics.RECORDS_WAITING.inc()
        try:
            async with self._turns.turn(who):
                reading = asyncio.create_task(self._ask(request))
                try:
                    reply = await asyncio.shield(reading)
                except asyncio.CancelledError:
                    # Whoever asked has gone. A new process would cost more than to let this one
                    # finish; until then it is still that one's turn.
                    await asyncio.gather(reading, return_exceptions=True)
                    raise
        finally:
            metrics.RECORDS_WAITING.dec()
        if reply.refused is not None:
            raise RefusedError(reply.refused, reply.rule, **reply.values)
        if not reply.body:
            raise UnreadError("the process has a bug")
        return reply.body

    async def _ask(self, request: RecordRequest) -> RecordReply:
        if self._closing:
            raise UnreadError("the server stops")
        if self._stopping is not None:
            await self._stopping
        if self._idle is not None:
            self._idle.cancel()
        try:
            if self._worker.dead:
                self._ready = False
                await self._worker.stop()
            if not self._ready:
                await self._worker.exchange(framed(RecordRequest("ready")), READY_SECONDS)
                self._ready = True
            body = await self._worker.exchange(framed(request), RECORD_SECONDS)
            reply = msgspec.msgpack.decode(body, type=RecordReply)
        except (TimeoutError, EOFError, OSError, msgspec.MsgspecError) as error:
            await self._stop()
            log.warning("a record was not read", extra={"why": type(error).__name__})
            raise UnreadError(type(error).__name__) from error
        except BaseException:
            await self._stop()
            raise
        self._idle = self._clock.later(IDLE_SECONDS, self._sleep)
        return reply

    def _sleep(self) -> None:
        """Nobody has asked for long."""
        self._stopping = asyncio.create_task(self._stop())

    async def _stop(self) -> None:
        self._ready = False
        await self._worker.stop()

    async def close(self) -> None:
        """What is being read is not waited for, and nothing more is."""
        self._closing = True
        if self._idle is not None:
            self._idle.cancel()
        await self._stop()
