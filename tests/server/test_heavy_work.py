"""What takes long: in turn for all who ask, within bounds, and away from the tables."""

import asyncio
import json
import os
import signal
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from baghdad import Game
from baghdad.server.domain.finished import record_of
from baghdad.server.domain.limits import Limits
from baghdad.server.domain.refusals import RefusedError
from baghdad.server.runtime import record_reader
from baghdad.server.runtime.record_reader import IDLE_SECONDS, RecordReader, UnreadError
from baghdad.server.runtime.record_worker import NICE, RecordRequest, reply
from baghdad.server.runtime.turns import Turns
from baghdad.server.transport.http import PIECE, LongAnswer
from support.live_server import GENEROUS, PATIENCE, LiveServer, play_on
from support.records import BEGINNING, GAMES, text_of
from support.runtime import ManualClock, in_loop, until

# In turn


@in_loop
async def test_those_who_wait_are_served_in_turn_and_each_with_one_thing_at_a_time() -> None:
    for at_once, first in ((1, ["greedy 0", "modest", "late"]), (2, ["greedy 0", "modest"])):
        done = await served(at_once)
        assert sorted(done[: len(first)]) == sorted(first)
        assert done.index("late") < done.index("greedy 2")
        greedy = [each for each in done if each.startswith("greedy")]
        assert greedy == [f"greedy {n}" for n in range(4)]


async def served(at_once: int) -> list[str]:
    """In which order those are served who all come at once."""
    turns, done = Turns("test", at_once), list[str]()
    most: dict[str, int] = {}

    async def work(who: str, name: str) -> None:
        async with turns.turn(who):
            most[who] = most.get(who, 0) + 1
            assert most[who] == 1
            await asyncio.sleep(0)
            done.append(name)
            most[who] -= 1

    async with asyncio.TaskGroup() as group:
        for n in range(4):
            group.create_task(work("greedy", f"greedy {n}"))
        group.create_task(work("modest", "modest"))
        group.create_task(work("late", "late"))
    assert turns.waiting == 0
    return done


@in_loop
async def test_whoever_goes_leaves_the_queue_at_any_moment() -> None:
    turns, free = Turns("test", 1), asyncio.Event()

    async def work(who: str) -> None:
        async with turns.turn(who):
            await free.wait()

    tasks = [asyncio.create_task(work(who)) for who in "abcd"]
    await asyncio.sleep(0)
    assert turns.waiting == 3
    tasks[1].cancel()  # while it waits
    await asyncio.sleep(0)
    assert turns.waiting == 2
    tasks[0].cancel()  # while it works, so that the next one is called
    await asyncio.sleep(0)
    tasks[2].cancel()  # in the moment when it is called
    free.set()
    await tasks[3]
    assert turns.waiting == 0
    async with turns.turn("again"):
        pass


def test_more_than_a_few_at_a_time_are_refused() -> None:
    turns = Turns("test", 1, most_each=2, most=3)
    with turns.place("one"), turns.place("one"):
        with pytest.raises(RefusedError, match="too_fast"), turns.place("one"):
            pass
        with turns.place("two"), pytest.raises(RefusedError), turns.place("three"):
            pass
        with turns.place("three"):
            pass
    with turns.place("one"):
        pass


# Records, in a process of their own


