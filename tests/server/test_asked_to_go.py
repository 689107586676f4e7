"""After the host has asked somebody to go, whoever wants to sit down needs the host's yes."""

from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import httpx
import pytest

from baghdad.client import Table, TableError
from baghdad.server.domain.decisions.gathering import MOST_WAITING
from baghdad.server.runtime.credentials import hashed
from support.live_server import Guest, LiveServer, play_on
from support.pledges import number_of


def knock(server: LiveServer, code: str, name: str = "Bea", **asked: Any) -> httpx.Response:
    with server.client() as http:
        return http.post(f"/api/tables/{code}/join", json={"name": name} | asked)


def closed(server: LiveServer, **agreement: Any) -> tuple[Guest, Guest]:
    """A table whose host has asked somebody to go: both of them."""
    host = server.create(**{"players": 3} | agreement)
    guest = server.join(host.code, "Bea")
    host.wants("kick", person=guest.person)
    return host, guest


def waiting(guest: Guest) -> list[str]:
    return [each["name"] for each in guest.look()["table"]["waiting"]]


def seated(guest: Guest) -> list[str]:
    return [chair["name"] for chair in guest.look()["table"]["chairs"] if chair.get("name")]


def test_whoever_comes_then_waits_for_the_hosts_yes(server: LiveServer) -> None:
    host, gone = closed(server)
    with host.socket() as wire:
        wire.until("snapshot")
        answer = knock(server, host.code)
        assert answer.status_code == 200
        welcome = answer.json()
        assert welcome["waiting"]
        told = wire.until("event", kind="knocked")
        assert told["lines"] == [{"key": "log.knocked", "values": {"name": "Bea"}}]
        bea = Guest(server, welcome)
        assert told["table"]["waiting"] == [{"person": bea.person, "name": "Bea"}]
        assert (seated(host), bea.look()["people"]) == (["Ali"], [])
        assert bea.send(bea.command("chat", text="hello")).status_code == 403
        assert host.refusal("admit", person=77, yes=True) == "nobody_waits"
        host.wants("admit", person=bea.person, yes=True)
        assert wire.until("event", kind="joined")["table"]["waiting"] == []
    assert (seated(host), waiting(host)) == (["Ali", "Bea"], [])
    assert bea.look()["people"] == [bea.person]
    assert bea.refusal("admit", person=5, yes=True) == "host_only"
    assert bea.refusal("open_door") == "host_only"
    assert gone.look()["people"] == [], "the old secret opens nothing"


def test_numbers_of_people_are_never_used_again(server: LiveServer) -> None:
    host, _ = closed(server, players=4)
    first, second = (knock(server, host.code, name).json()["keys"][0]["person"] for name in "AB")
    host.wants("admit", person=second, yes=True)
    host.wants("admit", person=first, yes=True)
    assert knock(server, host.code, "C").json()["keys"][0]["person"] > max(first, second)


def test_who_is_told_no_does_not_knock_again_with_the_same_device(server: LiveServer) -> None:
    host, _ = closed(server)
    with server.client() as browser:
        path = f"{host.path}/join"
        first = browser.post(path, json={"name": "Bea"}).json()
        again = browser.post(path, json={"name": "Bea, too"}).json()
        assert first == again, "one waits for each device"
        assert waiting(host) == ["Bea"]
        host.wants("admit", person=first["keys"][0]["person"], yes=False)
        refused = browser.post(path, json={"name": "Bea"})
        assert (refused.status_code, refused.json()["key"]) == (409, "server.turned_away")
        assert host.look()["log"][-1]["lines"][0]["key"] == "log.turned_away"
        host.wants("open_door")
        assert "waiting" not in browser.post(path, json={"name": "Bea"}).json()
    assert seated(host) == ["Ali", "Bea"]
    assert host.refusal("open_door") == "door_open"
    assert "waiting" not in knock(server, host.code, "Cem").json()


def test_the_same_secret_knocks_once(server: LiveServer) -> None:
    host, _ = closed(server)
    secret = "a-secret-of-twenty-four-or-more"
    answers = [knock(server, host.code, secret=secret).json() for _ in range(2)]
    assert answers[0] == answers[1]
    host.wants("admit", person=answers[0]["keys"][0]["person"], yes=False)
    assert knock(server, host.code, secret=secret).json()["key"] == "server.turned_away"


