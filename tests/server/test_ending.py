"""Giving up and ending by agreement at a table (R28): for everybody there, over the wire."""

from random import Random
from typing import Any

import pytest

from baghdad import Game
from baghdad.text import LANGUAGES, say
from support.live_server import (
    Guest,
    LiveServer,
    good,
    on_turn,
    play_on,
)
from support.pledges import number_of, promise_of

ALONE: dict[str, Any] = {"stand_in": "random", "grace_seconds": 86_400}
"""A quick bot plays on, and nobody is taken to be absent."""


def others(people: list[Guest], one: Guest) -> Guest:
    return next(each for each in people if each is not one)


def lines(guest: Guest, number: int) -> list[tuple[str, str | None]]:
    """Keys and rules of what the log says of an event."""
    (event,) = [each for each in guest.events(whole=True)["events"] if each["number"] == number]
    return [(line["key"], line.get("rule")) for line in event["lines"]]


def turn_over(people: list[Guest]) -> None:
    """Whoever is on turn ends it, without doing anything."""
    on_turn(people).wants("move", action="-")


def placed(count: int, server: LiveServer, **agreement: Any) -> list[Guest]:
    """A game in which all guards stand."""
    people = server.people(count, **agreement)
    while people[0].look()["shown"]["phase"] == 0:
        mover = on_turn(people)
        mover.wants("move", action=mover.look()["own"]["legal"][0])
    return people


# Giving up


@pytest.mark.parametrize("on", [True, False])
def test_r28_with_two_the_other_wins_at_once_whoever_is_on_turn(
    server: LiveServer, on: bool
) -> None:
    people = placed(2, server)
    mover = on_turn(people)
    loser = mover if on else others(people, mover)
    winner = others(people, loser)
    seat = loser.look()["own"]["seat"]
    number = loser.wants("resign")
    for each in (*people, server.spectator(loser.code)):
        seen = each.look()
        assert seen["table"]["state"] == "over"
        assert (seen["table"]["termination"], seen["table"]["resigned"]) == ("resigned", [seat])
        assert (seen["shown"]["winner"], seen["shown"]["phase"]) == (1 - seat, 4)
        assert lines(each, number) == [("log.resigned", "R28"), ("log.wins_resigned", "R28")]
        summary = good(each.get("/summary"))
        assert (summary["state"], summary["winner"]) == ("over", 1 - seat)
        assert (summary["termination"], summary["resigned"]) == ("resigned", [seat])
        (game,) = good(each.get("/games"))["games"]
        assert (game["winner"], game["termination"]) == (1 - seat, "resigned")
        assert game["resigned"] == [seat]
    assert winner.look()["hands"] is not None


def test_r28_it_is_never_out_of_date(server: LiveServer) -> None:
    people = server.people(2)
    people[0].wants("move", action="@R")
    people[1].wants("move", action="@G")
    assert people[0].asks("undo", version=2)["result"] == "stale"
    people[1].wants("resign", version=2)
    assert people[0].look()["table"]["termination"] == "resigned"


def test_r28_a_game_that_was_given_up_is_recorded_shown_and_proved(server: LiveServer) -> None:
    people = placed(2, server)
    play_on(people, Random(4), 20)
    seat = people[1].look()["own"]["seat"]
    people[1].wants("resign")
    text = people[0].get("/record").text
    game = Game.from_record(text)
    assert (game.result, game.termination) == (str(2 - seat), "resigned")
    assert game.resigned == {seat: len(game.tokens)}
    assert game.record() == text
    assert good(people[0].http.post("/api/verify", json={"record": text}))["fair"]
    replay = good(people[0].get("/replay"))
    assert (replay["termination"], replay["resigned"]) == ("resigned", [seat])
    *_, gave_up, last = replay["steps"]
    assert [line["key"] for line in gave_up["lines"]] == ["log.resigned"]
    assert [line["key"] for line in last["lines"]] == ["log.wins_resigned"]
    assert last["changed"] == {"phase": 4, "winner": 1 - seat}
    assert len(replay["steps"]) == len(game.tokens) + 3
    people[0].wants("rematch")
    people[1].wants("rematch")
    (first,) = good(people[0].get("/games"))["games"]
    assert (first["termination"], first["resigned"]) == ("resigned", [seat])


@pytest.mark.parametrize("count", [3, 4])
def test_r28_with_more_a_bot_plays_the_seat_on(server: LiveServer, count: int) -> None:
    people = placed(count, server, **ALONE)
    mover = on_turn(people)
    seat = mover.look()["own"]["seat"]
    number = mover.wants("resign")
    assert lines(people[0], number) == [("log.resigned", "R28"), ("log.plays_on", "R28")]
    for _ in range(6):  # the first bot of all may have to be compiled
        if events := others(people, mover).events(number, wait=25)["events"]:
            break
    assert (events[0]["kind"], events[0]["seat"]) == ("moved", seat)
    seen = mover.look()
    assert seen["table"]["state"] == "playing"
    assert seen["table"]["resigned"] == [seat]
    chair = seen["table"]["chairs"][seen["table"]["order"][seat]]
    assert (chair["person"], chair["stand_in"]) == (mover.person, "random")


