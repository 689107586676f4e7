"""R28 where nobody looks: bots that are asked, games that nobody touches, restarts in between."""

import logging
from random import Random

import pytest

from baghdad import Game
from baghdad.rules.engine.actions import ACTIONS, MOVE, PASS_CARDS
from baghdad.rules.views import view_from_bytes
from baghdad.server.domain.commands import (
    AnswerEnd,
    Chat,
    Leave,
    Move,
    NewChair,
    ProposeEnd,
    Resign,
)
from baghdad.server.domain.events import EndAnswered, Ended, EndProposed, Moved, Resigned
from baghdad.server.runtime import scheduler
from baghdad.server.runtime.actor import TableActor
from baghdad.server.runtime.registry import SLEEPY_SECONDS, SWEEP_SECONDS
from support.live_server import sensible
from support.runtime import (
    ManualClock,
    ScriptedBots,
    a_game,
    a_registry,
    happens,
    in_loop,
    send,
    sound,
    stored_events,
    until,
)

DAY = 86_400
HUMAN, BOT = NewChair("human", name="Ben"), NewChair("bot", level="ali")
OTHER = NewChair("bot", level="kasim")


def ending_of(actor: TableActor) -> tuple[bool, str | None, int | None]:
    game = actor.table.game
    assert game is not None
    return game.over, game.termination, game.winner


# Bots are asked


@in_loop
async def test_r28_a_bot_without_hope_agrees(database: str) -> None:
    bots = ScriptedBots()
    bots.hopeless = {"ali", "kasim"}
    async with a_registry(database, bots) as registry:
        actor = await a_game(registry, BOT, OTHER, players=3)
        assert (await send(actor, 0, ProposeEnd())).result == "accepted"
        await until(lambda: actor.table.over)
        assert ending_of(actor) == (True, "agreed", None)
        assert [level for level, _ in bots.proposed] == ["ali", "kasim"]
        # What it is shown is its own seat's, and nobody else's.
        assert [view_from_bytes(view).viewer for _, view in bots.proposed] == [1, 2]
        code = actor.table.code
    sound(code, await stored_events(database, code))


@in_loop
async def test_r28_a_bot_that_hopes_plays_on(sqlite: str) -> None:
    bots = ScriptedBots()
    bots.hopeless = {"ali"}
    async with a_registry(sqlite, bots) as registry:
        actor = await a_game(registry, BOT, OTHER, players=3)
        await send(actor, 0, ProposeEnd())
        await until(lambda: actor.table.proposed is None)
        assert ending_of(actor) == (False, None, None)
        proposal = actor.table.recent_proposal
        assert proposal is not None
        assert (proposal.bots, proposal.refused_seat) == ((1,), 2)
        answers = [each.stored.event for each in actor.recent][-2:]
        assert answers == [EndAnswered(True, seat=1), EndAnswered(False, seat=2)]
        assert (await send(actor, 0, Move(0))).result == "accepted"


@in_loop
async def test_r28_people_and_bots_are_asked_together(sqlite: str) -> None:
    bots = ScriptedBots()
    bots.hopeless = {"ali"}
    async with a_registry(sqlite, bots) as registry:
        actor = await a_game(registry, HUMAN, BOT, players=3)
        await send(actor, 1, ProposeEnd())
        await until(lambda: not actor.table.unanswered[1])
        assert not actor.table.over, "a person is still asked"
        await send(actor, 0, AnswerEnd(yes=True))
        assert ending_of(actor) == (True, "agreed", None)


@in_loop
async def test_r28_a_bot_that_plays_on_for_another_has_no_say(sqlite: str) -> None:
    bots = ScriptedBots()
    async with a_registry(sqlite, bots) as registry:
        actor = await a_game(registry, HUMAN, HUMAN, players=3)
        await send(actor, 1, Resign())
        await send(actor, 2, Leave())
        await send(actor, 0, ProposeEnd())
        assert ending_of(actor) == (True, "agreed", None)
        assert not bots.proposed


@in_loop
async def test_r28_a_restart_while_a_bot_thinks_about_it(database: str) -> None:
    bots = ScriptedBots()
    bots.free.clear()
    async with a_registry(database, bots) as registry:
        actor = await a_game(registry, BOT)
        code = actor.table.code
        await send(actor, 0, ProposeEnd())
        await until(lambda: bool(bots.proposed))
    bots = ScriptedBots()
    bots.hopeless = {"ali"}
    async with a_registry(database, bots) as registry:
        actor = await registry.actor(code)
        await until(lambda: actor.table.over)
        assert ending_of(actor) == (True, "agreed", None)
    sound(code, await stored_events(database, code))


