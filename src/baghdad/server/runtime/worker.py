"""A process that works for the server, asked one thing at a time through its pipes."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process

from .pipe import HEAD


class WorkerProcess:
    """Started when it is first asked; stopped by whoever finds it dead or late."""

    def __init__(self, module: str) -> None:
        self._module = module
        self.process: Process | None = None

    @property
    def dead(self) -> bool:
        """Whether it has ended though nobody has stopped it."""
        return self.process is not None and self.process.returncode is not None

    async def exchange(self, request: bytes, seconds: float) -> bytes:
        """The body of the reply to a framed request.

        Raises `TimeoutError`, `EOFError` or `OSError`: it is of no use any more then.
        """
        process = self.process or await self._start()
        assert process.stdin is not None, "started with pipes"
        assert process.stdout is not None, "started with pipes"
        async with asyncio.timeout(seconds):
            try:
                process.stdin.write(request)
                await process.stdin.drain()
                size = int.from_bytes(await process.stdout.readexactly(HEAD), "big")
                return await process.stdout.readexactly(size)
            except ConnectionError as error:
                raise EOFError from error

    async def _start(self) -> Process:
        self.process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            self._module,
            stdin=PIPE,
            stdout=PIPE,
            env=os.environ | {"NUMBA_NUM_THREADS": "1"},
        )
        return self.process

    async def stop(self) -> None:
        """End the process; the next request starts another."""
        process, self.process = self.process, None
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()
