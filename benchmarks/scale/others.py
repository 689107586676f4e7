"""boardgame.io, scaled out in its own way: several of its servers over PostgreSQL and Redis."""

import asyncio
import os
import shutil
import subprocess
from pathlib import Path

from ..load.servers import free_port
from ..soak.host import Postgres

HERE = Path(__file__).parent / "boardgame"
READY_SECONDS = 60.0


class Boardgame:
    """Its servers, and the Redis between them, which keeps nothing on the disk."""

    def __init__(self, processes: int, database: Postgres, folder: Path) -> None:
        self.ports = [free_port() for _ in range(processes)]
        self._redis = free_port()
        self._database = database
        self._folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []

    async def start(self) -> None:
        if shutil.which("redis-server") is None or shutil.which("npm") is None:
            raise RuntimeError("redis-server, Node.js and npm are needed for boardgame.io")
        if not (HERE / "node_modules" / "boardgame.io").is_dir():
            await asyncio.to_thread(
                subprocess.run, ["npm", "ci", "--omit=optional"], cwd=HERE, check=True
            )
        self._run("redis-server", "--port", str(self._redis), "--save", "", "--appendonly", "no")
        await self._listening(self._redis)
        for port in self.ports:
            host = str(self._database.socket.parent)
            self._run("node", str(HERE / "server.js"), str(port), host, str(self._redis))
            # One after another: each would make the tables of the database.
            await self._listening(port)

    def _run(self, *command: str) -> None:
        with (self._folder / f"boardgame{len(self._processes)}.log").open("wb") as log:
            self._processes.append(
                subprocess.Popen(
                    command,
                    stdout=log,
                    stderr=log,
                    cwd=self._folder,
                    env=os.environ | {"NODE_ENV": "production"},
                )
            )

    async def _listening(self, port: int) -> None:
        async with asyncio.timeout(READY_SECONDS):
            while True:
                if self._processes[-1].poll() is not None:
                    name = f"boardgame{len(self._processes) - 1}.log"
                    raise RuntimeError((self._folder / name).read_text()[-2000:])
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", port)
                except OSError:
                    await asyncio.sleep(0.1)
                else:
                    writer.close()
                    return

    def end(self) -> None:
        for each in self._processes:
            each.kill()
            each.wait()
