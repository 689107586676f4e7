"""Commands a second with 1, 2, 4 … servers, and what PostgreSQL alone commits on the same machine.

Run `python -m benchmarks.scale [--processes 1 2 4 8] [--sockets 4000 16000 64000] [--clients N]
[--minutes M] [--boardgame] [--json FILE]` (Linux; a core for each server, and some for clients and
database). The result is written anew after each measurement; after `--minutes` none goes on.
First the ceiling: the servers' own transactions, sent by pgbench from as many connections. Then
tables of four sockets, each at another server, so that with n servers only one in n stands where
its table is owned. Every command is durable in PostgreSQL before anybody hears of it.

`--boardgame`: the same with boardgame.io, scaled out in its own way: its state in PostgreSQL
(bgio-postgres), its updates over Redis (@boardgame.io/redis-pubsub; needs redis-server, Node.js).
"""

import argparse
import asyncio
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from math import ceil
from pathlib import Path
from typing import Any

import asyncpg

from baghdad.machine import describe_machine

from ..faults.bus import Bus, stop_politely
from ..load.servers import open_files
from ..load.traffic import SEATS
from ..soak.host import Host, Postgres, cpu_seconds
from .ceiling import measure as measure_ceiling
from .others import Boardgame

FOLDER = Path(__file__).parents[2] / ".benchmarks" / "scale"
"""On a real disk: what is committed here is durable."""
GOALS = {2: 1.8, 8: 6.0}
"""By the number of servers: how often the rate of one,"""
IDLE_SECONDS = 3.0
"""In which it is seen what everything costs while nobody plays; that is not a command's cost."""
BEGINNINGS = 1500.0
"""Games that are begun in a second, at most, before anything is measured."""
CEILING_SECONDS = 4.0
"""For each figure of PostgreSQL alone, at most."""
CONNECTIONS = 400
"""That PostgreSQL takes: each server keeps some, and opens more when much is asked of it."""
RESERVE = 500
"""Files of a process that are no sockets of people."""
LEAST_SECONDS = 20.0
"""No measurement begins with less time left."""
SHARE = 0.8
"""or this much of what PostgreSQL alone takes."""
OURS, THEIRS = "Baghdad", "boardgame.io"
SERVER = f"{__package__}.server"


