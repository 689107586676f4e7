"""Bots think in processes of their own, see what their seat sees, and never cost a game."""

import asyncio
import hashlib
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from baghdad import Game
from baghdad.rules.engine.actions import PASS_CARDS, PASS_WITH_DANCER
from baghdad.rules.views import view_from_bytes
from baghdad.server.domain.events import Moved
from baghdad.server.runtime import bot_pool as players_module
from baghdad.server.runtime.actor import Room
from baghdad.server.runtime.bot_pool import Players, Thinker
from baghdad.server.runtime.bot_worker import Question, framed
from baghdad.server.wire.messages import Chat, Move, NewChair
from support import odd_bots
from support.halls import (
    Puppets,
    a_game,
    a_hall,
    in_loop,
    kept_of,
    send,
    sound,
    until,
)

ODD = {bot.__name__.lower(): bot.__name__ for bot in odd_bots.Odd.__subclasses__()}


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that brings the odd bots, for this process and for those of the bots."""
    about = tmp_path / "odd_bots-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: odd-bots\nVersion: 1.0\n")
    lines = [f"{bot} = odd_bots:{name}" for bot, name in ODD.items()]
    (about / "entry_points.txt").write_text("[baghdad.bots]\n" + "\n".join(lines))
    paths = [str(tmp_path), str(Path(odd_bots.__file__).parent), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    monkeypatch.setenv("BAGHDAD_PLAIN", "1")  # bots are not odd while they warm up
    monkeypatch.syspath_prepend(str(tmp_path))


def bots_moves(room: Room) -> list[Moved]:
    moved = [each.entry.event for each in room.recent]
    return [each for each in moved if isinstance(each, Moved) and each.seat == 1]


@pytest.mark.parametrize("level", sorted({*ODD} - {"printing"}))
@in_loop
async def test_a_bot_without_a_legal_answer_is_replaced(sqlite: str, level: str) -> None:
    async with a_hall(sqlite, Players(1, spare=0.2)) as hall:
        room = await a_game(hall, NewChair("bot", level=level))
        for _ in range(2):
            assert room.table.game is not None
            moved = await send(hall, room, 0, Move(action=room.table.game.legal()[0]))
            assert moved.result == "accepted"
            await until(lambda: room.table.on_turn == 0 and room.thinking is None)
        assert [each.instead for each in bots_moves(room)] == [True, True]
        assert [each.lines[0].key for each in room.log if each.seat == 1] == ["log.instead"] * 2
        sound(room.table.code, await kept_of(sqlite, room.table.code))


@in_loop
async def test_a_server_that_stops_leaves_no_bot_behind(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    starting = asyncio.Event()
    start = asyncio.create_subprocess_exec

    async def told(*arguments: Any, **options: Any) -> asyncio.subprocess.Process:
        starting.set()
        return await start(*arguments, **options)

    monkeypatch.setattr(asyncio, "create_subprocess_exec", told)
    async with a_hall(sqlite, Players(1)) as hall:
        room = await a_game(hall, NewChair("bot", level="kasim"))
        assert room.table.game is not None
        await send(hall, room, 0, Move(action=room.table.game.legal()[0]))
        await starting.wait()
        await hall.close()  # while the process is not there yet
        assert room.thinking is None


@in_loop
async def test_bots_get_ready_before_they_are_on_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    exchange = Thinker._exchange

    async def listened(thinker: Thinker, question: Question, seconds: float) -> list[int]:
        asked.append(question.level)
        return await exchange(thinker, question, seconds)

    monkeypatch.setattr(Thinker, "_exchange", listened)
    players = Players(1)
    await players.get_ready(["kasim", "nobody", "ali"])
    await players.get_ready(["ali"])
    await players.close()
    assert asked == ["kasim", "nobody", "ali"]


@in_loop
async def test_what_a_bot_prints_disturbs_nobody(sqlite: str) -> None:
    async with a_hall(sqlite, Players(1)) as hall:
        room = await a_game(hall, NewChair("bot", level="printing"))
        await send(hall, room, 0, Move(action=0))
        await until(lambda: room.table.on_turn == 0)
        assert [each.instead for each in bots_moves(room)] == [False]


@in_loop
async def test_a_plan_is_played_as_far_as_it_is_legal(sqlite: str) -> None:
    players = Puppets(lambda legal: [legal[0]] * 2)
    async with a_hall(sqlite, players) as hall:
        room = await a_game(hall, NewChair("bot", level="ali"))
        while room.table.game is not None and room.table.game.placing:
            await send(hall, room, 0, Move(action=room.table.game.legal()[0]))
            await until(lambda: room.table.on_turn == 0 and room.thinking is None)
        # A second guard would be out of turn: that is forgotten.
        assert {each.instead for each in bots_moves(room)} == {False}
        passing = (PASS_CARDS, PASS_WITH_DANCER)
        players.choose = lambda legal: [*[a for a in legal if a not in passing][:1], 123_456]
        known = room.table.number
        await send(hall, room, 0, Move(action=PASS_CARDS))
        await until(lambda: room.table.on_turn == 0 and room.thinking is None)
        plan = [each.entry.event for each in room.recent if each.entry.number > known + 1]
        assert [(type(each), getattr(each, "instead", None)) for each in plan] == [
            (Moved, False),
            (Moved, True),
        ]


@in_loop
async def test_one_bad_bot_does_not_keep_the_others_from_thinking(sqlite: str) -> None:
    async with a_hall(sqlite, Players(1, spare=3)) as hall:
        bad = await a_game(hall, NewChair("bot", level="hanging"))
        good = await a_game(hall, NewChair("bot", level="random"))
        await send(hall, bad, 0, Move(action=0))
        await send(hall, good, 0, Move(action=0))
        # People are answered while the bots think.
        assert (await send(hall, bad, 0, Chat(text="well?"))).result == "accepted"
        await until(lambda: bad.table.on_turn == good.table.on_turn == 0)
        assert [each.instead for each in bots_moves(good)] == [False]


@in_loop
async def test_a_process_of_bots_is_another_process_and_sees_the_view_alone(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[Question] = []

    def watched(question: Question) -> bytes:
        sent.append(question)
        return framed(question)

    monkeypatch.setattr(players_module, "framed", watched)
    players = Players(1)
    async with a_hall(sqlite, players) as hall:
        room = await a_game(hall, NewChair("bot", level="random"))
        await send(hall, room, 0, Move(action=0))
        before = room.table.game
        assert before is not None
        await until(lambda: room.table.on_turn == 0)
        process = players._all[0]._process
        assert process is not None
        assert process.pid != os.getpid()
        ready, question = sent
        assert (ready.view, ready.legal) == (b"", [])
        assert question.view == bytes(before.view(1))
        assert bytes(view_from_bytes(question.view)) == question.view
        assert question.legal == before.legal()
        assert room.table.seed not in question.seed
        assert before.state.tobytes() not in framed(question)


@in_loop
async def test_a_table_that_waits_for_a_bot_goes_on_after_a_restart(database: str) -> None:
    asleep, awake = Puppets(), Puppets()
    asleep.free.clear()
    async with a_hall(database, asleep) as hall:
        room = await a_game(hall, NewChair("bot", level="ali"))
        await send(hall, room, 0, Move(action=0))
        await until(lambda: len(asleep.asked) == 1)
    async with a_hall(database, awake) as hall:
        await until(lambda: bool(hall.rooms))
        (room,) = hall.rooms.values()
        await until(lambda: room.table.on_turn == 0)
        assert awake.asked == asleep.asked  # the same question, and the bot answers it


@in_loop
async def test_a_bot_that_is_no_longer_installed_is_replaced(sqlite: str, tmp_path: Path) -> None:
    async with a_hall(sqlite, Players(1)) as hall:
        room = await a_game(hall, NewChair("bot", level="printing"))
        (tmp_path / "odd_bots-1.0.dist-info" / "entry_points.txt").unlink()
        await send(hall, room, 0, Move(action=0))
        await until(lambda: room.table.on_turn == 0)
        assert [each.instead for each in bots_moves(room)] == [True]


@in_loop
async def test_what_stops_the_server_does_not_stop_a_bot_in_the_middle_of_a_decision() -> None:
    """Ctrl-C reaches all processes of a terminal, a service manager's stop all of a service."""
    thinker = Thinker()
    try:
        await thinker.prepare("random")
        assert thinker._process is not None
        for stop in (signal.SIGINT, signal.SIGTERM):
            thinker._process.send_signal(stop)
        question = Question("random", bytes(Game(seed=1).view(0)), [0, 1, 2], "seed", 0.05)
        assert await thinker.ask(question, 60) in ([0], [1], [2])
    finally:
        await thinker.stop()


@in_loop
async def test_nobody_knows_what_a_bot_draws_by_lot(sqlite: str) -> None:
    """Not its code and number, which everybody knows, nor the seed, which nobody must."""
    players = Puppets()
    async with a_hall(sqlite, players) as hall:
        room = await a_game(hall, NewChair("bot", level="ali"))
        await send(hall, room, 0, Move(action=0))
        await until(lambda: room.table.on_turn == 0 and room.thinking is None)
        (lots,) = players.lots
        asked_at, seed = room.table.number - 1, room.table.seed
    assert lots == hashlib.sha256(f"bot {seed} {asked_at}".encode()).hexdigest()
    assert seed not in lots


def test_a_process_of_bots_ends_with_the_server() -> None:
    command = [sys.executable, "-m", "baghdad.server.runtime.bot_worker"]
    assert subprocess.run(command, input=b"", timeout=60, check=False).returncode == 0
