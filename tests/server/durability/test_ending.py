"""R28 where nobody looks: bots that are asked, games that nobody touches, restarts in between."""

import logging
from random import Random

import pytest

from baghdad import Game
from baghdad.rules.engine.actions import ACTIONS, MOVE, PASS_CARDS
from baghdad.rules.views import view_from_bytes
from baghdad.server.domain.events import (
    EndAnswered,
    Ended,
    EndProposed,
    Moved,
    Resigned,
)
from baghdad.server.runtime import scheduler as minder
from baghdad.server.runtime.actor import Room
from baghdad.server.runtime.registry import SLEEPY_SECONDS, SWEEP_SECONDS
from baghdad.server.wire.messages import (
    AnswerEnd,
    Chat,
    Leave,
    Move,
    NewChair,
    ProposeEnd,
    Resign,
)
from support.halls import (
    Puppets,
    Sandglass,
    a_game,
    a_hall,
    happens,
    in_loop,
    kept_of,
    send,
    sound,
    until,
)
from support.server_helpers import sensible

DAY = 86_400
HUMAN, BOT = NewChair("human", name="Ben"), NewChair("bot", level="ali")
OTHER = NewChair("bot", level="kasim")


def ending_of(room: Room) -> tuple[bool, str | None, int | None]:
    game = room.table.game
    assert game is not None
    return game.over, game.termination, game.winner


# Bots are asked


@in_loop
async def test_r28_a_bot_without_hope_agrees(database: str) -> None:
    players = Puppets()
    players.hopeless = {"ali", "kasim"}
    async with a_hall(database, players) as hall:
        room = await a_game(hall, BOT, OTHER, players=3)
        assert (await send(hall, room, 0, ProposeEnd())).result == "accepted"
        await until(lambda: room.table.over)
        assert ending_of(room) == (True, "agreed", None)
        assert [level for level, _ in players.proposed] == ["ali", "kasim"]
        # What it is shown is its own seat's, and nobody else's.
        assert [view_from_bytes(view).viewer for _, view in players.proposed] == [1, 2]
        code = room.table.code
    sound(code, await kept_of(database, code))


@in_loop
async def test_r28_a_bot_that_hopes_plays_on(sqlite: str) -> None:
    players = Puppets()
    players.hopeless = {"ali"}
    async with a_hall(sqlite, players) as hall:
        room = await a_game(hall, BOT, OTHER, players=3)
        await send(hall, room, 0, ProposeEnd())
        await until(lambda: room.table.proposed is None)
        assert ending_of(room) == (False, None, None)
        proposal = room.table.recent_proposal
        assert proposal is not None
        assert (proposal.bots, proposal.refused_seat) == ((1,), 2)
        answers = [each.entry.event for each in room.recent][-2:]
        assert answers == [EndAnswered(True, seat=1), EndAnswered(False, seat=2)]
        assert (await send(hall, room, 0, Move(0))).result == "accepted"


@in_loop
async def test_r28_people_and_bots_are_asked_together(sqlite: str) -> None:
    players = Puppets()
    players.hopeless = {"ali"}
    async with a_hall(sqlite, players) as hall:
        room = await a_game(hall, HUMAN, BOT, players=3)
        await send(hall, room, 1, ProposeEnd())
        await until(lambda: not room.table.unanswered[1])
        assert not room.table.over, "a person is still asked"
        await send(hall, room, 0, AnswerEnd(yes=True))
        assert ending_of(room) == (True, "agreed", None)


@in_loop
async def test_r28_a_bot_that_plays_on_for_another_has_no_say(sqlite: str) -> None:
    players = Puppets()
    async with a_hall(sqlite, players) as hall:
        room = await a_game(hall, HUMAN, HUMAN, players=3)
        await send(hall, room, 1, Resign())
        await send(hall, room, 2, Leave())
        await send(hall, room, 0, ProposeEnd())
        assert ending_of(room) == (True, "agreed", None)
        assert not players.proposed


@in_loop
async def test_r28_a_restart_while_a_bot_thinks_about_it(database: str) -> None:
    players = Puppets()
    players.free.clear()
    async with a_hall(database, players) as hall:
        room = await a_game(hall, BOT)
        code = room.table.code
        await send(hall, room, 0, ProposeEnd())
        await until(lambda: bool(players.proposed))
    players = Puppets()
    players.hopeless = {"ali"}
    async with a_hall(database, players) as hall:
        room = await hall.room(code)
        await until(lambda: room.table.over)
        assert ending_of(room) == (True, "agreed", None)
    sound(code, await kept_of(database, code))


