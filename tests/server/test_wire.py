"""The socket: in order, from any number on, and never in the way of the others."""

import asyncio
import json
import socket as sockets
import threading
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from baghdad.server.domain.commands import Chat
from baghdad.server.domain.limits import Limits
from baghdad.server.runtime.actor import RECENT
from baghdad.server.runtime.clock import Clock
from baghdad.server.transport import websocket as socket
from baghdad.server.wire.requests import CommandMessage
from support.live_server import (
    FAR,
    GENEROUS,
    Guest,
    LiveServer,
    Message,
    play_on,
)
from support.runtime import in_loop


def all_of(raw: ClientConnection) -> tuple[list[int], int | None]:
    """The numbers of all events that still come, and the code with which the socket is closed."""
    found = list[int]()
    try:
        while True:
            message = json.loads(raw.recv(timeout=FAR))
            if message["type"] == "event":
                found.append(message["number"])
    except ConnectionClosed:
        return found, raw.close_code


def chat(guest: Guest, count: int, text: str = "hm") -> None:
    """Many events in a short time."""

    async def talk() -> None:
        actor = await guest.live.registry.actor(guest.code)
        for n in range(count):
            command = CommandMessage(f"talk-{actor.table.number}-{n}", 0, Chat(text))
            assert guest.person is not None
            await actor.submit(guest.person, command, "en")

    guest.live.call(talk())


# From a number on


def test_a_socket_begins_with_everything_and_goes_on_with_events(server: LiveServer) -> None:
    people = server.people(2)
    with people[1].socket() as wire:
        seen = wire.get()
        assert seen["type"] == "snapshot"
        assert seen | {"at": 0, "present": []} == people[1].look() | {"at": 0, "present": []}
        people[0].wants("move", action="@R")
        event = wire.until("event")
        assert (event["number"], event["kind"], event["seat"]) == (seen["number"] + 1, "moved", 0)
        assert event["lines"][0] == {
            "key": "log.place",
            "rule": "R6",
            "seat": 0,
            "values": {"palace": "R"},
        }
        now = people[1].look()
        assert (event["shown"], event["own"]) == (now["shown"], now["own"])


def test_a_socket_resumes_from_a_number(server: LiveServer) -> None:
    people = server.people(2)
    play_on(people, Random(1), 12)
    last = people[0].look()["number"]
    with people[1].socket(after=last - 5) as wire:
        for number in range(last - 4, last + 1):
            assert wire.get()["number"] == number
        play_on(people, Random(2), 1)
        assert wire.until("event")["number"] == last + 1
    with people[1].socket(after=last + 1) as wire:
        assert wire.get()["type"] == "present", "nothing was missed"
    with people[0].socket() as other:
        other.until("present")
        with people[0].socket(after=last + 1) as wire:
            assert wire.get() == {"type": "present", "people": [0]}, "as before, but who knows"


@pytest.mark.parametrize("behind", [RECENT + 1, 10_000])
def test_too_far_behind_or_ahead_gets_a_snapshot(server: LiveServer, behind: int) -> None:
    people = server.people(2)
    play_on(people, Random(1), RECENT + 2)
    last = people[0].look()["number"]
    for after in (max(0, last - behind), last + behind):
        with people[1].socket(after=after) as wire:
            assert wire.get()["type"] == "snapshot"
        page = people[1].events(after)
        assert page["snapshot"]["number"] == last
        assert page["events"] == []


def test_http_gives_the_same_bytes_as_the_socket(server: LiveServer) -> None:
    people = server.people(3, variant="neutral", move_seconds=86_400, watching="open")
    viewers = [*people, server.spectator(people[0].code)]
    for guest in viewers:
        first = guest.look()["number"]
        polled = b""
        with guest.socket(after=first) as wire:
            for _ in range(3):
                before = guest.look()["number"]
                play_on(people, Random(before), 9)
                people[0].wants("chat", text="Größe")
                wire.until("event", number=before + 10)
                page = guest.get("/events", after=before).content
                polled += page.partition(b'"events":[')[2].rpartition(b'],"snapshot"')[0] + b","
            told = [each for each in wire.bytes if each.startswith(b'{"type":"event"')]
            assert len(told) == 30
            assert b",".join(told) + b"," == polled
            whole = guest.get("/events", after=first, whole=True).content
            assert b'"events":[' + b",".join(told) + b"]" in whole


