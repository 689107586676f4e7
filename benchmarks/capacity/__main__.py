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
from pathlib import Path
from typing import Any

from .costs import fit, tables_of, to_check
from .games import play
from .plan import DAY, Assumptions, Prices, Sizes, described, plan
from .simulation import Costs, World

OFF = 1 / 3
"""By how much a simulated rate may differ from a measured one."""
MESSAGE = 750.0
"""Bytes to a socket for a command: 3.0 KB to four, by `python -m benchmarks.load`."""
SECONDS = 5.0
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
                "simulated p50": round(1e3 * outcome.p50, 2),
                "group": figures["events in a commit"],
                "simulated group": round(outcome.group, 2),
                "to measured": round(outcome.rate / figures["rate"], 2),
            }
        )
    return found


def spread_out(costs: Costs, servers: int, tables: int) -> dict[str, float]:
    """The highest rate with machines of their own for everybody."""
    world = World(costs, servers=servers, tables=tables, processors=16, together=False)
    outcome = world.closed(2.0)
    return {
        "servers": servers,
        "rate": round(outcome.rate),
        "p50": round(1e3 * outcome.p50, 1),
        "p99": round(1e3 * outcome.p99, 1),
        "group": round(outcome.group, 1),
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.capacity", description=__doc__)
    parser.add_argument("measured", type=Path, nargs="?", help="what benchmarks.scale has written")
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
    if options.measured is None:
        return 0
    report = json.loads(options.measured.read_text())
    measured = report["Baghdad"]
    costs = fit(measured)
    print(report["machine"])
    print("\nFitted, µs:", {name: round(1e6 * each, 1) for name, each in asdict(costs).items()})
    checked = check(measured, costs, options.processors)
    print("\nNot fitted to:")
    for line in checked:
        print(" ", line)
    print("\nSimulated, machines for everybody, each seat at another server:")
    for servers in (1, 2, 4, 8, 16):
        print(" ", spread_out(costs, servers, 250 * servers))
    large = measured[str(max(map(int, measured)))]["1"]
    sizes = Sizes(
        event=large["bytes an event"],
        log=large["bytes of log an event"],
        socket=1024 * large["KB a socket"],
        message=MESSAGE,
    )
    world, prices = (
        kind(**{name: getattr(options, name) for name in described(kind)})
        for kind in (Assumptions, Prices)
    )
    assert isinstance(world, Assumptions)
    assert isinstance(prices, Prices)
    events = world.people_commands + world.bot_moves + world.strong_moves
    rate = world.tables / DAY * world.peak * events
    # Rounds of so many servers as are not busier than they should be.
    servers = max(2, round(rate * (costs.command + 6 * costs.relay) / world.use))
    busiest = World(costs, servers=servers, tables=50 * servers, processors=16, together=False)
    outcome = busiest.open(rate, 2.0)
    print(f"\nThe busiest minute, {rate:.0f} events a second at {servers} servers: {outcome}")
    print("\nAssumed:", asdict(world), asdict(prices))
    for name, value in plan(costs, sizes, world, prices, max(1.0, outcome.group)).items():
        print(f"  {name:<36} {value:>14,.1f}")
    off = [line for line in checked if not 1 - OFF <= line["to measured"] <= 1 + OFF]
    for line in off:
        print("OFF:", line)
    return 1 if off else 0


if __name__ == "__main__":
    sys.exit(main())
