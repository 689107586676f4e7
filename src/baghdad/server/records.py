"""Finished games as records, and the lobby's list."""

import time

from ..rules.fair import COMMITMENT_HEADER, SEED_HEADER
from .hall import Hall
from .messages import ListedTable, Lobby
from .projection import hidden
from .refusals import RefusedError
from .replays import COLOURS_HEADER, SEATS_HEADER
from .table import Table

LOBBY = 50
"""Tables in the lobby's list: more than anybody reads."""
LOOKED_THROUGH = 1000
"""Tables that may be looked at to find them."""
LOBBY_SECONDS = 24 * 3600
"""A table at which nothing has happened for so long is not listed,"""
ABSENT_SECONDS = 600
"""nor one where nobody has been for so long."""


def record_of(table: Table, *, spectator: bool) -> str:
    """The finished game with its seed. Before the end there is none: it would tell the hands."""
    if table.game is None or not table.game.over:
        raise RefusedError("not_over")
    if spectator and hidden(table):
        raise RefusedError("hidden")
    game = table.game.copy()
    game.headers = headers_of(table)
    return game.record()


def headers_of(table: Table) -> dict[str, str]:
    """Who played where and when, and what proves the deal."""
    return {
        "Event": f"Baghdad {table.code}",
        "Date": time.strftime("%Y-%m-%d", time.gmtime(table.on_since / 1000)),
        SEATS_HEADER: ", ".join(table.names),
        COLOURS_HEADER: ", ".join(str(table.chairs[chair].colour + 1) for chair in table.order),
        SEED_HEADER: table.seed,
        COMMITMENT_HEADER: table.promise,
    }


async def lobby_of(hall: Hall) -> Lobby:
    """Tables that anybody may join, the newest first."""
    found: list[ListedTable] = []
    now = hall.watch.now()
    for code, created in await hall.storage.lobby(LOOKED_THROUGH, now - 1000 * LOBBY_SECONDS):
        if len(found) == LOBBY:
            break
        if code not in hall.rooms and now - created >= 1000 * ABSENT_SECONDS:
            continue  # nobody is there, and it sleeps
        room = await hall.room(code)
        table, seen = room.table, max(room.seen.values(), default=created)
        free = sum(seating.kind == "open" for seating in table.chairs)
        waits = bool(room.present()) or now - seen < 1000 * ABSENT_SECONDS
        if free and table.people and waits:
            host = table.people[table.host].name
            found.append(ListedTable(code, host, table.agreement, free, created))
    return Lobby(tuple(found))