class Clients:
    """Processes that play, each its part of the tables."""

    def __init__(
        self,
        kind: str,
        ports: Sequence[int],
        options: argparse.Namespace,
        sockets: int,
        folder: Path,
    ) -> None:
        tables, self._all = sockets // SEATS, []
        clients = min(tables, max(options.clients, clients_for(sockets, open_files())))
        self._results = [folder / f"client{place}.json" for place in range(clients)]
        for place in range(clients):
            first, end = (tables * (place + i) // clients for i in (0, 1))
            wanted = {
                "kind": kind,
                "ports": list(ports),
                "first": first,
                "tables": end - first,
                "rate": options.rate / clients,
                "beginnings": BEGINNINGS / clients,
                "seconds": options.seconds,
                "warm": options.warm,
                "result": str(self._results[place]),
            }
            process = subprocess.Popen(
                [sys.executable, "-m", f"{__package__}.client"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            self._all.append(process)
            self._tell(process, json.dumps(wanted))

    def _tell(self, process: "subprocess.Popen[str]", line: str) -> None:
        assert process.stdin is not None
        process.stdin.write(line + "\n")
        process.stdin.flush()

    def _hear(self, process: "subprocess.Popen[str]") -> str:
        assert process.stdout is not None
        return process.stdout.readline().strip()

    def ready(self) -> None:
        """Wait for all."""
        for each in self._all:
            self._await(each, "ready")

    def _await(self, process: "subprocess.Popen[str]", word: str) -> None:
        if (heard := self._hear(process)) != word:
            raise RuntimeError(f"a client has gone: {process.poll()}, {heard[:100]!r}")

    def send(self) -> None:
        """Let all begin."""
        for each in self._all:
            self._tell(each, "go")

    def go(self) -> None:
        self.ready()
        self.send()

    def results(self) -> list[dict[str, Any]]:
        for each in self._all:
            self._await(each, "done")
        return [json.loads(file.read_text()) for file in self._results]

    def end(self) -> None:
        for each in self._all:
            each.kill()
            each.wait()


def clients_for(sockets: int, files: float) -> int:
    """Processes that play, at least, so that none has more sockets than it may have files."""
    return 1 if files == float("inf") else ceil(sockets / max(1.0, files - RESERVE))


def summary(results: list[dict[str, Any]]) -> dict[str, float]:
    """Of all clients."""
    found = {"rate": sum(each["rate"] for each in results)}
    for name in ("steady", "full"):
        cuts = statistics.quantiles([t for each in results for t in each[name]], n=100)
        found |= {f"{name} p50": 1e3 * cuts[49], f"{name} p99": 1e3 * cuts[98]}
    found["clients busy"] = max(each["busy"] for each in results)
    return {name: round(value, 2) for name, value in found.items()}


async def run_ours(processes: int, sockets: int, options: argparse.Namespace) -> dict[str, float]:
    folder = Path(tempfile.mkdtemp(dir=options.folder)).resolve()
    postgres, bus = Postgres(folder), Bus(folder)
    hosts: list[Host] = []
    clients: Clients | None = None
    try:
        await asyncio.to_thread(postgres.configure, max_connections=CONNECTIONS)
        await postgres.lay_out()
        await bus.start()
        for place in range(processes):
            more = ("--bus", f"nats://127.0.0.1:{bus.port}")
            hosts.append(Host(postgres.url, folder, None, f"server{place}", more, SERVER))
            hosts[-1].start()
        for each in hosts:
            await each.ready()
        ports = [each.port for each in hosts]
        empty = sum(each.memory()[0] for each in hosts)
        resting = worked(hosts, postgres, bus)
        await asyncio.sleep(IDLE_SECONDS)
        idle = {
            name: (end - resting[name]) / IDLE_SECONDS
            for name, end in worked(hosts, postgres, bus).items()
        }
        clients = Clients(OURS, ports, options, sockets, folder)
        for _ in range(2):
            await asyncio.to_thread(clients.go)
        memory = sum(each.memory()[0] for each in hosts) - empty
        await asyncio.to_thread(clients.ready)
        stored, commits, _, log = await stored_so_far(postgres.url)
        before, began = worked(hosts, postgres, bus), time.perf_counter()
        clients.send()
        results = await asyncio.to_thread(clients.results)
        wall = time.perf_counter() - began
        work = {
            name: max(0.0, end - before[name] - wall * idle[name])
            for name, end in worked(hosts, postgres, bus).items()
        }
        all_stored, all_commits, size, all_log = await stored_so_far(postgres.url)
        sent = sum(each["commands"] for each in results)
        if all_stored != sent + sockets // SEATS:
            raise RuntimeError(f"{sent} commands were answered, {all_stored} events are stored")
        commands = sum(each["at full rate"] for each in results)
        work["clients"] = sum(each["work"] for each in results)
        return (
            summary(results)
            | {"events in a commit": round((all_stored - stored) / (all_commits - commits), 2)}
            | {"sent again": sum(each["repeated"] for each in results)}
            | {"bytes an event": round(size / all_stored)}
            | {"bytes of log an event": round((all_log - log) / (all_stored - stored))}
            | {"KB a socket": round(memory / sockets / 1024, 1)}
            | {f"idle {name}, ms a second": round(1e3 * each, 1) for name, each in idle.items()}
            | {f"µs of {name}": round(1e6 * each / commands, 1) for name, each in work.items()}
        )
    finally:
        if clients is not None:
            clients.end()
        for each in hosts:
            each.end()
            if troubles := each.troubles():
                print(f"  log: {json.dumps(troubles)[:1000]}", flush=True)
        bus.kill()
        postgres.close()
        shutil.rmtree(folder, ignore_errors=True)


async def stored_so_far(database: str) -> tuple[int, int, int, int]:
    """Events, the commits they came with, bytes of their table, bytes of the log."""
    connection = await asyncpg.connect(database)
    try:
        row = await connection.fetchrow(
            "SELECT count(*), count(DISTINCT xmin::text), pg_total_relation_size('events'),"
            " pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint FROM events"
        )
        return row[0], row[1], row[2], row[3]
    finally:
        await connection.close()


def worked(hosts: list[Host], postgres: Postgres, bus: Bus) -> dict[str, float]:
    """Seconds of processors so far."""
    return {
        "servers": sum(each.cpu_seconds() for each in hosts),
        "database": postgres.cpu_seconds(),
        "bus": cpu_seconds(bus.pid),
    }


async def run_theirs(processes: int, sockets: int, options: argparse.Namespace) -> dict[str, float]:
    folder = Path(tempfile.mkdtemp(dir=options.folder)).resolve()
    postgres = Postgres(folder)
    servers = Boardgame(processes, postgres, folder)
    clients: Clients | None = None
    try:
        await servers.start()
        clients = Clients(THEIRS, servers.ports, options, sockets, folder)
        for _ in range(3):
            await asyncio.to_thread(clients.go)
        results = await asyncio.to_thread(clients.results)
        repeated, commands = (
            sum(each[what] for each in results) for what in ("repeated", "commands")
        )
        return summary(results) | {"moves made again, %": round(100 * repeated / commands, 1)}
    finally:
        if clients is not None:
            clients.end()
        servers.end()
        postgres.close()
        shutil.rmtree(folder, ignore_errors=True)


async def run_ceiling(options: argparse.Namespace) -> list[dict[str, float]]:
    """PostgreSQL alone, by connections and by events in a commit."""
    folder = Path(tempfile.mkdtemp(dir=options.folder)).resolve()
    postgres = Postgres(folder)
    try:
        await postgres.lay_out()
        found = []
        for clients in options.processes:
            for group in options.groups:
                one = await asyncio.to_thread(
                    measure_ceiling,
                    postgres.socket,
                    postgres.programs,
                    clients,
                    group,
                    min(options.seconds, CEILING_SECONDS),
                )
                found.append(one._asdict() | {"events": round(one.events)})
                print(f"PostgreSQL alone: {found[-1]}", flush=True)
        return found
    finally:
        postgres.close()
        shutil.rmtree(folder, ignore_errors=True)


def missed(report: dict[str, Any]) -> list[str]:
    """Goals, in words, that were not reached."""
    words = [f"{what}: not measured" for what in report["not measured"]]
    best = max((each["events"] for each in report["ceiling"]), default=0.0)
    for sockets, rates in report[OURS].items():
        if "1" not in rates:
            continue
        for processes, goal in GOALS.items():
            if (found := rates.get(str(processes))) is None:
                continue
            wanted = goal * rates["1"]["rate"]
            if best:
                wanted = min(wanted, SHARE * best)
            if found["rate"] < wanted:
                words.append(
                    f"{sockets} sockets, {processes} servers: {found['rate']} of {wanted:.0f}"
                )
    return words


async def run(options: argparse.Namespace) -> dict[str, Any]:
    stop_politely()
    report: dict[str, Any] = {
        "machine": describe_machine(),
        "processors": os.cpu_count(),
        "seconds": options.seconds,
        "clients": options.clients,
        "ceiling": [],
        "not measured": {},
    }
    kinds = [OURS, THEIRS] if options.boardgame else [OURS]
    for kind in kinds:
        report[kind] = {str(sockets): {} for sockets in options.sockets}
    end = time.perf_counter() + 60 * options.minutes
    if not options.no_ceiling:
        report["ceiling"] = await run_ceiling(options)
        keep(report, options.json)
    for sockets in options.sockets:
        for processes in options.processes:
            for kind in kinds:
                what = f"{kind}, {sockets} sockets, {processes} servers"
                began = time.perf_counter()
                try:
                    found = await measure(kind, processes, sockets, options, end - began)
                except Exception as error:  # the others are measured all the same
                    report["not measured"][what] = repr(error)
                    print(f"{what}: not measured: {error!r}", flush=True)
                else:
                    report[kind][str(sockets)][str(processes)] = found
                    print(f"{what}, {time.perf_counter() - began:.0f} s: {found}", flush=True)
                keep(report, options.json)
    return report


async def measure(
    kind: str, processes: int, sockets: int, options: argparse.Namespace, left: float
) -> dict[str, float]:
    """One measurement, within the seconds that are left."""
    if left < LEAST_SECONDS:
        raise TimeoutError("no time left")
    files = sockets // processes
    if files + RESERVE > open_files():
        raise OSError(f"one server may not have {files} sockets: see `ulimit -Hn`")
    async with asyncio.timeout(None if left == float("inf") else left):
        return await (run_ours if kind == OURS else run_theirs)(processes, sockets, options)


def keep(report: dict[str, Any], file: Path | None) -> None:
    """What there is so far."""
    report["missed"] = missed(report)
    if file is not None:
        file.write_text(json.dumps(report, indent=1) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2, 4, 8])
    parser.add_argument("--sockets", type=int, nargs="*", default=[4000, 16000, 64000])
    parser.add_argument("--clients", type=int, default=1, help="processes that play, at least")
    parser.add_argument("--rate", type=float, default=300.0, help="steady commands a second")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each measurement")
    parser.add_argument("--warm", type=float, default=5.0, help="seconds before the highest rate")
    parser.add_argument(
        "--groups", type=int, nargs="+", default=[1, 8, 32, 128], help="events in a commit"
    )
    parser.add_argument(
        "--minutes", type=float, default=float("inf"), help="after which nothing goes on"
    )
    parser.add_argument("--no-ceiling", action="store_true", help="without PostgreSQL alone")
    parser.add_argument("--boardgame", action="store_true", help="boardgame.io beside it")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="for all data")
    parser.add_argument("--json", type=Path, metavar="FILE", help="for the result")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    report = asyncio.run(run(options))
    for line in report["missed"]:
        print("MISSED:", line)
    return 1 if report["missed"] else 0


if __name__ == "__main__":
    sys.exit(main())