@pytest.mark.parametrize("count", [3, 4])
def test_r28_it_is_final_and_whoever_gave_up_looks_on(server: LiveServer, count: int) -> None:
    people = placed(count, server, **ALONE)
    one = others(people, on_turn(people))
    one.wants("resign")
    for asked, values in (
        ("move", {"action": "-"}),
        ("undo", {}),
        ("return", {}),
        ("resign", {}),
        ("propose_end", {}),
        ("answer_end", {"yes": True}),
    ):
        answer = one.asks(asked, **values)
        assert (answer["result"], answer["rule"]) == ("refused", "R28")
        assert answer["key"] == "refusal.has_resigned"
    seen = one.look()
    assert (seen["own"], seen["hands"]) == (None, None)
    one.wants("chat", text="good luck")


def test_r28_who_gave_up_sees_no_card_any_more(server: LiveServer) -> None:
    """Neither the hand, nor what comes to it, nor what may be done with it: as a spectator."""
    people = placed(3, server, **ALONE)
    one, watcher = people[1], server.spectator(people[0].code)
    seat = one.look()["own"]["seat"]
    number = one.wants("resign")
    for _ in range(2):
        for each in (people[0], people[2]):
            seen = each.look()
            while not seen["own"]["legal"]:
                each.events(seen["number"], wait=25)
                seen = each.look()
            each.wants("move", action="-")
    seen, looked = one.events(number - 1, whole=True), watcher.events(number - 1, whole=True)
    assert seen["events"] == looked["events"]
    mine = [each for each in seen["events"] if each.get("seat") == seat and "action" in each]
    assert mine, "the bot has played"
    assert not any("own" in each or "cards" in each for each in seen["events"])
    with one.socket() as wire:
        snapshot = wire.get()
        assert (snapshot["own"], snapshot["hands"]) == (None, None)
    # What was one's own before is still one's own to remember.
    before = one.events(0, whole=True)["events"]
    assert any(each.get("own", {}).get("seat") == seat for each in before)


@pytest.mark.parametrize("count", [3, 4])
@pytest.mark.parametrize("how", ["resign", "leave"])
def test_r28_when_nobody_is_left_the_game_ends(server: LiveServer, count: int, how: str) -> None:
    people = placed(count, server, **ALONE)
    for each in people[1:]:
        each.wants("resign")
        assert people[0].look()["table"]["state"] == "playing"
    number = people[0].wants(how)
    watcher = server.spectator(people[0].code)
    seen = watcher.look()
    assert (seen["table"]["state"], seen["table"]["termination"]) == ("over", "resigned")
    assert seen["shown"]["winner"] == -1
    assert ("log.over_resigned", "R28") in lines(watcher, number)
    game = Game.from_record(watcher.get("/record").text)
    assert (game.result, game.termination, len(game.resigned)) == ("-", "resigned", count)


def test_r28_when_the_last_who_plays_is_asked_to_go_the_game_ends(server: LiveServer) -> None:
    people = placed(3, server, **ALONE)
    host = people[0]
    while on_turn(people) is host:
        turn_over(people)
    last = on_turn(people)  # so no bot moves meanwhile
    for each in people:
        if each is not last:
            each.wants("resign")
    number = host.wants("kick", person=last.person)
    table = host.look()["table"]
    assert (table["state"], table["termination"]) == ("over", "resigned")
    assert lines(host, number) == [("log.asked_to_go", None), ("log.over_resigned", "R28")]
    text = host.get("/record").text
    game = Game.from_record(text)
    assert (game.result, len(game.resigned), game.record()) == ("-", 2, text)


def test_r28_against_bots_alone_giving_up_ends_the_game(server: LiveServer) -> None:
    bots = [{"kind": "bot", "level": "random"}] * 2
    host = server.create(players=3, chairs=bots, start="order")
    host.wants("start")
    host.wants("resign")
    table = host.look()["table"]
    assert (table["state"], table["termination"]) == ("over", "resigned")
    assert host.look()["shown"]["winner"] == -1


