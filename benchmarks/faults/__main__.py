"""Several servers over one PostgreSQL and one NATS, and all that can break while people play.

Run `python -m benchmarks.faults [--processes 3] [--tables 300] [--times 20] [--json FILE]` (Linux).
With `--clusters N` on a machine with many cores, N such clusters share the faults, side by side.
In random order, each so many times: a server is killed (SIGKILL), or stopped for longer than its
lease and goes on (SIGSTOP, SIGCONT); the cable between one server and the bus is cut, or the one
between it and the database, in silence or loudly; the bus is killed and started again, the database
is stopped and started again. People play on at all tables, over any server that answers.

At the end everything that they were told is compared with the database, and the history of every
table is checked for linearizability. Exits with 1 where a goal is missed.
"""

import argparse
import asyncio
import gc
import json
import random
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import uvloop

from baghdad.machine import describe_machine

from ..load.servers import many_files
from ..soak.asking import ask
from ..soak.figures import Figures, milliseconds
from ..soak.host import READY_SECONDS, Host, Postgres
from ..soak.journal import Journal, compare
from ..soak.people import Person, World
from ..soak.tables import PlayedTable
from .bus import Bus, stop_politely
from .cable import Cable
from .clusters import TOO_FEW, keep, run_clusters, seconds
from .intruder import intrude
from .judge import check_histories
from .ledger import Ledger

FOLDER = Path(__file__).parents[2] / ".benchmarks" / "faults"
"""On a real disk: what is committed here is durable."""
KINDS = ("kill", "freeze", "bus cut", "database cut", "bus restart", "database restart")
LONGEST = 8.0
"""Seconds that a fault lasts, at most, unless told."""
LEASE = 2.0
"""Seconds that a server's lease lasts: faults last for longer, but for those of a bus or database
that is only started again."""
ABSENCE = 0.1
"""Times as long as in the soak are people away: here the servers' absence is what is looked at."""
PATIENCE = 3.0
"""Seconds before people try another server, where one takes their connection and says nothing."""
CAUGHT = 0.05
"""Seconds for which a server stands still before it is killed: commands are on their way then."""
SETTLED = 30.0
"""Seconds after a fault within which everybody must be answered, and everything be in order."""
PROMPT = 0.25
"""Seconds between attempts to do something at a table whose owner has just died."""
GOALS = {"kill": 3.0}
"""Seconds until 99 % of the tables whose owner has died go on."""


class Machine:
    """A server with the two cables that tie it to the others."""

    def __init__(self, place: int, database: Postgres, bus: Bus) -> None:
        self.name = f"server{place}"
        self.bus = Cable(("127.0.0.1", bus.port))
        self.database = Cable(database.socket)
        self.id = ""
        """By which the database knows it."""
        self.fenced = 0
        """Writes of it that were refused, in all its lives but the last,"""
        self._fenced_now = 0
        """and in that."""

    def open(self, database: Postgres, folder: Path) -> None:
        url = database.url_at(self.database.port)
        options = ("--bus", f"nats://127.0.0.1:{self.bus.port}")
        self.host = Host(url, folder, None, self.name, options)

    async def start(self, ledger: Ledger) -> None:
        before = await ledger.processes()
        self.host.start()
        await self.host.ready()
        async with asyncio.timeout(READY_SECONDS):
            while not (new := await ledger.processes() - before):
                await asyncio.sleep(0.05)
        (self.id,) = new

    async def count(self) -> None:
        """Add up what this life has been refused."""
        status, body = await ask(self.host.port, "127.0.0.2", "GET", "/metrics")
        found = re.search(rb"^baghdad_fenced(?:_total)? (\S+)", body, re.MULTILINE)
        if status == 200 and found:
            self._fenced_now = int(float(found[1]))

    def forget(self) -> None:
        """A life has ended."""
        self.fenced += self._fenced_now
        self._fenced_now = 0

    def close(self) -> None:
        self.host.end()
        self.bus.close()
        self.database.close()


