"""The guided game at the server: its deal is known, so it is for one person and nothing else."""

from typing import Any

import pytest

from baghdad.bots.lesson.script import MOVES, SEED
from baghdad.rules.fair import commitment
from support.server_helpers import Guest, House, good


def lesson(house: House) -> Guest:
    with house.client() as http:
        answer = http.post("/api/tables", json={"name": "Ali", "lesson": True})
    return Guest(house, good(answer))


def test_the_guided_game_is_dealt_as_it_is_published(house: House) -> None:
    host = lesson(house)
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
def test_nothing_about_it_can_be_changed(house: House, more: dict[str, Any]) -> None:
    with house.client() as http:
        answer = http.post("/api/tables", json={"name": "Ali", "lesson": True} | more)
    assert answer.status_code == 409
    assert answer.json()["key"] == "server.lesson_as_it_is"


def test_nobody_else_can_be_brought_into_it(house: House) -> None:
    host = lesson(house)
    for wish in (
        {"wish": "arrange", "chair": 1, "to": "open"},
        {"wish": "arrange", "chair": 1, "to": "bot", "level": "ali"},
        {"wish": "choose_start", "start": 1},
        {"wish": "sit", "chair": 1},
    ):
        assert host.refusal(**wish) == "lesson_as_it_is"  # type: ignore[arg-type]
    with house.client() as http:
        answer = http.post(f"/api/tables/{host.code}/join", json={"name": "Bea"})
    assert answer.json()["key"] == "server.full"
    listed = good(house.client().get("/api/tables"))["tables"]
    assert host.code not in [each["code"] for each in listed]


def test_nobody_else_takes_the_place_of_who_has_left_it(house: House) -> None:
    host = lesson(house)
    host.wants("leave")
    with house.client() as http:
        answer = http.post(f"/api/tables/{host.code}/join", json={"name": "Bea"})
    assert answer.json()["key"] == "server.lesson_as_it_is"


def test_any_other_table_has_a_deal_that_nobody_knows(house: House) -> None:
    table = house.create().look()["table"]
    assert not table["lesson"]
    assert table["promise"] != commitment(SEED)