def test_r28_what_can_not_be_given_up(server: LiveServer) -> None:
    host = server.create(players=2)
    bea = server.join(host.code)
    assert host.refusal("resign") == "not_begun"
    host.wants("start")
    host.wants("resign")
    assert bea.refusal("resign") == "is_over"
    assert host.refusal("resign") == "is_over"
    asked = {"name": "Screen", "screen": True, "agreement": {"players": 2}}
    chairs = [{"kind": "bot", "level": "random"}] * 2
    with server.client() as http:
        screen = Guest(server, good(http.post("/api/tables", json=asked | {"chairs": chairs})))
    screen.wants("start")
    for never in ("resign", "propose_end"):
        assert screen.asks(never)["key"] == "server.no_seat", "the seats are the bots'"


def test_whoever_gave_up_keeps_the_chair_for_another_game(server: LiveServer) -> None:
    people = placed(3, server, **ALONE)
    for each in people:
        each.wants("resign")
    people[0].wants("rematch")
    people[2].wants("rematch")
    assert people[0].look()["table"]["state"] == "over", "one is still asked"
    people[1].wants("rematch")
    table = people[0].look()["table"]
    assert [chair["kind"] for chair in table["chairs"]] == ["human"] * 3
    assert (table["resigned"], table["termination"]) == ([], None)
    people[0].wants("start")
    assert [each.look()["own"]["seat"] for each in people] == [0, 1, 2]


# Leaving


def test_r28_who_leaves_a_running_game_gives_up(server: LiveServer) -> None:
    two = placed(2, server)
    number = two[1].wants("leave")
    seen = two[0].look()
    assert (seen["table"]["state"], seen["table"]["termination"]) == ("over", "resigned")
    assert seen["shown"]["winner"] == seen["own"]["seat"]
    assert lines(two[0], number) == [
        ("log.left", None),
        ("log.resigned", "R28"),
        ("log.wins_resigned", "R28"),
    ]
    assert '"Ali, Guest 1"' in two[0].get("/record").text
    three = placed(3, server, **ALONE)
    three[1].wants("leave")
    seen = three[0].look()
    assert (seen["table"]["state"], seen["table"]["resigned"]) == ("playing", [1])
    assert seen["table"]["chairs"][1] | {"colour": 0} == {
        "kind": "bot",
        "colour": 0,
        "level": "random",
        "stand_in": "random",
    }
    (game,) = good(three[0].get("/games"))["games"]
    assert game["names"] == ["Ali", "Guest 1", "Guest 2"]
    assert (game["bots"], game["resigned"]) == ([None] * 3, [1])


def test_r28_whoever_is_asked_to_go_has_not_given_up(server: LiveServer) -> None:
    people = placed(2, server, **ALONE)
    people[0].wants("kick", person=1)
    seen = people[0].look()
    assert (seen["table"]["state"], seen["table"]["resigned"]) == ("playing", [])
    assert seen["table"]["chairs"][1]["level"] == "random"


# Agreement


@pytest.mark.parametrize("count", [2, 3, 4])
def test_r28_all_people_agree_to_end_it(server: LiveServer, count: int) -> None:
    people = placed(count, server)
    number = people[1].wants("propose_end")
    assert lines(people[0], number) == [("log.end_proposed", "R28")]
    table = people[0].look()["table"]
    missing = [each.person for each in people if each is not people[1]]
    assert table["proposal"] == {
        "person": 1,
        "agreed": [1],
        "people": missing,
        "bots": [],
        "refused": None,
        "refused_seat": None,
    }
    for each in [people[0], *people[2:]]:
        assert people[0].look()["table"]["state"] == "playing"
        number = each.wants("answer_end", yes=True)
    seen = people[0].look()
    assert (seen["table"]["state"], seen["table"]["termination"]) == ("over", "agreed")
    assert (seen["shown"]["winner"], seen["table"]["proposal"]) == (-1, None)
    assert lines(people[0], number) == [("log.end_agreed", "R28"), ("log.over_agreed", "R28")]
    game = Game.from_record(people[0].get("/record").text)
    assert (game.result, game.termination) == ("-", "agreed")
    assert good(people[0].http.post("/api/verify", json={"record": game.record()}))["fair"]
    (played,) = good(people[0].get("/games"))["games"]
    assert (played["winner"], played["termination"]) == (None, "agreed")
    last = good(people[0].get("/replay"))["steps"][-1]
    assert [line["key"] for line in last["lines"]] == ["log.over_agreed"]
    assert people[0].refusal("answer_end", yes=True) == "is_over"


@pytest.mark.parametrize("count", [2, 3, 4])
def test_r28_one_who_wants_to_play_on_is_enough(server: LiveServer, count: int) -> None:
    people = placed(count, server)
    people[0].wants("propose_end")
    number = people[-1].wants("answer_end", yes=False)
    assert lines(people[0], number) == [("log.end_refused", "R28")]
    proposal = people[0].look()["table"]["proposal"]
    assert (proposal["refused"], proposal["people"]) == (count - 1, [])
    for each in people[1:]:
        assert each.refusal("answer_end", yes=True) == "no_end_proposed"
    assert people[0].refusal("propose_end") == "end_proposed_lately"
    people[1].wants("propose_end")


