"""Seats that go to another device: by a ticket that works once, and to nobody else."""

from collections.abc import Iterator
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import httpx
import pytest

from baghdad.server.domain.refusals import RefusedError
from baghdad.server.transport.auth import Limits, new_secret, new_ticket
from baghdad.server.transport.transfers import (
    CLAIM_SECONDS,
    MOST_TRANSFERS,
    TICKET_SECONDS,
    Transfers,
)
from baghdad.server.wire.messages import MOST_GAMES, NewTransfer
from support.halls import Sandglass
from support.server_helpers import Guest, House, good

PHONE, OTHER = "the-phone-of-scheherazade", "somebody-who-found-the-link"


@pytest.fixture
def glass(house: House) -> Iterator[Sandglass]:
    """Time of the tickets, turned by hand."""
    transfers = house.app.state.desk.transfers
    before, transfers.watch = transfers.watch, Sandglass()
    yield transfers.watch
    transfers.watch = before


def ticket_of(*tables: Guest) -> str:
    """A ticket for the seats of one person at several tables."""
    house = tables[0].house
    games = [{"code": each.code, "view": "table", "at": 5} for each in tables]
    with house.client() as http:
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


def test_all_seats_come_along_and_both_devices_play_them(house: House) -> None:
    first, second = house.people(2)[1], house.create("Amira", [{"kind": "human", "name": "Bea"}])
    ticket = ticket_of(first, second)
    with house.client() as phone:
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


def test_it_works_once_and_the_same_device_may_ask_again(house: House) -> None:
    host = house.create()
    ticket = ticket_of(host)
    with house.client() as phone, house.client() as thief:
        first = good(claim(phone, ticket))
        assert good(claim(phone, ticket)) == first, "its network broke"
        refused(claim(thief, ticket, OTHER))
        refused(take(thief, host.code, ticket, OTHER))
        refused(thief.post("/api/transfers/peek", json={"ticket": ticket}))
        refused(host.http.post(f"{host.path}/transfer", json={"ticket": ticket}))
        assert people(thief, host.code) == []
        assert good(take(phone, host.code, ticket)) == {"seats": 1}
        assert good(take(phone, host.code, ticket)) == {"seats": 1}


def test_it_expires(house: House, glass: Sandglass) -> None:
    host = house.create()
    ticket, other = ticket_of(host), ticket_of(host)
    glass.turn(TICKET_SECONDS - 1)
    with house.client() as phone:
        assert good(phone.post("/api/transfers/peek", json={"ticket": ticket}))["seconds"] == 1
        good(claim(phone, ticket))
        glass.turn(1)
        refused(claim(phone, other))
        refused(host.http.post(f"{host.path}/transfer", json={"ticket": other}))
        glass.turn(CLAIM_SECONDS - 2)
        assert good(take(phone, host.code, ticket)) == {"seats": 1}
        glass.turn(1)
        refused(take(phone, host.code, ticket))
        refused(claim(phone, ticket))


def test_wrong_tickets_are_told_the_same_as_old_ones(house: House) -> None:
    host = house.create()
    ticket = ticket_of(host)
    with house.client() as phone:
        for wrong in (new_ticket(), ticket[::-1], ticket.swapcase()):
            refused(phone.post("/api/transfers/peek", json={"ticket": wrong}))
            refused(claim(phone, wrong))
            refused(take(phone, host.code, wrong))
        for broken in ("", ticket[:-1], ticket + "x", "ö" * 22):
            answer = phone.post("/api/transfers/peek", json={"ticket": broken})
            assert answer.status_code == 400


