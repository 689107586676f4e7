"""What so many tables a day need: processors, memory, disk, network, and what that costs."""

from collections.abc import Mapping
from dataclasses import dataclass, fields

from .simulation import Costs

DAY = 86_400.0
MONTH = 30.0
"""Days."""


@dataclass(frozen=True, slots=True)
class Assumptions:
    """What nobody can measure beforehand; each is an option of the command."""

    tables: float = 1e6
    """a day"""
    peak: float = 3.0
    """the busiest minute to the mean of a day"""
    minutes: float = 25.0
    """that a table lasts"""
    sockets: float = 3.0
    """at a table: people and spectators"""
    people_commands: float = 90.0
    """of people at a table, in all: most of a game's actions, and talk"""
    bot_moves: float = 60.0
    """of bots at a table, on average over all tables"""
    bot_seconds: float = 0.0005
    """of a processor for a bot's move, on average"""
    strong_moves: float = 2.0
    """of the strongest opponent, on average over all tables,"""
    strong_seconds: float = 1.0
    """each of which thinks for so long"""
    elsewhere: float = 1.0
    """share of sockets that are not at their table's owner: 1 where the proxy knows nothing"""
    use: float = 0.5
    """of a processor, at the busiest minute, so that others can take over from one that died"""
    keep_days: float = 365.0
    """for which games are kept"""


@dataclass(frozen=True, slots=True)
class Prices:
    """Assumptions as well, in a currency of your choice. They differ by a factor of ten."""

    core_hour: float = 0.03
    spot_core_hour: float = 0.01
    """for bots, which may be taken away at any moment"""
    memory_hour: float = 0.004
    """a GiB"""
    disk_month: float = 0.10
    """a GiB, fast and kept twice"""
    traffic: float = 0.02
    """a GiB that leaves the house"""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Measured bytes."""

    event: float
    """in the database, with its indexes"""
    log: float
    """of the database's log for an event"""
    socket: float
    """of a server's memory, with its share of a table"""
    message: float
    """to a client for an event"""


def plan(
    costs: Costs, sizes: Sizes, world: Assumptions, prices: Prices, group: float
) -> dict[str, float]:
    """`group`: events in a commit at the busiest minute, from the simulation."""
    per_second = world.tables / DAY * world.peak
    events = world.people_commands + world.bot_moves + world.strong_moves
    at_once = per_second * 60 * world.minutes
    commands = per_second * world.people_commands
    appended = per_second * events
    crossing = world.elsewhere * (commands + appended * world.sockets)
    # A bot's move comes without a client, and goes out to those who look on.
    servers = (
        appended * (costs.command + costs.commit / group) + 2 * crossing * costs.relay
    ) / world.use
    database = appended * (costs.database_event + costs.database_commit / group) / world.use
    bus = crossing * costs.bus / world.use
    thinking = per_second * (
        world.bot_moves * world.bot_seconds + world.strong_moves * world.strong_seconds
    )
    memory = at_once * world.sockets * sizes.socket / world.use / 2**30
    kept = world.tables * events * sizes.event * world.keep_days / 2**30
    leaving = world.tables * events * world.sockets * sizes.message / 2**30
    found = {
        "tables at once": at_once,
        "sockets": at_once * world.sockets,
        "commands of people a second": commands,
        "events a second": appended,
        "messages over the bus a second": crossing,
        "processors for servers": servers,
        "GiB of memory for servers": memory,
        "processors for PostgreSQL": database,
        "commits a second": appended / group,
        "MB of log a second": appended * sizes.log / 1e6,
        "GiB of events after all days": kept,
        "processors for NATS": bus,
        "processors for bots": thinking / world.use,
        "GiB to clients a day": leaving,
    }
    hours = 24 * MONTH
    money = {
        "servers": hours * (servers * prices.core_hour + memory * prices.memory_hour),
        "PostgreSQL": hours * 2 * database * prices.core_hour + kept * prices.disk_month,
        "NATS": hours * bus * prices.core_hour,
        # They come and go with the day.
        "bots": hours * thinking / world.peak / world.use * prices.spot_core_hour,
        "network": MONTH * leaving * prices.traffic,
    }
    found |= {f"a month for {name}": each for name, each in money.items()}
    return found | {"a month in all": sum(money.values())}


def described(each: "type[Assumptions] | type[Prices]") -> Mapping[str, float]:
    """Names and what they are unless told."""
    return {field.name: field.default for field in fields(each) if isinstance(field.default, float)}
