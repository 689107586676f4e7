"""A machine that lets bots think for servers elsewhere: it has a bus, and no database."""

import asyncio
import logging
import secrets
from collections.abc import Sequence

import msgspec

from baghdad.server.bus.bus import BEAT_SECONDS, Bus
from baghdad.server.runtime.bot_pool import BotPool, processors
from baghdad.server.runtime.bot_worker import BotReply
from baghdad.server.runtime.remote_bots import KIND, SUBJECT, decode_request, encode

log = logging.getLogger(__name__)


class BotMachine:
    """Answers what bots are asked, in processes of its own."""

    def __init__(self, address: str, processes: int | None = None) -> None:
        self._bus = Bus(address, secrets.token_hex(6))
        self.processes = processes or processors()
        self._bots = BotPool(self.processes)

    async def open(self, ready_for: Sequence[str] = ()) -> None:
        """Begin to answer, once these bots are compiled. Raises `NoBusError`."""
        await self._bus.open()
        await self._bots.get_ready(ready_for)
        await self._bus.answer(SUBJECT, self._answer)

    async def run(self) -> None:
        """Say again and again that it is there."""
        while True:
            self._bus.call(KIND, encode((self._bus.id, self.processes)))
            await asyncio.sleep(BEAT_SECONDS)

    async def close(self) -> None:
        """Answer nothing more."""
        self._bus.call(KIND, encode((self._bus.id, 0)))
        await self._bus.close()
        await self._bots.close()

    async def _answer(self, body: bytes) -> bytes:
        try:
            request = decode_request(body)
        except msgspec.MsgspecError as error:
            log.warning("not understood, on the bus: %s", error)
            return encode(BotReply([]))
        if request.end:
            agrees = await self._bots.agrees(request.level, request.view, request.seed)
            return encode(BotReply([int(agrees)]))
        actions = await self._bots.think(
            request.level, request.view, request.legal, request.seed, request.seconds
        )
        return encode(BotReply(actions or []))