class Run:
    """One run."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.options = options
        self.folder = folder
        self.rng = random.Random(options.seed)
        self.figures = Figures()
        self.journal = Journal(folder / "acknowledged")
        self.postgres = Postgres(folder)
        self.ledger = Ledger(self.postgres.url)
        self.bus = Bus(folder)
        self.machines: list[Machine] = []
        self.tables: list[PlayedTable] = []
        self.waits: dict[str, list[float]] = {kind: [] for kind in options.kinds}
        """Seconds until a table went on whose owner was hit, by what it was hit with."""
        self.settled: dict[str, list[float]] = {kind: [] for kind in options.kinds}
        """Seconds after a fault until everything was in order."""
        self.done: Counter[str] = Counter()
        self.exits: list[int | None] = []
        self.compared: dict[str, int] = {}
        self.histories: dict[str, Any] = {}
        self.takeovers = 0
        self.intrusions = 0
        """Attempts to write without a right to, on purpose."""
        self.sockets = 0

    async def run(self) -> None:
        stop_politely()
        try:
            await self._run()
        finally:
            for each in self.machines:
                each.close()
            self.bus.kill()
            self.postgres.close()

    async def _run(self) -> None:
        await asyncio.to_thread(self.postgres.configure, track_commit_timestamp="on")
        await self.postgres.lay_out()
        await self.ledger.watch()
        await self.bus.start()
        for place in range(self.options.processes):
            machine = Machine(place, self.postgres, self.bus)
            machine.open(self.postgres, self.folder)
            self.machines.append(machine)
            await machine.start(self.ledger)
        ports = [each.host.port for each in self.machines]
        self.world = World(
            ports,
            self.figures,
            self.journal,
            recorded=True,
            patience=PATIENCE,
            absence=ABSENCE,
            rng=self.rng,
        )
        self.figures.began = time.perf_counter()
        pause = self.options.tables / self.options.rate
        playing = []
        for _ in range(self.options.tables):
            table = PlayedTable(self.world, pause, float("inf"))
            self.tables.append(table)
            playing.append(asyncio.create_task(table.live()))
            await asyncio.sleep(min(0.05, 5 / self.options.tables))
        await self._settle("beginning", time.perf_counter())
        faults = [kind for kind in self.options.kinds for _ in range(self.options.times)]
        self.rng.shuffle(faults)
        for number, kind in enumerate(faults):
            await asyncio.sleep(self.rng.uniform(0.5, 1.5) * self.options.between)
            if self.figures.minute >= self.options.minutes:
                print(f"{self.figures.minute:6.1f} min: no time is left", flush=True)
                break
            await self._fault(kind, f"{number + 1}/{len(faults)}")
            keep(self.report(unfinished=True), self.options.json)
        await self._quiet()
        self.world.finish = True
        await asyncio.wait(playing, timeout=120)
        for task in playing:
            if task.done() and not task.cancelled() and (error := task.exception()) is not None:
                self.figures.blame("generator", repr(error))
        for each in self.machines:
            await each.count()
            each.forget()
            self.exits.append(await each.host.stop())
        self.compared = await compare(self.journal, self.postgres.url, self.figures)
        for code, event in await self.ledger.written_without_lease():
            self.figures.blame("written without lease", f"{code}: event {event}")
        self.takeovers = await self.ledger.takeovers()
        histories = {table.code: table.history for table in self.tables if table.history}
        self.histories = await check_histories(
            histories, self.postgres.url, self.figures, self.folder
        )

    # What breaks

    async def _fault(self, kind: str, place: str) -> None:
        figures, told = self.figures, len(self.figures.details)
        for each in self.machines:
            await each.count()
        tables = await self.ledger.tables()
        owners = {held.owner for held in tables.values()}
        # A kill that hits nobody's table shows nothing: one that has just come back owns none.
        hit = [each for each in self.machines if kind != "kill" or each.id in owners]
        victim = self.rng.choice(hit or self.machines)
        owned = {code for code, held in tables.items() if held.owner == victim.id}
        start = time.perf_counter()
        figures.restarts.append((kind, start, float("inf")))
        lasts = self.rng.uniform(LEASE + 0.5, self.options.longest)
        brief = self.rng.uniform(0.0, self.options.longest / 2)
        went_on: asyncio.Task[list[float]] | None = None
        match kind:
            case "kill":
                victim.host.freeze()
                await asyncio.sleep(CAUGHT)
                start = time.perf_counter()
                await victim.host.kill()
                victim.forget()
                went_on = asyncio.create_task(self._press(kind, owned, start))
                # It comes back at once, or long after others have its tables.
                await asyncio.sleep(brief)
                await victim.start(self.ledger)
            case "freeze":
                victim.host.freeze()
                went_on = asyncio.create_task(self._press(kind, owned, start))
                await asyncio.sleep(lasts)
                victim.host.thaw()
            case "bus cut" | "database cut":
                cable = victim.bus if kind == "bus cut" else victim.database
                cable.cut(silent=self.rng.random() < 0.5)
                went_on = asyncio.create_task(self._press(kind, owned, start))
                await asyncio.sleep(lasts)
                cable.mend()
            case "bus restart":
                self.bus.kill()
                await asyncio.sleep(brief)
                await self.bus.start()
            case "database restart":
                await asyncio.to_thread(self.postgres.interrupt, brief)
        end = time.perf_counter()
        waits = [] if went_on is None else await went_on
        settled = await self._settle(kind, end)
        await self._intrude()
        figures.restarts[-1] = (kind, start, time.perf_counter())
        self.waits[kind] += waits
        self.settled[kind].append(settled)
        self.done[kind] += 1
        for line in figures.details[told:]:
            print(f"  {line}", flush=True)
        longest = f"{len(waits)} tables went on after {max(waits):.1f} s at most, " if waits else ""
        print(
            f"{figures.minute:6.1f} min: {place} {kind}, {victim.name}, {end - start:.1f} s: "
            f"{longest}in order {settled:.1f} s after it; {self.journal.lines} acknowledged, "
            f"wrong: {dict(figures.wrong) or 'nothing'}",
            flush=True,
        )

    async def _intrude(self) -> None:
        """Try to write at a table without a right to."""
        code, held = self.rng.choice(sorted((await self.ledger.tables()).items()))
        others = [each.id for each in self.machines]
        tried, refused = await intrude(self.postgres.url, code, held, others)
        self.intrusions += tried
        if refused < tried:
            self.figures.blame("written without lease", f"{code}: {tried - refused} intrusions")

    async def _press(self, kind: str, owned: set[str], start: float) -> list[float]:
        """Have people act at once; seconds until each table has had another event."""
        held = await self.ledger.tables()
        waiting = {table: held[table.code].number for table in self.tables if table.code in owned}
        waits: list[float] = []
        while waiting and time.perf_counter() < start + SETTLED:
            for table in waiting:
                table.press()
            await asyncio.sleep(PROMPT)
            for table in [each for each, number in waiting.items() if each.number > number]:
                assert table.history is not None
                number = waiting.pop(table)
                waits.append(
                    min(at for (event, _), at in table.history.seen.items() if event > number)
                    - start
                )
        for table in waiting:
            waits.append(SETTLED)
            self.figures.blame("did not go on", f"{table.code} after {kind}")
        return waits

    async def _settle(self, kind: str, since: float) -> float:
        """Wait until all servers are ready and everybody is answered; seconds since the moment."""
        troubles: list[str] = []
        while time.perf_counter() < since + SETTLED:
            troubles = [
                f"{each.code}, {person.number}: {person.pending.text!r}"
                for each in self.tables
                for person in each.people
                if person.here and person.pending is not None and person.pending.called < since
            ]
            for machine in self.machines:
                if not machine.host.alive:
                    raise RuntimeError(f"{machine.name} has gone by itself")
                if not await machine.host.is_ready():
                    troubles.append(f"{machine.name} is not ready")
            if not troubles:
                break
            await asyncio.sleep(PROMPT)
        else:
            self.figures.blame("not in order", f"after {kind}: {troubles[:5]}")
        return time.perf_counter() - since

    async def _quiet(self) -> None:
        """Let everything come to rest; then every socket has what the database has."""
        self.world.quiet = True
        since = time.perf_counter()
        differ: list[str] = []
        while time.perf_counter() < since + 2 * SETTLED:
            held = await self.ledger.tables()
            differ = [
                f"{table.code} of {held[table.code].owner}, {person.number}: {person.known} of "
                f"{held[table.code].number}, {self._where(person)}"
                for table in self.tables
                for person in table.everybody
                if not person.idle or person.known != held[table.code].number
            ]
            if not differ:
                break
            await asyncio.sleep(0.5)
        for each in differ:
            self.figures.blame("socket differs", each)
        self.sockets = sum(len(table.everybody) for table in self.tables)

    def _where(self, person: Person) -> str:
        """In words, for whoever looks for the reason."""
        if person.link is None:
            return "not connected"
        at = next(each for each in self.machines if each.host.port == person.port)
        silent = time.perf_counter() - person.heard
        state = "here" if person.here else "without a word of who is there"
        waits = "" if person.pending is None else f", waits for {person.pending.id}"
        return f"at {at.name} ({at.id}), {state}, silent for {silent:.0f} s{waits}"

    # The result

    def report(self, *, unfinished: bool = False) -> dict[str, Any]:
        figures = self.figures
        log: Counter[str] = Counter()
        for each in self.machines:
            log.update(each.host.troubles())
        times = {"others": figures.others, "answers": figures.answers}
        return {
            "machine": describe_machine(),
            "minutes": round(figures.minute, 1),
            "processes": self.options.processes,
            "tables": len(self.tables),
            "seed": self.options.seed,
            "faults": dict(self.done),
            "seconds until tables went on": {k: seconds(v) for k, v in self.waits.items() if v},
            "seconds until all was in order": {k: seconds(v) for k, v in self.settled.items() if v},
            "compared": dict(self.compared),
            "histories": self.histories,
            "sockets at the end": self.sockets,
            "owners given": self.takeovers,
            "intrusions": self.intrusions,
            "writes refused to servers": sum(each.fenced for each in self.machines),
            "milliseconds outside faults": {
                name: milliseconds(each.outside(figures.spans())) for name, each in times.items()
            },
            "exits": self.exits,
            "orphans": sum(each.host.orphans for each in self.machines),
            "counts": dict(figures.counts.most_common()),
            "log": dict(log.most_common()),
            "wrong": dict(figures.wrong),
            "details": figures.details,
            # To be added up with those of others.
            "all seconds": {"went on": rounded(self.waits), "in order": rounded(self.settled)},
            "missed": [*(["not finished"] if unfinished else []), *self._missed(log)],
        }

    def _missed(self, log: Counter[str]) -> list[str]:
        """Goals, in words, that this run has not reached."""
        missed = [f"{kind}: {count}" for kind, count in self.figures.wrong.items()]
        missed += [f"log: {line}" for line in log if line.startswith("trace")]
        if not self.compared.get("acknowledged"):
            missed.append("nothing was compared with the database")
        for kind in self.options.kinds:
            if self.done[kind] < self.options.times:
                missed.append(f"{kind}{TOO_FEW}{self.done[kind]} times")
        for kind, goal in GOALS.items():
            if self.waits.get(kind) and (p99 := np.percentile(self.waits[kind], 99)) > goal:
                missed.append(f"{kind}: tables went on after {p99:.1f} s (p99)")
        if any(self.exits) or not self.exits:
            missed.append(f"servers ended with {self.exits}")
        if orphans := sum(each.host.orphans for each in self.machines):
            missed.append(f"{orphans} processes outlived a killed server")
        return missed


def rounded(values: dict[str, list[float]]) -> dict[str, list[float]]:
    return {kind: [round(each, 2) for each in found] for kind, found in values.items()}


def show(report: dict[str, Any]) -> None:
    for name, value in report.items():
        if name not in ("details", "missed", "all seconds"):
            print(f"{name}: {json.dumps(value)}")
    for line in report["details"]:
        print(" ", line)
    for line in report["missed"]:
        print("MISSED:", line)
    if not report["missed"]:
        print("All goals are reached.")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", description=__doc__)
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--rate", type=float, default=100.0, help="commands a second, about")
    parser.add_argument("--times", type=int, default=20, help="each kind of fault")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--longest", type=float, default=LONGEST, help="seconds of a fault")
    parser.add_argument("--between", type=float, default=2.0, help="seconds between faults, about")
    parser.add_argument(
        "--minutes", type=float, default=float("inf"), help="after which no fault begins"
    )
    parser.add_argument("--clusters", type=int, default=1, help="side by side, sharing the faults")
    parser.add_argument("--seed", type=int, default=1, help="of the order and of what people do")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="for all data")
    parser.add_argument(
        "--keep", action="store_true", help="leave the data there, as where a goal is missed"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="for the result")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    report = asyncio.run(break_clusters(options)) if options.clusters > 1 else break_one(options)
    keep(report, options.json)
    show(report)
    return 1 if report["missed"] else 0


async def break_clusters(options: argparse.Namespace) -> dict[str, Any]:
    stop_politely()
    return await run_clusters(options)


def break_one(options: argparse.Namespace) -> dict[str, Any]:
    many_files(20 * options.tables + 1000)
    folder = Path(tempfile.mkdtemp(dir=options.folder)).resolve()
    gc.set_threshold(100_000, 50, 50)  # most that is made here lives for a moment
    run = Run(options, folder)
    try:
        uvloop.run(run.run())
    except (Exception, asyncio.CancelledError) as error:
        run.figures.blame("run", repr(error))
    report = run.report()
    if options.keep or report["missed"]:
        print(f"Database and logs: {folder}")
    else:
        shutil.rmtree(folder, ignore_errors=True)
    return report


if __name__ == "__main__":
    sys.exit(main())
