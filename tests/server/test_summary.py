"""The line that a list of games shows: what it says, and to whom."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from support.live_server import (
    Guest,
    LiveServer,
    good,
    play_on,
)


def summary(guest: Guest) -> dict[str, Any]:
    return good(guest.get("/summary"))


def test_while_people_gather_there_are_chairs(server: LiveServer) -> None:
    bot = {"kind": "bot", "level": "kasim"}
    host = server.create(players=4, chairs=[bot, {"kind": "closed"}])
    found = summary(host)
    assert found["code"] == host.code
    assert (found["state"], found["games"], found["turn"], found["winner"]) == (
        "gathering",
        0,
        None,
        None,
    )
    assert found["people"] == [0]
    assert found["needed"] == 5  # three chairs are not closed
    assert found["players"] == [
        {"colour": 0, "person": 0, "name": "Ali"},
        {"colour": 1, "level": "kasim"},
        {"colour": 3},
    ]


def test_in_a_game_there_are_seats_chests_and_a_turn(server: LiveServer) -> None:
    people = server.people(3)
    play_on(people, Random(4), 40)
    shown = people[0].look()
    for seat, guest in enumerate(people):
        found = summary(guest)
        assert found["state"] == "playing"
        assert found["games"] == 1
        assert found["people"] == [seat]
        assert found["turn"] == shown["shown"]["seat"]
        assert [each["chests"] for each in found["players"]] == shown["shown"]["loot"][:3]
        assert [each["name"] for each in found["players"]] == ["Ali", "Guest 1", "Guest 2"]
        assert found["at"] == people[0].events(whole=True)["events"][-1]["at"]


def test_afterwards_there_is_a_winner_and_whoever_left_has_played(server: LiveServer) -> None:
    people = server.people(2)
    play_on(people, Random(5))
    people[1].wants("leave")
    found = summary(people[0])
    shown = people[0].look()["shown"]
    assert (found["state"], found["turn"]) == ("over", None)
    assert found["winner"] == (shown["winner"] if shown["winner"] >= 0 else None)
    assert max(each["chests"] for each in found["players"]) == max(shown["loot"])
    assert [each["name"] for each in found["players"]] == ["Ali", "Guest 1"]
    assert summary(people[1])["people"] == [], "whoever has left is a spectator"


@pytest.mark.parametrize("watching", ["nobody", "table"])
def test_strangers_see_of_the_game_what_was_agreed(server: LiveServer, watching: str) -> None:
    people = server.people(2, watching=watching)
    outsider = server.spectator(people[0].code)
    for moves in (30, 100_000):
        play_on(people, Random(6), moves)
        found, own = summary(outsider), summary(people[0])
        assert found["people"] == []
        assert found["state"] == own["state"]
        if watching == "nobody":
            assert (found["turn"], found["winner"]) == (None, None)
            assert not any("chests" in each for each in found["players"])
        else:
            assert found | {"people": [0]} == own


def test_a_summary_has_nothing_that_is_not_on_its_list(server: LiveServer) -> None:
    people = server.people(2)
    play_on(people, Random(7), 30)
    found = summary(people[0])
    assert set(found) == {
        "code",
        "state",
        "at",
        "games",
        "people",
        "players",
        "needed",
        "turn",
        "winner",
        "termination",
        "resigned",
    }
    for player in found["players"]:
        assert set(player) <= {"colour", "person", "name", "level", "chests"}


def test_who_looks_at_a_list_is_not_at_the_table(server: LiveServer) -> None:
    host = server.create()

    async def seen() -> dict[int, int]:
        return dict((await server.registry.actor(host.code)).seen)

    before = server.call(seen())
    summary(host)
    assert server.call(seen()) == before


def test_bots_play_on_for_those_whose_table_it_is(server: LiveServer) -> None:
    """Not for a stranger's list of games, nor for the lobby; but for everybody who looks."""
    host = server.create(listed=True)
    stranger = server.spectator(host.code)

    async def forgotten() -> None:
        (await server.registry.actor(host.code)).looked = 0

    async def paused() -> bool:
        return server.registry.actors[host.code].paused

    def pauses_after(ask: Callable[[], object]) -> bool:
        server.call(forgotten())
        ask()
        return server.call(paused())

    with server.client() as http:
        assert pauses_after(lambda: http.get("/api/tables"))
    assert pauses_after(lambda: summary(stranger))
    assert not pauses_after(lambda: summary(host))
    assert not pauses_after(stranger.look)
    assert not pauses_after(stranger.events)
    assert not pauses_after(lambda: host.wants("chat", text="well?"))
    with stranger.socket() as wire:
        wire.until("snapshot")
        server.call(forgotten())
        assert not server.call(paused()), "somebody is there"


def test_where_there_is_no_table_there_is_no_summary(server: LiveServer) -> None:
    with server.client() as http:
        assert http.get("/api/tables/BBBBBB/summary").status_code == 404
