"""The lobby: a few of everybody's, nobody's talk, and next to no work."""

from typing import Any

import msgspec
import pytest

from baghdad.server.domain.commands import Chat, Emote, Join, Leave, NewTable, Sit
from baghdad.server.runtime import lobby as lobby_module
from baghdad.server.runtime.actor import TableActor
from baghdad.server.runtime.lobby import FRESH_SECONDS, MOST_WOKEN, LobbyList
from baghdad.server.runtime.registry import TableRegistry
from baghdad.server.storage.event_store import EventStore
from support.runtime import ManualClock, a_registry, in_loop, send

LISTED = msgspec.convert({"name": "Ali", "agreement": {"listed": True}}, NewTable)


async def listed(registry: TableRegistry, clock: ManualClock, address: str) -> TableActor:
    clock.advance(0.001)
    return await registry.actor((await registry.create(LISTED, address)).code)


async def codes(registry: TableRegistry, of_one: int = 3) -> list[str]:
    return [each.code for each in (await LobbyList(registry, of_one).get()).tables]


@in_loop
async def test_one_address_has_a_few_rows(database: str) -> None:
    clock = ManualClock()
    async with a_registry(database, clock=clock) as registry:
        other = await listed(registry, clock, "192.0.2.1")
        many = [await listed(registry, clock, "192.0.2.2") for _ in range(60)]
        newest = [each.table.code for each in many[::-1]]
        assert await codes(registry) == [*newest[:3], other.table.code]
        # Full ones take no place.
        for each in many[-2:]:
            await registry.join(each.table.code, Join("Bea"), [])
        assert await codes(registry) == [*newest[2:5], other.table.code]


@in_loop
async def test_talk_lifts_no_table(database: str) -> None:
    clock = ManualClock()
    async with a_registry(database, clock=clock) as registry:
        old, new = [await listed(registry, clock, f"192.0.2.{n}") for n in range(2)]
        order = [new.table.code, old.table.code]
        for talk in (Chat("here!"), Emote("hello"), Sit(colour=2)):
            clock.advance(1)
            assert (await send(old, 0, talk)).result == "accepted"
        assert await codes(registry) == order
        clock.advance(1)
        await registry.join(old.table.code, Join("Bea"), [])
        clock.advance(1)
        assert (await send(old, 1, Leave())).result == "accepted"
        assert await codes(registry) == order[::-1], "somebody was there"


@in_loop
async def test_a_list_is_made_once_however_many_ask(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    query = EventStore.lobby

    async def counted(*given: Any) -> Any:
        asked.append(given)
        return await query(*given)

    monkeypatch.setattr(EventStore, "lobby", counted)
    clock = ManualClock()
    async with a_registry(sqlite, clock=clock) as registry:
        lobby = LobbyList(registry, 3)
        await listed(registry, clock, "192.0.2.1")
        for _ in range(50):
            assert len((await lobby.get()).tables) == 1
        assert len(asked) == 1
        # Whoever sets one up finds it at once, and what others do a second later.
        actor = await listed(registry, clock, "192.0.2.1")
        assert len((await lobby.get()).tables) == 2
        await registry.join(actor.table.code, Join("Bea"), [])
        assert len((await lobby.get()).tables) == 2
        clock.advance(FRESH_SECONDS)
        assert len((await lobby.get()).tables) == 1


@in_loop
async def test_few_are_woken_for_one_list(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby_module, "MOST_WOKEN", MOST_WOKEN // 5)
    clock = ManualClock()
    async with a_registry(sqlite, clock=clock) as registry:
        for n in range(5):
            await listed(registry, clock, f"192.0.2.{n}")
    async with a_registry(sqlite, clock=clock) as registry:  # all of them sleep
        assert [len(await codes(registry)) for _ in range(4)] == [2, 4, 5, 5]


@in_loop
async def test_creators_can_not_be_told_after_a_restart(sqlite: str) -> None:
    """Tables of one address stay together, and nobody finds the address by them."""
    clock, creators = ManualClock(), []
    for _ in range(2):
        async with a_registry(sqlite, clock=clock) as registry:
            pair = [await listed(registry, clock, "192.0.2.1") for _ in range(2)]
            other = await listed(registry, clock, "192.0.2.2")
            first, second = (each.table.creator for each in pair)
            assert first == second != other.table.creator
            creators.append(first)
            kept = [await registry.storage.events(each.table.code) for each in pair]
            assert "192.0.2" not in str(kept)
    assert creators[0] != creators[1]
