"""Several real servers over one PostgreSQL and one NATS: one game, whatever happens to one."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from typing import Any

import httpx
import pytest

from baghdad.server.domain.events import StoredEvent
from baghdad.server.storage.event_store import EventStore, async_url, database_url
from support.cluster import ClusterProcess, NatsServer, cluster
from support.live_server import PATIENCE, ClientSocket, Message, good
from support.runtime import in_loop, new_database, sound

CHATS = 12


@pytest.fixture(scope="module")
def database(postgresql: Any) -> str:
    return new_database(postgresql, "cluster")


@pytest.fixture(scope="module")
def all_three(
    database: str, nats: NatsServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[ClusterProcess]]:
    with cluster(database, nats.url, tmp_path_factory.mktemp("cluster"), 3) as processes:
        yield processes


@pytest.fixture
def three(all_three: list[ClusterProcess]) -> list[ClusterProcess]:
    """Three that know each other: the test before may have started one again."""
    for each in all_three:
        each.knows(len(all_three))
    return all_three


def chat(name: str, number: int) -> Message:
    wish = {"type": "chat", "text": f"{name} {number}"}
    return {"id": f"{name}-{number}", "version": 1, "wish": wish}


def say(wire: ClientSocket, message: Message) -> int:
    """The number of what was said; what could not be stored is sent again, and is there once."""
    while (answer := wire.ask(message))["result"] == "failed":
        pass
    assert answer["result"] == "accepted", answer
    number: int = answer["number"]
    return number


def talk(wire: ClientSocket, name: str, first: int = 0) -> list[int]:
    """Say something again and again; the numbers of what was said."""
    return [say(wire, chat(name, n)) for n in range(first, first + CHATS)]


def heard(wire: ClientSocket, last: int) -> list[int]:
    """The numbers of all events that came over a socket, once the last one is there."""
    numbers: list[int] = []
    begun = 0
    while not numbers or numbers[-1] < last:
        for body in wire.bytes[begun:]:
            message = json.loads(body)
            if message["type"] == "event":
                numbers.append(message["number"])
            elif message["type"] == "snapshot":
                begun_at = message["number"]
                if begun_at >= last:
                    return numbers
        begun = len(wire.bytes)
        if not numbers or numbers[-1] < last:
            wire.get()
    return numbers


def without_gaps(numbers: list[int]) -> bool:
    return numbers == list(range(numbers[0], numbers[0] + len(numbers)))


async def stored(database: str, code: str) -> list[StoredEvent]:
    storage = await EventStore.open(async_url(database))
    try:
        return await storage.events(code)
    finally:
        await storage.close()


@in_loop
async def sound_in(database: str, code: str, last: int) -> None:
    """What is stored is a legal table, and each command is in it once."""
    events = await stored(database, code)
    sound(code, events)
    assert len(events) >= last


def test_people_at_different_processes_are_at_one_table(
    three: list[ClusterProcess], database: str
) -> None:
    host = three[0].create("Ali", players=3)
    guests = [host, three[1].join(host.code, "Bea"), three[2].join(host.code, "Cem")]
    assert [guest.look()["number"] for guest in guests] == [3, 3, 3]
    with ExitStack() as open_sockets:
        wires = [open_sockets.enter_context(guest.socket()) for guest in guests]
        for wire in wires:
            wire.until("present", people=[0, 1, 2])
        with ThreadPoolExecutor(3) as people:
            said = list(people.map(talk, wires, "abc"))
        assert sorted(chain(*said)) == list(range(4, 4 + 3 * CHATS))
        for wire in wires:
            assert heard(wire, 3 + 3 * CHATS) == list(range(4, 4 + 3 * CHATS))
        # The same command, again and by another way.
        for guest in guests:
            again = guest.at(three[guests.index(guest) - 1]).send(chat("abc"[guest.person or 0], 0))
            assert (again.status_code, again.json()["number"] in said[guest.person or 0]) == (
                200,
                True,
            )
        wires[1].raw.close()
        wires[0].until("present", people=[0, 2])
    sound_in(database, host.code, 3 + 3 * CHATS)


def test_somebody_may_come_by_any_process_for_anything(three: list[ClusterProcess]) -> None:
    guests = three[0].people(2, numbers=True)
    for process in three:
        for guest in guests:
            there = guest.at(process)
            assert there.look() | {"at": 0} == guest.look() | {"at": 0}
            for path in ("/events", "/summary", "/games", "/record"):
                here = guest.get(path)
                assert (there.get(path).status_code, there.get(path).text) == (
                    here.status_code,
                    here.text,
                )
        assert process.client().get("/api/tables/ZZZZZZ").status_code == 404
        wrong = process.client("x" * 24).post(
            f"/api/tables/{guests[0].code}/commands", json=chat("wrong", 1)
        )
        assert wrong.status_code == 403
        metrics = process.client().get("/metrics").text
        assert "baghdad_processes 3.0" in metrics
        assert "baghdad_bus_connected 1.0" in metrics


def test_a_table_whose_owner_is_killed_goes_on(three: list[ClusterProcess], database: str) -> None:
    owner, *others = three
    host = owner.create("Ali", chairs=[{"kind": "bot", "level": "maruf"}], players=3)
    guests = [host.at(others[0]), others[1].join(host.code, "Bea")]
    guests[0].wants("start")
    try:
        with guests[0].socket() as one, guests[1].socket() as two:
            talk(one, "before")
            owner.kill()
            numbers = [*talk(one, "one"), *talk(two, "two")]
            last = max(numbers)
            assert without_gaps(heard(one, last))
            assert without_gaps(heard(two, last))
            assert heard(one, last)[-5:] == heard(two, last)[-5:]
        sound_in(database, host.code, last)
        taken = [each.client().get("/metrics").text for each in others]
        assert sum("baghdad_takeovers 0.0" not in each for each in taken) >= 1
    finally:
        owner.start()


def test_a_process_that_slept_through_its_lease_goes_on_as_a_guest(
    three: list[ClusterProcess], database: str
) -> None:
    sleeper, other, _ = three
    host = sleeper.create("Ali", players=2)
    bea = other.join(host.code, "Bea")
    with host.socket() as asleep, bea.socket() as awake:
        talk(asleep, "before")
        sleeper.freeze()
        try:
            last = talk(awake, "meanwhile")[-1]
        finally:
            sleeper.thaw()
        last = talk(asleep, "after")[-1]
        assert without_gaps(heard(awake, last))
        assert without_gaps(heard(asleep, last))
    sound_in(database, host.code, last)
    sleeper.ready()


def test_a_process_that_stops_hands_its_tables_over(
    three: list[ClusterProcess], database: str
) -> None:
    owner, *others = three
    host = owner.create("Ali", players=2)
    guests = [host.at(others[0]), others[1].join(host.code, "Bea")]
    try:
        with guests[0].socket() as one, guests[1].socket() as two:
            with ThreadPoolExecutor(2) as people:
                talking = people.map(talk, (one, two), "ab")
                assert owner.terminate() == 0
                numbers = list(chain(*talking))
            last = max([*numbers, *talk(one, "c")])
            assert without_gaps(heard(one, last))
            assert without_gaps(heard(two, last))
        sound_in(database, host.code, last)
    finally:
        owner.start()


def test_the_lobby_lists_the_tables_of_all(three: list[ClusterProcess]) -> None:
    hosts = [process.create(f"Host {n}", listed=True) for n, process in enumerate(three)]
    with ExitStack() as open_sockets:
        for host in hosts:
            open_sockets.enter_context(host.socket()).until("snapshot")
        wanted = {host.code for host in hosts}
        for process in three:
            with process.client() as http:
                end = time.monotonic() + PATIENCE
                while not wanted <= listed(http):
                    assert time.monotonic() < end
                    time.sleep(0.1)  # a list is good for a second; who asks more often is refused


def listed(http: httpx.Client) -> set[str]:
    """The tables in the lobby of a process."""
    return {each["code"] for each in good(http.get("/api/tables"))["tables"]}


def test_a_ticket_works_at_any_process_and_once(three: list[ClusterProcess]) -> None:
    host = three[0].create("Ali")
    old, new = three[1].client(), three[2].client()
    ticket = old.post("/api/transfers", json={"name": "Ali"}).json()["ticket"]
    attached = host.at(three[2]).http.post(f"{host.path}/transfer", json={"ticket": ticket})
    assert attached.json() == {"seats": 1}
    assert new.post("/api/transfers/peek", json={"ticket": ticket}).json()["seats"] == 1
    claim = {"ticket": ticket, "claimant": "n" * 24}
    assert new.post("/api/transfers/claim", json=claim).json()["name"] == "Ali"
    assert new.post(f"{host.path}/transfer/claim", json=claim).json() == {"seats": 1}
    other = {"ticket": ticket, "claimant": "o" * 24}
    refused = three[0].client().post("/api/transfers/claim", json=other)
    assert (refused.status_code, refused.json()["key"]) == (409, "server.no_ticket")
    unknown = new.post("/api/transfers/peek", json={"ticket": "x" * 22})
    assert unknown.status_code == 409


def serve(*options: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "baghdad", "--lang", "en", "serve", "--port", "0", *options]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        env=os.environ | {"BAGHDAD_PLAIN": "1"},
        check=False,
    )
    return done.returncode, done.stderr


def test_a_second_process_without_the_bus_is_told_what_to_do(
    three: list[ClusterProcess], database: str
) -> None:
    assert three
    code, told = serve("--database-url", database)
    assert code == 2
    assert "start both with --bus" in told


def test_a_bus_that_is_not_there_or_not_needed_is_told(database: str, tmp_path: Path) -> None:
    nowhere = "nats://ali:sesame@127.0.0.1:9"
    code, told = serve("--database-url", database, "--bus", nowhere)
    assert (code, "nats://127.0.0.1:9" in told, "sesame" in told) == (2, True, False)
    code, told = serve("--database-url", database_url(tmp_path), "--bus", nowhere)
    assert (code, "SQLite has one process" in told) == (2, True)