def test_a_thousand_who_knock_fill_nothing_but_a_short_list(server: LiveServer) -> None:
    host, _ = closed(server)
    number = host.look()["number"]
    answers = [knock(server, host.code, f"\u202e Bea\n{n}") for n in range(200)]
    assert [answer.status_code for answer in answers[:MOST_WAITING]] == [200] * MOST_WAITING
    assert {answer.json()["key"] for answer in answers[MOST_WAITING:]} == {"server.many_wait"}
    assert waiting(host) == [f"Bea {n}" for n in range(MOST_WAITING)]
    assert host.look()["number"] == number + MOST_WAITING
    # And none of them has made the host's own commands out of date.
    host.wants("arrange", chair=2, to="closed", version=number)


def test_a_chair_must_be_free_and_a_game_that_begins_waits_for_nobody(server: LiveServer) -> None:
    host, _ = closed(server)
    person = knock(server, host.code).json()["keys"][0]["person"]
    for chair in (1, 2):
        host.wants("arrange", chair=chair, to="bot", level="kasim")
    host.wants("choose_start", start=0)  # else a bot might move meanwhile
    assert host.refusal("admit", person=person, yes=True) == "full"
    assert knock(server, host.code).json()["key"] == "server.full"
    host.wants("start")
    assert waiting(host) == []
    assert host.refusal("admit", person=person, yes=True) == "nobody_waits"


def test_where_nobody_is_left_to_be_asked_the_door_is_open(server: LiveServer) -> None:
    host, _ = closed(server)
    bea = Guest(server, knock(server, host.code).json())
    host.wants("leave")
    cem = server.join(host.code, "Cem")
    assert cem.look()["table"]["host"] == cem.person
    assert (bea.look()["people"], waiting(cem)) == ([], [])


def test_a_screen_that_hosts_is_asked_too(server: LiveServer) -> None:
    with server.client() as http:
        asked = {"name": "Screen", "screen": True}
        screen = Guest(server, http.post("/api/tables", json=asked).json())
    bea = server.join(screen.code, "Bea")
    screen.wants("kick", person=bea.person)
    again = knock(server, screen.code).json()
    screen.wants("admit", person=again["keys"][0]["person"], yes=True)
    assert seated(screen) == ["Bea"]


def test_who_waits_is_no_audience_of_what_is_hidden(server: LiveServer) -> None:
    host = server.create(players=3, watching="nobody")
    gone, bea = server.join(host.code, "Zoe"), server.join(host.code, "Bea")
    host.wants("kick", person=gone.person)
    secret = "a-secret-of-twenty-four-or-more"
    waits = Guest(server, knock(server, host.code, "Cem", secret=secret).json())
    host.wants("arrange", chair=1, to="closed")
    host.wants("start")
    with waits.socket() as wire:
        wire.until("snapshot")
        host.wants("chat", text="between us")
        play_on([host, bea], Random(3))
        wire.until("event", number=host.look()["number"])
        pages = waits.get().content + waits.get("/events", whole=True).content
        sent = b"".join([*wire.bytes, pages])
    for told in (b'"shown":{', b"between us", host.look()["table"]["seed"].encode()):
        assert told not in sent
    assert waits.get("/record").status_code == 403
    everything = b"".join(guest.get("/events", whole=True).content for guest in (host, bea, waits))
    assert secret.encode() not in everything
    assert hashed(secret).encode() not in everything


def test_the_door_is_as_it_was_after_a_restart(own_server: LiveServer) -> None:
    host, _ = closed(own_server)
    knock(own_server, host.code)
    before = host.look()["table"]
    assert (before["knock"], len(before["waiting"])) == (True, 1)
    own_server.stop()
    anew = LiveServer(own_server.folder)
    try:
        host.server, host.http = anew, anew.client(*host.secrets)
        assert host.look()["table"] == before
        host.wants("admit", person=before["waiting"][0]["person"], yes=True)
    finally:
        anew.stop()


