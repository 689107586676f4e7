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
from baghdad.server.domain.commands import Chat, Move, NewChair
from baghdad.server.domain.events import Moved
from baghdad.server.runtime import bot_pool
from baghdad.server.runtime.actor import TableActor
from baghdad.server.runtime.bot_pool import BotPool, BotWorker
from baghdad.server.runtime.bot_worker import BotRequest
from baghdad.server.runtime.pipe import framed
from support import odd_bots
from support.live_server import PATIENCE
from support.runtime import (
    ScriptedBots,
    a_game,
    a_registry,
    in_loop,
    send,
    sound,
    stored_events,
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


def bots_moves(actor: TableActor) -> list[Moved]:
    moved = [each.stored.event for each in actor.recent]
    return [each for each in moved if isinstance(each, Moved) and each.seat == 1]


@pytest.mark.parametrize("level", sorted({*ODD} - {"printing"}))
@in_loop
async def test_a_bot_without_a_legal_answer_is_replaced(sqlite: str, level: str) -> None:
    async with a_registry(sqlite, BotPool(1, spare=0.2)) as registry:
        actor = await a_game(registry, NewChair("bot", level=level))
        for _ in range(2):
            assert actor.table.game is not None
            moved = await send(actor, 0, Move(action=actor.table.game.legal()[0]))
            assert moved.result == "accepted"
            await until(lambda: actor.table.on_turn == 0 and actor.thinking is None)
        assert [each.instead for each in bots_moves(actor)] == [True, True]
        assert [each.lines[0].key for each in actor.log if each.seat == 1] == ["log.instead"] * 2
        sound(actor.table.code, await stored_events(sqlite, actor.table.code))


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
    async with a_registry(sqlite, BotPool(1)) as registry:
        actor = await a_game(registry, NewChair("bot", level="kasim"))
        assert actor.table.game is not None
        await send(actor, 0, Move(action=actor.table.game.legal()[0]))
        await starting.wait()
        await registry.close()  # while the process is not there yet
        assert actor.thinking is None


@in_loop
async def test_bots_get_ready_before_they_are_on_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    exchange = BotWorker._exchange

    async def listened(worker: BotWorker, request: BotRequest, seconds: float) -> list[int]:
        asked.append(request.level)
        return await exchange(worker, request, seconds)

    monkeypatch.setattr(BotWorker, "_exchange", listened)
    bots = BotPool(1)
    await bots.get_ready(["kasim", "nobody", "random"])
    assert asked == ["kasim", "nobody", "random"]
    game = Game(seed=1)
    assert await bots.think("random", bytes(game.view(0)), game.legal(), "seed", 0.05) is not None
    await bots.close()
    assert asked == ["kasim", "nobody", "random", "random"], (
        "it is asked at once what it would play"
    )


@in_loop
async def test_nobody_waits_while_bots_get_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    prepare, compiled = BotWorker.prepare, asyncio.Event()

    async def slow(worker: BotWorker, level: str) -> None:
        if level == "ali":
            await compiled.wait()
        await prepare(worker, level)

    monkeypatch.setattr(BotWorker, "prepare", slow)
    bots, game = BotPool(1), Game(seed=1)
    before = bots._all[0]
    getting_ready = asyncio.create_task(bots.get_ready(["ali"]))
    await asyncio.sleep(0)
    assert await bots.think("random", bytes(game.view(0)), game.legal(), "seed", 0.05) is not None
    compiled.set()
    await getting_ready
    assert bots._all != [before], "another is in its place"
    assert before._process.process is None
    await bots.close()


@in_loop
async def test_what_a_bot_prints_disturbs_nobody(sqlite: str) -> None:
    async with a_registry(sqlite, BotPool(1)) as registry:
        actor = await a_game(registry, NewChair("bot", level="printing"))
        await send(actor, 0, Move(action=0))
        await until(lambda: actor.table.on_turn == 0)
        assert [each.instead for each in bots_moves(actor)] == [False]


@in_loop
async def test_a_plan_is_played_as_far_as_it_is_legal(sqlite: str) -> None:
    bots = ScriptedBots(lambda legal: [legal[0]] * 2)
    async with a_registry(sqlite, bots) as registry:
        actor = await a_game(registry, NewChair("bot", level="ali"))
        while actor.table.game is not None and actor.table.game.placing:
            await send(actor, 0, Move(action=actor.table.game.legal()[0]))
            await until(lambda: actor.table.on_turn == 0 and actor.thinking is None)
        # A second guard would be out of turn: that is forgotten.
        assert {each.instead for each in bots_moves(actor)} == {False}
        passing = (PASS_CARDS, PASS_WITH_DANCER)
        bots.choose = lambda legal: [*[a for a in legal if a not in passing][:1], 123_456]
        known = actor.table.number
        await send(actor, 0, Move(action=PASS_CARDS))
        await until(lambda: actor.table.on_turn == 0 and actor.thinking is None)
        plan = [each.stored.event for each in actor.recent if each.stored.number > known + 1]
        assert [(type(each), getattr(each, "instead", None)) for each in plan] == [
            (Moved, False),
            (Moved, True),
        ]


@in_loop
async def test_one_bad_bot_does_not_keep_the_others_from_thinking(sqlite: str) -> None:
    async with a_registry(sqlite, BotPool(1, spare=3)) as registry:
        bad = await a_game(registry, NewChair("bot", level="hanging"))
        good = await a_game(registry, NewChair("bot", level="random"))
        await send(bad, 0, Move(action=0))
        await send(good, 0, Move(action=0))
        # People are answered while the bots think.
        assert (await send(bad, 0, Chat(text="well?"))).result == "accepted"
        await until(lambda: bad.table.on_turn == good.table.on_turn == 0)
        assert [each.instead for each in bots_moves(good)] == [False]


@in_loop
async def test_a_process_of_bots_is_another_process_and_sees_the_view_alone(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[BotRequest] = []

    def watched(request: BotRequest) -> bytes:
        sent.append(request)
        return framed(request)

    monkeypatch.setattr(bot_pool, "framed", watched)
    bots = BotPool(1)
    async with a_registry(sqlite, bots) as registry:
        actor = await a_game(registry, NewChair("bot", level="random"))
        await send(actor, 0, Move(action=0))
        before = actor.table.game
        assert before is not None
        await until(lambda: actor.table.on_turn == 0)
        process = bots._all[0]._process.process
        assert process is not None
        assert process.pid != os.getpid()
        ready, request = sent
        assert (ready.view, ready.legal) == (b"", [])
        assert request.view == bytes(before.view(1))
        assert bytes(view_from_bytes(request.view)) == request.view
        assert request.legal == before.legal()
        assert actor.table.seed not in request.seed
        assert before.state.tobytes() not in framed(request)


@in_loop
async def test_a_table_that_waits_for_a_bot_goes_on_after_a_restart(database: str) -> None:
    asleep, awake = ScriptedBots(), ScriptedBots()
    asleep.free.clear()
    async with a_registry(database, asleep) as registry:
        actor = await a_game(registry, NewChair("bot", level="ali"))
        await send(actor, 0, Move(action=0))
        await until(lambda: len(asleep.asked) == 1)
    async with a_registry(database, awake) as registry:
        await until(lambda: bool(registry.actors))
        (actor,) = registry.actors.values()
        await until(lambda: actor.table.on_turn == 0)
        assert awake.asked == asleep.asked  # the same request, and the bot answers it


@in_loop
async def test_a_bot_that_is_no_longer_installed_is_replaced(sqlite: str, tmp_path: Path) -> None:
    async with a_registry(sqlite, BotPool(1)) as registry:
        actor = await a_game(registry, NewChair("bot", level="printing"))
        (tmp_path / "odd_bots-1.0.dist-info" / "entry_points.txt").unlink()
        await send(actor, 0, Move(action=0))
        await until(lambda: actor.table.on_turn == 0)
        assert [each.instead for each in bots_moves(actor)] == [True]


@in_loop
async def test_what_stops_the_server_does_not_stop_a_bot_in_the_middle_of_a_decision() -> None:
    """Ctrl-C reaches all processes of a terminal, a service manager's stop all of a service."""
    worker = BotWorker()
    try:
        await worker.prepare("random")
        process = worker._process.process
        assert process is not None
        for stop in (signal.SIGINT, signal.SIGTERM):
            process.send_signal(stop)
        request = BotRequest("random", bytes(Game(seed=1).view(0)), [0, 1, 2], "seed", 0.05)
        assert await worker.ask(request, 60) in ([0], [1], [2])
    finally:
        await worker.stop()


@in_loop
async def test_nobody_knows_what_a_bot_draws_by_lot(sqlite: str) -> None:
    """Not its code and number, which everybody knows, nor the seed, which nobody must."""
    bots = ScriptedBots()
    async with a_registry(sqlite, bots) as registry:
        actor = await a_game(registry, NewChair("bot", level="ali"))
        await send(actor, 0, Move(action=0))
        await until(lambda: actor.table.on_turn == 0 and actor.thinking is None)
        (given,) = bots.seeds
        asked_at, seed = actor.table.number - 1, actor.table.seed
    assert given == hashlib.sha256(f"bot {seed} {asked_at}".encode()).hexdigest()
    assert seed not in given


def test_a_process_of_bots_ends_with_the_server() -> None:
    command = [sys.executable, "-m", "baghdad.server.runtime.bot_worker"]
    assert subprocess.run(command, input=b"", timeout=PATIENCE, check=False).returncode == 0