@in_loop
async def test_r28_an_answer_that_comes_too_late_is_none(sqlite: str) -> None:
    players = Puppets()
    players.free.clear()
    players.hopeless = {"ali"}
    async with a_hall(sqlite, players) as hall:
        room = await a_game(hall, HUMAN, BOT, players=3)
        await send(hall, room, 0, ProposeEnd())
        await until(lambda: bool(players.proposed))
        await send(hall, room, 1, AnswerEnd(yes=False))
        players.free.set()
        await until(lambda: room.asking is None)
        assert not room.table.over
        assert [each.entry.event for each in room.recent][-1] == EndAnswered(False, 1)


# Giving up


@in_loop
async def test_r28_a_bot_that_thinks_about_one_proposal_is_asked_about_the_next(
    sqlite: str,
) -> None:
    players = Puppets()
    async with a_hall(sqlite, players) as hall:
        room = await a_game(hall, HUMAN, BOT, players=3)
        players.hopeless = {"ali"}
        players.free.clear()
        await send(hall, room, 0, ProposeEnd())
        await until(lambda: bool(players.proposed))
        await send(hall, room, 1, AnswerEnd(yes=False))
        await send(hall, room, 1, ProposeEnd())
        await send(hall, room, 0, AnswerEnd(yes=True))
        players.free.set()
        await until(lambda: room.table.over)
        assert ending_of(room) == (True, "agreed", None)
        assert len(players.proposed) == 2


@in_loop
async def test_r28_giving_up_survives_a_restart(database: str) -> None:
    async with a_hall(database) as hall:
        room = await a_game(hall, HUMAN, HUMAN, players=3)
        code = room.table.code
        await send(hall, room, 1, Resign())
        await send(hall, room, 0, Move(0))
        await until(lambda: room.table.on_turn == 2)
    async with a_hall(database) as hall:
        room = await hall.room(code)
        assert room.table.resigned == {1}
        assert room.table.bot_at(1) == "morgiana"
        assert (await send(hall, room, 1, Resign())).key == "refusal.has_resigned"
        await send(hall, room, 2, Move(0))
        await send(hall, room, 2, Resign())
        await send(hall, room, 0, Resign())
        assert ending_of(room) == (True, "resigned", None)
        code = room.table.code
    sound(code, await kept_of(database, code))


@in_loop
async def test_r28_a_bot_in_the_middle_of_a_thought_goes_on(sqlite: str) -> None:
    players = Puppets()
    players.free.clear()
    async with a_hall(sqlite, players) as hall:
        room = await a_game(hall, BOT, HUMAN, players=3)
        await send(hall, room, 0, Move(0))
        await until(lambda: bool(players.asked))
        await send(hall, room, 1, Resign())
        players.free.set()
        await until(lambda: room.table.on_turn == 0)
        moved = [each.entry.event for each in room.recent]
        assert [each.seat for each in moved if isinstance(each, Moved)] == [0, 1, 2]


@in_loop
async def test_r28_a_seat_that_wins_for_another_is_told_as_such(sqlite: str) -> None:
    """Whoever gave up is named, is no winner, and is not taken for a bot."""
    random = Random(3)
    players = Puppets(lambda legal: [sensible(legal, random)])
    async with a_hall(sqlite, players) as hall:
        room = await a_game(hall, HUMAN, HUMAN, players=3)
        await send(hall, room, 1, Resign())
        while room.table.playing:
            await until(lambda: room.table.on_turn in (0, 2, None))
            game, seat = room.table.game, room.table.on_turn
            if game is None or seat is None:
                break
            # The others only walk about, so that cards come round.
            legal = game.legal()
            walks = [action for action in legal if ACTIONS[action].kind == MOVE]
            ends = [action for action in legal if action in (PASS_CARDS, PASS_CARDS - 1)]
            wanted = walks if walks and random.random() < 0.8 else ends or legal
            await send(hall, room, seat, Move(random.choice(wanted)))
        game = room.table.game
        assert game is not None
        assert (game.winner, set(game.resigned), game.termination) == (1, {1}, None)
        lines = [line.key for line in room.recent[-1].public.lines]
        assert lines[-2:] == ["log.won", "log.lost_all_the_same"]
        (finished,) = room.table.finished
        assert (finished.winner, finished.resigned) == (1, (1,))
        assert finished.players.names == ("Ann", "Ben", "Ben")
        assert finished.players.bots == (None, None, None)
        again = Game.from_record(finished.record)
        assert (again.result, again.resigned) == ("2", game.resigned)


# Nobody touches it


