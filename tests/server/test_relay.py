"""Clients at one process, of a table that another one owns; both in this process."""

from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest

from baghdad.server.storage.event_store import async_url
from baghdad.server.transport import relay
from support.cluster import NatsServer
from support.live_server import Guest, LiveServer
from support.runtime import new_database

pytestmark = pytest.mark.usefixtures("patient")
NOON = 1000.0


@pytest.fixture
def two(tmp_path: Path, postgresql: Any, nats: NatsServer) -> Iterator[list[LiveServer]]:
    database = async_url(new_database(postgresql, f"relay {tmp_path.name}"))
    servers = [LiveServer(tmp_path, database=database, bus=nats.url) for _ in range(2)]
    yield servers
    for each in servers:
        each.stop()


def lose(server: LiveServer, guest: Guest) -> None:
    """As if the table had been taken over; nobody has, so that it is found again at once."""

    async def give_up() -> None:
        (await server.registry.actor(guest.code)).lose()

    server.call(give_up())


def test_a_socket_that_was_silent_for_long_finds_its_table_again(
    two: list[LiveServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [NOON]
    monkeypatch.setattr(relay, "time", SimpleNamespace(monotonic=lambda: now[0]))
    here, there = two
    host = here.create("Ali")
    with host.at(there).socket() as away, host.socket() as near:
        away.until("snapshot")
        near.until("snapshot")
        now[0] += 100 * relay.PATIENCE_SECONDS
        lose(here, host)
        said = host.wants("chat", text="hello")
        assert away.until("event")["number"] == said
        assert near.until("event")["number"] == said


def test_where_an_owner_begins_anew_sockets_of_other_processes_are_opened_again(
    two: list[LiveServer],
) -> None:
    """They may just have been: whoever was away for a while does not know that."""
    here, there = two
    host = here.create("Ali")

    async def begin_anew() -> None:
        here.app.state.services.members.links.gone(None)

    with host.at(there).socket() as away:
        away.until("snapshot")
        here.call(begin_anew())
        said = host.wants("chat", text="hello")
        assert away.until("event")["number"] == said


def test_what_a_client_may_not_do_is_refused_alike_on_both_ways(two: list[LiveServer]) -> None:
    host = two[0].create("Ali")
    told = []
    for server in two:
        guest = host.at(server)
        stranger = server.spectator(host.code)
        with guest.socket() as wire:
            wire.until("snapshot")
            wire.raw.send("no command")
            told.append(wire.until("answer")["key"])
            wire.raw.send("x" * 60_000)
            told.append(wire.until("answer")["key"])
            told.append(wire.ask(guest.command("start", id="early"))["key"])
        told.append(stranger.send(stranger.command("chat", text="hello")).json()["key"])
        told.append(guest.http.post(f"{guest.path}/commands", content=b"x").json()["key"])
        long = guest.http.post(
            f"{guest.path}/commands",
            content=b" " * 300_000,
            headers={"content-type": "application/json"},
        )
        told.append((long.status_code, long.json()["key"]))
        with stranger.http.stream("GET", "/api/tables/ZZZZZZ") as nothing:
            told.append(nothing.status_code)
    assert told[: len(told) // 2] == told[len(told) // 2 :]
    assert told[0] == "server.not_understood"


def test_somebody_who_waits_over_plain_http_hears_of_it_and_is_there(
    two: list[LiveServer],
) -> None:
    here, there = two
    host = here.create("Ali", players=2)
    bea = there.join(host.code, "Bea")
    with host.socket() as wire:
        wire.until("snapshot")
        with there.client(*bea.secrets) as http:
            heard: list[Any] = []
            waiting = Thread(
                target=lambda: heard.append(
                    http.get(f"{bea.path}/events", params={"after": 2, "wait": 25}).json()
                )
            )
            waiting.start()
            wire.until("present", people=[0, 1])
            said = host.wants("chat", text="hello")
            waiting.join()
    assert [each["number"] for each in heard[0]["events"]] == [said]
