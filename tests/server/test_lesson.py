"""The guided game at the server: its deal is known, so it is for one person and nothing else."""

from typing import Any

import pytest

from baghdad.bots.lesson.script import MOVES, SEED
from baghdad.rules.fair import commitment
from support.live_server import Guest, LiveServer, good


def lesson(server: LiveServer) -> Guest:
    with server.client() as http:
        answer = http.post("/api/tables", json={"name": "Ali", "lesson": True})
    return Guest(server, good(answer))


def test_the_guided_game_is_dealt_as_it_is_published(server: LiveServer) -> None:
    host = lesson(server)
    table = host.look()["table"]
    assert table["lesson"]
    assert table["promise"] == commitment(SEED)
    assert table["agreement"] == {"start": "order"}
    assert [chair["kind"] for chair in table["chairs"]] == ["human", "bot"]
    assert table["chairs"][1]["level"] == "maruf"
    host.wants("start")
    with host.socket() as wire:
        wire.until("snapshot")
        played = 0
        while played < len(MOVES):
            shown = host.look()
            played = sum(event.get("action") is not None for event in shown["log"])
            if played < len(MOVES) and shown["shown"]["seat"] == 0:
                host.wants("move", action=MOVES[played])
                continue
            if played < len(MOVES):
                wire.until("event", seat=1)
    shown = host.look()["shown"]
    assert shown["loot"][:2] == [1, 0], "the bot has played its part"


@pytest.mark.parametrize(
    "more",
    [
        {"agreement": {"players": 3}},
        {"agreement": {"listed": True}},
        {"agreement": {"move_seconds": 30}},
        {"chairs": [{"kind": "open"}]},
        {"chairs": [{"kind": "human", "name": "Bea"}]},
        {"screen": True},
    ],
)
def test_nothing_about_it_can_be_changed(server: LiveServer, more: dict[str, Any]) -> None:
    with server.client() as http:
        answer = http.post("/api/tables", json={"name": "Ali", "lesson": True} | more)
    assert answer.status_code == 409
    assert answer.json()["key"] == "server.lesson_as_it_is"


def test_nobody_else_can_be_brought_into_it(server: LiveServer) -> None:
    host = lesson(server)
    for asked in (
        {"kind": "arrange", "chair": 1, "to": "open"},
        {"kind": "arrange", "chair": 1, "to": "bot", "level": "ali"},
        {"kind": "choose_start", "start": 1},
        {"kind": "sit", "chair": 1},
    ):
        assert host.refusal(**asked) == "lesson_as_it_is"  # type: ignore[arg-type]
    with server.client() as http:
        answer = http.post(f"/api/tables/{host.code}/join", json={"name": "Bea"})
    assert answer.json()["key"] == "server.full"
    listed = good(server.client().get("/api/tables"))["tables"]
    assert host.code not in [each["code"] for each in listed]


def test_nobody_else_takes_the_place_of_who_has_left_it(server: LiveServer) -> None:
    host = lesson(server)
    host.wants("leave")
    with server.client() as http:
        answer = http.post(f"/api/tables/{host.code}/join", json={"name": "Bea"})
    assert answer.json()["key"] == "server.lesson_as_it_is"


def test_any_other_table_has_a_deal_that_nobody_knows(server: LiveServer) -> None:
    table = server.create().look()["table"]
    assert not table["lesson"]
    assert table["promise"] != commitment(SEED)
