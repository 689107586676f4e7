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
    found = []
    for code, created in await hall.storage.lobby(LOBBY):
        table = (await hall.room(code)).table
        free = sum(seating.kind == "open" for seating in table.chairs)
        if free and table.people:
            host = table.people[table.host].name
            found.append(ListedTable(code, host, table.agreement, free, created))
    return Lobby(tuple(found))
