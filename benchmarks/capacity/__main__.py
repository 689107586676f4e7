"""Costs fitted to measurements, a simulation checked against others, and what a day's tables need.

`python -m benchmarks.scale --processes 1 2 --sockets 4 64 4000 --json FILE` measures; then
`python -m benchmarks.capacity FILE [--tables 1e6] [--peak 3] …` shows the costs, how the simulation
compares with the measurements that it was not fitted to, and the plan. Prices and habits are
assumptions: each is an option. Exits with 1 where the simulation is off by more than a third.
`--games 60` lets bots play so many games of each kind, and tells how long they are.
"""

import argparse
import json
import os
import sys
from dataclasses import asdict
from math import ceil
from pathlib import Path
from typing import Any

from .costs import fit, fitted, tables_of, to_check
from .games import play
from .plan import DAY, Assumptions, Prices, Sizes, described, plan
from .simulation import Costs, World

OFF = 1 / 3
"""By how much a simulated rate may differ from a measured one."""
MESSAGE = 750.0
"""Bytes to a socket for a command: 3.0 KB to four, by `python -m benchmarks.load`."""
SECONDS = 5.0
RELAYED = 3.75
"""Messages that cross the bus for a command, where each of four seats is at another server."""
LEVELS = ("kasim", "zubaida", "morgiana", "duban")


def check(measured: dict[str, Any], costs: Costs, processors: int) -> list[dict[str, Any]]:
    """Each measurement that was not fitted to, beside its simulation on the same machine."""
    found = []
    for sockets, servers, figures in to_check(measured):
        world = World(
            costs,
            servers=servers,
            tables=tables_of(sockets),
            processors=processors,
            together=True,
        )
        outcome = world.closed(SECONDS)
        found.append(
            {
                "sockets": sockets,
                "servers": servers,
                "rate": figures["rate"],
                "simulated rate": round(outcome.rate, 1),
                "p50": figures["full p50"],
                "simulated p50": ms(outcome.p50),
                "group": figures["events in a commit"],
                "simulated group": round(outcome.group, 2),
                "to measured": round(outcome.rate / figures["rate"], 2),
            }
        )
    return found


def spread_out(costs: Costs, servers: int, tables: int) -> dict[str, float]:
    """The highest rate where nobody shares a machine."""
    world = World(costs, servers=servers, tables=tables, processors=16, together=False)
    outcome = world.closed(2.0)
    return {
        "servers": servers,
        "rate": round(outcome.rate),
        "p50": ms(outcome.p50),
        "p99": ms(outcome.p99),
        "group": round(outcome.group, 1),
    }


def ms(seconds: float) -> float:
    return round(1e3 * seconds, 1)


def show_table(rows: list[dict[str, Any]]) -> None:
    """In Markdown. Times are in milliseconds, rates in commands a second."""
    print("|", " | ".join(rows[0]), "|")
    print("|", " | ".join("---" for _ in rows[0]), "|")
    for row in rows:
        print("|", " | ".join(f"{value:,}" for value in row.values()), "|")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.capacity", description=__doc__)
    parser.add_argument("measured", type=Path, nargs="*", help="what benchmarks.scale has written")
    parser.add_argument("--games", type=int, default=0, help="of each kind, to see how long")
    parser.add_argument("--processors", type=int, default=os.cpu_count(), help="where it was")
    for kind in (Assumptions, Prices):
        for name, default in described(kind).items():
            parser.add_argument(f"--{name.replace('_', '-')}", type=float, default=default)
    options = parser.parse_args()
    if options.games:
        for level in LEVELS:
            for players in (2, 3, 4):
                print(play(level, players, options.games))
    if not options.measured:
        return 0
    reports = [json.loads(file.read_text()) for file in options.measured]
    report = reports[0]
    measured: dict[str, Any] = {}
    for each in reports:
        for sockets, found in each["Baghdad"].items():
            measured.setdefault(sockets, {}).update(found)
    costs = fit(measured, options.processors)
    print(report["machine"])
    print("\n| fitted | µs |\n| --- | --- |")
    for name, seconds in asdict(costs).items():
        print(f"| {name.replace('_', ' ')} | {1e6 * seconds:,.1f} |")
    checked = check(measured, costs, options.processors)
    print("\nNot fitted to:\n")
    show_table(checked)
    print("\nSimulated, a machine of its own for everybody, each seat at another server:\n")
    show_table([spread_out(costs, servers, 250 * servers) for servers in (1, 2, 4, 8, 16)])
    large = measured[str(fitted(measured)[1][0])]["1"]
    sizes = Sizes(
        event=large["bytes an event"],
        log=large["bytes of log an event"],
        socket=1024 * large["KB a socket"],
        message=MESSAGE,
    )
    world = Assumptions(**{name: getattr(options, name) for name in described(Assumptions)})
    prices = Prices(**{name: getattr(options, name) for name in described(Prices)})
    events = world.people_commands + world.bot_moves + world.strong_moves
    rate = world.tables / DAY * world.peak * events
    # So many servers that none is busier than it should be.
    per_event = costs.command + costs.commit + 2 * RELAYED * costs.relay
    servers = max(2, ceil(rate * per_event / world.use))
    busiest = World(costs, servers=servers, tables=50 * servers, processors=16, together=False)
    outcome = busiest.open(rate, SECONDS / 2)
    print(f"\nThe busiest minute at {servers} servers, simulated:\n")
    show_table(
        [
            {
                "rate": round(outcome.rate),
                "p50": ms(outcome.p50),
                "p99": ms(outcome.p99),
                "group": round(outcome.group, 1),
                "busy": round(outcome.busy, 1),
            }
        ]
    )
    print("\n| assumed | |\n| --- | --- |")
    for name, value in (asdict(world) | asdict(prices)).items():
        print(f"| {name.replace('_', ' ')} | {value:,g} |")
    print("\n| needed | |\n| --- | --- |")
    for name, value in plan(costs, sizes, world, prices, max(1.0, outcome.group)).items():
        print(f"| {name} | {value:,.1f} |")
    off = [line for line in checked if not 1 - OFF <= line["to measured"] <= 1 + OFF]
    for line in off:
        print("OFF:", line)
    return 1 if off else 0


if __name__ == "__main__":
    sys.exit(main())
