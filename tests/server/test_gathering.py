"""Tables before, between and after games: who sits where, who may do what, who may look on."""

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from baghdad import Game
from baghdad.server.domain.commands import CHAT_LENGTH, NAME_LENGTH
from baghdad.server.domain.decisions.conditions import cleaned
from baghdad.server.domain.events import decode_event, encode_event
from baghdad.server.domain.limits import Limits
from baghdad.server.domain.refusals import RefusedError
from baghdad.server.runtime import lobby as lobby_module
from baghdad.server.runtime.pace import Pace
from support.live_server import GENEROUS, Guest, LiveServer, play_on

BOT = {"kind": "bot", "level": "kasim"}


def kinds(guest: Guest) -> list[str]:
    return [chair["kind"] for chair in guest.look()["table"]["chairs"]]


def refused(server: LiveServer, **asked: Any) -> str:
    """Why no table is set up."""
    with server.client() as http:
        response = http.post("/api/tables", json={"name": "Ali"} | asked)
    assert response.status_code == 409, response.text
    return str(response.json()["key"]).partition(".")[2]


# Setting up


def test_a_table_keeps_all_that_was_agreed(server: LiveServer) -> None:
    agreement: dict[str, Any] = {
        "players": 4,
        "variant": "neutral",
        "rob": "smuggle",
        "hands": "seen",
        "start": 2,
        "listed": True,
        "watching": "open",
        "move_seconds": 86_400,
        "game_seconds": 864_000,
        "grace_seconds": 120,
        "stand_in": "ali",
    }
    chairs = [BOT, {"kind": "closed"}, {"kind": "human", "name": "Bea"}]
    host = server.create("Ali", chairs, **agreement)
    table = host.look()["table"]
    assert table["agreement"] == agreement
    assert kinds(host) == ["human", "bot", "closed", "human"]
    assert [chair.get("name") for chair in table["chairs"]] == ["Ali", None, None, "Bea"]
    assert table["chairs"][1]["level"] == "kasim"
    assert [chair["colour"] for chair in table["chairs"]] == [0, 1, 2, 3]
    assert table["state"] == "gathering"
    assert len(table["promise"]) == 64
    assert table["seed"] is None


def test_what_is_not_agreed_on_is_the_usual(server: LiveServer) -> None:
    table = server.create().look()["table"]
    assert table["agreement"] == {}
    assert [chair["kind"] for chair in table["chairs"]] == ["human", "open"]


def test_what_cannot_be_set_up(server: LiveServer) -> None:
    assert refused(server, agreement={"players": 2, "start": 2}) == "no_chair"
    assert refused(server, agreement={"stand_in": "nobody"}) == "no_level"
    assert refused(server, chairs=[BOT, BOT]) == "too_many_chairs"
    assert refused(server, chairs=[{"kind": "human"}]) == "name_needed"
    assert refused(server, chairs=[{"kind": "bot"}]) == "no_level"
    assert refused(server, chairs=[{"kind": "bot", "level": "sinbad"}]) == "no_level"
    assert refused(server, name="\u200f \n") == "nothing_written"


def test_where_there_is_a_clock_there_is_a_stand_in(server: LiveServer) -> None:
    agreement = server.create(move_seconds=60).look()["table"]["agreement"]
    assert agreement["stand_in"] == "morgiana"


# Sitting down


def test_a_table_is_joined_by_its_code_in_any_case(server: LiveServer) -> None:
    host = server.create()
    guest = server.join(host.code.lower(), "Bea")
    assert guest.code == host.code
    assert kinds(guest) == ["human", "human"]
    assert guest.look()["people"] == [1]


def test_a_chair_is_chosen_or_taken_already(server: LiveServer) -> None:
    host = server.create(players=4)
    bea = server.join(host.code, "Bea", chair=2)
    assert kinds(bea) == ["human", "open", "human", "open"]
    with server.client() as http:
        again = http.post(f"{host.path}/join", json={"name": "Cem", "chair": 2})
    assert (again.status_code, again.json()["key"]) == (409, "server.taken")
    bea.wants("sit", chair=3)
    assert kinds(bea) == ["human", "open", "open", "human"]
    assert bea.refusal("sit", chair=0) == "taken"
    host.wants("arrange", chair=1, to="bot", level="kasim")
    bea.wants("sit", chair=1)
    assert kinds(bea) == ["human", "human", "open", "bot"]


