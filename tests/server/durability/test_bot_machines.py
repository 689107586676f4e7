"""Bots that think on other machines: given views alone, and missed by nobody when they go."""

import asyncio
import os
import signal
import subprocess
import sys

import pytest

from baghdad import Game
from baghdad.server.bus.bus import Bus
from baghdad.server.bus.packets import Call
from baghdad.server.runtime import remote_bots
from baghdad.server.runtime.bot_pool import NOBODY, BotPool, BotWorker
from baghdad.server.runtime.bot_worker import BotRequest
from baghdad.server.runtime.remote_bots import Machines, RemoteWorker, decode_request, encode
from support.cluster import NatsServer
from support.live_server import PATIENCE
from support.runtime import in_loop, until


def a_view() -> tuple[bytes, list[int]]:
    game = Game(players=2, seed=3)
    return bytes(game.view(game.to_move)), game.legal()


class Nobody:
    """Machines that have just gone."""

    def __init__(self) -> None:
        self.asked = list[bytes]()

    async def request(self, subject: str, body: bytes, seconds: float) -> bytes:
        self.asked.append(body)
        raise TimeoutError


@in_loop
async def test_a_machine_without_a_database_answers_and_sees_a_view(
    nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_bots, "QUIET_SECONDS", 600.0)  # it is slow, and not gone
    command = [sys.executable, "-m", "baghdad", "--lang", "en", "worker", "--processes", "1"]
    machine = await asyncio.create_subprocess_exec(
        *command,
        stdout=asyncio.subprocess.PIPE,
        env=os.environ | {"BAGHDAD_PLAIN": "1", "BAGHDAD_BUS": nats.url},
    )
    bus, machines, told = Bus(nats.url, "asking"), Machines(), asyncio.Event()

    def hear(call: Call) -> None:
        machines.hear(call.body)
        told.set()

    bus.called = hear
    await bus.open()
    try:
        assert machine.stdout is not None
        assert b"1 bot at a time" in await machine.stdout.readline()
        await told.wait()
        assert machines.share(1) == 1
        view, legal = a_view()
        pool = BotPool(1, spare=PATIENCE)
        pool._free.clear()  # all of this machine are busy
        pool.borrow(bus, 1)
        actions = await pool.think("random", view, legal, "5eed", 0.0)
        assert actions is not None
        assert actions[0] in legal
        assert await pool.agrees("random", view, "5eed") in (True, False)
        machine.send_signal(signal.SIGTERM)
        assert await machine.wait() == 0
        await until(lambda: machines.share(1) == 0)  # it has said so, which is on its way
    finally:
        if machine.returncode is None:
            machine.kill()
            await machine.wait()
        await bus.close()


@in_loop
async def test_a_machine_that_goes_costs_nobody_a_move(monkeypatch: pytest.MonkeyPatch) -> None:
    view, legal = a_view()

    async def answers(_: BotWorker, request: BotRequest, *_rest: float) -> list[int]:
        return request.legal[:1]

    monkeypatch.setattr(BotWorker, "ask", answers)
    pool, gone = BotPool(1), Nobody()
    busy = await pool._worker(NOBODY)
    pool.borrow(gone, 2)
    thinking = asyncio.create_task(pool.think("random", view, legal, "5eed", 0.0))
    while len(gone.asked) < 2:
        await asyncio.sleep(0)
    asked = decode_request(gone.asked[0])
    assert asked == BotRequest("random", view, legal, "5eed", 0.0), "and nothing else"
    pool._release(busy)
    assert await thinking == legal[:1]
    assert not pool._away
    # It is asked again once it is there again.
    pool.borrow(gone, 1)
    assert [type(each) for each in pool._away] == [RemoteWorker]
    pool.borrow(gone, 0)
    assert not pool._away


def test_machines_are_shared_by_all_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    machines = Machines()
    machines.hear(encode(("one", 4)))
    machines.hear(encode(("two", 3)))
    assert [machines.share(processes) for processes in (1, 2, 7)] == [7, 4, 1]
    machines.hear(encode(("one", 0)))
    assert machines.share(1) == 3
    monkeypatch.setattr(remote_bots, "QUIET_SECONDS", -1.0)
    assert machines.share(1) == 0


def test_a_machine_has_to_be_told_where_the_servers_are() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "BAGHDAD_BUS"}
    told = subprocess.run(
        [sys.executable, "-m", "baghdad", "--lang", "en", "worker"],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert told.returncode == 2
    assert "--bus" in told.stderr


def test_a_machine_is_not_believed_everything() -> None:
    machines = Machines()
    for name, slots in (("boasts", 10**9), ("owes", -5)):
        machines.hear(encode((name, slots)))
    assert machines.share(1) == remote_bots.MOST_SLOTS
    for n in range(2 * remote_bots.MOST_MACHINES):
        machines.hear(encode((f"machine {n}", 0)))
    assert len(machines._slots) == remote_bots.MOST_MACHINES
