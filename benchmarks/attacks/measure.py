"""One attack: the server is started, others come, the attacker comes, and all is written down."""

import multiprocessing as mp
import os
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

from .attack import Attack, Facts, Outcome, percentile
from .databases import fill
from .others import Times, others
from .server import QUIET_SECONDS, Server
from .wire import Self

CALM_SECONDS = 1.5
"""How long others are watched before the attack: what they cost the server by themselves."""
LEFTOVER_SECONDS = 20.0
"""So long the server's work after an attack is followed."""
LONGEST_ATTACK = 60.0
LOWER = 5
"""So much less urgent is the attacker than those who wait: what is measured is the server."""

spawn = mp.get_context("spawn")


class Cores:
    """Who runs where: the server is not to wait for the attacker's own processor."""

    def __init__(self) -> None:
        free = sorted(os.sched_getaffinity(0))
        self.server, self.attacker, self.others = {free[0]}, {free[-1]}, {free[-1]}
        if len(free) >= 4:
            self.server, self.attacker, self.others = set(free[:2]), {free[2]}, {free[3]}

    def __str__(self) -> str:
        if self.attacker == self.others:
            return "the server has one core, attacker and others have another"
        return "the server has two cores, attacker and others have one each"


def attacker(port: int, attack: Attack, cores: set[int], pipe: Connection) -> None:
    """What the attacker's process runs."""
    os.sched_setaffinity(0, cores)
    os.nice(LOWER)
    Self.address = attack.address
    pipe.recv()
    pipe.send(attack.send(port))


class Process:
    """A process of a side, and what it says."""

    def __init__(self, run: Callable[..., None], port: int, attack: Attack, cores: set[int]):
        self.pipe, theirs = spawn.Pipe()
        self.process = spawn.Process(target=run, args=(port, attack, cores, theirs), daemon=True)
        self.process.start()
        theirs.close()

    def hear(self, seconds: float) -> object:
        """The next that it says; raises `TimeoutError`, or `EOFError` where it has ended."""
        if not self.pipe.poll(seconds):
            raise TimeoutError
        return self.pipe.recv()

    def end(self) -> None:
        self.process.kill()
        self.process.join()


class Measuring:
    """Runs attacks, each against a server of its own or against one that several share."""

    def __init__(self, source: Path, cores: Cores) -> None:
        self.source = source
        self.cores = cores
        self._server: Server | None = None
        self._shared: str | None = None
        """The database of the server that others may share."""
        self._visitors = 0

    def run(self, attack: Attack) -> Outcome:
        if attack.alone or attack.database != self._shared:
            self.close()
        server = self._server or Server(self.source, self.cores.server)
        self._server = server
        try:
            if (outcome := attack.measured(server)) is not None:
                return outcome
            if not server.port:
                if attack.database:
                    fill(attack.database, server.folder, self.source)
                server.start(attack.program, attack.files)
                server.until_ready()
            self._shared = None if attack.alone else attack.database
            self._visitors += 1
            attack.address = Self.address = f"127.0.2.{self._visitors}"
            attack.set_up(server.port)
            return meet(attack, server, self.cores)
        finally:
            if self._shared is None or server.fell:
                self.close()

    def close(self) -> None:
        """End the server that runs."""
        if self._server is not None:
            self._server.stop()
        self._server = self._shared = None


def meet(attack: Attack, server: Server, cores: Cores) -> Outcome:
    """Let the others come, then the attacker; see what becomes of them."""
    looking = Process(others, server.port, attack, cores.others)
    sending = Process(attacker, server.port, attack, cores.attacker)
    try:
        looking.hear(LONGEST_ATTACK)
        server.until_quiet(0.1, QUIET_SECONDS)
        used, at = server.cpu_seconds(), time.monotonic()
        time.sleep(CALM_SECONDS)
        calm = (server.cpu_seconds() - used) / (time.monotonic() - at)
        before = server.highest = server.memory()
        log = server.log_size()
        began = time.monotonic()
        sending.pipe.send("go")
        sent: Facts = {}
        try:
            sent = sending.hear(LONGEST_ATTACK)  # type: ignore[assignment]
        except (TimeoutError, EOFError):
            sent = {"attacker": "did not end"}
        sending.end()
        leftover = server.until_quiet(calm, LEFTOVER_SECONDS)
        after = server.memory()
        looking.pipe.send("stop")
        health: Times = []
        moves: Times = []
        seen: Facts = {}
        with suppress(TimeoutError, EOFError):
            health, moves, seen = looking.hear(LONGEST_ATTACK)  # type: ignore[misc]
        if not server.fell:
            seen |= attack.look(server.port)
        return Outcome(
            sent,
            seen,
            [taken for at, taken in health if at + taken >= began],
            [taken for at, taken in moves if at + taken >= began],
            (before, server.highest, after),
            percentile([taken for at, taken in health if at + taken < began], 99),
            (server.log_size() - log) / 1e6,
            leftover,
            server.fell,
        )
    finally:
        looking.end()
        sending.end()
