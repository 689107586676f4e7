"""Clocks, bots that stand in for absent players, and players who come back."""

import asyncio

import msgspec

from baghdad.server.domain.agreement import Agreement
from baghdad.server.domain.commands import Move, NewChair, Return, Undo
from baghdad.server.domain.events import Moved, Returned, StoodIn
from baghdad.server.runtime.scheduler import LONGEST_WAIT
from support.runtime import (
    FakeListener,
    ManualClock,
    ScriptedBots,
    a_game,
    a_registry,
    happens,
    in_loop,
    send,
    until,
)

BEN = NewChair("human", name="Ben")
DAY = 86_400


def test_there_is_no_clock_unless_it_is_wanted() -> None:
    plain = Agreement()
    assert (plain.move_seconds, plain.game_seconds, plain.stand_in) == (None, None, None)


@in_loop
async def test_without_a_clock_nobody_is_replaced(sqlite: str) -> None:
    clock = ManualClock()
    async with a_registry(sqlite, clock=clock) as registry:
        actor = await a_game(registry, BEN)
        clock.advance(30 * DAY)
        await asyncio.sleep(0)
        assert actor.timer is None
        assert actor.table.stand_ins == {}
        assert actor.snapshot(0, (0,)).clock is None


@in_loop
async def test_a_bot_stands_in_when_the_clock_and_the_grace_are_over(sqlite: str) -> None:
    clock, bots = ManualClock(), ScriptedBots()
    async with a_registry(sqlite, bots, clock) as registry:
        actor = await a_game(registry, BEN, move_seconds=30, grace_seconds=10, stand_in="kasim")
        actor.enter(FakeListener(0))  # to be there does not stop a clock
        shown_clock = actor.snapshot(0, (0,)).clock
        assert shown_clock is not None
        assert shown_clock.deadline == clock.now() + 30_000
        clock.advance(39.9)
        await asyncio.sleep(0)
        assert not actor.table.stand_ins
        clock.advance(0.1)
        stored = await happens(actor, StoodIn)
        assert stored.event == StoodIn(0, "kasim")
        assert actor.log[2].lines[0].key == "log.stood_in"
        await until(lambda: actor.table.on_turn == 1)
        assert bots.asked[0][0] == "kasim"
        assert actor.snapshot(1, (1,)).table.chairs[0].stand_in == "kasim"


@in_loop
async def test_a_move_winds_the_clock_up_again(sqlite: str) -> None:
    clock = ManualClock()
    async with a_registry(sqlite, clock=clock) as registry:
        actor = await a_game(registry, BEN, move_seconds=30, grace_seconds=0)
        for seat in (0, 1, 0, 1):
            clock.advance(29.9)
            action = actor.table.game.legal()[0] if actor.table.game else 0
            assert (await send(actor, seat, Move(action=action))).result == "accepted"
        assert not actor.table.stand_ins
        assert actor.table.used == (59_800, 59_800)


@in_loop
async def test_a_clock_for_the_whole_game_runs_in_the_own_turns_only(sqlite: str) -> None:
    clock = ManualClock()
    async with a_registry(sqlite, clock=clock) as registry:
        actor = await a_game(registry, BEN, game_seconds=60, grace_seconds=5)
        clock.advance(50)
        await send(actor, 0, Move(action=0))
        clock.advance(20)
        await send(actor, 1, Move(action=1))
        assert actor.table.used == (50_000, 20_000)
        clock.advance(14.9)
        await asyncio.sleep(0)
        assert not actor.table.stand_ins
        clock.advance(0.1)
        assert (await happens(actor, StoodIn)).event == StoodIn(0, "morgiana")
        assert actor.table.used == (65_000, 20_000)


@in_loop
async def test_who_comes_back_without_time_has_the_grace_alone(sqlite: str) -> None:
    clock, bots = ManualClock(), ScriptedBots()
    bots.free.clear()
    async with a_registry(sqlite, bots, clock) as registry:
        actor = await a_game(registry, BEN, game_seconds=60, grace_seconds=5)
        clock.advance(65)
        await happens(actor, StoodIn)
        clock.advance(1000)
        assert (await send(actor, 0, Return())).result == "accepted"
        assert actor.table.used == (65_000, 0)  # the bot's time is not the player's
        actor.recent.clear()
        clock.advance(4.9)
        await asyncio.sleep(0)
        assert not actor.table.stand_ins
        clock.advance(0.1)
        await happens(actor, StoodIn)


@in_loop
async def test_days_for_play_by_correspondence_survive_a_sleeping_machine(sqlite: str) -> None:
    clock = ManualClock()
    async with a_registry(sqlite, clock=clock) as registry:
        actor = await a_game(registry, BEN, move_seconds=3 * DAY, grace_seconds=DAY)
        # The machine's timers stood still, its clock did not.
        clock._now += 5 * DAY * 1000
        clock.advance(LONGEST_WAIT)
        await happens(actor, StoodIn)


@in_loop
async def test_a_clock_goes_on_over_a_restart(sqlite: str) -> None:
    clock = ManualClock()
    async with a_registry(sqlite, clock=clock) as registry:
        code = (await a_game(registry, BEN, move_seconds=DAY, grace_seconds=0)).table.code
    clock.advance(2 * DAY)
    async with a_registry(sqlite, clock=clock) as registry:
        await until(lambda: code in registry.actors)
        clock.advance(0)
        await happens(registry.actors[code], StoodIn)


