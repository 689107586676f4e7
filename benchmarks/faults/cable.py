"""A cable between two programs that can be cut: a process of its own, since what servers say to
their database must not wait for the people whom the benchmark plays.

Started as `python -m benchmarks.faults.cable HOST PORT`, or with the path of a Unix socket; it says
its port, and is told `silent`, `loud` or `mend`.
"""

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import TypeAlias

import uvloop

Target: TypeAlias = "tuple[str, int] | Path"
CHUNK = 1 << 16


class Cable:
    """A process that passes bytes on."""

    def __init__(self, target: Target) -> None:
        where = [str(target)] if isinstance(target, Path) else list(map(str, target))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.faults.cable", *where],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.port = int(self._hear())

    def _hear(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def _tell(self, word: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(word + "\n")
        self._process.stdin.flush()
        if self._hear() != "done\n":
            raise RuntimeError("a cable has gone")

    def cut(self, *, silent: bool) -> None:
        self._tell("silent" if silent else "loud")

    def mend(self) -> None:
        self._tell("mend")

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


class Passing:
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
        except (OSError, RuntimeError, asyncio.CancelledError):
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


async def serve(target: Target) -> None:
    """Until nobody tells it anything any more."""
    passing = Passing(target)
    await passing.open()
    print(passing.port, flush=True)
    while word := await asyncio.to_thread(sys.stdin.readline):
        if word == "mend\n":
            passing.mend()
        else:
            passing.cut(silent=word == "silent\n")
        print("done", flush=True)


def main(where: list[str]) -> None:
    uvloop.run(serve(Path(where[0]) if len(where) == 1 else (where[0], int(where[1]))))


if __name__ == "__main__":
    main(sys.argv[1:])