class Reading:
    """A server whose reader's process stands still until it may go on."""

    def __init__(self, server: LiveServer) -> None:
        self.server = server
        self.reader: RecordReader = server.app.state.services.records
        assert self.replay().status_code == 200
        os.kill(self.pid, signal.SIGSTOP)

    @property
    def pid(self) -> int:
        process = self.reader._worker.process
        assert process is not None
        return process.pid

    def go_on(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def client(self, address: str = "127.0.0.1") -> httpx.Client:
        transport = httpx.HTTPTransport(local_address=address)
        return httpx.Client(base_url=self.server.url, transport=transport, timeout=PATIENCE)

    def replay(self, text: str = BEGINNING, address: str = "127.0.0.1") -> httpx.Response:
        with self.client(address) as client:
            return client.post("/api/replay", json={"record": text})

    @contextmanager
    def asking(self, *texts: str, address: str = "127.0.0.1") -> Iterator[list[int]]:
        """Ask for replays, which have come at the end of this."""
        codes: list[int] = []
        threads = [
            threading.Thread(
                target=lambda text=text: codes.append(self.replay(text, address).status_code)
            )
            for text in texts
        ]
        for thread in threads:
            thread.start()
        yield codes
        for thread in threads:
            thread.join(PATIENCE)

    def wait_for(self, condition: Callable[[], bool]) -> None:
        self.server.call(until(condition))

    @property
    def under_way(self) -> int:
        return self.reader._turns._asked.total()


def other(n: int) -> str:
    """A record that nobody has asked for yet."""
    return BEGINNING.replace('[Result "*"]', f'[Result "*"]\n[Event "{n}"]')


@pytest.fixture
def reading(tmp_path: Path) -> Iterator[Reading]:
    server = LiveServer(tmp_path, limits=replace(GENEROUS, heavy_each=2, heavy_in_all=3))
    try:
        yield Reading(server)
    finally:
        server.stop()


def test_of_one_address_a_few_records_wait_and_others_are_refused(reading: Reading) -> None:
    with reading.asking(other(1), other(2)) as first:
        reading.wait_for(lambda: reading.under_way == 2)
        refused = reading.replay(other(3))
        assert (refused.status_code, refused.json()["key"]) == (429, "server.too_fast")
        with reading.asking(other(4), address="127.0.0.2") as second:
            reading.wait_for(lambda: reading.under_way == 3)
            assert reading.replay(other(5), "127.0.0.3").status_code == 429
            # What is known already, and everything else, comes at once.
            assert reading.server.client().get("/health").status_code == 200
            reading.go_on()
    assert first == [200, 200]
    assert second == [200]
    assert reading.under_way == 0
    assert reading.replay(other(6)).status_code == 200


def test_a_replay_that_was_asked_for_lately_needs_no_process(reading: Reading) -> None:
    assert reading.replay().status_code == 200
    people = reading.server.people(2)
    play_on(people, Random(5))
    with reading.asking(other(1)) as codes:
        reading.go_on()
    assert codes == [200]
    first = people[0].get("/replay")
    os.kill(reading.pid, signal.SIGSTOP)
    assert people[1].get("/replay").content == first.content
    os.kill(reading.pid, signal.SIGKILL)


def test_work_for_somebody_who_has_gone_is_dropped(reading: Reading) -> None:
    host, _, port = reading.server.address.partition(":")
    body = json.dumps({"record": other(2)}).encode()
    head = f"POST /api/replay HTTP/1.1\r\nHost: {reading.server.address}\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    asked: list[str] = []
    ask = reading.reader._ask

    async def noted(request: RecordRequest) -> Any:
        asked.append(request.text)
        return await ask(request)

    reading.reader._ask = noted  # type: ignore[method-assign]
    with reading.asking(other(1)) as codes:
        reading.wait_for(lambda: len(asked) == 1)
        with socket.create_connection((host, int(port))) as raw:
            raw.sendall(head.encode() + body)
            reading.wait_for(lambda: reading.reader._turns.waiting == 1)
        reading.wait_for(lambda: reading.reader._turns.waiting == 0)
        assert reading.under_way == 1
        reading.go_on()
    assert codes == [200]
    assert asked == [other(1)]


def test_a_process_that_is_late_or_dead_is_replaced(
    reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = reading.pid
    with monkeypatch.context() as patch:
        patch.setattr(record_reader, "RECORD_SECONDS", 0.01)
        answer = reading.replay(other(1))
    assert (answer.status_code, answer.json()["key"]) == (503, "server.not_read")
    assert reading.under_way == 0
    assert reading.replay(other(2)).status_code == 200
    assert reading.pid != late
    dead = reading.pid
    process = reading.reader._worker.process
    assert process is not None
    os.kill(dead, signal.SIGKILL)
    reading.wait_for(lambda: process.returncode is not None)
    assert reading.replay(other(3)).status_code == 200
    assert reading.pid != dead


def test_a_server_that_stops_waits_for_no_record(tmp_path: Path) -> None:
    server = LiveServer(tmp_path)
    reading = Reading(server)
    with reading.asking(other(1), other(2)) as codes:
        reading.wait_for(lambda: reading.under_way == 2)
        pid = reading.pid
        server.uvicorn.should_exit = True  # as when it is told to stop
    assert codes == [503, 503]
    server.stop()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@in_loop
async def test_the_process_matters_less_than_the_tables_and_ends_when_it_is_idle() -> None:
    clock = ManualClock()
    reader = RecordReader(clock, Limits())
    assert reader._worker.process is None, "nobody has asked yet"
    try:
        first = await reader.replay("here", BEGINNING, "en")
        process = reader._worker.process
        assert process is not None
        mine = os.getpriority(os.PRIO_PROCESS, 0)
        assert os.getpriority(os.PRIO_PROCESS, process.pid) == min(19, mine + NICE)
        clock.advance(IDLE_SECONDS - 1)
        await reader.replay("here", other(1), "en")
        clock.advance(IDLE_SECONDS - 1)
        assert process.returncode is None
        clock.advance(1)
        await until(lambda: process.returncode is not None)
        assert json.loads(await reader.replay("here", other(2), "en"))["steps"]
        assert await reader.replay("here", BEGINNING, "en") == first
    finally:
        await reader.close()


@in_loop
async def test_what_is_kept_of_replays_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = RecordReader(ManualClock(), Limits())

    async def read(_: str, request: RecordRequest) -> bytes:
        await asyncio.sleep(0)
        return request.text.encode() * 9

    monkeypatch.setattr(reader, "_read", read)
    monkeypatch.setattr(record_reader, "CACHE_BYTES", 250)
    for letter in "abca":
        await reader.replay("here", letter * 10, "en")
    assert list(reader._cache) == ["c" * 10, "a" * 10]
    assert reader._cached == 200
    await reader.replay("here", "x" * 1000, "en")
    assert (reader._cache, reader._cached) == ({}, 0)
    await asyncio.gather(*(reader.replay("here", "d" * 10, "en") for _ in range(4)))
    assert reader._cached == 100, "however many open a link at the same moment"


@in_loop
async def test_a_process_with_a_bug_is_told_apart_from_a_record_with_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("baghdad.server.runtime.record_worker.replay_of_record", None)
    answer = reply(RecordRequest("replay", BEGINNING, 100))
    assert (answer.body, answer.refused) == (b"", None)
    reader = RecordReader(ManualClock(), Limits())

    async def ask(_: RecordRequest) -> Any:
        return answer

    monkeypatch.setattr(reader, "_ask", ask)
    with pytest.raises(UnreadError):
        await reader.replay("here", BEGINNING, "en")


def test_too_many_steps_are_refused_for_proofs_as_well(tmp_path: Path) -> None:
    text = text_of(GAMES[1])
    steps = len(Game.from_record(text).tokens)
    for most, code in ((steps, 200), (steps - 1, 413)):
        folder = tmp_path / str(code)
        folder.mkdir()
        server = LiveServer(folder, limits=replace(GENEROUS, record_steps=most))
        client = server.client()
        assert client.post("/api/verify", json={"record": text}).status_code == code
        assert client.post("/api/replay", json={"record": text}).status_code == code
        server.stop()


# Long answers


@in_loop
async def test_a_long_answer_goes_out_as_fast_as_it_is_read_and_holds_its_place() -> None:
    body = bytes(range(256)) * 1000
    sent: list[dict[str, Any]] = []
    read, done = asyncio.Semaphore(0), list[bool]()

    async def send(message: Any) -> None:
        await read.acquire()
        sent.append(message)

    async def receive() -> Any:
        raise AssertionError

    answer = LongAnswer(body, lambda: done.append(True))
    sending: Awaitable[None] = asyncio.ensure_future(answer({}, receive, send))
    read.release()
    read.release()
    await until(lambda: len(sent) == 2)
    assert sent[0]["status"] == 200
    assert (b"content-length", str(len(body)).encode()) in sent[0]["headers"]
    assert len(sent[1]["body"]) == PIECE
    assert not done
    for _ in range(10):
        read.release()
    await sending
    assert b"".join(each["body"] for each in sent[1:]) == body
    assert [each["more_body"] for each in sent[1:-1]] == [True] * (len(sent) - 2)
    assert not sent[-1].get("more_body")
    assert done == [True]


# Whole games


def test_a_page_of_a_whole_game_counts_as_several_requests(tmp_path: Path) -> None:
    limits = replace(GENEROUS, requests_a_second=1e-9, burst=25)
    server = LiveServer(tmp_path, limits=limits)
    code = server.people(2)[0].code

    def asked(address: str, **params: Any) -> int:
        transport = httpx.HTTPTransport(local_address=address)
        with httpx.Client(base_url=server.url, transport=transport) as client:
            return client.get(f"/api/tables/{code}/events", params=params).status_code

    times = 2 * limits.burst // limits.heavy_cost
    codes = [asked("127.0.0.9", whole=True) for _ in range(times + 1)]
    assert codes == [200] * times + [429]
    # Where nothing comes after, it is one like any other.
    assert [asked("127.0.0.8", whole=True, after=999) for _ in range(times + 1)][-1] == 200
    server.stop()


# Written once


def test_a_record_of_a_finished_game_is_written_once(
    own_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = own_server.people(2)
    play_on(people, Random(5))
    table = own_server.registry.actors[people[0].code].table
    record = table.finished[-1].record
    written: list[Game] = []
    write = Game.record

    def noted(game: Game, **options: Any) -> str:
        written.append(game)
        return write(game, **options)

    monkeypatch.setattr(Game, "record", noted)
    people[0].wants("chat", text="well played")
    assert people[0].get("/record").text == record
    assert people[1].get("/games").is_success
    assert written == []
    # With other words about it, it is another one.
    assert table.game is not None
    other_record = record_of("F7KQXM", table.game, table.players, table.seed, table.pledges, 0)
    assert len(written) == 1
    assert 'Event "Baghdad F7KQXM"' in other_record


def test_the_description_is_written_once(
    own_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = own_server.client()
    first = client.get("/api/openapi.json")
    assert first.json() == json.loads(json.dumps(own_server.app.openapi()))
    monkeypatch.setattr("baghdad.server.app.encode", None)
    assert client.get("/api/openapi.json").content == first.content