def test_r28_whoever_agreed_may_think_better_of_it(server: LiveServer) -> None:
    people = placed(3, server)
    people[0].wants("propose_end")
    assert people[1].refusal("propose_end") == "end_proposed"
    people[1].wants("answer_end", yes=True)
    assert people[1].refusal("answer_end", yes=True) == "answered"
    people[1].wants("answer_end", yes=False)
    assert people[2].refusal("answer_end", yes=True) == "no_end_proposed"


@pytest.mark.parametrize("count", [2, 3, 4])
def test_r28_a_proposal_lapses_after_a_round(server: LiveServer, count: int) -> None:
    people = placed(count, server)
    people[0].wants("propose_end")
    before = people[0].look()["number"]
    for turn in range(count):
        assert people[0].look()["table"]["proposal"] is not None, turn
        turn_over(people)
    assert people[0].look()["table"]["proposal"] is None
    *_, last = people[0].events(before)["events"]
    assert ("log.end_lapsed", "R28") in lines(people[0], last["number"])
    assert last["table"]["proposal"] is None, "everybody is told"
    assert people[1].refusal("answer_end", yes=True) == "no_end_proposed"
    people[0].wants("propose_end")


def test_r28_moves_go_on_while_people_are_asked(server: LiveServer) -> None:
    people = placed(2, server)
    mover = on_turn(people)
    version = mover.look()["number"]
    others(people, mover).wants("propose_end")
    mover.wants("move", action="-", version=version)


def test_r28_those_who_have_given_up_are_not_asked(server: LiveServer) -> None:
    people = placed(4, server, **ALONE)
    people[3].wants("resign")
    people[0].wants("propose_end")
    assert people[0].look()["table"]["proposal"]["people"] == [1, 2]
    people[1].wants("answer_end", yes=True)
    people[2].wants("resign")
    table = people[0].look()["table"]
    assert (table["state"], table["termination"]) == ("over", "agreed"), "nobody else is left"


def test_r28_a_proposal_goes_with_whoever_made_it(server: LiveServer) -> None:
    people = placed(3, server, **ALONE)
    people[0].wants("propose_end")
    people[0].wants("resign")
    assert people[1].look()["table"]["proposal"] is None
    assert people[1].asks("answer_end", yes=True)["key"] == "server.no_end_proposed"


def test_what_is_refused_is_said_in_four_languages() -> None:
    for key in ("is_over", "end_proposed", "end_proposed_lately", "no_end_proposed"):
        assert len({say(f"server.{key}", language) for language in LANGUAGES}) == 4


def test_where_nobody_may_watch_nobody_learns_how_it_ended(server: LiveServer) -> None:
    people = placed(2, server, watching="nobody")
    people[0].wants("propose_end")
    watcher = server.spectator(people[0].code)
    assert watcher.look()["table"]["proposal"] is None
    people[1].wants("resign")
    table = watcher.look()["table"]
    assert (table["termination"], table["resigned"]) == (None, [])
    summary = good(watcher.get("/summary"))
    assert (summary["termination"], summary["resigned"], summary["winner"]) == (None, [], None)


# While the deal waits for numbers


def waiting_for_numbers(server: LiveServer, count: int) -> list[Guest]:
    """All have promised a number for the deal, and the cards come before the guards."""
    agreed = {"players": count, "start": "order", "hands": "seen", **ALONE}
    host = server.create(promise=promise_of(0), **agreed)
    people = [
        host,
        *(server.join(host.code, f"Guest {n}", promise=promise_of(n)) for n in range(1, count)),
    ]
    host.wants("start")
    return people


def test_r28_with_two_a_game_can_be_given_up_before_any_card_comes(server: LiveServer) -> None:
    people = waiting_for_numbers(server, 2)
    people[1].wants("resign")
    text = people[0].get("/record").text
    game = Game.from_record(text)
    assert (game.tokens, game.result, game.termination) == ((), "1", "resigned")
    assert good(people[0].get("/replay"))["steps"][-1]["changed"] == {"phase": 4, "winner": 0}
    assert people[0].look()["table"]["state"] == "over"


def test_r28_whoever_has_given_up_may_still_bring_the_number(server: LiveServer) -> None:
    people = waiting_for_numbers(server, 3)
    people[1].wants("resign")
    for n, each in enumerate(people):
        each.wants("bring", number=number_of(n))
    seen = people[1].look()
    assert (seen["own"], seen["shown"]["hand_sizes"]) == (None, [6, 7, 8])
    assert sum(people[0].look()["own"]["hand"]) == 6
    events = people[1].events(whole=True)["events"]
    assert not any("cards" in each for each in events), "no card of it is seen"