def test_a_long_game_is_read_page_by_page(server: LiveServer) -> None:
    people = server.people(2)
    chat(people[0], 420)
    found, page = list[Message](), {"more": True}
    while page["more"]:
        page = people[1].events(found[-1]["number"] if found else 0, whole=True)
        found += page["events"]  # type: ignore[arg-type]
    assert [event["number"] for event in found] == list(range(1, people[1].look()["number"] + 1))


def test_a_poll_waits_until_something_happens(server: LiveServer) -> None:
    people = server.people(2)
    last = people[0].look()["number"]
    pages = list[Message]()
    waiting = threading.Thread(target=lambda: pages.append(people[1].events(last, wait=25)))
    with people[0].socket() as wire:
        wire.until("present", people=[0])
        waiting.start()
        wire.until("present", people=[0, 1])
        people[0].wants("move", action="@R")
        waiting.join(FAR)
    assert [event["number"] for event in pages[0]["events"]] == [last + 1]
    assert people[1].events(last + 1, wait=0.01)["events"] == []


# Who is there


def test_everybody_is_told_who_is_there(server: LiveServer) -> None:
    people = server.people(3)
    with people[0].socket() as wire:
        assert wire.until("present")["people"] == [0]
        with people[2].socket(), people[2].socket():
            assert wire.until("present")["people"] == [0, 2]
            assert people[1].look()["present"] == [0, 2]
        assert wire.until("present")["people"] == [0]
        with server.spectator(people[0].code).socket(), people[1].socket():
            assert wire.until("present")["people"] == [0, 1], "spectators are not counted"


def test_who_polls_again_and_again_is_there_all_the_time(tmp_path: Path) -> None:
    server = LiveServer(tmp_path, limits=replace(GENEROUS, absent_seconds=1_000_000))
    try:
        people = server.people(2)
        last = people[0].look()["number"]
        with people[0].socket() as wire:
            wire.until("snapshot")
            for _ in range(10):
                people[1].events(last, wait=0.01)
                with people[1].socket():
                    pass
            people[0].wants("chat", text="that was all")
            wire.until("event", kind="chatted")
            told = [each for each in wire.bytes if each.startswith(b'{"type":"present"')]
        assert told == [b'{"type":"present","people":[0]}', b'{"type":"present","people":[0,1]}']
    finally:
        server.stop()


def test_all_who_share_a_device_are_there(server: LiveServer) -> None:
    host = server.create(players=3, chairs=[{"kind": "human", "name": "Bea"}])
    guest = server.join(host.code, "Cem")
    with guest.socket() as wire:
        assert wire.until("present")["people"] == [2]
        with host.socket():
            assert wire.until("present")["people"] == [0, 1, 2], "not only whose turn it is"
        assert wire.until("present")["people"] == [2]


def test_several_sockets_of_one_person_get_the_same(server: LiveServer) -> None:
    people = server.people(2)
    with people[0].socket() as one, people[0].socket() as two:
        one.until("snapshot")
        two.until("snapshot")
        command = people[0].command("move", action="@R")
        assert one.ask(command)["result"] == "accepted"
        assert two.ask(command)["result"] == "accepted", "the same command, and nothing twice"
        events = [[each for each in w.bytes if b'"moved"' in each] for w in (one, two)]
        assert events[0] == events[1]
        assert len(events[0]) == 1


@in_loop
async def test_others_have_a_turn_between_the_beats_of_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(socket, "BEATS_AT_ONCE", 10)
    sent: list[bytes] = []

    class Silent:
        sent = -1e9

        def send(self, message: bytes) -> None:
            sent.append(message)

    connections = socket.Connections(Clock(), Limits())
    connections._open = {Silent() for _ in range(25)}  # type: ignore[misc]
    beating, turns = asyncio.create_task(connections._beat_once()), []
    while not beating.done():
        await asyncio.sleep(0)
        turns.append(len(sent))
    assert turns[:3] == [10, 20, 25]


