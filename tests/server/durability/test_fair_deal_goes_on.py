"""The fair deal over silence and restarts: whatever happens between two steps, it goes on."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from baghdad import Game
from baghdad.rules.verdict import verdict
from baghdad.server.domain.agreement import Agreement
from baghdad.server.domain.commands import (
    AnyCommand,
    Bring,
    Join,
    Move,
    NewChair,
    NewTable,
    Resign,
    Start,
)
from baghdad.server.domain.events import Brought, LeftOut, Moved
from baghdad.server.domain.table import Table
from baghdad.server.runtime import registry as registry_module
from baghdad.server.runtime.actor import TableActor
from baghdad.server.runtime.registry import TableRegistry
from baghdad.server.runtime.scheduler import NUMBER_SECONDS
from support.killing import ServerProcess
from support.live_server import sensible
from support.pledges import number_of, promise_of
from support.runtime import (
    ManualClock,
    a_registry,
    happens,
    in_loop,
    send,
    sound,
    stored_events,
    until,
)

DAY = 86_400


async def gathered(
    registry: TableRegistry, players: int, hands: str = "hidden", **agreement: object
) -> TableActor:
    """People on devices of their own, each with a promise; the game has not begun."""
    agreed = Agreement(players=players, hands=hands, start="order", **agreement)  # type: ignore[arg-type]
    welcome = await registry.create(NewTable("Ann", agreed, promise=promise_of(0)))
    for n in range(1, players):
        await registry.join(welcome.code, Join(f"Guest {n}", promise=promise_of(n)), [])
    return await registry.actor(welcome.code)


async def begun(
    registry: TableRegistry, players: int, hands: str = "hidden", **agreement: object
) -> TableActor:
    actor = await gathered(registry, players, hands, **agreement)
    assert (await send(actor, 0, Start())).result == "accepted"
    return actor


async def place(actor: TableActor, moves: int) -> None:
    """So many guards, wherever they may stand."""
    for _ in range(moves):
        seat, game = actor.table.on_turn, actor.table.game
        assert seat is not None
        assert game is not None
        assert (await send(actor, seat, Move(action=game.legal()[0]))).result == "accepted"


def hands_of(table: Table) -> list[int]:
    assert table.game is not None
    return [sum(table.game.hand(seat)) for seat in range(table.game.options.players)]


# Silence


@pytest.mark.parametrize("players", [2, 3, 4])
@in_loop
async def test_a_seat_that_stays_silent_is_left_out(sqlite: str, players: int) -> None:
    clock = ManualClock()
    async with a_registry(sqlite, clock=clock) as registry:
        actor = await begun(registry, players, "seen")
        for person in range(players - 1):
            await send(actor, person, Bring(number_of(person)))
        clock.advance(NUMBER_SECONDS - 0.1)
        await asyncio.sleep(0)
        assert actor.table.on_turn is None
        assert hands_of(actor.table) == [0] * players
        clock.advance(0.1)
        stored = await happens(actor, LeftOut)
        assert isinstance(stored.event, LeftOut)
        assert stored.event.seats == (players - 1,)
        assert sum(hands_of(actor.table)) == sum(range(6, 6 + players))
        assert actor.table.on_turn == 0
        late = await send(actor, players - 1, Bring(number_of(players - 1)))
        assert (late.result, late.key) == ("refused", "server.number_late")
        chair = actor.snapshot(0, (0,)).table.chairs[players - 1]
        assert (chair.promise, chair.number, chair.left_out) == (
            promise_of(players - 1),
            None,
            True,
        )


@in_loop
async def test_the_record_tells_who_withheld_and_the_own_number_proves_it(sqlite: str) -> None:
    clock = ManualClock()
    async with a_registry(sqlite, clock=clock) as registry:
        actor, random = await begun(registry, 2, "seen"), Random(1)
        await send(actor, 0, Bring(number_of(0)))
        clock.advance(NUMBER_SECONDS)
        await happens(actor, LeftOut)
        while actor.table.playing:
            game, seat = actor.table.game, actor.table.on_turn
            assert game is not None
            assert seat is not None
            await send(actor, seat, Move(action=sensible(game.legal(), random)))
        played = Game.from_record(actor.table.finished[-1].record)
        found = verdict(played)
        assert found.fair
        assert found.shares == ("brought", "left_out")
        assert "promised a number and brought none: 2 (Guest 1)" in found.reason
        assert verdict(played, number=number_of(0)).fair
        # The device that did send it knows better than the record.
        lied = verdict(played, number=number_of(1))
        assert not lied.fair
        assert "promised for seat 2, but it was left out" in lied.reason


@in_loop
async def test_while_guards_are_placed_nobody_is_left_out(sqlite: str) -> None:
    """By correspondence a guard may take days; whoever comes to place one brings the number."""
    clock = ManualClock()
    async with a_registry(sqlite, clock=clock) as registry:
        actor = await begun(registry, 2)
        await send(actor, 0, Bring(number_of(0)))
        await place(actor, 4)
        clock.advance(3 * DAY)
        await asyncio.sleep(0)
        assert actor.table.awaited == (1,)
        await send(actor, 1, Bring(number_of(1)))
        await place(actor, 4)
        assert isinstance(actor.recent[-1].stored.event, Moved)
        assert hands_of(actor.table) == [6, 7]


@in_loop
async def test_a_silent_seat_keeps_the_deal_no_longer_than_from_the_start(sqlite: str) -> None:
    clock = ManualClock()
    async with a_registry(sqlite, clock=clock) as registry:
        actor = await begun(registry, 2)
        await send(actor, 0, Bring(number_of(0)))
        clock.advance(NUMBER_SECONDS - 1)
        await place(actor, 8)
        assert actor.table.deal_waits
        assert actor.table.on_turn is None
        clock.advance(1)
        assert (await happens(actor, LeftOut)).event.seats == (1,)  # type: ignore[union-attr]
        # Where it had time enough already, there is no waiting at all.
        actor = await begun(registry, 2)
        await send(actor, 1, Bring(number_of(1)))
        clock.advance(DAY)
        await place(actor, 8)
        clock.advance(0)
        assert (await happens(actor, LeftOut)).event.seats == (0,)  # type: ignore[union-attr]


@in_loop
async def test_clocks_stand_still_while_the_deal_waits(sqlite: str) -> None:
    clock = ManualClock()
    async with a_registry(sqlite, clock=clock) as registry:
        actor = await begun(registry, 2, "seen", move_seconds=60)
        shown_clock = actor.snapshot(0, (0,)).clock
        assert shown_clock is not None
        assert shown_clock.deadline is None
        clock.advance(20)
        for person in (1, 0):
            await send(actor, person, Bring(number_of(person)))
        shown_clock = actor.snapshot(0, (0,)).clock
        assert shown_clock is not None
        assert shown_clock.deadline == clock.now() + 60_000
        assert shown_clock.used == (0, 0)


@in_loop
async def test_a_bot_goes_on_when_the_deal_is_done(sqlite: str) -> None:
    async with a_registry(sqlite, clock=ManualClock()) as registry:
        agreed = Agreement(hands="seen", start=1)
        asked = NewTable("Ann", agreed, (NewChair("bot", level="ali"),), promise=promise_of(0))
        actor = await registry.actor((await registry.create(asked)).code)
        await send(actor, 0, Start())
        assert actor.thinking is None
        await send(actor, 0, Bring(number_of(0)))
        await happens(actor, Moved)


@in_loop
async def test_who_gives_up_while_the_deal_waits_ends_the_game(sqlite: str) -> None:
    clock = ManualClock()
    async with a_registry(sqlite, clock=clock) as registry:
        actor = await begun(registry, 2, "seen")
        await send(actor, 0, Bring(number_of(0)))
        assert (await send(actor, 1, Resign())).result == "accepted"
        assert actor.table.over
        assert actor.table.awaited == ()
        late = await send(actor, 1, Bring(number_of(1)))
        assert (late.result, late.key) == ("refused", "server.number_late")
        clock.advance(NUMBER_SECONDS)
        await asyncio.sleep(0)
        assert hands_of(actor.table) == [0, 0]
        played = Game.from_record(actor.table.finished[-1].record)
        assert verdict(played).shares == ("brought", "left_out")


# Restarts


@asynccontextmanager
async def woken(
    url: str, clock: ManualClock, code: str
) -> AsyncIterator[tuple[TableRegistry, TableActor]]:
    """The server again, after it has stopped."""
    async with a_registry(url, clock=clock) as registry:
        yield registry, await registry.actor(code)


def script(hands: str) -> list[tuple[int, AnyCommand | None]]:
    """All that happens from the start to the first turn; None is a guard, wherever it may stand."""
    bring: list[tuple[int, AnyCommand | None]] = [(n, Bring(number_of(n))) for n in range(3)]
    guards: list[tuple[int, AnyCommand | None]] = [(n % 3, None) for n in range(9)]
    start: list[tuple[int, AnyCommand | None]] = [(0, Start())]
    if hands == "seen":
        return start + bring + guards
    return start + bring[:1] + guards[:4] + bring[1:2] + guards[4:] + bring[2:]


@pytest.mark.parametrize("hands", ["hidden", "seen"])
@in_loop
async def test_a_restart_between_any_two_steps_changes_nothing(
    database: str, monkeypatch: pytest.MonkeyPatch, hands: str
) -> None:
    monkeypatch.setattr(registry_module, "new_seed", lambda: "the same secret")
    clock, ends = ManualClock(), []
    async with a_registry(database, clock=clock) as registry:
        codes = [(await gathered(registry, 3, hands)).table.code for _ in range(2)]
    for code, restarts in zip(codes, (False, True), strict=True):
        todo = script(hands)
        while todo:
            async with woken(database, clock, code) as (registry, actor):
                for person, asked in todo[: 1 if restarts else None]:
                    await step(actor, person, asked)
                todo = todo[1:] if restarts else []
                ends.append(actor)
        kept = await stored_events(database, code)
        sound(code, kept)
        assert sum(isinstance(each.event, Brought) for each in kept) == 3
    straight, broken = (
        next(actor.table for actor in reversed(ends) if actor.table.code == code) for code in codes
    )
    assert straight.game is not None
    assert broken.game is not None
    assert straight.game.tokens == broken.game.tokens
    assert sum(hands_of(broken)) == 6 + 7 + 8
    assert broken.pledges == straight.pledges


async def step(actor: TableActor, person: int, asked: AnyCommand | None) -> None:
    if asked is None:
        await place(actor, 1)
    else:
        assert (await send(actor, person, asked)).result == "accepted"


@in_loop
async def test_a_server_that_is_killed_after_any_step_has_lost_none(
    sqlite: str, tmp_path: Path
) -> None:
    """Two devices and a real server, killed each time that it has answered."""
    server = ServerProcess(sqlite, tmp_path)

    async def ask(path: str, body: object, secret: str = "") -> dict[str, Any]:
        server.start()
        await server.ready()
        headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        async with httpx.AsyncClient(base_url=server.url, headers=headers) as http:
            answer: dict[str, Any] = (await http.post(path, json=body)).json()
        await server.end(signal.SIGKILL)
        return answer

    async def command(person: int, asked: dict[str, Any], version: int = 0) -> dict[str, Any]:
        body = {
            "id": f"{person} {asked['type']}".replace(" ", "-"),
            "version": version,
            "wish": asked,
        }
        return await ask(f"/api/tables/{code}/commands", body, secrets[person])

    try:
        agreed = {"hands": "seen", "start": "order"}
        asked = {"name": "Ann", "agreement": agreed, "promise": promise_of(0)}
        welcome = await ask("/api/tables", asked)
        code, secrets = welcome["code"], [welcome["keys"][0]["secret"]]
        joined = await ask(f"/api/tables/{code}/join", {"name": "Ben", "promise": promise_of(1)})
        secrets.append(joined["keys"][0]["secret"])
        assert (await command(0, {"type": "start"}, 2))["number"] == 3
        for person, number in ((0, 4), (1, 5)):
            bring = {"type": "bring", "number": number_of(person)}
            # The answer was lost with the server: the same again is the same event.
            for _ in range(2):
                assert (await command(person, bring))["number"] == number
        assert (await command(0, {"type": "move", "action": "@R"}, 5))["number"] == 6
    finally:
        server.clean_up()
    kept = await stored_events(sqlite, code)
    sound(code, kept)
    brought = [each.event for each in kept if isinstance(each.event, Brought)]
    assert [(each.seat, each.number) for each in brought] == [(0, number_of(0)), (1, number_of(1))]


@in_loop
async def test_nobody_is_silent_while_the_server_is_away(sqlite: str) -> None:
    clock = ManualClock()
    async with a_registry(sqlite, clock=clock) as registry:
        code = (await begun(registry, 2, "seen")).table.code
    clock.advance(DAY)
    async with woken(sqlite, clock, code) as (registry, actor):
        await send(actor, 1, Bring(number_of(1)))
        clock.advance(NUMBER_SECONDS - 0.1)
        await asyncio.sleep(0)
        assert actor.table.awaited == (0,)
    async with woken(sqlite, clock, code) as (registry, actor):
        clock.advance(NUMBER_SECONDS)
        await happens(actor, LeftOut)
        assert hands_of(actor.table) == [6, 7]
    async with woken(sqlite, clock, code) as (registry, actor):
        assert actor.table.left_out == {0}
        assert actor.table.on_turn == 0


@in_loop
async def test_a_table_that_waits_for_numbers_wakes_up_by_itself(sqlite: str) -> None:
    clock = ManualClock()
    async with a_registry(sqlite, clock=clock) as registry:
        code = (await begun(registry, 2, "seen")).table.code
    async with a_registry(sqlite, clock=clock) as registry:
        await until(lambda: code in registry.actors)
        clock.advance(NUMBER_SECONDS)
        await happens(registry.actors[code], LeftOut)


@pytest.mark.parametrize("first", ["timer", "number"])
@in_loop
async def test_a_number_that_comes_with_the_alarm_counts_once(sqlite: str, first: str) -> None:
    """Both are on their way at once; whichever is first, the cards are dealt once."""
    clock = ManualClock()
    async with a_registry(sqlite, clock=clock) as registry:
        actor = await begun(registry, 2, "seen")
        await send(actor, 0, Bring(number_of(0)))
        bring = send(actor, 1, Bring(number_of(1)))
        if first == "number":
            sent = asyncio.create_task(bring)
            clock.advance(NUMBER_SECONDS)
        else:
            clock.advance(NUMBER_SECONDS)
            sent = asyncio.create_task(bring)
        await until(lambda: sent.done() and not actor.table.deal_waits)
        kept = await stored_events(sqlite, actor.table.code)
        sound(actor.table.code, kept)
        dealt = [e.event for e in kept if isinstance(e.event, Brought | LeftOut)]
        assert sum(bool(each.chance) for each in dealt) == 1
        assert hands_of(actor.table) == [6, 7]