@in_loop
async def test_r28_an_answer_that_comes_too_late_is_none(sqlite: str) -> None:
    bots = ScriptedBots()
    bots.free.clear()
    bots.hopeless = {"ali"}
    async with a_registry(sqlite, bots) as registry:
        actor = await a_game(registry, HUMAN, BOT, players=3)
        await send(actor, 0, ProposeEnd())
        await until(lambda: bool(bots.proposed))
        await send(actor, 1, AnswerEnd(yes=False))
        bots.free.set()
        await until(lambda: actor.asking is None)
        assert not actor.table.over
        assert [each.stored.event for each in actor.recent][-1] == EndAnswered(False, 1)


# Giving up


@in_loop
async def test_r28_a_bot_that_thinks_about_one_proposal_is_asked_about_the_next(
    sqlite: str,
) -> None:
    bots = ScriptedBots()
    async with a_registry(sqlite, bots) as registry:
        actor = await a_game(registry, HUMAN, BOT, players=3)
        bots.hopeless = {"ali"}
        bots.free.clear()
        await send(actor, 0, ProposeEnd())
        await until(lambda: bool(bots.proposed))
        await send(actor, 1, AnswerEnd(yes=False))
        await send(actor, 1, ProposeEnd())
        await send(actor, 0, AnswerEnd(yes=True))
        bots.free.set()
        await until(lambda: actor.table.over)
        assert ending_of(actor) == (True, "agreed", None)
        assert len(bots.proposed) == 2


@in_loop
async def test_r28_giving_up_survives_a_restart(database: str) -> None:
    async with a_registry(database) as registry:
        actor = await a_game(registry, HUMAN, HUMAN, players=3)
        code = actor.table.code
        await send(actor, 1, Resign())
        await send(actor, 0, Move(0))
        await until(lambda: actor.table.on_turn == 2)
    async with a_registry(database) as registry:
        actor = await registry.actor(code)
        assert actor.table.resigned == {1}
        assert actor.table.bot_at(1) == "morgiana"
        assert (await send(actor, 1, Resign())).key == "refusal.has_resigned"
        await send(actor, 2, Move(0))
        await send(actor, 2, Resign())
        await send(actor, 0, Resign())
        assert ending_of(actor) == (True, "resigned", None)
        code = actor.table.code
    sound(code, await stored_events(database, code))


@in_loop
async def test_r28_a_bot_in_the_middle_of_a_thought_goes_on(sqlite: str) -> None:
    bots = ScriptedBots()
    bots.free.clear()
    async with a_registry(sqlite, bots) as registry:
        actor = await a_game(registry, BOT, HUMAN, players=3)
        await send(actor, 0, Move(0))
        await until(lambda: bool(bots.asked))
        await send(actor, 1, Resign())
        bots.free.set()
        await until(lambda: actor.table.on_turn == 0)
        moved = [each.stored.event for each in actor.recent]
        assert [each.seat for each in moved if isinstance(each, Moved)] == [0, 1, 2]


@in_loop
async def test_r28_a_seat_that_wins_for_another_is_told_as_such(sqlite: str) -> None:
    """Whoever gave up is named, is no winner, and is not taken for a bot."""
    random = Random(3)
    bots = ScriptedBots(lambda legal: [sensible(legal, random)])
    async with a_registry(sqlite, bots) as registry:
        actor = await a_game(registry, HUMAN, HUMAN, players=3)
        await send(actor, 1, Resign())
        while actor.table.playing:
            await until(lambda: actor.table.on_turn in (0, 2, None))
            game, seat = actor.table.game, actor.table.on_turn
            if game is None or seat is None:
                break
            # The others only walk about, so that cards come round.
            legal = game.legal()
            walks = [action for action in legal if ACTIONS[action].kind == MOVE]
            ends = [action for action in legal if action in (PASS_CARDS, PASS_CARDS - 1)]
            wanted = walks if walks and random.random() < 0.8 else ends or legal
            await send(actor, seat, Move(random.choice(wanted)))
        game = actor.table.game
        assert game is not None
        assert (game.winner, set(game.resigned), game.termination) == (1, {1}, None)
        lines = [line.key for line in actor.recent[-1].public.lines]
        assert lines[-2:] == ["log.won", "log.lost_all_the_same"]
        (finished,) = actor.table.finished
        assert (finished.winner, finished.resigned) == (1, (1,))
        assert finished.players.names == ("Ann", "Ben", "Ben")
        assert finished.players.bots == (None, None, None)
        again = Game.from_record(finished.record)
        assert (again.result, again.resigned) == ("2", game.resigned)


