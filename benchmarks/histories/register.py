"""A table's register of events as a sequential model, and a history of it from what was recorded.

The model: events are appended, each by one command or by the server itself, and get the numbers 1,
2, 3 …; nothing is ever changed or taken away.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from .linearizability import OPEN, Operation, Verdict, check

CommandId: TypeAlias = str


@dataclass(frozen=True, slots=True)
class Accepted:
    """A command became this event. `number` is None where no answer told it."""

    command: CommandId
    number: int | None


@dataclass(frozen=True, slots=True)
class Read:
    """Refused, or stale: nothing was appended, and this was the number of the last event."""

    number: int


@dataclass(frozen=True, slots=True)
class Seen:
    """Somebody was sent the event of this number."""

    number: int
    command: CommandId


@dataclass(frozen=True, slots=True)
class Whole:
    """All that is in the database."""

    commands: tuple[CommandId, ...]


What: TypeAlias = Accepted | Read | Seen | Whole


@dataclass(eq=False, slots=True)
class Log:
    """A state: the events so far. Logs with the same events are the same object."""

    number: int = 0
    command: CommandId = ""
    before: "Log | None" = None
    _after: "dict[CommandId, Log]" = field(default_factory=dict)

    def append(self, command: CommandId) -> "Log":
        found = self._after.get(command)
        if found is None:
            found = self._after[command] = Log(self.number + 1, command, self)
        return found

    def at(self, number: int) -> CommandId | None:
        log = self
        while log.number > number and log.before is not None:
            log = log.before
        return log.command if 0 < log.number == number else None

    def commands(self) -> tuple[CommandId, ...]:
        found, log = [], self
        while log.before is not None:
            found.append(log.command)
            log = log.before
        return tuple(reversed(found))


def step(log: Log, what: What) -> Log | None:
    """What the register is after an operation, or None where it can't have been answered so."""
    match what:
        case Accepted(command, number):
            return log.append(command) if number in (None, log.number + 1) else None
        case Read(number):
            return log if number == log.number else None
        case Seen(number, command):
            return log if log.at(number) == command else None
        case Whole(commands):
            return log if len(commands) == log.number and commands == log.commands() else None


def check_register(operations: Sequence[Operation[What]]) -> Verdict[What]:
    """Whether a table's history is linearizable."""
    return check(operations, Log(), step)


# From what was recorded


@dataclass(frozen=True, slots=True)
class Event:
    """A row of the database."""

    number: int
    command: CommandId
    shown: str
    """What a message of it says, by which a message is known to be of this event."""


@dataclass(slots=True)
class Command:
    """A command of somebody, as seen by them. It may have been sent many times."""

    called: float
    answered: float = OPEN
    answer: Accepted | Read | None = None


@dataclass(slots=True)
class Recorded:
    """All that people at a table have asked for and were told."""

    commands: dict[CommandId, Command] = field(default_factory=dict)
    seen: dict[tuple[int, str], float] = field(default_factory=dict)
    """When a message was first heard, by the event's number and what was said of it."""

    def call(self, command: CommandId, at: float) -> None:
        self.commands.setdefault(command, Command(at))

    def answer(self, command: CommandId, at: float, what: Accepted | Read) -> None:
        told = self.commands[command]
        if told.answer is None:
            told.answered, told.answer = at, what

    def see(self, number: int, shown: str, at: float) -> None:
        self.seen.setdefault((number, shown), at)

    def history(self, stored: Iterable[Event], *, reads: bool) -> list[Operation[What]]:
        """With the database's own rows as the last operation.

        `reads`: hold refusals to the moment of their answer as well. What nobody has asked for
        was appended by the server itself, at some time. What was never answered has happened
        exactly if it is in the database, since nothing is ever taken away.
        """
        rows = sorted(stored, key=lambda each: each.number)
        found: list[Operation[What]] = []
        moments = [0.0, *self.seen.values()]
        for each in self.commands.values():
            moments += [each.called, each.answered]
        first, last = min(moments), max(at for at in moments if at < OPEN)
        once: set[CommandId] = set()
        latest = first
        for row in rows:
            if row.command in once:
                continue  # nobody has asked for it twice, so no operation explains this row
            once.add(row.command)
            told = self.commands.get(row.command)
            if told is None:
                # After whatever comes before it: an earlier moment would only cost time.
                found.append(Operation(latest, OPEN, Accepted(row.command, row.number)))
                continue
            latest = max(latest, told.called)
            if told.answer is None:
                found.append(Operation(told.called, OPEN, Accepted(row.command, row.number)))
        found += [
            Operation(told.called, told.answered, told.answer)
            for told in self.commands.values()
            if isinstance(told.answer, Accepted) or (reads and told.answer is not None)
        ]
        shown: Mapping[tuple[int, str], CommandId] = {
            (each.number, each.shown): each.command for each in rows
        }
        for (number, said), at in self.seen.items():
            command = shown.get((number, said), f"never stored: {said}")
            found.append(Operation(at, at, Seen(number, command)))
        whole = Whole(tuple(each.command for each in rows))
        found.append(Operation(last + 1.0, last + 1.0, whole))
        return found
