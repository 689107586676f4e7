"""What each step costs, from what `python -m benchmarks.scale --json FILE` has measured.

Fitted are one server with the fewest sockets and with the most, and two servers with the most. All
else that was measured is there to check the simulation against.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..load.traffic import SEATS
from .simulation import Costs, World

HALVINGS, FIT_SECONDS = 12, 3.0
Measured = Mapping[str, Mapping[str, Mapping[str, float]]]
"""By sockets, then by servers."""
CROSSING = 2.5
"""Messages that cross the bus for a command between two servers: those to the two seats that are
not at the owner's, and the command itself, which every other time comes from one of these."""


def fitted(measured: Measured) -> list[tuple[int, int]]:
    """Sockets and servers of the measurements that the costs come from."""
    fewest = min(int(sockets) for sockets, found in measured.items() if "1" in found)
    most = max(int(sockets) for sockets, found in measured.items() if "1" in found and "2" in found)
    return [(fewest, 1), (most, 1), (most, 2)]


def fit(measured: Measured, processors: int) -> Costs:
    """Costs of a command and of a commit are told apart by large and small groups of commits.

    What the disk takes is what is missing until simulated commands take as long as measured ones.
    """
    small, large, two = (
        measured[str(sockets)][str(servers)] for sockets, servers in fitted(measured)
    )
    command, commit = apart(small, large, "servers")
    event, database = apart(small, large, "database")
    alone = command + commit / two["events in a commit"]
    relayed = max(0.0, 1e-6 * two["µs of servers"] - alone)
    costs = Costs(
        command=command,
        commit=commit,
        relay=relayed / CROSSING / 2,  # at either end
        database_commit=database,
        database_event=event,
        bus=1e-6 * two["µs of bus"] / CROSSING,
        client=1e-6 * large["µs of clients"],
        disk=0.0,
    )
    tables = tables_of(fitted(measured)[0][0])
    least, most = 0.0, 1e-3 * small["full p50"]
    for _ in range(HALVINGS):
        middle = replace(costs, disk=(least + most) / 2)
        world = World(middle, servers=1, tables=tables, processors=processors, together=True)
        if 1e3 * world.closed(FIT_SECONDS).p50 < small["full p50"]:
            least = middle.disk
        else:
            most = middle.disk
    return replace(costs, disk=(least + most) / 2)


def apart(small: Mapping[str, float], large: Mapping[str, float], what: str) -> tuple[float, float]:
    """Seconds for each command, and for each commit."""
    shares = [1 / each["events in a commit"] for each in (small, large)]
    taken = [1e-6 * each[f"µs of {what}"] for each in (small, large)]
    commit = max(0.0, (taken[0] - taken[1]) / (shares[0] - shares[1]))
    return max(0.0, taken[1] - commit * shares[1]), commit


def to_check(measured: Measured) -> list[tuple[int, int, Mapping[str, Any]]]:
    """What was measured and not fitted to: sockets, servers, the figures."""
    used = fitted(measured)
    return [
        (int(sockets), int(servers), figures)
        for sockets, by_servers in measured.items()
        for servers, figures in by_servers.items()
        if (int(sockets), int(servers)) not in used
    ]


def tables_of(sockets: int) -> int:
    return sockets // SEATS
