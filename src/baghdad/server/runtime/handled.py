"""What became of a table's commands, so that each happens once however often it is sent."""

from baghdad.server.domain.events import EventNumber

MOST_REMEMBERED = 256
"""Commands of a table that are kept in memory: whoever asks again does so within moments. All are
in the storage, so that a table that is played at for years needs no more memory than a new one."""


class HandledCommands:
    """The last commands of a table that were accepted, by id."""

    __slots__ = ("_numbers", "forgotten")

    def __init__(self) -> None:
        self._numbers: dict[str, EventNumber] = {}
        self.forgotten: EventNumber = 0
        """Commands of events up to this one are in the storage alone."""

    def __len__(self) -> int:
        return len(self._numbers)

    def get(self, command_id: str) -> EventNumber | None:
        """The event that a command made, where it is remembered."""
        return self._numbers.get(command_id)

    def add(self, command_id: str, number: EventNumber) -> None:
        self._numbers[command_id] = number
        if len(self._numbers) > MOST_REMEMBERED:
            self.forgotten = self._numbers.pop(next(iter(self._numbers)))

    def may_be_older(self, version: EventNumber | None) -> bool:
        """Whether a command that was sent at this version can have made an event that is forgotten.

        What a command makes comes after all that its sender knew.
        """
        return version is not None and version < self.forgotten