def test_a_full_table_and_a_game_that_has_begun_take_nobody(server: LiveServer) -> None:
    host = server.create(chairs=[BOT])
    with server.client() as http:
        full = http.post(f"{host.path}/join", json={"name": "Cem"})
        assert full.json()["key"] == "server.full"
    host = server.create(players=3, chairs=[{"kind": "human", "name": "Bea"}, {"kind": "closed"}])
    host.wants("start")
    with server.client() as http:
        late = http.post(f"{host.path}/join", json={"name": "Cem"})
    assert late.json()["key"] == "server.has_begun"
    for asked in ({"kind": "sit", "chair": 1}, {"kind": "arrange", "chair": 2, "to": "open"}):
        assert host.refusal(**asked) == "has_begun"  # type: ignore[arg-type]


def test_colours_are_chosen_and_swapped_with_what_is_no_person(server: LiveServer) -> None:
    host = server.create(players=3, chairs=[{"kind": "open"}, BOT])
    bea = server.join(host.code, "Bea")
    bea.wants("sit", colour=2)
    colours = [chair["colour"] for chair in bea.look()["table"]["chairs"]]
    assert colours == [0, 2, 1]
    assert bea.refusal("sit", colour=0) == "colour_taken"
    bea.wants("sit", colour=3)
    colours = [chair["colour"] for chair in bea.look()["table"]["chairs"]]
    assert colours == [0, 3, 1]


def test_colours_stay_different_whatever_people_choose(server: LiveServer) -> None:
    random = Random(2)
    host = server.create(players=4)
    people = [host, server.join(host.code), server.join(host.code)]
    for _ in range(40):
        guest = random.choice(people)
        asked: dict[str, int] = {}
        if random.random() < 0.6:
            asked["chair"] = random.randrange(4)
        if random.random() < 0.6:
            asked["colour"] = random.randrange(4)
        guest.asks("sit", **asked)
        chairs = host.look()["table"]["chairs"]
        assert len({chair["colour"] for chair in chairs}) == 4
        assert sorted(chair.get("person", 9) for chair in chairs) == [0, 1, 2, 9]


# Beginning


@pytest.mark.parametrize(
    ("start", "order"), [("order", [0, 2, 3]), (2, [2, 3, 0]), (3, [3, 0, 2]), (1, [0, 2, 3])]
)
def test_the_start_player_is_as_agreed(
    server: LiveServer, start: str | int, order: list[int]
) -> None:
    """A closed chair is not in the game, and can't begin."""
    host = server.create(players=4, start=start, chairs=[{"kind": "closed"}])
    server.join(host.code)
    server.join(host.code)
    host.wants("start")
    seen = host.look()
    assert seen["table"]["order"] == order
    assert seen["shown"]["players"] == 3
    assert seen["own"]["seat"] == order.index(0)


def test_the_host_chooses_who_begins_until_the_game_starts(server: LiveServer) -> None:
    """R5: any chair, or chance; the choice follows whoever moves to another chair."""
    host = server.create(players=4, chairs=[{"kind": "open"}, BOT])
    bea = server.join(host.code, "Bea")
    with bea.socket() as wire:
        wire.until("snapshot")
        for start, line, values in (
            (1, "log.begins", {"name": "Bea"}),
            (2, "log.chair_begins", {"chair": 3}),
            (3, "log.chair_begins", {"chair": 4}),
            ("random", "log.chance_begins", None),
            (1, "log.begins", {"name": "Bea"}),
        ):
            host.wants("choose_start", start=start)
            told = wire.until("event", kind="start_chosen")
            assert told["lines"][0]["key"] == line
            assert told["lines"][0].get("values") == values
            assert told["table"]["agreement"].get("start", "random") == start
    assert bea.refusal("choose_start", start=0) == "host_only"
    assert server.create().refusal("choose_start", start=2) == "no_chair"
    bea.wants("sit", chair=3)
    assert host.look()["table"]["agreement"]["start"] == 3
    host.wants("arrange", chair=1, to="closed")
    assert host.refusal("choose_start", start=1) == "chair_closed"
    host.wants("start")
    assert host.look()["table"]["order"] == [3, 0, 2]
    assert host.refusal("choose_start", start=0) == "has_begun"


