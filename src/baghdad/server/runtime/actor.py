"""A table in memory: its state, who listens, and what waits to be handled."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from msgspec.structs import replace

from baghdad.server.domain.decisions.world import Outcome
from baghdad.server.domain.events import (
    Created,
    EventNumber,
    Milliseconds,
    PersonNumber,
    Rematched,
    StoredEvent,
)
from baghdad.server.domain.evolution.evolve import evolve
from baghdad.server.domain.table import Table
from baghdad.server.wire.messages import EventMessage
from baghdad.server.wire.projection import Projection, project

from .clock import Timer

RECENT = 32
"""Events that a returning client gets one by one; beyond, it gets a snapshot."""
LONGEST_LOG = 500
"""Lines of the log in a snapshot: longer than nearly all games."""


class StaleError(Exception):
    """The sender did not know the latest events."""


class Listener(Protocol):
    """Somebody who is told what happens at a table."""

    person: PersonNumber | None
    """With whose eyes it looks."""
    people: tuple[PersonNumber, ...]
    """All who share the device: who waits for the others' turn to end is there, too."""

    def tell(self, message: bytes, /) -> None:
        """Must not wait; a slow one is its own problem."""


@dataclass(slots=True)
class PendingCommand:
    """Something that a table is to handle, and who waits for the answer."""

    command: str
    decide: Callable[[Table], Outcome]
    done: Callable[[EventNumber | Exception], None]
    """Told the number of the event that it made, or why there is none."""
    version: EventNumber | None = None
    """What the sender knew; None where that does not matter."""


@dataclass(slots=True)
class TableActor:
    """A table in memory, with all that is not in its events."""

    table: Table
    commands: dict[str, EventNumber] = field(default_factory=dict)
    recent: deque[Projection] = field(default_factory=lambda: deque(maxlen=RECENT))
    log: deque[EventMessage] = field(default_factory=lambda: deque(maxlen=LONGEST_LOG))
    mailbox: deque[PendingCommand] = field(default_factory=deque)
    working: "asyncio.Task[None] | None" = None
    thinking: "asyncio.Task[None] | None" = None
    asking: "asyncio.Task[None] | None" = None
    """Bots think about a proposal to end the game."""
    timer: Timer | None = None
    """Rings when a bot is to stand in for the player on turn."""
    retry: Timer | None = None
    """Rings after a failure, so that the table goes on by itself."""
    listeners: set[Listener] = field(default_factory=set)
    seen: dict[PersonNumber, Milliseconds] = field(default_factory=dict)
    used: Milliseconds = 0
    since: Milliseconds = 0
    """From when on it could be reached: nobody is late for what came before."""
    fresh: bool = True
    """False after a failure whose outcome is unknown: the events must be read again."""

    @property
    def busy(self) -> bool:
        """Whether it must stay in memory."""
        waits = self.timer or self.retry
        works = self.mailbox or self.working or self.thinking or self.asking
        return bool(self.listeners or works or waits)

    def present(self) -> tuple[PersonNumber, ...]:
        """People who are connected, or share a device that is."""
        here = {person for each in self.listeners for person in each.people}
        return tuple(person for person in sorted(self.table.people) if person in here)

    def take_in(self, table: Table, projection: Projection) -> None:
        """Go on to the table after an event that is stored."""
        self.table = table
        self.commands[projection.stored.command] = projection.stored.number
        self.recent.append(projection)
        if isinstance(projection.stored.event, Created | Rematched):
            self.log.clear()
        self.log.append(replace(projection.public, table=None, clock=None))

    def catch_up(self, events: list[StoredEvent]) -> list[Projection]:
        """Take in events that others have stored."""
        found = []
        for each in events:
            after = evolve(self.table, each)
            projection = project(self.table, after, each)
            self.take_in(after, projection)
            found.append(projection)
        return found