def test_nobody_elses_seat_comes_along(house: House) -> None:
    """A ticket carries what its maker's device holds, whatever is asked for."""
    guests = house.people(3)
    stranger = house.spectator(guests[0].code)
    own, elsewhere = guests[2], house.create()
    ticket = ticket_of(own)
    assert good(stranger.http.post(f"{own.path}/transfer", json={"ticket": ticket_of(stranger)}))
    with house.client(new_secret(), elsewhere.secrets[0]) as forger:
        forged = ticket_of(stranger)
        answer = forger.post(f"{own.path}/transfer", json={"ticket": forged})
        assert good(answer) == {"seats": 0}
    with house.client() as phone:
        good(claim(phone, ticket))
        good(take(phone, own.code, ticket))
        assert people(phone, own.code) == [2]
        assert good(take(phone, elsewhere.code, ticket)) == {"seats": 0}
        assert people(phone, elsewhere.code) == []
    with house.client() as phone:
        good(claim(phone, forged))
        assert good(take(phone, own.code, forged)) == {"seats": 0}
        assert people(phone, own.code) == []


def test_seats_that_the_phone_holds_stay(house: House) -> None:
    host = house.create(players=3)
    with house.client() as phone:
        good(phone.post(f"{host.path}/join", json={"name": "Bea"}))
        assert people(phone, host.code) == [1]
        ticket = ticket_of(host)
        good(claim(phone, ticket))
        assert good(take(phone, host.code, ticket)) == {"seats": 2}
        assert sorted(people(phone, host.code)) == [0, 1]


def test_who_waits_at_the_door_meanwhile_still_gets_the_seat(house: House) -> None:
    host = house.create(players=4)
    gone, guest = house.join(host.code), house.join(host.code)
    host.wants("kick", person=gone.person)
    with house.client() as phone:
        waits = good(phone.post(f"{host.path}/join", json={"name": "Bea"}))["keys"][0]["person"]
        ticket = ticket_of(guest)
        good(claim(phone, ticket))
        assert good(take(phone, host.code, ticket)) == {"seats": 1}
        host.wants("admit", person=waits, yes=True)
        assert sorted(people(phone, host.code)) == [guest.person, waits]


def test_seats_that_were_given_up_do_not_come_along(house: House) -> None:
    host = house.create(players=3)
    guest = house.join(host.code)
    ticket = ticket_of(guest)
    guest.wants("leave")
    with house.client() as phone:
        good(claim(phone, ticket))
        answer = take(phone, host.code, ticket)
        assert good(answer) == {"seats": 0}
        assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("secure", [False, True])
def test_secrets_travel_in_cookies_that_no_script_reads(tmp_path: Path, secure: bool) -> None:
    house = House(tmp_path, secure=secure)
    try:
        host = house.create()
        ticket, secret = ticket_of(host), host.secrets[0]
        with house.client() as phone:
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
        house.stop()


def test_tickets_of_one_address_are_limited(tmp_path: Path) -> None:
    house = House(tmp_path, limits=Limits(tickets_an_hour=2))
    try:
        with house.client() as http:
            made = [http.post("/api/transfers", json={}).status_code for _ in range(3)]
        assert made == [200, 200, 429]
    finally:
        house.stop()


def test_a_ticket_is_random_kept_hashed_and_there_are_not_too_many() -> None:
    glass = Sandglass()
    transfers = Transfers(glass)
    tickets = [transfers.make(NewTransfer()) for _ in range(MOST_TRANSFERS)]
    assert len(set(tickets)) == MOST_TRANSFERS
    assert all(len(ticket) == 22 for ticket in tickets)
    assert not set(tickets) & set(transfers._transfers)
    with pytest.raises(RefusedError):
        transfers.make(NewTransfer())
    glass.turn(TICKET_SECONDS)
    assert transfers.make(NewTransfer())
    assert len(transfers._transfers) == 1, "old ones are forgotten"


def test_a_ticket_carries_so_many_tables() -> None:
    transfers = Transfers(Sandglass())
    ticket = transfers.make(NewTransfer())
    for n in range(MOST_GAMES):
        transfers.attach(ticket, f"table {n}", ["secret"])
    transfers.attach(ticket, "table 0", ["secret"])
    with pytest.raises(RefusedError):
        transfers.attach(ticket, "one more", ["secret"])