def test_a_chair_that_is_closed_does_not_begin(server: LiveServer) -> None:
    host = server.create(players=3, start=2)
    server.join(host.code)
    host.wants("arrange", chair=2, to="closed")
    assert "start" not in host.look()["table"]["agreement"], "chance again"


def test_a_random_start_player_is_drawn_from_those_who_play(
    own_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry = own_server.registry
    for pick, order in ((0, [0, 2]), (1, [2, 0])):
        world = replace(registry.world, pick=lambda _, pick=pick: pick)  # type: ignore[misc]
        monkeypatch.setattr(registry, "world", world)
        host = own_server.create(players=3, chairs=[{"kind": "closed"}])
        own_server.join(host.code)
        host.wants("start")
        assert host.look()["table"]["order"] == order


def test_a_game_begins_when_the_host_says_so_and_all_chairs_are_settled(server: LiveServer) -> None:
    host = server.create(players=3)
    assert host.refusal("start") == "chairs_open"
    bea = server.join(host.code, "Bea")
    assert bea.refusal("start") == "host_only"
    assert host.refusal("move", action="@R") == "not_begun"
    assert host.refusal("undo") == "not_begun"
    assert host.refusal("rematch") == "not_over"
    host.wants("arrange", chair=2, to="closed")
    host.wants("start")
    assert host.refusal("start") == "has_begun"
    assert server.create(chairs=[{"kind": "closed"}]).refusal("start") == "two_needed"


# The host


def test_the_host_arranges_chairs_and_nobody_else_does(server: LiveServer) -> None:
    host = server.create(players=4)
    bea = server.join(host.code, "Bea")
    host.wants("arrange", chair=2, to="bot", level="kasim")
    host.wants("arrange", chair=3, to="closed")
    assert kinds(host) == ["human", "human", "bot", "closed"]
    host.wants("arrange", chair=2, to="open")
    assert kinds(host)[2] == "open"
    assert host.refusal("arrange", chair=1, to="bot", level="kasim") == "taken"
    assert host.refusal("arrange", chair=2, to="bot", level="sinbad") == "no_level"
    assert server.create().refusal("arrange", chair=3, to="open") == "no_chair"
    assert bea.refusal("arrange", chair=2, to="closed") == "host_only"
    assert bea.refusal("kick", person=0) == "host_only"
    assert bea.refusal("hush", off=True) == "host_only"


def test_the_host_asks_somebody_to_go(server: LiveServer) -> None:
    host = server.create()
    bea = server.join(host.code, "Bea")
    with bea.socket() as wire:
        wire.until("snapshot")
        assert host.refusal("kick", person=0) == "nobody_to_ask"
        assert host.refusal("kick", person=7) == "nobody_to_ask"
        host.wants("kick", person=1)
        told = wire.until("event", kind="left")
        assert told["lines"][0]["key"] == "log.asked_to_go"
        assert told["lines"][0]["values"] == {"name": "Bea"}
        assert wire.ask(bea.command("chat", text="why?"))["key"] == "server.no_longer_here"
        assert 1 not in host.look()["present"]
    assert kinds(host) == ["human", "open"]
    assert bea.look()["people"] == [], "the secret opens nothing now"
    assert bea.send(bea.command("chat", text="let me in")).status_code == 403
    host.wants("open_door")
    assert server.join(host.code, "Cem").person == 2, "numbers are not used again"


def test_the_host_passes_on_and_an_empty_table_gets_a_new_one(server: LiveServer) -> None:
    host = server.create(players=3)
    bea = server.join(host.code, "Bea")
    host.wants("leave")
    assert bea.look()["table"]["host"] == 1
    bea.wants("arrange", chair=2, to="closed")
    bea.wants("leave")
    cem = server.join(host.code, "Cem")
    assert cem.look()["table"]["host"] == cem.person
    cem.wants("arrange", chair=1, to="bot", level="kasim")
    cem.wants("start")


def test_who_leaves_a_running_game_is_replaced_by_a_bot(server: LiveServer) -> None:
    people = server.people(3, stand_in="kasim", grace_seconds=86_400)
    people[1].wants("leave")
    seen = people[0].look()
    assert kinds(people[0]) == ["human", "bot", "human"]
    assert seen["table"]["chairs"][1]["level"] == "kasim"
    assert seen["table"]["state"] == "playing"
    number = people[0].wants("move", action="@R")
    for _ in range(6):  # the first bot of all may have to be compiled
        if events := people[0].events(number, wait=25)["events"]:
            break
    assert events[0]["kind"] == "moved"
    assert events[0]["seat"] == 1


# Several people on one device


def test_two_people_share_a_device(server: LiveServer) -> None:
    host = server.create(start="order", chairs=[{"kind": "human", "name": "Bea"}])
    assert len(host.secrets) == 2
    host.wants("start")
    assert host.look()["people"] == [0, 1]
    assert host.look()["own"]["seat"] == 0
    assert host.look(**{"as": 1})["own"]["seat"] == 1
    host.wants("move", action="@R")
    assert host.asks("move", action="@G")["rule"] == "R5"
    command = host.command("move", action="@G") | {"person": 1}
    assert host.send(command).json()["result"] == "accepted"
    with host.socket(as_=1) as wire:
        assert wire.until("snapshot")["own"]["seat"] == 1
        move = host.command("move", action="@W")
        assert wire.ask(move)["rule"] == "R5"
        assert wire.ask(move | {"person": 0, "id": "w"})["result"] == "accepted"
        assert wire.ask(move | {"person": 2, "id": "x"})["key"] == "server.no_secret"
    assert host.http.get(f"{host.path}?as=2").status_code == 403


def test_a_second_seat_joined_from_the_same_browser_is_in_the_same_cookie(
    server: LiveServer,
) -> None:
    with server.client() as browser:
        code = browser.post("/api/tables", json={"name": "Ali"}).json()["code"]
        browser.post(f"/api/tables/{code}/join", json={"name": "Bea"})
        assert browser.get(f"/api/tables/{code}").json()["people"] == [0, 1]


def test_a_join_that_is_sent_again_takes_one_chair(server: LiveServer) -> None:
    """Its answer was lost: whoever has chosen the secret can ask again."""
    host = server.create(players=3)
    asked = {"name": "Bea", "secret": "a-secret-of-twenty-four-or-more"}
    with server.client() as http:
        answers = [http.post(f"{host.path}/join", json=asked).json() for _ in range(2)]
        assert answers[0] == answers[1] == {
            "code": host.code, "keys": [{"person": 1, "secret": asked["secret"]}],
        }  # fmt: skip
        assert kinds(host) == ["human", "human", "open"]
        bea = server.client(asked["secret"])
        command = {"id": "1", "version": host.look()["number"], "wish": {"type": "leave"}}
        assert bea.post(f"{host.path}/commands", json=command).json()["result"] == "accepted"
        gone = http.post(f"{host.path}/join", json=asked)
        assert (gone.status_code, gone.json()["key"]) == (403, "server.no_secret")
        for bad in ("short", "x" * 65, "with spaces in it, and long"):
            assert http.post(f"{host.path}/join", json=asked | {"secret": bad}).status_code == 400


def test_who_leaves_and_comes_back_again_and_again_keeps_a_seat(server: LiveServer) -> None:
    with server.client() as browser:
        code = server.create("Ali").code
        path = f"/api/tables/{code}"
        for n in range(12):
            joined = browser.post(f"{path}/join", json={"name": f"Bea {n}"}).json()
            person = joined["keys"][0]["person"]
            seen = browser.get(path).json()
            assert seen["people"] == [person]
            asked = {"id": f"leave-{n}", "version": seen["number"], "wish": {"type": "leave"}}
            answer = browser.post(f"{path}/commands", json=asked).json()
            assert answer.get("result") == "accepted", (n, answer)


# One device as the screen of the table


def test_the_screen_hosts_the_table_and_has_neither_chair_nor_hand(server: LiveServer) -> None:
    asked = {"name": "Screen", "screen": True, "chairs": [{"kind": "open"}, {"kind": "open"}, BOT]}
    agreement = {"players": 3, "start": "order", "watching": "nobody"}
    with server.client() as http:
        welcome = http.post("/api/tables", json=asked | {"agreement": agreement}).json()
    screen = Guest(server, welcome)
    assert kinds(screen) == ["open", "open", "bot"]
    assert screen.refusal("start") == "chairs_open"
    assert screen.refusal("sit", chair=0) == "no_seat"
    ali, bea = server.join(screen.code, "Ali"), server.join(screen.code, "Bea")
    assert ali.refusal("start") == "host_only"
    screen.wants("arrange", chair=2, to="closed")
    screen.wants("start")
    seen = screen.look()
    assert (seen["person"], seen["own"]) == (0, None)
    assert seen["shown"]["players"] == 2
    assert ali.look()["own"]["seat"] == 0
    assert screen.refusal("move", action="@R") == "no_seat"
    play_on([ali, bea], Random(1))
    assert screen.look()["hands"] is None
    assert ali.look()["hands"] is not None
    screen.wants("rematch")
    assert screen.look()["table"]["offers"] == [0]
    ali.wants("rematch")
    bea.wants("rematch")
    assert kinds(screen) == ["human", "human", "closed"]


def test_a_screen_leaves_all_chairs_to_others(server: LiveServer) -> None:
    assert refused(server, screen=True, chairs=[BOT, BOT, BOT]) == "too_many_chairs"
    with server.client() as http:
        asked = {"name": "Ali", "screen": True, "chairs": [BOT, BOT]}
        screen = Guest(server, http.post("/api/tables", json=asked).json())
    screen.wants("start")
    assert screen.look()["table"]["state"] == "playing"


# Looking on, and the lobby


def test_spectators_see_the_table_and_hold_no_seat(server: LiveServer) -> None:
    people = server.people(2, watching="table")
    outsider = server.spectator(people[0].code)
    seen = outsider.look()
    assert (seen["person"], seen["people"], seen["own"]) == (None, [], None)
    assert seen["shown"]["players"] == 2
    assert outsider.send(people[0].command("move", action="@R")).status_code == 403
    with outsider.socket() as wire:
        wire.until("snapshot")
        answer = wire.ask(people[0].command("move", action="@R"))
        assert answer["key"] == "server.no_secret"
        people[0].wants("move", action="@R")
        event = wire.until("event")
        assert "own" not in event
        assert event["shown"]["guards"][0][0] == 1


def test_the_lobby_lists_what_is_open_to_all_and_nothing_else(
    own_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby_module, "FRESH_SECONDS", 0)
    hidden = own_server.create("Hidden")
    listed = own_server.create("Ali", players=3, listed=True, variant="neutral")

    def lobby() -> list[dict[str, Any]]:
        with own_server.client() as http:
            tables: list[dict[str, Any]] = http.get("/api/tables").json()["tables"]
            return tables

    assert [table["code"] for table in lobby()] == [listed.code]
    assert hidden.code not in str(lobby())
    entry = lobby()[0]
    assert (entry["host"], entry["free"]) == ("Ali", 2)
    assert entry["agreement"] == {"players": 3, "listed": True, "variant": "neutral"}
    own_server.join(listed.code)
    assert lobby()[0]["free"] == 1
    listed.wants("arrange", chair=2, to="closed")
    assert lobby() == []
    listed.wants("arrange", chair=2, to="open")
    listed.wants("arrange", chair=2, to="bot", level="kasim")
    listed.wants("start")
    assert lobby() == []


def test_the_lobby_forgets_tables_where_nobody_is(
    own_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    left, kept = (own_server.create(name, listed=True) for name in ("Ali", "Bea"))
    with kept.socket() as wire, own_server.client() as http:
        wire.until("present")
        monkeypatch.setattr(lobby_module, "FRESH_SECONDS", 0)
        monkeypatch.setattr(lobby_module, "ABSENT_SECONDS", 0)
        (only,) = http.get("/api/tables").json()["tables"]
        assert only["code"] == kept.code
        monkeypatch.setattr(lobby_module, "LISTED_SECONDS", -1)
        assert http.get("/api/tables").json()["tables"] == []
    assert left.look()["table"]["state"] == "gathering"


# Talking


def test_chat_emotes_and_silence(server: LiveServer) -> None:
    host = server.create()
    bea = server.join(host.code, "Bea")
    with bea.socket() as wire:
        wire.until("snapshot")
        host.wants("chat", text="  two\nlines\u202e <b>bold</b> ")
        assert wire.until("event", kind="chatted")["text"] == "two lines <b>bold</b>"
        host.wants("emote", emote="laugh")
        event = wire.until("event", kind="emoted")
        assert (event["text"], event["person"]) == ("laugh", 0)
        host.wants("hush", off=True)
        assert wire.until("event", kind="hushed")["table"]["hushed"]
    assert bea.refusal("chat", text="but") == "hushed"
    assert bea.refusal("emote", emote="sad") == "hushed"
    host.wants("hush", off=False)
    bea.wants("chat", text="thank you")
    assert bea.refusal("chat", text="\u200b\u2066") == "nothing_written"
    log = bea.look()["log"]
    assert [line["kind"] for line in log][-3:] == ["hushed", "hushed", "chatted"]


def test_names_and_chat_have_their_length(server: LiveServer) -> None:
    host = server.create("x" * NAME_LENGTH)
    with server.client() as http:
        assert http.post("/api/tables", json={"name": "x" * 25}).status_code == 400
        assert http.post("/api/tables", json={"name": ""}).status_code == 400
    host.wants("chat", text="y" * CHAT_LENGTH)
    too_long = host.send(host.command("chat", text="y" * (CHAT_LENGTH + 1)))
    assert too_long.status_code == 400


@pytest.mark.parametrize(
    "blank",
    [
        "\u3164", "\u2800", "\u115f\u1160", "\uffa0", "\ufffc", "\U0001d159", "\U00013441",
        "\u034f", "\u0301\u0300", "\ufe0f", "\U000e0100", "\u17b4", "\u180b", "\u3164 \u0301\u2800",
    ],
)  # fmt: skip
def test_a_name_that_looks_blank_is_none(server: LiveServer, blank: str) -> None:
    host = server.create("\u3164e\u0301 \u2764\ufe0f\u2800")
    assert host.look()["table"]["chairs"][0]["name"] == "e\u0301 \u2764\ufe0f"
    with server.client() as http:
        for path in ("", f"/{host.code}/join"):
            answer = http.post(f"/api/tables{path}", json={"name": blank})
            assert (answer.status_code, answer.json()["key"]) == (409, "server.nothing_written")
    assert host.refusal("chat", text=blank) == "nothing_written"


def test_nothing_of_what_unicode_lets_readers_ignore_is_a_name() -> None:
    ranges = (  # Default_Ignorable_Code_Point of Unicode 16
        (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5),
        (0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164),
        (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8),
        (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
    )  # fmt: skip
    for first, last in ranges:
        for point in range(first, last + 1):
            with pytest.raises(RefusedError):
                cleaned(chr(point))


def test_talk_and_chairs_of_one_person_have_a_pace(tmp_path: Path) -> None:
    limits = replace(GENEROUS, talk_at_once=3, talk_a_minute=0.001)
    server = LiveServer(tmp_path, limits=limits)
    try:
        host = server.create()
        bea = server.join(host.code)
        first = host.command("chat", text="one")
        assert host.send(first).json()["result"] == "accepted"
        host.wants("sit", colour=2)
        host.wants("emote", emote="wow")
        assert host.refusal("chat", text="four") == "too_fast"
        assert host.refusal("sit", colour=3) == "too_fast"
        assert host.send(first).json()["result"] == "accepted", "sent again, it has happened"
        bea.wants("chat", text="others have their own")
        bea.wants("leave")
        host.wants("leave")  # nobody is held
    finally:
        server.stop()


def test_who_waits_may_talk_again() -> None:
    pace = Pace(burst=2, a_minute=30)
    now = 1_800_000_000_000
    for _ in range(2):
        assert pace.allows(0, now)
        pace.take(0, now)
    assert not pace.allows(0, now)
    assert not pace.allows(0, now + 1_999)
    assert pace.allows(0, now + 2_000)
    assert pace.allows(0, now - 3_600_000), "a clock that was set back silences nobody"
    pace.take(1, now + 60_000)
    assert list(pace._due) == [1], "who is not ahead is forgotten"


def test_joins_of_one_address_are_limited(tmp_path: Path) -> None:
    server = LiveServer(tmp_path, limits=Limits(tables_an_hour=1, joins_a_table=3))
    try:
        host = server.create()
        for _ in range(3):
            server.join(host.code).wants("leave")
        with server.client() as http:
            answer = http.post(f"{host.path}/join", json={"name": "Bea"})
        assert (answer.status_code, answer.json()["key"]) == (429, "server.too_fast")
    finally:
        server.stop()


# Again


def test_a_rematch_keeps_people_and_spectators_and_has_a_new_promise(server: LiveServer) -> None:
    people = server.people(2)
    first = people[0].look()["table"]["promise"]
    with server.spectator(people[0].code).socket() as wire:
        wire.until("snapshot")
        play_on(people, Random(6))
        over = people[0].look()["table"]
        assert over["state"] == "over"
        assert over["promise"] == first
        people[1].wants("rematch")
        assert people[0].look()["table"]["state"] == "over", "nobody is pulled out of the result"
        people[0].wants("rematch")
        again = wire.until("event", kind="rematched")
        assert "shown" not in again
        table = again["table"]
        assert (table["state"], table["games"]) == ("gathering", 1)
        assert [chair["name"] for chair in table["chairs"]] == ["Ali", "Guest 1"]
        assert table["promise"] != first
        assert table["seed"] is None
        people[0].wants("start")
        assert wire.until("event", kind="started")["table"]["games"] == 2
    assert [event["kind"] for event in people[0].look()["log"]] == ["rematched", "started"]
    people[0].wants("move", action="@R")


def test_a_rematch_is_offered_accepted_taken_back_and_declined(server: LiveServer) -> None:
    people = server.people(3)
    assert people[1].refusal("rematch") == "not_over"
    assert people[1].refusal("decline") == "not_over"
    play_on(people, Random(6))
    number = people[0].look()["number"]

    def answers() -> tuple[list[int], list[int]]:
        table = people[0].look()["table"]
        return table["offers"], table["declines"]

    with people[0].socket() as wire:
        wire.until("snapshot")
        # Answers cross each other: none of them is out of date because of another.
        people[1].wants("rematch", version=number)
        told = wire.until("event", kind="offered")
        assert told["lines"] == [{"key": "log.offered", "values": {"name": "Guest 1"}}]
        assert "shown" not in told
        people[2].wants("decline", version=number)
        assert wire.until("event", kind="declined")["table"]["declines"] == [2]
    assert answers() == ([1], [2])
    assert people[1].refusal("rematch") == "answered"
    assert people[2].refusal("decline") == "answered"
    people[2].wants("rematch")
    assert answers() == ([1, 2], [])
    people[1].wants("decline")
    assert answers() == ([2], [1])
    people[1].wants("rematch")
    people[0].wants("rematch")
    table = people[0].look()["table"]
    assert (table["state"], table["offers"], table["declines"]) == ("gathering", [], [])
    assert server.spectator(people[0].code).send(people[0].command("rematch")).status_code == 403


def test_the_host_goes_ahead_without_those_who_do_not_answer(server: LiveServer) -> None:
    people = server.people(3)
    play_on(people, Random(6))
    assert people[1].refusal("rematch", now=True) == "host_only"
    people[1].wants("rematch")
    people[0].wants("rematch", now=True)
    seen = people[2].look()
    assert [chair["kind"] for chair in seen["table"]["chairs"]] == ["human", "human", "open"]
    assert seen["people"] == [2], "whoever did not answer keeps the result"
    assert people[2].get("/games/1/record").status_code == 200
    people[2].wants("sit")
    assert people[2].look()["table"]["chairs"][2]["name"] == "Guest 2"
    people[0].wants("leave")
    assert people[2].look()["table"]["host"] == 1


def test_who_is_left_alone_after_a_game_hosts_the_next_one_from_a_chair(server: LiveServer) -> None:
    """Whether the others go before or after another game was agreed upon."""
    first, second = server.people(2)
    play_on([first, second], Random(6))
    first.wants("rematch", now=True)
    first.wants("leave")
    table = second.look()["table"]
    assert table["host"] == second.person
    assert [chair.get("person") for chair in table["chairs"]] == [second.person, None]
    people = server.people(3)
    play_on(people, Random(6))
    people[1].wants("rematch")
    people[0].wants("rematch", now=True)
    people[0].wants("arrange", chair=2, to="closed")
    people[0].wants("start")
    play_on(people[:2], Random(6))
    for each in people[:2]:
        each.wants("leave")
    people[2].wants("rematch", now=True)
    table = people[2].look()["table"]
    assert [chair["kind"] for chair in table["chairs"]] == ["human", "open", "closed"]
    assert table["host"] == table["chairs"][0]["person"] == people[2].person


def test_who_leaves_is_not_waited_for(server: LiveServer) -> None:
    people = server.people(3)
    play_on(people, Random(6))
    people[1].wants("rematch")
    people[2].wants("rematch")
    people[2].wants("leave")
    assert people[0].look()["table"]["offers"] == [1]
    people[0].wants("rematch")
    assert people[0].look()["table"]["state"] == "gathering"


def test_alone_against_bots_and_with_all_on_one_device_another_game_is_set_up_at_once(
    server: LiveServer,
) -> None:
    shared = server.create(start="order", chairs=[{"kind": "human", "name": "Bea"}])
    shared.wants("start")
    play_on([shared], Random(6))
    shared.wants("rematch")
    assert shared.send(shared.command("rematch") | {"person": 1}).json()["result"] == "accepted"
    assert shared.look()["table"]["state"] == "gathering"


def test_every_game_of_a_table_keeps_its_record_and_its_result(own_server: LiveServer) -> None:
    people = own_server.people(2)
    assert people[0].get("/record").status_code == 409
    records: list[str] = []
    for game in (1, 2):
        assert people[0].get(f"/games/{game}/record").status_code == 409
        play_on(people, Random(game))
        records.append(people[0].get("/record").text)
        people[1].wants("rematch")
        people[0].wants("rematch")
        assert people[0].get("/record").text == records[-1], "the latest that is over"
        people[0].wants("start")
    people[0].wants("kick", person=1)
    guest = own_server.spectator(people[0].code)
    assert guest.get("/games/4/record").status_code == 404
    assert guest.get("/games/0/record").status_code == 400
    assert guest.get("/games/3/replay").status_code == 409

    def looks(guest: Guest) -> list[Any]:
        forms = [guest.get(f"/games/{n}/{form}") for n in (1, 2) for form in ("record", "replay")]
        return [guest.get("/games").json()["games"], *(form.text for form in forms)]

    games, *texts = looks(guest)
    assert [texts[0], texts[2]] == records
    assert [(game["number"], game["state"]) for game in games] == [
        (1, "over"), (2, "over"), (3, "playing"),
    ]  # fmt: skip
    for game, record in zip(games, records, strict=False):
        told = Game.from_record(record)
        assert (game["winner"], game["loot"]) == (told.winner, list(told.loot))
        assert game["names"] == ["Ali", "Guest 1"]
        assert (game["people"], game["bots"]) == ([0, 1], [None, None])
        assert (game["colours"], game["ended"] > 0) == ([0, 1], True)
    assert (games[2]["people"][1], games[2]["bots"][1], games[2]["ended"]) == (
        None, "morgiana", None,
    )  # fmt: skip
    own_server.stop()
    anew = LiveServer(own_server.folder)
    try:
        assert looks(anew.spectator(people[0].code))[1:] == texts
    finally:
        anew.stop()


def test_events_of_older_servers_are_still_read() -> None:
    for stored in (b'{"kind":"rematched","seed":"a"}', b'{"kind":"left","person":1,"asked":true}'):
        assert encode_event(decode_event(stored)) == stored


def test_who_leaves_after_the_end_is_still_named_in_the_record(server: LiveServer) -> None:
    people = server.people(2)
    play_on(people, Random(8))
    people[1].wants("leave")
    assert '[Seats "Ali, Guest 1"]' in people[0].get("/record").text


def test_a_stopped_server_comes_back_to_exactly_the_same_table(own_server: LiveServer) -> None:
    people = own_server.people(3, variant="neutral", watching="open")
    play_on(people, Random(3), 45)
    people[2].wants("chat", text="good night")
    viewers = [*people, own_server.spectator(people[0].code)]
    before = [guest.look() | {"at": 0} for guest in viewers]
    pages = [guest.events(0, whole=True) for guest in viewers]
    last = [guest.events(before[0]["number"] - 5) for guest in viewers]
    own_server.stop()
    anew = LiveServer(own_server.folder)
    try:
        for guest, seen, page, few in zip(viewers, before, pages, last, strict=True):
            guest.server, guest.http = anew, anew.client(*guest.secrets)
            assert guest.look() | {"at": 0} == seen
            assert guest.events(0, whole=True) == page
            assert guest.events(seen["number"] - 5) == few
        play_on(people, Random(4))
        assert people[0].look()["table"]["state"] == "over"
    finally:
        anew.stop()