def test_a_silent_connection_is_shown_to_live(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "BEAT_SECONDS", 0.05)
    server = LiveServer(tmp_path)
    try:
        with server.create().socket() as wire:
            assert wire.until("beat")["at"] > 0
            assert wire.until("beat")["at"] > 0
    finally:
        server.stop()


# Whoever is slow


def test_a_slow_client_is_closed_and_comes_back(own_server: LiveServer) -> None:
    """It reads nothing while much happens; the others are not kept waiting."""
    listening = own_server.uvicorn.servers[0].sockets[0]
    listening.setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, 4096)
    people = own_server.people(2)
    raw = sockets.socket()
    raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
    host, port = own_server.address.split(":")
    raw.connect((host, int(port)))
    url = f"ws://{own_server.address}{people[1].path}/socket"
    bearer = {"Authorization": f"Bearer {people[1].secrets[0]}"}
    with (
        connect(
            url,
            sock=raw,
            additional_headers=bearer,
            compression=None,
            max_queue=1,
            open_timeout=FAR,
        ) as slow,
        people[0].socket() as quick,
    ):
        quick.until("present", people=[0, 1])
        for _ in range(10):
            chat(people[0], (socket.QUEUE + 500) // 10, "x" * 280)
            last = people[0].look()["number"]
            quick.until("event", number=last)
        got, closed = all_of(slow)
    assert closed == socket.SLOW
    assert 0 < len(got) < socket.QUEUE + 500
    assert got == list(range(got[0], got[0] + len(got))), "no gap before the end"
    with people[1].socket(after=got[-1]) as again:
        assert again.get()["number"] == last


def test_a_socket_ends_with_the_server_and_says_so(own_server: LiveServer) -> None:
    people = own_server.people(2)
    with people[0].socket() as wire:
        wire.until("present")
        own_server.stop()
        assert all_of(wire.raw) == ([], socket.RESTART)


# Whoever does not belong here


def test_a_page_of_somebody_else_opens_no_socket(server: LiveServer) -> None:
    guest = server.create()
    url = f"ws://{server.address}{guest.path}/socket"
    cookie = {"Cookie": f"baghdad-{guest.code}={guest.secrets[0]}"}
    for origin in (
        "https://evil.example",
        f"http://{server.address}.evil.example",
        "null",
        "http://[",
    ):
        with pytest.raises(InvalidStatus) as refused:
            connect(url, origin=Origin(origin), additional_headers=cookie, proxy=None)
        assert refused.value.response.status_code == 403
    own = Origin(server.url)
    with connect(url, origin=own, additional_headers=cookie, proxy=None) as raw:
        assert json.loads(raw.recv(timeout=FAR))["people"] == [0]


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/api/tables/BBBBBB/socket", socket.NO_TABLE),
        ("/api/tables/x/socket", socket.NO_TABLE),
        ("/api/tables/%00%00%00%00%00%00/socket", socket.NO_TABLE),
        (f"/api/tables/{'%E2%82%AC' * 200}/socket", socket.NO_TABLE),
        ("/api/tables/{code}/socket?as=1", socket.NOT_YOURS),
    ],
)
def test_a_socket_that_leads_nowhere_says_so(server: LiveServer, path: str, code: int) -> None:
    url = f"ws://{server.address}{path.format(code=server.create().code)}"
    with connect(url, proxy=None) as raw:
        assert all_of(raw) == ([], code)
        assert raw.close_reason


def test_who_comes_while_the_server_stops_is_told_to_come_back(own_server: LiveServer) -> None:
    ali = own_server.create()
    own_server.call(own_server.app.state.services.connections.close())
    with ali.socket() as wire:
        assert all_of(wire.raw) == ([], socket.RESTART)
    assert ali.events(after=ali.look()["number"], wait=25)["events"] == []
