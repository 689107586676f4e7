"""Several real servers over one PostgreSQL and one NATS."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count, islice
from pathlib import Path

import httpx

from support.live_server import PATIENCE, Reachable

PORTS = range(15_000, 20_000)
# Test runs side by side begin far from each other.
_places = count(os.getpid() * 1_618)


def free_port() -> int:
    """One that no system gives away by itself: it has to stay free while nobody listens."""
    for place in islice(_places, len(PORTS)):
        port = PORTS[place % len(PORTS)]
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)):
                return port
    raise AssertionError("no port is free")


class NatsServer:
    """A NATS of our own, which can be stopped and started again at the same place."""

    def __init__(self, *options: str) -> None:
        self.port = free_port()
        self.url = f"nats://127.0.0.1:{self.port}"
        beside = Path(sysconfig.get_path("scripts")) / "nats-server"
        self._command = [str(beside) if beside.exists() else shutil.which("nats-server") or ""]
        self._command += ["-a", "127.0.0.1", "-p", str(self.port), *options]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(self._command, stdout=quiet, stderr=quiet)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with socket.socket() as probe:
                if not probe.connect_ex(("127.0.0.1", self.port)):
                    return
            time.sleep(0.02)
        raise AssertionError("NATS does not start")

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


@contextmanager
def nats_server(*options: str) -> Iterator[NatsServer]:
    server = NatsServer(*options)
    server.start()
    try:
        yield server
    finally:
        server.stop()


class ClusterProcess(Reachable):
    """`baghdad serve` in a process of its own, always at the same port; its rules are not
    compiled, since that is most of the time of a start."""

    def __init__(self, database: str, bus: str | None, folder: Path, name: str) -> None:
        super().__init__()
        self.port = free_port()
        self.errors = folder / f"{name}.log"
        self._command = [sys.executable, "-m", "baghdad", "serve", "--port", str(self.port)]
        self._command += ["--database-url", database]
        self._command += ["--tables-per-client", "1000000", "--connections-per-client", "100000"]
        if bus is not None:
            self._command += ["--bus", bus]
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def start(self, *, wait: bool = True) -> None:
        with self.errors.open("ab") as errors:
            self.process = subprocess.Popen(
                self._command,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                env=os.environ | {"BAGHDAD_PLAIN": "1"},
            )
        if wait:
            self.ready()

    def ready(self) -> None:
        """Wait until it may own tables."""
        assert self.process is not None
        end = time.monotonic() + PATIENCE
        with httpx.Client(base_url=self.url, trust_env=False) as http:
            while time.monotonic() < end:
                assert self.process.poll() is None, self.errors.read_text()[-3000:]
                try:
                    if http.get("/ready").is_success:
                        return
                except httpx.HTTPError:
                    pass
                time.sleep(0.05)
        raise AssertionError(self.errors.read_text()[-3000:])

    def knows(self, number: int) -> None:
        """Wait until it sees so many processes, itself among them."""
        end = time.monotonic() + PATIENCE
        with self.client() as http:
            while f"baghdad_processes {number}.0" not in http.get("/metrics").text:
                assert time.monotonic() < end, self.errors.read_text()[-3000:]
                time.sleep(0.05)

    def send(self, how: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(how)

    def kill(self) -> None:
        """As `kill -9`."""
        self.send(signal.SIGKILL)
        self.wait()

    def freeze(self) -> None:
        self.send(signal.SIGSTOP)

    def thaw(self) -> None:
        self.send(signal.SIGCONT)

    def terminate(self) -> int:
        """Ask it to stop; its exit code."""
        self.send(signal.SIGTERM)
        return self.wait()

    def wait(self) -> int:
        assert self.process is not None
        return self.process.wait(PATIENCE)

    def clean_up(self) -> None:
        self.let_go()
        if self.process is not None and self.process.poll() is None:
            self.thaw()
            self.kill()


@contextmanager
def cluster(database: str, bus: str, folder: Path, number: int) -> Iterator[list[ClusterProcess]]:
    """So many processes that share a database; each can be killed and started again."""
    made = [ClusterProcess(database, bus, folder, f"process-{n}") for n in range(number)]
    try:
        for each in made:
            each.start(wait=False)
        for each in made:
            each.ready()
        yield made
    finally:
        for each in made:
            each.clean_up()