def test_a_program_waits_for_the_answer(server: LiveServer) -> None:
    host, _ = closed(server)
    with ThreadPoolExecutor() as pool, host.socket() as wire:
        for yes in (True, False):
            asks = pool.submit(Table.join, server.url, host.code, "Bot")
            person = wire.until("event", kind="knocked")["person"]
            host.wants("admit", person=person, yes=yes)
            if yes:
                with asks.result() as table:
                    assert table.state == "gathering"
            else:
                with pytest.raises(TableError):
                    asks.result()


# What somebody who has gone may still check


def replays(guest: Guest, number: int = 1) -> list[int]:
    """What becomes of the ways to a finished game."""
    paths = (f"/games/{number}/record", f"/games/{number}/replay")
    return [guest.get(path).status_code for path in paths]


@pytest.mark.parametrize("how", ["kick", "leave"])
def test_who_sat_in_a_hidden_game_may_check_its_deal_after_the_end_whoever_kicked(
    server: LiveServer, how: str
) -> None:
    host, bea, cem = server.people(3, numbers=True, watching="nobody", stand_in="kasim")
    stranger = server.spectator(host.code)
    play_on([host, bea, cem], Random(2), 14)
    if how == "kick":
        host.wants("kick", person=bea.person)
    else:
        bea.wants("leave")
    assert replays(bea) == [409, 409], "not before the end: it would tell the hands"
    assert bea.get("/record").status_code == 409
    assert bea.get("/games").json()["games"] == []
    seen = bea.look()
    assert (seen["people"], seen.get("own"), seen.get("shown")) == ([], None, None)
    assert seen["table"].get("seed") is None
    assert bea.send(bea.command("chat", text="hello")).status_code == 403
    host.wants("resign")
    cem.wants("resign")

    assert replays(bea) == replays(cem) == [200, 200]
    assert replays(stranger) == [403, 403]
    assert [each["number"] for each in bea.get("/games").json()["games"]] == [1]
    record = bea.get("/record").text
    claim = {"record": record, "promise": seen["table"]["promise"], "number": number_of(1)}
    assert bea.http.post("/api/verify", json=claim).json()["fair"]

    host.wants("rematch", now=True)  # Cem could sit down again; Bea is not part of it
    open_chair = [chair["kind"] for chair in host.look()["table"]["chairs"]].index("open")
    host.wants("arrange", chair=open_chair, to="closed")
    host.wants("start")
    host.wants("resign")
    assert replays(host, 2) == [200, 200]
    assert replays(bea, 2) == [403, 403], "the next game is none of theirs"
    assert replays(bea) == [200, 200]
    assert [each["number"] for each in bea.get("/games").json()["games"]] == [1]


def test_who_never_sat_in_a_game_checks_nothing(server: LiveServer) -> None:
    host, gone = closed(server, players=2, watching="nobody")
    host.wants("arrange", chair=1, to="bot", level="kasim")
    host.wants("start")
    host.wants("resign")
    assert replays(host) == [200, 200]
    assert replays(gone) == [403, 403]


def test_a_browser_that_sits_down_again_keeps_the_right_to_its_old_game(
    server: LiveServer,
) -> None:
    host = server.create(players=2, watching="nobody", start="order")
    with server.client() as browser:
        path = f"/api/tables/{host.code}"
        person = browser.post(f"{path}/join", json={"name": "Bea"}).json()["keys"][0]["person"]
        host.wants("start")
        host.wants("kick", person=person)
        host.wants("resign")
        assert browser.get(f"{path}/games/1/record").is_success
        host.wants("rematch", now=True)
        host.wants("arrange", chair=1, to="open")
        assert browser.post(f"{path}/join", json={"name": "Bea"}).json()["waiting"]
        assert browser.get(f"{path}/games/1/record").is_success
        assert browser.get(path).json()["people"] == []


def test_a_table_that_is_read_again_knows_who_has_gone(own_server: LiveServer) -> None:
    host, bea = own_server.people(2, watching="nobody")
    host.wants("kick", person=bea.person)
    host.wants("resign")
    own_server.registry.actors.clear()
    assert replays(bea) == [200, 200]
