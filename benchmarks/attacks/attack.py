"""What an attack is: what it needs, what it sends, and how much of it the others may feel."""

import asyncio
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from .server import Server

Facts: TypeAlias = dict[str, Any]
"""What was sent or found, by its name."""

HEADERS_MB = 20.0
"""More memory for an attack on a connection: what a server may need for any busy minute."""
MOST_LOG = 1.0
"""MB that an attack may write into the log: it must not fill a disk."""
OTHERS_SECONDS = 0.25
"""Others may wait so long: a move still feels like an answer."""


class Check(NamedTuple):
    """A goal, in words, and whether it is met."""

    goal: str
    found: str
    met: bool


@dataclass
class Outcome:
    """What one attack has done."""

    sent: Facts
    """By the attacker, and what became of it."""
    seen: Facts = field(default_factory=dict)
    """By those who were attacked: what the attack's own witness and the last look have found."""
    health: Sequence[float] = ()
    """Seconds until others had an answer to `/health`."""
    moves: Sequence[float] = ()
    """Seconds until both players at a table knew of a move."""
    memory: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Of the server and its processes in MB: before, highest, after."""
    calm: float = 0.0
    """The 99th percentile of `/health` in the moment before, as a mark for the machine."""
    logged: float = 0.0
    """MB in the log."""
    leftover: float = 0.0
    """CPU seconds that it worked on after the attack."""
    fell: str = ""
    """Why the server had to be ended, if it had."""
    skipped: str = ""
    """Why it could not be measured on this machine, if it could not."""


class Attack:
    """Something that one visitor does. An instance travels to the attacker's process."""

    name: str
    what: str
    """As in the table of the documents."""
    duration: float = 6.0
    """Seconds for which it is sent."""
    others: float | None = OTHERS_SECONDS
    """Seconds: the 99th percentile of others' waiting must stay below."""
    memory: float | None = None
    """MB: so much more the server may take."""
    leftover: float | None = None
    """CPU seconds: so much it may still have to do when the attacker has gone."""
    files: int | None = None
    """The server's limit of open files."""
    program: Sequence[str] = ("-m", "baghdad")
    """What Python runs as the server."""
    alone: bool = False
    """Whether it meets a server of its own; others share one, each from a new address,"""
    database: str = ""
    """over the same database: an empty one, or one of `databases.KINDS`."""
    plays: bool = True
    """Whether others play at a table meanwhile."""

    def __init__(self, quick: bool = False) -> None:
        self.quick = quick
        self.seconds = self.duration / (2 if quick else 1)
        """How long it is sent."""
        self.address = "127.0.0.2"
        """Where the attacker comes from."""

    def measured(self, server: "Server") -> Outcome | None:
        """The whole of an attack that goes its own way; None where it goes the usual one."""
        return None

    def set_up(self, port: int) -> None:
        """Do what is not measured, before the others are asked."""

    def send(self, port: int) -> Facts:
        """Attack, from an address and in a process of its own."""
        raise NotImplementedError

    async def witness(self, port: int, over: asyncio.Event) -> Facts:
        """What somebody special among the others meets, until it is over."""
        return {}

    def look(self, port: int) -> Facts:
        """A last look at the server, when the attack is over and the witness has gone."""
        return {}

    def checks(self, outcome: Outcome) -> Iterator[Check]:
        """The goals."""
        if outcome.skipped:
            return
        if outcome.fell:
            yield Check("the server stands", outcome.fell, False)
            return
        if self.others is not None:
            yield below("p99 of /health, s", percentile(outcome.health, 99), self.others)
            if self.plays:
                yield below("p99 of moves, s", percentile(outcome.moves, 99), self.others)
        if self.memory is not None:
            more = outcome.memory[1] - outcome.memory[0]
            yield below("memory, MB more", more, self.memory)
        if outcome.logged > MOST_LOG:
            yield below("log, MB", outcome.logged, MOST_LOG)
        if self.leftover is not None:
            yield below("CPU left over, s", outcome.leftover, self.leftover)


def below(what: str, value: float, bound: float) -> Check:
    return Check(f"{what}: under {bound:g}", f"{value:.3g}", value < bound)


def at_most(what: str, value: float, bound: float) -> Check:
    return Check(f"{what}: at most {bound:g}", f"{value:g}", value <= bound)


def percentile(times: Sequence[float], percent: float) -> float:
    """Of all times, so many percent are not longer; where nobody had an answer, infinity."""
    if not times:
        return math.inf
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]
