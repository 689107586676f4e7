"""Seats that go to another device: by a ticket that works once, and to nobody else."""

from collections.abc import Iterator
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import httpx
import pytest

from baghdad.server.domain.limits import Limits
from baghdad.server.domain.refusals import RefusedError
from baghdad.server.runtime.credentials import new_secret, new_ticket
from baghdad.server.runtime.transfers import (
    CLAIM_SECONDS,
    MOST_TRANSFERS,
    TICKET_SECONDS,
    Transfers,
)
from baghdad.server.transport.reach import Endpoint
from baghdad.server.wire.requests import MOST_GAMES, NewTransfer
from support.live_server import Guest, LiveServer, good
from support.runtime import ManualClock

PHONE, OTHER = "the-phone-of-scheherazade", "somebody-who-found-the-link"


@pytest.fixture
def clock(server: LiveServer) -> Iterator[ManualClock]:
    """Time of the tickets, turned by hand."""
    transfers = server.app.state.services.transfers.transfers
    before, transfers.clock = transfers.clock, ManualClock()
    yield transfers.clock
    transfers.clock = before


def ticket_of(*tables: Guest) -> str:
    """A ticket for the seats of one person at several tables."""
    server = tables[0].server
    games = [{"code": each.code, "view": "table", "at": 5} for each in tables]
    with server.client() as http:
        made = good(http.post("/api/transfers", json={"games": games, "name": "Amira"}))
    for each in tables:
        answer = each.http.post(f"{each.path}/transfer", json={"ticket": made["ticket"]})
        assert good(answer) == {"seats": len(each.secrets)}
    assert made["seconds"] == TICKET_SECONDS
    return str(made["ticket"])


def claim(http: httpx.Client, ticket: str, claimant: str = PHONE) -> httpx.Response:
    return http.post("/api/transfers/claim", json={"ticket": ticket, "claimant": claimant})


def take(http: httpx.Client, code: str, ticket: str, claimant: str = PHONE) -> httpx.Response:
    path = f"/api/tables/{code}/transfer/claim"
    return http.post(path, json={"ticket": ticket, "claimant": claimant})


def refused(answer: httpx.Response) -> None:
    assert answer.status_code == 409, answer.text
    assert answer.json()["key"] == "server.no_ticket"
    assert "set-cookie" not in answer.headers


def people(http: httpx.Client, code: str) -> Any:
    return http.get(f"/api/tables/{code}").json()["people"]


def test_all_seats_come_along_and_both_devices_play_them(server: LiveServer) -> None:
    first, second = server.people(2)[1], server.create("Amira", [{"kind": "human", "name": "Bea"}])
    ticket = ticket_of(first, second)
    with server.client() as phone:
        counts = good(phone.post("/api/transfers/peek", json={"ticket": ticket}))
        assert counts["games"] == 2
        assert counts["seats"] == 3
        assert 0 < counts["seconds"] <= TICKET_SECONDS
        there = (first, second)
        games = [{"code": each.code, "view": "table", "at": 5, "numbers": []} for each in there]
        assert good(claim(phone, ticket)) == {"name": "Amira", "games": games}
        assert people(phone, first.code) == []
        assert good(take(phone, first.code, ticket)) == {"seats": 1}
        assert good(take(phone, second.code, ticket)) == {"seats": 2}
        assert people(phone, first.code) == [1]
        assert people(phone, second.code) == [0, 1]
        assert first.look()["people"] == [1], "the old device keeps its seat"


def test_it_works_once_and_the_same_device_may_ask_again(server: LiveServer) -> None:
    host = server.create()
    ticket = ticket_of(host)
    with server.client() as phone, server.client() as thief:
        first = good(claim(phone, ticket))
        assert good(claim(phone, ticket)) == first, "its network broke"
        refused(claim(thief, ticket, OTHER))
        refused(take(thief, host.code, ticket, OTHER))
        refused(thief.post("/api/transfers/peek", json={"ticket": ticket}))
        refused(host.http.post(f"{host.path}/transfer", json={"ticket": ticket}))
        assert people(thief, host.code) == []
        assert good(take(phone, host.code, ticket)) == {"seats": 1}
        assert good(take(phone, host.code, ticket)) == {"seats": 1}


def test_it_expires(server: LiveServer, clock: ManualClock) -> None:
    host = server.create()
    ticket, other = ticket_of(host), ticket_of(host)
    clock.advance(TICKET_SECONDS - 1)
    with server.client() as phone:
        assert good(phone.post("/api/transfers/peek", json={"ticket": ticket}))["seconds"] == 1
        good(claim(phone, ticket))
        clock.advance(1)
        refused(claim(phone, other))
        refused(host.http.post(f"{host.path}/transfer", json={"ticket": other}))
        clock.advance(CLAIM_SECONDS - 2)
        assert good(take(phone, host.code, ticket)) == {"seats": 1}
        clock.advance(1)
        refused(take(phone, host.code, ticket))
        refused(claim(phone, ticket))


def test_wrong_tickets_are_told_the_same_as_old_ones(server: LiveServer) -> None:
    host = server.create()
    ticket = ticket_of(host)
    with server.client() as phone:
        for wrong in (new_ticket(), ticket[::-1], ticket.swapcase()):
            refused(phone.post("/api/transfers/peek", json={"ticket": wrong}))
            refused(claim(phone, wrong))
            refused(take(phone, host.code, wrong))
        for broken in ("", ticket[:-1], ticket + "x", "ö" * 22):
            answer = phone.post("/api/transfers/peek", json={"ticket": broken})
            assert answer.status_code == 400


