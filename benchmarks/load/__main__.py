"""Measures the server under load, beside boardgame.io's own: same traffic, same machine, same run.

Run `python -m benchmarks.load [--tables N] [--rate R] [--seconds S] [--rounds N] [--ours] [--json]`
(Linux, two cores; Node.js for boardgame.io, which is installed on first use). The server has one
core, its clients have the other. Our server plays the real rules and commits every move to SQLite
on the disk before anybody hears of it; boardgame.io keeps a small game in memory.

Is it as fast as it was? `git worktree add ../before COMMIT`, then
`python -m benchmarks.load --before ../before --rounds 9` measures this checkout's server and the
other one's in turn, with the same clients, and shows how they compare round by round. It exits
with 1 where the highest rate, or the CPU time for a command, is more than 3 % worse.
"""

import argparse
import gc
import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import uvloop

from baghdad.machine import describe_machine

from .ours import OurTable
from .servers import FOLDER, Server, install_boardgame, many_files
from .theirs import TheirTable
from .traffic import SEATS, Table, Traffic

SERVER_CORE, CLIENT_CORE = 0, 1
OURS, BEFORE, THEIRS = "Baghdad", "before", "boardgame.io"
KINDS: dict[str, Callable[[Sequence[int], int], Table]] = {
    OURS: OurTable,
    BEFORE: OurTable,
    THEIRS: TheirTable,
}
COMPARED = ("held", "cpu", "p50", "p99")
"""Rows that are shown as ratios to those of the other checkout,"""
WORST = {"held": (0.97, 9.0), "cpu": (0.0, 1.03)}
"""and where the median of the ratios has to lie."""
ROWS = {
    "p50": "at a steady rate: median, ms",
    "p99": "99th percentile, ms",
    "held": "highest rate held, commands a second",
    "cpu": "server's CPU for a command, µs",
    "client": "clients' core in use at that rate, %",
    "socket": "server's memory for a socket and a quarter of a table, KB",
}


async def measure(name: str, options: argparse.Namespace) -> dict[str, float]:
    """One round with one server."""
    server = Server(name, SERVER_CORE, *([options.before] if name == BEFORE else []))
    try:
        empty = server.memory()
        make = KINDS[name]
        traffic = Traffic([make([server.port], place) for place in range(options.tables)])
        await traffic.connect()
        memory = server.memory() - empty
        gc.collect()
        gc.freeze()
        # The first command of each table begins its game, and is not measured.
        await traffic.steady(options.rate, max(2.0, options.tables / options.rate))
        steady = await traffic.steady(options.rate, options.seconds)
        marks: list[tuple[float, float, float]] = []

        def mark() -> None:
            marks.append((time.perf_counter(), server.cpu_seconds(), time.process_time()))

        full = await traffic.full(options.warm, options.seconds, mark)
        if name != THEIRS:
            stored, sent = server.events(), sum(table.commands for table in traffic.tables)
            if stored != sent + options.tables:
                raise RuntimeError(
                    f"{sent} commands were answered, {stored} events are on the disk"
                )
        traffic.close()
        wall, cpu, client = (end - begin for begin, end in zip(*marks, strict=True))
        cuts = statistics.quantiles(steady, n=100)
        return {
            "p50": 1e3 * cuts[49],
            "p99": 1e3 * cuts[98],
            "held": len(full) / wall,
            "cpu": 1e6 * cpu / len(full),
            "client": 100 * client / wall,
            "socket": memory / (SEATS * options.tables) / 1024,
        }
    finally:
        gc.unfreeze()
        server.stop()


def summary(rounds: list[dict[str, dict[str, float]]]) -> dict[str, Any]:
    """Medians with the extremes, and how often our rate is theirs."""
    found: dict[str, Any] = {}
    for name in rounds[0]:
        found[name] = {row: spread([each[name][row] for each in rounds]) for row in ROWS}
    if THEIRS in rounds[0]:
        found["ratio"] = spread([each[OURS]["held"] / each[THEIRS]["held"] for each in rounds])
    if BEFORE in rounds[0]:
        found["to before"] = {
            row: spread([each[OURS][row] / each[BEFORE][row] for each in rounds], 3)
            for row in COMPARED
        }
    return found


def spread(values: list[float], digits: int = 2) -> list[float]:
    return [round(value, digits) for value in (statistics.median(values), min(values), max(values))]


def show(report: dict[str, Any]) -> None:
    print(report["machine"], report["disk"], sep="\n")
    print(f"\n| {'':<58} |", " | ".join(f"{name:>24}" for name in KINDS if name in report), "|")
    for row, text in ROWS.items():
        cells = [
            "{:,.1f} ({:,.1f} … {:,.1f})".format(*report[name][row])
            for name in KINDS
            if name in report
        ]
        print(f"| {text:<58} |", " | ".join(f"{cell:>24}" for cell in cells), "|")
    if "ratio" in report:
        print(
            "\nBaghdad's rate to boardgame.io's: {:.2f} ({:.2f} … {:.2f})".format(*report["ratio"])
        )
    if "to before" in report:
        print("\nnow to before, median of the rounds (from … to):")
        for row, ratios in report["to before"].items():
            print(f"| {ROWS[row]:<58} |", "{:.3f} ({:.3f} … {:.3f}) |".format(*ratios))


def disk() -> str:
    """The file system of the data folder."""
    mounts = [line.split()[1:3] for line in Path("/proc/mounts").read_text().splitlines()]
    inside = [each for each in mounts if str(FOLDER).startswith(each[0])]
    return f"SQLite on {max(inside, key=lambda each: len(each[0]))[1]}, synchronous=FULL"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--tables", type=int, default=1000, help="of four sockets each")
    parser.add_argument("--rate", type=float, default=300.0, help="steady commands a second")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each measurement")
    parser.add_argument("--warm", type=float, default=5.0, help="seconds before the highest rate")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--ours", action="store_true", help="without boardgame.io")
    parser.add_argument("--before", type=Path, help="beside the server of another checkout")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    names = [OURS] if options.ours else [OURS, THEIRS]
    if options.before is not None:
        options.before = options.before.resolve()
        names = [OURS, BEFORE]
    if THEIRS in names and (problem := install_boardgame()):
        print(problem, file=sys.stderr)
        return 2
    FOLDER.mkdir(parents=True, exist_ok=True)
    many_files(SEATS * options.tables + 500)
    os.sched_setaffinity(0, {CLIENT_CORE})
    if options.before is not None:
        compile_both(options.before)
    rounds = []
    for number in range(options.rounds):
        order = names[::-1] if number % 2 else names  # neither always comes first
        measured = {name: uvloop.run(measure(name, options)) for name in order}
        rounds.append({name: measured[name] for name in names})
        print(f"round {number + 1}: {json.dumps(rounds[-1])}", file=sys.stderr)
    report = summary(rounds) | {
        "machine": describe_machine(),
        "disk": disk(),
        "tables": options.tables,
        "rounds": rounds,
    }
    if options.json:
        print(json.dumps(report))
    else:
        show(report)
    return 0 if as_fast(report.get("to before", {})) else 1


def compile_both(before: Path) -> None:
    """Start each once, so that no round pays for what is compiled at the first start."""
    for name, checkout in ((OURS, ()), (BEFORE, (before,))):
        Server(name, SERVER_CORE, *checkout).stop()


def as_fast(ratios: dict[str, list[float]]) -> bool:
    return all(low <= ratios[row][0] <= high for row, (low, high) in WORST.items() if row in ratios)


if __name__ == "__main__":
    sys.exit(main())
