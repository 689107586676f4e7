"""The lobby: tables that anybody may join."""

import asyncio
from collections import Counter

import msgspec
from msgspec import Struct

from baghdad.server.domain.events import Milliseconds
from baghdad.server.storage.errors import ElsewhereError
from baghdad.server.wire.replies import ListedTable, Lobby

from .members import Members
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
QUESTION = "lobby"
HERE = ""
FRESH_SECONDS = 1.0
"""For which a list is good, unless a table is set up: however many ask, it is made once."""


class Line(Struct, frozen=True):
    """A table of the list, and whose it is."""

    table: ListedTable
    creator: str


decode_codes = msgspec.msgpack.Decoder(list[tuple[str, Milliseconds]]).decode
decode_lines = msgspec.msgpack.Decoder(list[Line]).decode


class LobbyList:
    """The list, as it was a moment ago."""

    def __init__(
        self, registry: TableRegistry, of_one: int, members: Members | None = None
    ) -> None:
        """`members`: other processes, which know what goes on at tables of theirs."""
        self._registry = registry
        self._of_one = of_one
        self._members = members
        self._made: Milliseconds | None = None
        self._newest = 0
        self._lobby = Lobby(())
        self._making = asyncio.Lock()
        if members is not None:
            members.answers[QUESTION] = self._answer

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
        listed = await self._registry.storage.lobby(
            LOOKED_THROUGH, OF_ONE_LOOKED_THROUGH, now - 1000 * LISTED_SECONDS
        )
        living = set() if self._members is None else self._members.living
        asked: dict[str, list[tuple[str, Milliseconds]]] = {}
        for code, created, owner in listed:
            asked.setdefault(owner if owner in living else HERE, []).append((code, created))
        answers = await asyncio.gather(*(self._ask(*each) for each in asked.items()))
        lines = {line.table.code: line for answer in answers for line in answer}
        found, creators = list[ListedTable](), Counter[str]()
        for code, _, _ in listed:
            line = lines.get(code)
            if len(found) == LONGEST_LIST:
                break
            if line is not None and creators[line.creator] < self._of_one:
                creators[line.creator] += 1
                found.append(line.table)
        return Lobby(tuple(found))

    async def _ask(self, owner: str, codes: list[tuple[str, Milliseconds]]) -> list[Line]:
        if owner == HERE:
            return await self._lines(codes)
        assert self._members is not None, "else there are no others"
        assert self._members.links is not None, "else there are no others"
        try:
            body = msgspec.msgpack.encode(codes)
            return decode_lines(await self._members.links.ask(owner, QUESTION, body))
        except (TimeoutError, msgspec.MsgspecError):
            return []  # they come with the next list

    async def _answer(self, body: bytes) -> bytes:
        codes = decode_codes(body)
        return msgspec.msgpack.encode(await self._lines(codes))

    async def _lines(self, codes: list[tuple[str, Milliseconds]]) -> list[Line]:
        """Of tables here: those that anybody may join, and where somebody waits."""
        registry, now = self._registry, self._registry.clock.now()
        found, woken = list[Line](), 0
        creators = Counter[str]()
        for code, created in codes:
            if len(found) == LONGEST_LIST:
                break
            actor = registry.actors.get(code)
            if actor is None:
                if now - created >= 1000 * ABSENT_SECONDS or woken == MOST_WOKEN:
                    continue  # nobody is there, and it sleeps
                woken += 1
                try:
                    actor = await registry.actor(code)
                except ElsewhereError:
                    continue  # it has just moved
            table, seen = actor.table, max(actor.seen.values(), default=created)
            creator = table.creator or code
            free = sum(seating.kind == "open" for seating in table.chairs)
            waits = bool(actor.present()) or actor.now() - seen < 1000 * ABSENT_SECONDS
            if free and table.people and waits and creators[creator] < self._of_one:
                creators[creator] += 1
                host = table.people[table.host].name
                found.append(Line(ListedTable(code, host, table.agreement, free, created), creator))
        return found
