"""Writing without a right to, on purpose, through the servers' own way to the database."""

from baghdad.server.domain.events import StoredEvent
from baghdad.server.storage.errors import ConflictError, StorageError
from baghdad.server.storage.event_store import EventStore, async_url

from .ledger import Held


async def intrude(database: str, code: str, held: Held, others: list[str]) -> tuple[int, int]:
    """Attempts to write an event at a table, and how many of them were refused.

    By a process that has no lease; by those that live, but do not own the table; by its owner with
    an epoch of the past. Each believes that the table is its own.
    """
    wrong = [("intruder", held.epoch)]
    wrong += [(other, held.epoch) for other in others if other != held.owner]
    if held.owner is not None:
        wrong.append((held.owner, held.epoch - 1))
    refused = 0
    storage = await EventStore.open(async_url(database))
    try:
        lease = storage.own("intruder", linked=True)
        assert lease is not None
        (last,) = await storage.events(code, held.number - 1, 1)
        for place, (name, epoch) in enumerate(wrong):
            lease.id, lease.epochs[code] = name, epoch
            event = StoredEvent(held.number + 1, last.at, last.event, f"intruder:{place}")
            try:
                await storage.append(code, event, "playing", listed=False)
            except StorageError:
                refused += 1
            except ConflictError:
                pass  # nothing but the number has stopped it
    finally:
        storage.lease = None  # it has none to give back
        await storage.close()
    return len(wrong), refused