@in_loop
async def test_r28_after_sixty_days_a_game_is_abandoned(database: str) -> None:
    watch = Sandglass()
    async with a_hall(database, watch=watch) as hall:
        code = (await a_game(hall, HUMAN)).table.code
        watch.turn(59 * DAY)
        await send(hall, await hall.room(code), 0, Chat("anybody?"))
        watch.turn(59 * DAY)
        assert ending_of(await hall.room(code)) == (False, None, None)
        watch.turn(DAY + SWEEP_SECONDS)
        room = await hall.room(code)
        entry = await happens(room, Ended)
        assert entry.event == Ended("abandoned")
        assert ending_of(room) == (True, "abandoned", None)
        assert (await send(hall, room, 0, Move(0))).key == "refusal.over_abandoned"
    sound(code, await kept_of(database, code))


@in_loop
async def test_r28_it_is_found_asleep(database: str) -> None:
    """A table that has left memory is found, and one that goes on is left alone."""
    watch = Sandglass()
    async with a_hall(database, watch=watch) as hall:
        old, new = [(await a_game(hall, HUMAN)).table.code for _ in range(2)]
        watch.turn(58 * DAY)
        assert old not in hall.rooms
        await send(hall, await hall.room(new), 0, Move(0))
        assert await hall.storage.idle(watch.now() - 2 * DAY * 1000, 10) == [old]
        watch.turn(2 * DAY + SWEEP_SECONDS)
        await until(lambda: old in hall.rooms)
        await happens(hall.rooms[old], Ended)
        assert not (await hall.room(new)).table.over
        assert await hall.storage.idle(watch.now(), 10) == [new]
        await until(lambda: not hall.rooms[old].busy)
        watch.turn(SLEEPY_SECONDS * 2)
        assert old not in hall.rooms, "it sleeps again"


@in_loop
async def test_r28_it_is_found_after_a_restart(database: str) -> None:
    watch = Sandglass()
    async with a_hall(database, watch=watch) as hall:
        code = (await a_game(hall, HUMAN)).table.code
    watch.turn(61 * DAY)
    async with a_hall(database, watch=watch) as hall:
        room = await hall.room(code)
        await happens(room, Ended)
        assert ending_of(room) == (True, "abandoned", None)


@in_loop
async def test_a_database_that_is_away_is_asked_again(
    sqlite: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from baghdad.server.storage.event_store import Storage, StorageError

    watch = Sandglass()
    idle = Storage.idle

    async def away(*_: object) -> list[str]:
        raise StorageError("away")

    async with a_hall(sqlite, watch=watch) as hall:
        code = (await a_game(hall, HUMAN)).table.code
        watch.turn(59 * DAY)
        monkeypatch.setattr(Storage, "idle", away)
        with caplog.at_level(logging.ERROR):
            watch.turn(DAY + SWEEP_SECONDS)
            await until(lambda: "abandoned games are not looked for" in caplog.text)
        assert code not in hall.rooms
        monkeypatch.setattr(Storage, "idle", idle)
        watch.turn(SWEEP_SECONDS)
        await until(lambda: code in hall.rooms)
        await happens(hall.rooms[code], Ended)


# Bots alone


@in_loop
async def test_r27_a_game_of_bots_alone_has_a_turn_limit(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(minder, "MOST_TURNS", 10)
    async with a_hall(sqlite) as hall:
        from baghdad.server.wire.messages import NewTable, Start

        welcome = await hall.create(NewTable("Hall", chairs=(BOT, OTHER), screen=True))
        room = await hall.room(welcome.code)
        await send(hall, room, 0, Start())
        await happens(room, Ended)
        game = room.table.game
        assert game is not None
        assert (game.termination, game.winner, game.turns) == ("turn limit", None, 10)
        assert [line.key for line in room.recent[-1].public.lines] == ["log.stopped"]
        assert Game.from_record(room.table.finished[-1].record).termination == "turn limit"


@in_loop
async def test_people_play_as_long_as_they_like(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(minder, "MOST_TURNS", 0)
    async with a_hall(sqlite) as hall:
        room = await a_game(hall, BOT)
        await send(hall, room, 0, Move(0))
        await until(lambda: room.table.on_turn == 0)
        assert not room.table.over


def test_no_other_event_tells_of_an_ending() -> None:
    """What is stored is small, and is what it was."""
    from baghdad.server.domain.events import decode_event, encode_event

    for event in (
        Resigned(1, 0),
        EndProposed(2),
        EndAnswered(True, 1),
        EndAnswered(False, seat=2),
        Ended("turn limit"),
    ):
        assert decode_event(encode_event(event)) == event
