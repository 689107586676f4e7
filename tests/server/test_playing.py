"""Commands at a table: once, in order, with reasons, and never at the cost of the game."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from baghdad.rules.engine.actions import END_TURN, PASS_CARDS, PASS_WITH_DANCER
from baghdad.server.domain.decisions import playing
from baghdad.server.runtime import actor
from baghdad.server.storage.errors import StorageError
from baghdad.server.storage.event_store import EventStore
from support.live_server import (
    GENEROUS,
    Guest,
    LiveServer,
    Message,
    on_turn,
    play_on,
    sensible,
)

PLACEMENTS = 8
"""Of two players, four guards each (R6)."""


@pytest.fixture
def pair(server: LiveServer) -> list[Guest]:
    """Two people, when the game has begun."""
    return server.people(2)


def in_first_turn(server: LiveServer, **agreement: Any) -> list[Guest]:
    """Two people after all guards are placed: seat 1 has a turn."""
    people = server.people(2, **agreement)
    play_on(people, Random(1), PLACEMENTS)
    return people


ENDS = (END_TURN, PASS_CARDS, PASS_WITH_DANCER)


def an_action(guest: Guest) -> int:
    """A legal action that is not the end of the turn."""
    legal: list[int] = guest.look()["own"]["legal"]
    return next(action for action in legal if action not in ENDS)


# Once


def test_a_command_that_is_repeated_does_nothing_twice(pair: list[Guest]) -> None:
    command = pair[0].command("move", action="@R")
    first = pair[0].send(command).json()
    again = pair[0].send(command).json()
    assert first == again
    assert again["result"] == "accepted"
    assert pair[0].look()["number"] == first["number"]


def test_a_command_that_comes_ten_times_at_once_happens_once(pair: list[Guest]) -> None:
    command = pair[0].command("move", action="@R")
    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda _: pair[0].send(command).json(), range(10)))
    assert all(answer == answers[0] for answer in answers)
    assert pair[1].look()["number"] == answers[0]["number"]


def test_a_repeat_on_the_socket_of_what_was_sent_by_http(pair: list[Guest]) -> None:
    command = pair[0].command("move", action="@R")
    first = pair[0].send(command).json()
    with pair[0].socket() as wire:
        assert wire.ask(command) == first


def test_the_same_id_of_another_person_is_another_command(pair: list[Guest]) -> None:
    pair[0].wants("move", action="@R", id="same")
    number = pair[1].wants("move", action="@R", id="same")
    assert pair[0].look()["number"] == number


# In order


def test_a_stale_command_is_answered_with_what_was_missed(pair: list[Guest]) -> None:
    before = pair[1].look()["number"]
    pair[0].wants("move", action="@R")
    response = pair[1].send(pair[1].command("move", action="@R", version=before))
    assert response.status_code == 412
    answer = response.json()
    assert answer["result"] == "stale"
    assert [event["number"] for event in answer["missing"]] == [before + 1]
    assert answer["missing"] == pair[1].events(before)["events"]
    assert pair[1].look()["number"] == before + 1


def test_on_a_socket_what_was_missed_came_before_the_stale_answer(pair: list[Guest]) -> None:
    with pair[1].socket() as wire:
        before = wire.until("snapshot")["number"]
        pair[0].wants("move", action="@R")
        answer = wire.ask(pair[1].command("move", action="@R", version=before))
        assert answer["result"] == "stale"
        assert "missing" not in answer
        assert any(b'"kind":"moved"' in message for message in wire.bytes)


def test_talk_makes_no_command_stale(pair: list[Guest]) -> None:
    command = pair[0].command("move", action="@R")
    pair[1].wants("chat", text="hurry up")
    assert pair[0].send(command).json()["result"] == "accepted"


def test_a_version_that_has_not_been_is_stale(pair: list[Guest]) -> None:
    now = pair[0].look()["number"]
    answer = pair[0].asks("move", action="@R", version=now + 5)
    assert answer["result"] == "stale"
    assert pair[0].look()["number"] == now


def test_many_commands_for_one_version_make_one_event(pair: list[Guest]) -> None:
    command = [pair[0].command("move", action=token) for token in ("@R", "@G", "@W", "@P", "@Y")]
    before = command[0]["version"]
    with ThreadPoolExecutor(5) as pool:
        answers = [answer.json() for answer in pool.map(pair[0].send, command)]
    assert sorted(answer["result"] for answer in answers) == ["accepted"] + ["stale"] * 4
    assert pair[0].look()["number"] == before + 1


# With reasons


def test_an_illegal_move_is_refused_with_rule_and_reason(pair: list[Guest]) -> None:
    guest, before = pair[0], pair[0].look()
    response = guest.send(guest.command("move", action="+R(RR)"), lang="de")
    assert response.status_code == 409
    answer = response.json()
    assert answer["result"] == "refused"
    assert answer["rule"] == "R6"
    assert answer["reason"] == "es werden noch Wächter aufgestellt"
    english = guest.asks("move", action="+R(RR)")
    assert english["reason"] == "guards are still being placed"
    assert guest.look() | {"at": 0} == before | {"at": 0}


def test_a_token_may_be_in_lower_case(pair: list[Guest]) -> None:
    assert pair[0].asks("move", action=" @r ")["result"] == "accepted"
    refused = pair[1].asks("move", action="hello")
    assert "hello" in refused["reason"]


def test_the_language_may_come_from_the_browser(pair: list[Guest]) -> None:
    command = pair[1].command("move", action="@R")
    answer = (
        pair[1]
        .http.post(
            f"{pair[1].path}/commands", json=command, headers={"Accept-Language": "cs, en;q=0.5"}
        )
        .json()
    )
    assert answer["rule"] == "R5"
    assert answer["reason"] != pair[1].asks("move", action="@R")["reason"]


@pytest.mark.parametrize("action", [368, 369, 10_000, "", "=RGW", "nonsense", "@X", "+R(*R)"])
def test_no_nonsense_is_played(pair: list[Guest], action: int | str) -> None:
    answer = pair[0].asks("move", action=action)
    assert answer["result"] == "refused"
    assert answer["reason"]


def test_nobody_plays_out_of_turn_or_after_the_end(server: LiveServer) -> None:
    people = server.people(2)
    assert people[1].asks("move", action="@R")["rule"] == "R5"
    play_on(people, Random(3))
    assert people[0].look()["table"]["state"] == "over"
    for guest in people:
        assert guest.asks("move", action=END_TURN)["result"] == "refused"
        assert guest.refusal("undo") == "nothing_to_take_back"


# Taking back


def test_actions_are_taken_back_to_the_last_revealed_card(server: LiveServer) -> None:
    people = in_first_turn(server)
    guest = on_turn(people)
    seat = people.index(guest)
    positions = [guest.look()]
    random = Random(5)
    while legal := [a for a in guest.look()["own"]["legal"] if a not in ENDS]:
        guest.wants("move", action=random.choice(legal))
        positions.append(guest.look())
    assert len(positions) > 2
    for before in reversed(positions[:-1]):
        assert guest.look()["own"]["undo"]
        guest.wants("undo")
        now = guest.look()
        assert (now["shown"], now["own"]) == (before["shown"], before["own"])
    assert not guest.look()["own"]["undo"]
    assert guest.refusal("undo") == "nothing_to_take_back"
    assert guest.look()["shown"]["seat"] == seat


def test_what_is_taken_back_in_one_turn_leaves_a_bounded_trace(tmp_path: Path) -> None:
    server = LiveServer(tmp_path, limits=replace(GENEROUS, undos_a_turn=3))
    try:
        people = in_first_turn(server)
        guest = on_turn(people)
        other = people[1 - people.index(guest)]
        action = an_action(guest)
        for _ in range(3):
            guest.wants("move", action=action)
            guest.wants("undo")
        guest.wants("move", action=action)
        assert guest.refusal("undo") == "undone_often"
        told = guest.send(guest.command("undo"), lang="de").json()["reason"]
        assert "3 Aktionen" in told
        assert "beende deinen Zug" in told
        guest.wants("move", action=END_TURN)
        other.wants("move", action=an_action(other))
        other.wants("undo")  # every turn has its own
    finally:
        server.stop()


def test_a_turn_that_has_drawn_is_never_taken_back(server: LiveServer) -> None:
    people = in_first_turn(server)
    guest = on_turn(people)
    other = people[1 - people.index(guest)]
    guest.wants("move", action=an_action(guest))
    assert other.refusal("undo") == "nothing_to_take_back"
    guest.wants("move", action=END_TURN)
    assert guest.refusal("undo") == "nothing_to_take_back"
    assert other.refusal("undo") == "nothing_to_take_back"


def test_a_pass_reveals_cards_and_stays(server: LiveServer) -> None:
    people = in_first_turn(server)
    guest = on_turn(people)
    guest.wants("move", action=PASS_CARDS)
    assert guest.refusal("undo") == "nothing_to_take_back"


def test_a_placed_guard_stays(pair: list[Guest]) -> None:
    pair[0].wants("move", action="@R")
    assert pair[0].refusal("undo") == "nothing_to_take_back"
    assert pair[1].refusal("undo") == "nothing_to_take_back"


# Whatever goes wrong with us


def everything(guest: Guest) -> Message:
    return guest.look() | {"at": 0}


@pytest.mark.parametrize("place", ["deciding", "showing"])
def test_a_bug_costs_nobody_the_game(
    own_server: LiveServer, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    people = own_server.people(2)
    before = everything(people[0])

    def bug(*_: object) -> None:
        raise ZeroDivisionError("a bug")

    with monkeypatch.context() as patch:
        if place == "deciding":
            patch.setattr(playing, "move", bug)
        else:
            patch.setattr(actor, "project", bug)
        response = people[0].send(people[0].command("move", action="@R", id="once"))
        assert response.status_code == 503
        assert response.json()["result"] == "failed"
        assert "ZeroDivision" not in response.text
        assert everything(people[0]) == before
    assert people[0].wants("move", action="@R", id="once") == before["number"] + 1
    play_on(people, Random(1), 3)


def test_a_full_disk_costs_nobody_the_game(
    own_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = own_server.people(2)
    before = everything(people[1])

    async def full(*_: object, **__: object) -> None:
        raise StorageError("disk full")

    with monkeypatch.context() as patch, people[1].socket() as wire:
        wire.until("snapshot")
        patch.setattr(EventStore, "append", full)
        response = people[0].send(people[0].command("move", action="@R"))
        assert response.status_code == 503
        assert response.json()["key"] == "server.failed"
        assert people[0].http.post("/api/tables", json={"name": "X"}).status_code == 503
        assert everything(people[1]) | {"present": []} == before
        patch.undo()
        people[0].wants("move", action="@R")
        assert wire.until("event")["number"] == before["number"] + 1


def test_an_event_that_came_through_despite_an_error_is_taken_in(
    own_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection broke after the commit: the same command is found to have happened."""
    people = own_server.people(2)
    append = EventStore.append

    async def broken(*args: Any, **values: Any) -> None:
        await append(*args, **values)
        raise StorageError("the connection broke")

    command = people[0].command("move", action="@R")
    with monkeypatch.context() as patch:
        patch.setattr(EventStore, "append", broken)
        assert people[0].send(command).json()["result"] == "failed"
    with people[1].socket() as wire:
        wire.until("snapshot")
        answer = people[0].send(command).json()
        assert answer == {
            "type": "answer",
            "id": command["id"],
            "result": "accepted",
            "number": command["version"] + 1,
        }
        assert wire.until("event")["action"] == people[1].events(0)["events"][-1]["action"]
    play_on(people, Random(1), 3)


def test_a_second_server_on_the_same_database_loses_nothing(own_server: LiveServer) -> None:
    """Each server finds what the other has written, and says so instead of guessing."""
    other = LiveServer(own_server.folder)
    try:
        people = own_server.people(2)
        elsewhere = Guest(other, {"code": people[0].code, "keys": []})
        twin = Guest(
            other,
            {"code": people[1].code, "keys": [{"person": 1, "secret": people[1].secrets[0]}]},
        )
        old = elsewhere.look()["number"]
        people[0].wants("move", action="@R")
        assert twin.asks("move", action="@R", version=old)["result"] in ("refused", "stale")
        assert twin.wants("move", action="@G", version=old + 1) == old + 2
        assert people[0].wants("move", action="@W", version=old + 2) == old + 3
        people[1].wants("chat", text="here")
        twin.wants("chat", text="and there")
        told = [each.get("text") for each in twin.events(0, whole=True)["events"]]
        assert told[-2:] == ["here", "and there"]
    finally:
        other.stop()


def test_sensible_moves_are_legal(pair: list[Guest]) -> None:
    legal = pair[0].look()["own"]["legal"]
    assert sensible(legal, Random(1)) in legal