@in_loop
async def test_nobody_is_late_while_the_server_is_away(sqlite: str) -> None:
    """Whoever is on turn has the grace to come back in, after a restart and after an outage."""
    clock = ManualClock()
    async with a_registry(sqlite, clock=clock) as registry:
        code = (await a_game(registry, BEN, move_seconds=30, grace_seconds=60)).table.code
    clock.advance(1000)
    async with a_registry(sqlite, clock=clock) as registry:
        await until(lambda: code in registry.actors)
        actor = registry.actors[code]
        clock.advance(59.9)
        await asyncio.sleep(0)
        assert not actor.table.stand_ins
        assert (await send(actor, 0, Move(action=0))).result == "accepted"
        actor.fresh = False  # the database has not answered
        clock.advance(1000)
        await actor._reload()
        clock.advance(59.9)
        await asyncio.sleep(0)
        assert not actor.table.stand_ins
        clock.advance(0.1)
        await happens(actor, StoodIn)


@in_loop
async def test_absence_without_a_clock(sqlite: str) -> None:
    clock = ManualClock()
    async with a_registry(sqlite, clock=clock) as registry:
        actor = await a_game(registry, BEN, stand_in="ali", grace_seconds=60)
        ann = FakeListener(0)
        actor.enter(ann)
        clock.advance(DAY)
        await asyncio.sleep(0)
        assert not actor.table.stand_ins  # who is there may think
        actor.leave(ann)
        clock.advance(40)
        actor.saw((0,))  # over plain HTTP
        clock.advance(40)
        await asyncio.sleep(0)
        assert not actor.table.stand_ins
        clock.advance(20)
        assert (await happens(actor, StoodIn)).event == StoodIn(0, "ali")


@in_loop
async def test_the_player_takes_the_seat_back_while_the_bot_thinks(sqlite: str) -> None:
    clock, bots = ManualClock(), ScriptedBots()
    bots.free.clear()
    async with a_registry(sqlite, bots, clock) as registry:
        actor = await a_game(registry, BEN, move_seconds=30, grace_seconds=0)
        clock.advance(30)
        await until(lambda: len(bots.asked) == 1)
        refused = await send(actor, 0, Move(action=0))
        assert (refused.result, refused.key) == ("refused", "server.stands_in")
        assert (await send(actor, 0, Undo())).key == "server.stands_in"
        assert (await send(actor, 0, Return())).result == "accepted"
        bots.free.set()
        await until(lambda: actor.thinking is None)
        assert isinstance(actor.recent[-1].stored.event, Returned)  # not what the bot wanted
        assert actor.log[-1].lines[0].key == "log.returned"
        assert (await send(actor, 0, Move(action=3))).result == "accepted"
        assert (await send(actor, 0, Return())).key == "server.nobody_stands_in"


@in_loop
async def test_the_player_takes_the_seat_back_in_the_middle_of_the_bots_turn(sqlite: str) -> None:
    clock = ManualClock()
    bots = ScriptedBots(lambda legal: legal[-1:])
    async with a_registry(sqlite, bots, clock) as registry:
        actor = await a_game(registry, BEN, move_seconds=30, grace_seconds=0)
        while actor.table.game is not None and actor.table.game.placing:
            seat = actor.table.on_turn or 0
            await send(actor, seat, Move(action=actor.table.game.legal()[0]))
        bots.choose = lambda legal: [legal[0], legal[0], legal[0]]
        on_turn = actor.table.on_turn
        come_back: list[asyncio.Task[object]] = []

        class Returning(FakeListener):
            def send(self, message: bytes, /) -> None:
                if b'"moved"' in message and not come_back:
                    asked = send(actor, self.person or 0, Return())
                    come_back.append(asyncio.create_task(asked))

        actor.enter(Returning(on_turn))
        clock.advance(30)
        await until(lambda: bool(come_back) and come_back[0].done() and actor.thinking is None)
        kinds = [type(each.stored.event) for each in actor.recent]
        last = len(kinds) - 1 - kinds[::-1].index(StoodIn)
        assert kinds[last:].count(Returned) == 1
        assert kinds[-1] is Returned  # nothing of the bot's plan comes after
        assert 1 <= kinds[last:].count(Moved) <= 2


class Hearing(FakeListener):
    """Somebody who is connected, and remembers who was said to be there."""

    def __init__(self, person: int) -> None:
        super().__init__(person)
        self.heard: list[list[int]] = []

    def send(self, message: bytes, /) -> None:
        told = msgspec.json.decode(message)
        if told["type"] == "present":
            self.heard.append(told["people"])


@in_loop
async def test_the_others_are_told_of_an_absence_after_a_moment_and_bots_at_once(
    sqlite: str,
) -> None:
    clock = ManualClock()
    async with a_registry(sqlite, clock=clock) as registry:
        actor = await a_game(registry, BEN, stand_in="kasim", grace_seconds=0)
        grace = registry.world.limits.absent_seconds
        host, ben = Hearing(0), FakeListener(1)
        actor.enter(host)
        actor.enter(ben)
        for _ in range(20):  # as short polls and networks do
            actor.leave(ben)
            assert actor.present() == (0,)
            assert actor.shown_present() == (0, 1)
            clock.advance(grace / 2)
            actor.enter(ben)
        assert host.heard == [[0], [0, 1]]
        actor.leave(ben)
        clock.advance(grace / 2)
        actor.leave(ben)  # again: counted from the last time
        clock.advance(grace / 2)
        assert host.heard[-1] == [0, 1]
        clock.advance(grace / 2)
        assert host.heard == [[0], [0, 1], [0]]
        clock.advance(1000)
        actor.enter(ben)
        assert host.heard[-1] == [0, 1], "that somebody comes is told at once"
        assert len(host.heard) == 4
        actor.leave(ben)
        actor.leave(host)  # whose turn it is: a bot waits for nobody's network
        clock.advance(0)
        assert isinstance((await happens(actor, StoodIn)).event, StoodIn)
