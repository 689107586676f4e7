"""What was acknowledged, written down as it comes, and compared with the database at the end."""

from collections import defaultdict
from pathlib import Path

from baghdad.server.domain.evolution.evolve import replayed
from baghdad.server.storage.event_store import EventStore, async_url

from .figures import Figures


class Journal:
    """A file, so that a long run needs no memory for it: table, command, number of its event."""

    def __init__(self, file: Path) -> None:
        self._file = file.open("w+")
        self.lines = 0

    def acknowledged(self, code: str, command_id: str, number: int) -> None:
        self.lines += 1
        self._file.write(f"{code} {command_id} {number}\n")

    def read(self) -> dict[str, dict[str, int]]:
        """By table and command: the number."""
        self._file.flush()
        self._file.seek(0)
        found: dict[str, dict[str, int]] = defaultdict(dict)
        for line in self._file:
            code, command_id, number = line.split()
            found[code][command_id] = int(number)
        return found

    def close(self) -> None:
        self._file.close()


async def compare(journal: Journal, database: str, figures: Figures) -> dict[str, int]:
    """Every acknowledged command is there, where it was said to be; every table is a legal game."""
    told = journal.read()
    storage = await EventStore.open(async_url(database))
    events = 0
    try:
        for code, commands in told.items():
            kept = await storage.events(code)
            events += len(kept)
            numbers = {each.command_id: each.number for each in kept}
            for command_id, number in commands.items():
                if numbers.get(command_id) != number:
                    there = numbers.get(command_id)
                    figures.blame("lost", f"{code}: {command_id} was {number}, is {there}")
            if [each.number for each in kept] != list(range(1, len(kept) + 1)):
                figures.blame("unsound", f"{code}: numbers have gaps")
            if len(numbers) != len(kept):
                figures.blame("unsound", f"{code}: a command is there twice")
            try:
                replayed(code, kept)
            except Exception as error:  # whatever it is, the others are still looked at
                figures.blame("unsound", f"{code}: {error!r}")
    finally:
        await storage.close()
    acknowledged = sum(map(len, told.values()))
    return {"tables": len(told), "acknowledged": acknowledged, "events": events}