def test_nobody_elses_seat_comes_along(server: LiveServer) -> None:
    """A ticket carries what its maker's device holds, whatever is asked for."""
    guests = server.people(3)
    stranger = server.spectator(guests[0].code)
    own, elsewhere = guests[2], server.create()
    ticket = ticket_of(own)
    assert good(stranger.http.post(f"{own.path}/transfer", json={"ticket": ticket_of(stranger)}))
    with server.client(new_secret(), elsewhere.secrets[0]) as forger:
        forged = ticket_of(stranger)
        answer = forger.post(f"{own.path}/transfer", json={"ticket": forged})
        assert good(answer) == {"seats": 0}
    with server.client() as phone:
        good(claim(phone, ticket))
        good(take(phone, own.code, ticket))
        assert people(phone, own.code) == [2]
        assert good(take(phone, elsewhere.code, ticket)) == {"seats": 0}
        assert people(phone, elsewhere.code) == []
    with server.client() as phone:
        good(claim(phone, forged))
        assert good(take(phone, own.code, forged)) == {"seats": 0}
        assert people(phone, own.code) == []


def test_seats_that_the_phone_holds_stay(server: LiveServer) -> None:
    host = server.create(players=3)
    with server.client() as phone:
        good(phone.post(f"{host.path}/join", json={"name": "Bea"}))
        assert people(phone, host.code) == [1]
        ticket = ticket_of(host)
        good(claim(phone, ticket))
        assert good(take(phone, host.code, ticket)) == {"seats": 2}
        assert sorted(people(phone, host.code)) == [0, 1]


def test_who_waits_at_the_door_meanwhile_still_gets_the_seat(server: LiveServer) -> None:
    host = server.create(players=4)
    gone, guest = server.join(host.code), server.join(host.code)
    host.wants("kick", person=gone.person)
    with server.client() as phone:
        waits = good(phone.post(f"{host.path}/join", json={"name": "Bea"}))["keys"][0]["person"]
        ticket = ticket_of(guest)
        good(claim(phone, ticket))
        assert good(take(phone, host.code, ticket)) == {"seats": 1}
        host.wants("admit", person=waits, yes=True)
        assert sorted(people(phone, host.code)) == [guest.person, waits]


def test_seats_that_were_given_up_do_not_come_along(server: LiveServer) -> None:
    host = server.create(players=3)
    guest = server.join(host.code)
    ticket = ticket_of(guest)
    guest.wants("leave")
    with server.client() as phone:
        good(claim(phone, ticket))
        answer = take(phone, host.code, ticket)
        assert good(answer) == {"seats": 0}
        assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("secure", [False, True])
def test_secrets_travel_in_cookies_that_no_script_reads(tmp_path: Path, secure: bool) -> None:
    server = LiveServer(tmp_path, endpoint=Endpoint(secure=secure))
    try:
        host = server.create()
        ticket, secret = ticket_of(host), host.secrets[0]
        with server.client() as phone:
            answers = [
                phone.post("/api/transfers/peek", json={"ticket": ticket}),
                claim(phone, ticket),
                take(phone, host.code, ticket),
            ]
        for answer in answers:
            assert secret not in answer.text
            assert answer.headers["cache-control"] == "no-store"
        assert not any("set-cookie" in answer.headers for answer in answers[:2])
        cookie = SimpleCookie(answers[2].headers["set-cookie"])[f"baghdad-{host.code}"]
        assert cookie.value == secret
        assert cookie["httponly"]
        assert cookie["samesite"] == "lax"
        assert cookie["path"] == host.path
        assert bool(cookie["secure"]) == secure
    finally:
        server.stop()


def test_tickets_of_one_address_are_limited(tmp_path: Path) -> None:
    server = LiveServer(tmp_path, limits=Limits(tickets_an_hour=2))
    try:
        with server.client() as http:
            made = [http.post("/api/transfers", json={}).status_code for _ in range(3)]
        assert made == [200, 200, 429]
    finally:
        server.stop()


def test_a_ticket_is_random_kept_hashed_and_there_are_not_too_many() -> None:
    clock = ManualClock()
    transfers = Transfers(clock)
    tickets = [transfers.make(NewTransfer()) for _ in range(MOST_TRANSFERS)]
    assert len(set(tickets)) == MOST_TRANSFERS
    assert all(len(ticket) == 22 for ticket in tickets)
    assert not set(tickets) & set(transfers._transfers)
    with pytest.raises(RefusedError):
        transfers.make(NewTransfer())
    clock.advance(TICKET_SECONDS)
    assert transfers.make(NewTransfer())
    assert len(transfers._transfers) == 1, "old ones are forgotten"


def test_a_ticket_carries_so_many_tables() -> None:
    transfers = Transfers(ManualClock())
    ticket = transfers.make(NewTransfer())
    for n in range(MOST_GAMES):
        transfers.attach(ticket, f"table {n}", ["secret"])
    transfers.attach(ticket, "table 0", ["secret"])
    with pytest.raises(RefusedError):
        transfers.attach(ticket, "one more", ["secret"])
