"""A day in an hour: a real server with all that happens to one, and what others feel of it.

Run `python -m benchmarks.soak [--minutes 60] [--sockets 500] [--database sqlite|postgresql]
[--json FILE]` (Linux, two cores). People come from ever new addresses, play whole games, take
back, talk, vanish, stop reading; attackers do all that they can at a low rate; the server is killed
once (SIGKILL), and its database is away once. At the end everything that was acknowledged is
looked up in the database. The server has one core with its bots, the people have the other.
Exits with 1 where a goal is missed; the result file is renewed every minute.
"""

import argparse
import asyncio
import gc
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import uvloop

from baghdad.machine import describe_machine

from ..load.servers import many_files
from .asking import ask
from .figures import Figures, Sample, Times, milliseconds
from .host import READY_SECONDS, Database, Host, Postgres, Sqlite
from .journal import Journal, compare
from .people import World
from .tables import PlayedTable

FOLDER = Path(__file__).parents[2] / ".benchmarks" / "soak"
"""On a real disk: what is committed here is durable."""
SERVER_CORE, CLIENT_CORE = 0, 1
SOCKETS_PER_TABLE = 3.3
"""About so many: of two to four players, some of them bots, and a spectator or two."""
KILL_AT, DATABASE_AT = 1 / 12, 3 / 5
"""Of the whole time. The kill comes early, so that one life of the server is nearly all of it."""
SHORT_MINUTES = 15
"""In a shorter run nobody looks at memory, and the two share the time."""
SHORT_KILL_AT, SHORT_DATABASE_AT = 1 / 3, 2 / 3
AWAY_SECONDS = 8.0
"""For which the database is away: longer than a server waits for a lock."""
LEAST_COMMANDS = 100
"""Below that a run shows nothing; on a slow machine a short one takes longer instead."""
FROZEN_SECONDS = 0.1
"""For which the server stands still before it is killed: some commands are on their way then."""
CALM_SECONDS = 10.0
"""After a restart, until others are measured again; less in a short run."""
SAMPLE_SECONDS = 10.0
REGULARS = 0.3
"""Share of tables that stay to the end; the others are left, and new ones are set up."""
LIVES = 5
"""So many tables come one after another where people don't stay."""
GOALS = {"memory": 1.10, "p99": 50.0}
"""Memory at the end to that after five minutes; milliseconds."""