# Nobody touches it


@in_loop
async def test_r28_after_sixty_days_a_game_is_abandoned(database: str) -> None:
    clock = ManualClock()
    async with a_registry(database, clock=clock) as registry:
        code = (await a_game(registry, HUMAN)).table.code
        clock.advance(59 * DAY)
        await send(await registry.actor(code), 0, Chat("anybody?"))
        clock.advance(59 * DAY)
        assert ending_of(await registry.actor(code)) == (False, None, None)
        clock.advance(DAY + SWEEP_SECONDS)
        actor = await registry.actor(code)
        stored = await happens(actor, Ended)
        assert stored.event == Ended("abandoned")
        assert ending_of(actor) == (True, "abandoned", None)
        assert (await send(actor, 0, Move(0))).key == "refusal.over_abandoned"
    sound(code, await stored_events(database, code))


@in_loop
async def test_r28_it_is_found_asleep(database: str) -> None:
    """A table that has left memory is found, and one that goes on is left alone."""
    clock = ManualClock()
    async with a_registry(database, clock=clock) as registry:
        old, new = [(await a_game(registry, HUMAN)).table.code for _ in range(2)]
        clock.advance(58 * DAY)
        assert old not in registry.actors
        await send(await registry.actor(new), 0, Move(0))
        assert await registry.storage.idle(clock.now() - 2 * DAY * 1000) == [old]
        clock.advance(2 * DAY + SWEEP_SECONDS)
        await until(lambda: old in registry.actors)
        await happens(registry.actors[old], Ended)
        assert not (await registry.actor(new)).table.over
        assert await registry.storage.idle(clock.now()) == [new]
        await until(lambda: not registry.actors[old].busy)
        clock.advance(SLEEPY_SECONDS * 2)
        assert old not in registry.actors, "it sleeps again"


@in_loop
async def test_r28_it_is_found_after_a_restart(database: str) -> None:
    clock = ManualClock()
    async with a_registry(database, clock=clock) as registry:
        code = (await a_game(registry, HUMAN)).table.code
    clock.advance(61 * DAY)
    async with a_registry(database, clock=clock) as registry:
        actor = await registry.actor(code)
        await happens(actor, Ended)
        assert ending_of(actor) == (True, "abandoned", None)


@in_loop
async def test_a_database_that_is_away_is_asked_again(
    sqlite: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from baghdad.server.storage.errors import StorageError
    from baghdad.server.storage.event_store import EventStore

    clock = ManualClock()
    idle = EventStore.idle

    async def away(*_: object) -> list[str]:
        raise StorageError("away")

    async with a_registry(sqlite, clock=clock) as registry:
        code = (await a_game(registry, HUMAN)).table.code
        clock.advance(59 * DAY)
        monkeypatch.setattr(EventStore, "idle", away)
        with caplog.at_level(logging.ERROR):
            clock.advance(DAY + SWEEP_SECONDS)
            await until(lambda: "abandoned games are not looked for" in caplog.text)
        assert code not in registry.actors
        monkeypatch.setattr(EventStore, "idle", idle)
        clock.advance(SWEEP_SECONDS)
        await until(lambda: code in registry.actors)
        await happens(registry.actors[code], Ended)


# Bots alone


@in_loop
async def test_r27_a_game_of_bots_alone_has_a_turn_limit(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler, "MOST_TURNS", 10)
    async with a_registry(sqlite) as registry:
        from baghdad.server.domain.commands import NewTable, Start

        welcome = await registry.create(NewTable("TableRegistry", chairs=(BOT, OTHER), screen=True))
        actor = await registry.actor(welcome.code)
        await send(actor, 0, Start())
        await happens(actor, Ended)
        game = actor.table.game
        assert game is not None
        assert (game.termination, game.winner, game.turns) == ("turn limit", None, 10)
        assert [line.key for line in actor.recent[-1].public.lines] == ["log.stopped"]
        assert Game.from_record(actor.table.finished[-1].record).termination == "turn limit"


@in_loop
async def test_people_play_as_long_as_they_like(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler, "MOST_TURNS", 0)
    async with a_registry(sqlite) as registry:
        actor = await a_game(registry, BOT)
        await send(actor, 0, Move(0))
        await until(lambda: actor.table.on_turn == 0)
        assert not actor.table.over


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
