"""The lobby: tables that anybody may join."""

import asyncio
from collections import Counter

from baghdad.server.domain.events import Milliseconds
from baghdad.server.wire.replies import ListedTable, Lobby

from .registry import TableRegistry

LONGEST_LIST = 50
"""Tables in the list: more than anybody reads."""
LOOKED_THROUGH = 1000
"""Tables that may be looked at to find them: many are empty or forgotten, and most are asleep, so
that looking costs next to nothing."""
OF_ONE_LOOKED_THROUGH = 10
"""Of those of one creator: more than are listed, since some may be full."""
MOST_WOKEN = 10
"""For one list: there are any only just after a restart, and the next list has more of them."""
LISTED_SECONDS = 24 * 3600
"""A table at which nobody has come or gone for so long is not listed,"""
ABSENT_SECONDS = 600
"""nor one where nobody has been for so long: somebody who comes then would wait alone."""
FRESH_SECONDS = 1.0
"""For which a list is good, unless a table is set up: however many ask, it is made once."""


class LobbyList:
    """The list, as it was a moment ago."""

    def __init__(self, registry: TableRegistry, of_one: int) -> None:
        self._registry = registry
        self._of_one = of_one
        self._made: Milliseconds | None = None
        self._newest = 0
        self._lobby = Lobby(())
        self._making = asyncio.Lock()

    async def get(self) -> Lobby:
        """Tables that anybody may join; the latest where somebody has come or gone first."""
        async with self._making:
            now, newest = self._registry.clock.now(), self._registry.listed
            old = self._made is None or now - self._made >= 1000 * FRESH_SECONDS
            if old or newest != self._newest:  # whoever has set one up looks whether it is there
                self._lobby = await self._make(now)
                self._made, self._newest = now, newest
        return self._lobby

    async def _make(self, now: Milliseconds) -> Lobby:
        registry, found = self._registry, list[ListedTable]()
        creators, woken = Counter[str](), 0
        listed = await registry.storage.lobby(
            LOOKED_THROUGH, OF_ONE_LOOKED_THROUGH, now - 1000 * LISTED_SECONDS
        )
        for code, created in listed:
            if len(found) == LONGEST_LIST:
                break
            actor = registry.actors.get(code)
            if actor is None:
                if now - created >= 1000 * ABSENT_SECONDS or woken == MOST_WOKEN:
                    continue  # nobody is there, and it sleeps
                woken += 1
                actor = await registry.actor(code)
            table, seen = actor.table, max(actor.seen.values(), default=created)
            creator = table.creator or code
            free = sum(seating.kind == "open" for seating in table.chairs)
            waits = bool(actor.present()) or actor.now() - seen < 1000 * ABSENT_SECONDS
            if free and table.people and waits and creators[creator] < self._of_one:
                creators[creator] += 1
                host = table.people[table.host].name
                found.append(ListedTable(code, host, table.agreement, free, created))
        return Lobby(tuple(found))
