"""The lobby: tables that anybody may join."""

from baghdad.server.wire.replies import ListedTable, Lobby

from .registry import TableRegistry

LONGEST_LIST = 50
"""Tables in the list: more than anybody reads."""
LOOKED_THROUGH = 1000
"""Tables that may be looked at to find them: many are empty or forgotten, and most are asleep, so
that looking costs next to nothing."""
LISTED_SECONDS = 24 * 3600
"""A table at which nothing has happened for so long is not listed,"""
ABSENT_SECONDS = 600
"""nor one where nobody has been for so long: somebody who comes then would wait alone."""


async def lobby_of(registry: TableRegistry) -> Lobby:
    """Tables that anybody may join, the newest first."""
    found: list[ListedTable] = []
    now = registry.clock.now()
    listed = await registry.storage.lobby(LOOKED_THROUGH, now - 1000 * LISTED_SECONDS)
    for code, created in listed:
        if len(found) == LONGEST_LIST:
            break
        if code not in registry.actors and now - created >= 1000 * ABSENT_SECONDS:
            continue  # nobody is there, and it sleeps
        actor = await registry.actor(code)
        table, seen = actor.table, max(actor.seen.values(), default=created)
        free = sum(seating.kind == "open" for seating in table.chairs)
        waits = bool(actor.present()) or now - seen < 1000 * ABSENT_SECONDS
        if free and table.people and waits:
            host = table.people[table.host].name
            found.append(ListedTable(code, host, table.agreement, free, created))
    return Lobby(tuple(found))
