"""A cable between two programs that can be cut."""

import asyncio
from pathlib import Path
from typing import TypeAlias

Target: TypeAlias = "tuple[str, int] | Path"
CHUNK = 1 << 16


class Cable:
    """Passes bytes on, from a port of this machine to a port or a Unix socket.

    Cut in silence, nothing passes and nobody is told, as on a network that drops packets: what is
    under way arrives late, when the cable is mended. Cut loudly, all connections break at once and
    new ones are refused.
    """

    def __init__(self, target: Target) -> None:
        self.port = 0
        self._target = target
        self._passing = asyncio.Event()
        self._passing.set()
        self._refusing = False
        self._ends: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port = int(self._server.sockets[0].getsockname()[1])

    def close(self) -> None:
        if self._server is not None:
            self._server.close()
        self._break()

    def cut(self, *, silent: bool) -> None:
        self._passing.clear()
        if not silent:
            self._refusing = True
            self._break()

    def mend(self) -> None:
        self._refusing = False
        self._passing.set()

    def _break(self) -> None:
        for each in self._ends:
            each.transport.abort()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._refusing:
            writer.transport.abort()
            return
        self._ends.add(writer)
        far: asyncio.StreamWriter | None = None
        try:
            await self._passing.wait()
            if isinstance(self._target, Path):
                answers, far = await asyncio.open_unix_connection(self._target)
            else:
                answers, far = await asyncio.open_connection(*self._target)
            self._ends.add(far)
            await asyncio.gather(self._pass(reader, far), self._pass(answers, writer))
        except (OSError, asyncio.CancelledError):
            pass  # one end has broken off, nobody listens behind it, or the run is over
        finally:
            for each in (writer, far):
                if each is not None:
                    self._ends.discard(each)
                    each.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(CHUNK):
            await self._passing.wait()
            writer.write(data)
            await writer.drain()
        await self._passing.wait()
        writer.close()
