"""The two servers: started on a core of their own, watched, stopped."""

import os
import resource
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

HERE = Path(__file__).parent
FOLDER = HERE.parents[1] / ".benchmarks" / "load"
"""On a real disk: what is committed here is durable."""
BOARDGAME = HERE / "boardgame"
READY_SECONDS = 120.0
TICKS = os.sysconf("SC_CLK_TCK")


class Server:
    """A process that listens at a port, on one core."""

    def __init__(self, name: str, core: int, checkout: Path = HERE.parents[1]) -> None:
        """`checkout`: whose server it is, where it is ours."""
        self.name = name
        self.port = free_port()
        self.folder = Path(tempfile.mkdtemp(dir=FOLDER))
        self._log = (self.folder / "log").open("wb")
        self._process = subprocess.Popen(
            ["taskset", "--cpu-list", str(core), *self._command()],
            stdout=self._log,
            stderr=self._log,
            env=os.environ | {"NODE_ENV": "production", "PYTHONPATH": str(checkout / "src")},
        )
        self._wait()

    def _command(self) -> list[str]:
        if self.name == "boardgame.io":
            return ["node", str(BOARDGAME / "server.js"), str(self.port)]
        return [
            *(sys.executable, "-m", "baghdad", "serve"),
            *("--port", str(self.port), "--data", str(self.folder)),
        ]

    def _wait(self) -> None:
        end = time.monotonic() + READY_SECONDS
        while time.monotonic() < end and self._process.poll() is None:
            with closing(HTTPConnection("127.0.0.1", self.port, timeout=READY_SECONDS)) as probe:
                try:
                    probe.request("GET", "/")
                    probe.getresponse()
                except OSError:
                    time.sleep(0.1)
                else:
                    return
        raise RuntimeError((self.folder / "log").read_text())

    def cpu_seconds(self) -> float:
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def memory(self) -> int:
        """Bytes in memory."""
        pages = int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1])
        return pages * resource.getpagesize()

    def events(self) -> int:
        """Events on the disk; only ours keeps any."""
        with closing(sqlite3.connect(f"file:{self.folder / 'baghdad.db'}?mode=ro", uri=True)) as db:
            return int(db.execute("select count(*) from events").fetchone()[0])

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._log.close()
        shutil.rmtree(self.folder)


def install_boardgame() -> str | None:
    """Install boardgame.io from npm, once; returns the reason where it can't be had."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return "Node.js and npm are needed for boardgame.io"
    if not (BOARDGAME / "node_modules" / "boardgame.io").is_dir():
        done = subprocess.run(
            ["npm", "ci"], cwd=BOARDGAME, capture_output=True, text=True, check=False
        )
        if done.returncode:
            return f"boardgame.io can't be installed: {done.stderr.strip()}"
    return None


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def many_files(wanted: int) -> None:
    """Allow that many open sockets, here and in the servers."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard), hard))


def open_files() -> float:
    """As many as a process may have, when it asks."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return float("inf") if hard == resource.RLIM_INFINITY else hard