class Soak:
    """One run."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.options = options
        self.folder = folder
        self.figures = Figures()
        self.journal = Journal(folder / "acknowledged")
        self.database: Database = (
            Sqlite(folder) if options.database == "sqlite" else Postgres(folder)
        )
        pinned = (os.cpu_count() or 1) > 1 and not options.unpinned
        self.host = Host(self.database.url, folder, SERVER_CORE if pinned else None)
        if pinned:
            os.sched_setaffinity(0, {CLIENT_CORE})
        self.world = World([self.host.port], self.figures, self.journal)
        self.interrupted = False
        self._seconds = 60.0 * options.minutes
        self._calm = min(CALM_SECONDS, self._seconds / 20)
        self._tables: dict[asyncio.Task[None], PlayedTable] = {}
        self._attackers: subprocess.Popen[bytes] | None = None
        self._exit: int | None = None
        self._compared: dict[str, int] = {}
        self._attacks: dict[str, int] = {}

    async def run(self) -> None:
        """From the start of the server to the comparison at its end."""
        loop = asyncio.get_running_loop()
        whole = asyncio.current_task()
        assert whole is not None
        self.host.start()
        await self.host.ready()
        self.figures.began = time.perf_counter()
        self.figures.lives.append(self.figures.began)
        self._start_attackers()
        watching = [
            asyncio.create_task(each)
            for each in (self._crowd(), self._sample(), self._probe(), self._lag(), self._tell())
        ]
        happening = asyncio.create_task(self._happen())
        for name in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(name, self._interrupt, happening)
        try:
            await asyncio.wait([happening])
            if not happening.cancelled():
                happening.result()
            self.world.finish = True
            if self._tables:
                await asyncio.wait(self._tables, timeout=150)
            for each in watching:
                each.cancel()
            self._stop_attackers()
            self._exit = await self.host.stop()
            self._compared = await compare(self.journal, self.database.url, self.figures)
        finally:
            self._stop_attackers()
            self.host.end()
            self.database.close()

    def _interrupt(self, happening: "asyncio.Task[None]") -> None:
        self.interrupted = True
        happening.cancel()

    def _start_attackers(self) -> None:
        if self.options.attacks <= 0:
            return
        command = [sys.executable, "-m", f"{__package__}.attackers", str(self.host.port)]
        with (self.folder / "attackers").open("wb") as output:
            self._attackers = subprocess.Popen(
                [*command, str(self.options.attacks)], stdout=output, start_new_session=True
            )

    def _stop_attackers(self) -> None:
        if self._attackers is not None:
            self._attackers.terminate()
            self._attackers.wait()
            self._attackers = None
            text = (self.folder / "attackers").read_text()
            self._attacks = json.loads(text) if text else {}

    # What happens

    async def _happen(self) -> None:
        """The kill, the restart of the database, and the time between."""
        short = self.options.minutes < SHORT_MINUTES
        await self._until(SHORT_KILL_AT if short else KILL_AT)
        start = self._begin("kill -9")
        await self._catch()
        await self.host.kill()
        self.host.start()
        await self.host.ready()
        self.figures.lives.append(time.perf_counter())
        self._end("kill -9", start)
        await self._until(SHORT_DATABASE_AT if short else DATABASE_AT)
        start = self._begin("database")
        await asyncio.to_thread(self.database.interrupt, self.options.away)
        await self.host.ready()
        self._end("database", start)
        await self._until(1.0)

    async def _until(self, part: float) -> None:
        """Wait for a part of the time, and of the least that is to happen."""
        due = self.figures.began + part * self._seconds
        while (left := due - time.perf_counter()) > 0:
            self._check_alive()
            await asyncio.sleep(min(left, 1.0))
        async with asyncio.timeout(READY_SECONDS):
            while self.figures.counts["accepted"] < part * self.options.commands:
                self._check_alive()
                await asyncio.sleep(0.05)

    def _check_alive(self) -> None:
        if not self.host.alive:
            raise RuntimeError("the server has gone by itself")

    async def _catch(self) -> None:
        """Stop the server while commands are on their way, which are never answered then.

        Whether some are in the moment of a kill would be chance: most take two milliseconds.
        """
        async with asyncio.timeout(READY_SECONDS):
            while True:
                self.host.freeze()
                stopped = time.perf_counter()
                await asyncio.sleep(FROZEN_SECONDS)
                people = [each for table in self._tables.values() for each in table.people]
                if any(each.pending and each.pending.sent > stopped for each in people):
                    return
                self.host.thaw()
                await asyncio.sleep(FROZEN_SECONDS)

    def _begin(self, what: str) -> float:
        start = time.perf_counter()
        self.figures.restarts.append((what, start, float("inf")))
        return start

    def _end(self, what: str, start: float) -> None:
        end = time.perf_counter()
        self.figures.restarts[-1] = (what, start, end + self._calm)
        print(f"{self.figures.minute:6.1f} min: {what}: away for {end - start:.1f} s", flush=True)

    # Who comes

    async def _crowd(self) -> None:
        """As many tables as make up the sockets, a new one for every one that is left."""
        options, rng = self.options, self.world.rng
        wanted = max(1, round(options.sockets / SOCKETS_PER_TABLE))
        pause = wanted / options.rate
        regulars = REGULARS * wanted
        while True:
            # Sockets are what counts, however many sit at a table, and away for a moment or not.
            tables = self._tables.values()
            coming = sum(len(table.everybody) or SOCKETS_PER_TABLE for table in tables)
            if coming < options.sockets and not self.figures.disturbed:
                made = self.figures.counts["tables"] = self.figures.counts["tables"] + 1
                life = self._seconds * 2
                if made > regulars:
                    life = self._seconds / LIVES * rng.uniform(0.3, 1.7)
                if regulars < made <= wanted:
                    life *= rng.random()  # those who are there at first have come before
                table = PlayedTable(self.world, pause, life)
                task = asyncio.create_task(table.live())
                self._tables[task] = table
                task.add_done_callback(self._left)
            # Slowly enough that nobody waits because of the crowd at the door.
            await asyncio.sleep(min(0.2, self._seconds / 20 / wanted))

    def _left(self, task: "asyncio.Task[None]") -> None:
        self._tables.pop(task, None)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.figures.blame("generator", repr(error))

    # What is seen

    async def _sample(self) -> None:
        while True:
            await asyncio.sleep(min(SAMPLE_SECONDS, self._seconds / 60))
            if not self.figures.disturbed:
                server, workers = self.host.memory()
                tables = await self._tables_awake()
                life = len(self.figures.lives) - 1
                self.figures.memory.append(
                    Sample(time.perf_counter(), life, server, workers, tables)
                )

    async def _tables_awake(self) -> int:
        try:
            _, body = await ask(self.host.port, "127.0.0.2", "GET", "/metrics")
        except (OSError, EOFError, TimeoutError):
            return -1
        found = re.search(rb"^baghdad_tables (\S+)", body, re.MULTILINE)
        return int(float(found[1])) if found else -1

    async def _probe(self) -> None:
        while True:
            await asyncio.sleep(0.5)
            began = time.perf_counter()
            try:
                await ask(self.host.port, "127.0.0.3", "GET", "/health")
            except (OSError, EOFError, TimeoutError):
                if not self.figures.disturbed:
                    self.figures.counts["health not answered"] += 1
                continue
            self.figures.health.add(began, time.perf_counter() - began)

    async def _lag(self) -> None:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(0.01)
            self.figures.lag.add(began, max(0.0, time.perf_counter() - began - 0.01))

    async def _tell(self) -> None:
        while True:
            now = self.figures
            first = len(now.others.taken)
            await asyncio.sleep(min(60.0, self._seconds / 4))
            others = milliseconds(now.others.latest(first))
            memory = now.memory[-1] if now.memory else None
            shown = f"{memory.server >> 20} + {memory.workers >> 20} MB" if memory else "-"
            awake = memory.tables if memory else -1
            print(
                f"{now.minute:6.1f} min: {self.world.sockets} sockets, {len(self._tables)} tables "
                f"({awake} awake), {self.journal.lines} acknowledged, others p50 "
                f"{others.get('p50')} p99 {others.get('p99')} most {others.get('most')} ms, "
                f"memory {shown}, wrong: {dict(now.wrong) or 'nothing'}",
                flush=True,
            )
            # Away from those who are measured.
            await asyncio.to_thread(self.keep, self.times())

    # The result

    def times(self) -> dict[str, Times]:
        """All times as they are now."""
        figures = self.figures
        return {
            "others": figures.others.copy(),
            "answers": figures.answers.copy(),
            "health": figures.health.copy(),
            "generator's own lag": figures.lag.copy(),
        }

    def report(self, kept: dict[str, Times]) -> dict[str, Any]:
        figures, spans = self.figures, self.figures.spans()
        times = {name: milliseconds(each.outside(spans)) for name, each in kept.items()}
        troubles = self.host.troubles()
        return {
            "machine": describe_machine(),
            "database": self.options.database,
            "minutes": round(figures.minute, 1),
            "interrupted": self.interrupted,
            "commands a second": round(self.journal.lines / max(1.0, 60 * figures.minute), 1),
            "compared": self._compared,
            "milliseconds outside restarts": times,
            "memory, MB": figures.grown(),
            "restarts": [
                {"what": what, "seconds": round(end - self._calm - start, 1)}
                for what, start, end in figures.restarts
                if end != float("inf")
            ],
            "exit": self._exit,
            "orphans": self.host.orphans,
            "counts": dict(figures.counts.copy().most_common()),
            "attacks": self._attacks,
            "log": troubles,
            "wrong": dict(figures.wrong),
            "details": figures.details,
            "samples": [
                [round((s.at - figures.began) / 60, 2), s.life, s.server, s.workers, s.tables]
                for s in figures.memory
            ],
            "missed": self._missed(times, troubles),
        }

    def _missed(self, times: dict[str, dict[str, float]], troubles: dict[str, int]) -> list[str]:
        """Goals, in words, that this run has not reached."""
        figures, missed = self.figures, []
        if not self._compared.get("acknowledged"):
            missed.append("nothing was compared with the database")
        missed += [f"{kind}: {count}" for kind, count in figures.wrong.items()]
        missed += [f"log: {line}" for line in troubles if line.startswith("trace")]
        if self._exit != 0:
            missed.append(f"the server ended with {self._exit}")
        if self.host.orphans:
            missed.append(f"{self.host.orphans} processes outlived the killed server")
        for name in ("others", "answers"):
            if times[name].get("p99", 0.0) >= GOALS["p99"]:
                missed.append(f"p99 of {name}: {times[name]['p99']} ms")
        grown = figures.grown()
        if not grown.get("judged"):
            return missed
        for what in ("server", "workers"):
            if grown[what].get("ratio", 0.0) > GOALS["memory"]:
                missed.append(f"memory of the {what} has grown to {grown[what]['ratio']} times")
        return missed

    def keep(self, times: dict[str, Times]) -> dict[str, Any]:
        """Write the result file, as it is now."""
        report = self.report(times)
        if self.options.json is not None:
            new = self.options.json.with_suffix(".new")
            new.write_text(json.dumps(report, indent=1) + "\n")
            new.replace(self.options.json)
        return report


def show(report: dict[str, Any]) -> None:
    hidden = ("samples", "details", "missed")
    for name, value in report.items():
        if name not in hidden:
            print(f"{name}: {json.dumps(value)}")
    for line in report["details"]:
        print(" ", line)
    for line in report["missed"]:
        print("MISSED:", line)
    if not report["missed"]:
        print("All goals are reached.")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--sockets", type=int, default=500, help="of people and spectators")
    parser.add_argument("--rate", type=float, default=150.0, help="commands a second, about")
    parser.add_argument(
        "--commands", type=int, default=LEAST_COMMANDS, help="at least, however long that takes"
    )
    parser.add_argument("--attacks", type=float, default=1.0, help="times the usual low rate")
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="postgresql")
    parser.add_argument(
        "--away", type=float, default=AWAY_SECONDS, help="seconds without a database"
    )
    parser.add_argument("--unpinned", action="store_true", help="no core for the server alone")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="for all data")
    parser.add_argument(
        "--keep", action="store_true", help="leave the data there, as where a goal is missed"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="for the result")
    options = parser.parse_args()
    many_files(4 * options.sockets + 1000)
    options.folder.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=options.folder)).resolve()
    gc.set_threshold(100_000, 50, 50)  # most that is made here lives for a moment
    soak = Soak(options, folder)
    try:
        uvloop.run(soak.run())
    except Exception as error:
        soak.figures.blame("run", repr(error))
    report = soak.keep(soak.times())
    show(report)
    if options.keep or report["missed"]:
        print(f"Database and log: {folder}")
    else:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if report["missed"] else 0


if __name__ == "__main__":
    sys.exit(main())
