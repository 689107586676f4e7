"""What the database says, asked for past every cable: whose tables are, and what was written."""

from dataclasses import dataclass

import asyncpg

WATCH = """
CREATE TABLE taken (code text, owner text, epoch bigint);
CREATE FUNCTION note_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN INSERT INTO taken VALUES (NEW.code, NEW.owner, NEW.epoch); RETURN NULL; END $$;
CREATE TRIGGER note_owner AFTER INSERT OR UPDATE OF epoch ON tables
    FOR EACH ROW EXECUTE FUNCTION note_owner();
"""
NOW = "extract(epoch FROM clock_timestamp()) * 1000"


@dataclass(frozen=True, slots=True)
class Held:
    """A table as its row has it."""

    owner: str | None
    epoch: int
    number: int
    """Of its last event."""


class Ledger:
    """Questions to the database, each over a connection of its own: it may be away in between."""

    def __init__(self, url: str) -> None:
        self._url = url

    async def _ask(self, query: str, *values: object) -> "list[asyncpg.Record]":
        connection = await asyncpg.connect(self._url, timeout=20, command_timeout=60)
        try:
            found: list[asyncpg.Record] = await connection.fetch(query, *values)
            return found
        finally:
            await connection.close()

    async def processes(self) -> set[str]:
        """Those that hold a lease."""
        return {row[0] for row in await self._ask(f"SELECT id FROM processes WHERE until > {NOW}")}

    async def tables(self) -> dict[str, Held]:
        rows = await self._ask(
            "SELECT code, owner, epoch, (SELECT max(number) FROM events WHERE table_code = code)"
            " FROM tables"
        )
        return {row[0]: Held(row[1], row[2], row[3] or 0) for row in rows}

    async def watch(self) -> None:
        """From now on every change of an owner is written down, with its transaction."""
        connection = await asyncpg.connect(self._url)
        try:
            await connection.execute(WATCH)
        finally:
            await connection.close()

    async def written_without_lease(self) -> list[tuple[str, int]]:
        """Events that were committed after their table had been given to another process.

        By the moments of the commits, and by the epochs: none is older than the one of an event
        before it, none newer than the table's own.
        """
        rows = await self._ask(
            "SELECT table_code, number FROM (SELECT table_code, number, events.epoch,"
            " max(events.epoch) OVER (PARTITION BY table_code ORDER BY number) AS newest,"
            " tables.epoch AS last, pg_xact_commit_timestamp(events.xmin) AS committed,"
            " (SELECT min(pg_xact_commit_timestamp(taken.xmin)) FROM taken"
            "  WHERE taken.code = table_code AND taken.epoch > events.epoch) AS lost"
            " FROM events JOIN tables ON tables.code = table_code) AS each"
            " WHERE epoch < newest OR epoch > last OR committed > lost OR epoch IS NULL"
            " ORDER BY table_code, number"
        )
        return [(row[0], row[1]) for row in rows]

    async def takeovers(self) -> int:
        """Times that a table has changed hands, or was taken for the first time."""
        return int((await self._ask("SELECT coalesce(sum(epoch), 0) FROM tables"))[0][0])
