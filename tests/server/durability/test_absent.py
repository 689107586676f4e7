"""Clocks, bots that stand in for absent players, and players who come back."""

import asyncio

from baghdad.server.domain.events import (
    Agreement,
    Moved,
    Returned,
    StoodIn,
)
from baghdad.server.runtime.scheduler import LONGEST_WAIT
from baghdad.server.wire.messages import (
    Move,
    NewChair,
    Return,
    Undo,
)
from support.halls import (
    Ear,
    Puppets,
    Sandglass,
    a_game,
    a_hall,
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
    watch = Sandglass()
    async with a_hall(sqlite, watch=watch) as hall:
        room = await a_game(hall, BEN)
        watch.turn(30 * DAY)
        await asyncio.sleep(0)
        assert room.alarm is None
        assert room.table.stand_ins == {}
        assert hall.snapshot(room, 0, (0,)).clock is None


@in_loop
async def test_a_bot_stands_in_when_the_clock_and_the_grace_are_over(sqlite: str) -> None:
    watch, players = Sandglass(), Puppets()
    async with a_hall(sqlite, players, watch) as hall:
        room = await a_game(hall, BEN, move_seconds=30, grace_seconds=10, stand_in="kasim")
        hall.enter(room, Ear(0))  # to be there does not stop a clock
        clock = hall.snapshot(room, 0, (0,)).clock
        assert clock is not None
        assert clock.deadline == watch.now() + 30_000
        watch.turn(39.9)
        await asyncio.sleep(0)
        assert not room.table.stand_ins
        watch.turn(0.1)
        entry = await happens(room, StoodIn)
        assert entry.event == StoodIn(0, "kasim")
        assert room.log[2].lines[0].key == "log.stood_in"
        await until(lambda: room.table.on_turn == 1)
        assert players.asked[0][0] == "kasim"
        assert hall.snapshot(room, 1, (1,)).table.chairs[0].stand_in == "kasim"


@in_loop
async def test_a_move_winds_the_clock_up_again(sqlite: str) -> None:
    watch = Sandglass()
    async with a_hall(sqlite, watch=watch) as hall:
        room = await a_game(hall, BEN, move_seconds=30, grace_seconds=0)
        for seat in (0, 1, 0, 1):
            watch.turn(29.9)
            action = room.table.game.legal()[0] if room.table.game else 0
            assert (await send(hall, room, seat, Move(action=action))).result == "accepted"
        assert not room.table.stand_ins
        assert room.table.used == (59_800, 59_800)


@in_loop
async def test_a_clock_for_the_whole_game_runs_in_the_own_turns_only(sqlite: str) -> None:
    watch = Sandglass()
    async with a_hall(sqlite, watch=watch) as hall:
        room = await a_game(hall, BEN, game_seconds=60, grace_seconds=5)
        watch.turn(50)
        await send(hall, room, 0, Move(action=0))
        watch.turn(20)
        await send(hall, room, 1, Move(action=1))
        assert room.table.used == (50_000, 20_000)
        watch.turn(14.9)
        await asyncio.sleep(0)
        assert not room.table.stand_ins
        watch.turn(0.1)
        assert (await happens(room, StoodIn)).event == StoodIn(0, "morgiana")
        assert room.table.used == (65_000, 20_000)


@in_loop
async def test_who_comes_back_without_time_has_the_grace_alone(sqlite: str) -> None:
    watch, players = Sandglass(), Puppets()
    players.free.clear()
    async with a_hall(sqlite, players, watch) as hall:
        room = await a_game(hall, BEN, game_seconds=60, grace_seconds=5)
        watch.turn(65)
        await happens(room, StoodIn)
        watch.turn(1000)
        assert (await send(hall, room, 0, Return())).result == "accepted"
        assert room.table.used == (65_000, 0)  # the bot's time is not the player's
        room.recent.clear()
        watch.turn(4.9)
        await asyncio.sleep(0)
        assert not room.table.stand_ins
        watch.turn(0.1)
        await happens(room, StoodIn)


@in_loop
async def test_days_for_play_by_correspondence_survive_a_sleeping_machine(sqlite: str) -> None:
    watch = Sandglass()
    async with a_hall(sqlite, watch=watch) as hall:
        room = await a_game(hall, BEN, move_seconds=3 * DAY, grace_seconds=DAY)
        # The machine's timers stood still, its clock did not.
        watch._now += 5 * DAY * 1000
        watch.turn(LONGEST_WAIT)
        await happens(room, StoodIn)


@in_loop
async def test_a_clock_goes_on_over_a_restart(sqlite: str) -> None:
    watch = Sandglass()
    async with a_hall(sqlite, watch=watch) as hall:
        code = (await a_game(hall, BEN, move_seconds=DAY, grace_seconds=0)).table.code
    watch.turn(2 * DAY)
    async with a_hall(sqlite, watch=watch) as hall:
        await until(lambda: code in hall.rooms)
        watch.turn(0)
        await happens(hall.rooms[code], StoodIn)


@in_loop
async def test_nobody_is_late_while_the_server_is_away(sqlite: str) -> None:
    """Whoever is on turn has the grace to come back in, after a restart and after an outage."""
    watch = Sandglass()
    async with a_hall(sqlite, watch=watch) as hall:
        code = (await a_game(hall, BEN, move_seconds=30, grace_seconds=60)).table.code
    watch.turn(1000)
    async with a_hall(sqlite, watch=watch) as hall:
        await until(lambda: code in hall.rooms)
        room = hall.rooms[code]
        watch.turn(59.9)
        await asyncio.sleep(0)
        assert not room.table.stand_ins
        assert (await send(hall, room, 0, Move(action=0))).result == "accepted"
        room.fresh = False  # the database has not answered
        watch.turn(1000)
        await hall._reload(room)
        watch.turn(59.9)
        await asyncio.sleep(0)
        assert not room.table.stand_ins
        watch.turn(0.1)
        await happens(room, StoodIn)


@in_loop
async def test_absence_without_a_clock(sqlite: str) -> None:
    watch = Sandglass()
    async with a_hall(sqlite, watch=watch) as hall:
        room = await a_game(hall, BEN, stand_in="ali", grace_seconds=60)
        ann = Ear(0)
        hall.enter(room, ann)
        watch.turn(DAY)
        await asyncio.sleep(0)
        assert not room.table.stand_ins  # who is there may think
        hall.leave(room, ann)
        watch.turn(40)
        hall.saw(room, (0,))  # over plain HTTP
        watch.turn(40)
        await asyncio.sleep(0)
        assert not room.table.stand_ins
        watch.turn(20)
        assert (await happens(room, StoodIn)).event == StoodIn(0, "ali")


@in_loop
async def test_the_player_takes_the_seat_back_while_the_bot_thinks(sqlite: str) -> None:
    watch, players = Sandglass(), Puppets()
    players.free.clear()
    async with a_hall(sqlite, players, watch) as hall:
        room = await a_game(hall, BEN, move_seconds=30, grace_seconds=0)
        watch.turn(30)
        await until(lambda: len(players.asked) == 1)
        refused = await send(hall, room, 0, Move(action=0))
        assert (refused.result, refused.key) == ("refused", "server.stands_in")
        assert (await send(hall, room, 0, Undo())).key == "server.stands_in"
        assert (await send(hall, room, 0, Return())).result == "accepted"
        players.free.set()
        await until(lambda: room.thinking is None)
        assert isinstance(room.recent[-1].entry.event, Returned)  # what the bot wanted is forgotten
        assert room.log[-1].lines[0].key == "log.returned"
        assert (await send(hall, room, 0, Move(action=3))).result == "accepted"
        assert (await send(hall, room, 0, Return())).key == "server.nobody_stands_in"


@in_loop
async def test_the_player_takes_the_seat_back_in_the_middle_of_the_bots_turn(sqlite: str) -> None:
    watch = Sandglass()
    players = Puppets(lambda legal: legal[-1:])
    async with a_hall(sqlite, players, watch) as hall:
        room = await a_game(hall, BEN, move_seconds=30, grace_seconds=0)
        while room.table.game is not None and room.table.game.placing:
            seat = room.table.on_turn or 0
            await send(hall, room, seat, Move(action=room.table.game.legal()[0]))
        players.choose = lambda legal: [legal[0], legal[0], legal[0]]
        on_turn = room.table.on_turn
        come_back: list[asyncio.Task[object]] = []

        class Returning(Ear):
            def tell(self, message: bytes, /) -> None:
                if b'"moved"' in message and not come_back:
                    asked = send(hall, room, self.person or 0, Return())
                    come_back.append(asyncio.create_task(asked))

        hall.enter(room, Returning(on_turn))
        watch.turn(30)
        await until(lambda: bool(come_back) and come_back[0].done() and room.thinking is None)
        kinds = [type(each.entry.event) for each in room.recent]
        last = len(kinds) - 1 - kinds[::-1].index(StoodIn)
        assert kinds[last:].count(Returned) == 1
        assert kinds[-1] is Returned  # nothing of the bot's plan comes after
        assert 1 <= kinds[last:].count(Moved) <= 2
