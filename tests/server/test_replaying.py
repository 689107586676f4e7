"""Replays over HTTP: any record that is sent, and games of this server after their end."""

from random import Random

import pytest

from baghdad import Game
from baghdad.rules.notation import read_records
from support.live_server import LiveServer, play_on
from support.records import BEGINNING, GAMES, text_of


def test_any_record_can_be_sent_to_be_replayed(server: LiveServer) -> None:
    answer = server.client().post("/api/replay", json={"record": text_of(GAMES[1])})
    assert answer.status_code == 200
    assert len(answer.json()["steps"]) == len(Game.from_record(text_of(GAMES[1])).tokens) + 1


def test_a_bad_record_is_answered_in_the_readers_language_with_the_rule(server: LiveServer) -> None:
    bad = {"record": BEGINNING.replace("+R(RR) R>>G", "+R(RRR) R>>G")}
    answer = server.client().post("/api/replay?lang=de", json=bad)
    assert answer.status_code == 409
    problem = answer.json()
    assert problem["key"] == "server.not_a_record"
    assert problem["rule"] == "R12"
    assert "Zeile 12, Spalte 8" in problem["reason"]


def test_a_record_of_more_than_200_kilobytes_is_not_read(server: LiveServer) -> None:
    client = server.client()
    assert client.post("/api/replay", json={"record": "x" * 200_001}).status_code == 400
    assert client.post("/api/replay", json={"record": "x" * 300_000}).status_code == 413


def test_a_game_of_the_server_is_replayed_after_its_end_and_not_before(server: LiveServer) -> None:
    people = server.people(2)
    guest = server.spectator(people[0].code)
    assert guest.get("/replay").status_code == 409
    play_on(people, Random(5))
    replay, record = guest.get("/replay").json(), guest.get("/record").text
    assert replay["record"] == record
    assert replay["names"] == ["Ali", "Guest 1"]
    assert replay["colours"] == [0, 1]
    assert read_records(record)[0].headers["Colours"] == "1, 2"
    assert server.spectator("222222").get("/replay").status_code == 404


def test_where_nobody_may_watch_only_the_players_may_replay(server: LiveServer) -> None:
    people = server.people(2, watching="nobody")
    play_on(people, Random(5))
    assert server.spectator(people[0].code).get("/replay").status_code == 403
    assert people[1].get("/replay").status_code == 200


@pytest.mark.parametrize("path", ["/api/replay", "/api/tables/{code}/replay"])
def test_the_answer_is_described(server: LiveServer, path: str) -> None:
    document = server.client().get("/api/openapi.json").json()
    (operation,) = document["paths"][path].values()
    schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
    assert schema == {"$ref": "#/components/schemas/Replay"}
    assert {"Step", "Replay", "Shown"} <= set(document["components"]["schemas"])
