"""What a table agrees on: a rulebook or single options, and the first hands."""

from random import Random
from typing import Any

import pytest

from baghdad.client import Table, TableError
from baghdad.rules.game import Game
from baghdad.rules.options import PRESETS, RULEBOOKS, Options
from baghdad.server.domain.agreement import Agreement
from baghdad.text import LANGUAGES
from support.live_server import LiveServer, play_on

BOT = {"kind": "bot", "level": "maruf"}


def refused(server: LiveServer, language: str = "en", **agreement: Any) -> tuple[str, str]:
    """Why no table is set up: the key and the words."""
    with server.client() as http:
        asked = {"name": "Ali", "agreement": agreement}
        response = http.post("/api/tables", json=asked, params={"lang": language})
    assert response.status_code == 409, response.text
    told = response.json()
    return str(told["key"]).partition(".")[2], str(told["reason"])


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_rulebook_decides_its_options_and_is_in_the_record(
    server: LiveServer, rulebook: str
) -> None:
    host = server.create(chairs=[BOT], rulebook=rulebook, start="order")
    preset = PRESETS[rulebook]  # type: ignore[index]
    agreed = host.look()["table"]["agreement"]
    assert agreed["rulebook"] == rulebook
    assert agreed.get("rob", "arrival") == preset.rob
    assert agreed.get("hands", "hidden") == preset.hands
    assert agreed.get("spare", "stack") == preset.spare
    host.wants("start")
    shown = host.look()["shown"]
    assert (shown["rob"], shown["spare"]) == (preset.rob == "smuggle", preset.spare == "chosen")
    game = server.call(server.registry.actor(host.code)).table.game
    assert game is not None
    assert game.options == Options(rulebook=rulebook)  # type: ignore[arg-type]
    assert f'[Rulebook "{rulebook}"]' in game.record()
    assert Game.from_record(game.record()).options == game.options


def test_options_that_agree_with_the_rulebook_may_be_named_too(server: LiveServer) -> None:
    agreed = server.create(rulebook="de", rob="smuggle", hands="hidden").look()["table"][
        "agreement"
    ]
    assert agreed == {"rulebook": "de", "rob": "smuggle"}


@pytest.mark.parametrize(
    ("rulebook", "option", "wanted", "given"),
    [
        ("de", "rob", "smuggle", "arrival"),
        ("en", "hands", "hidden", "seen"),
        ("nl", "rob", "arrival", "smuggle"),
        ("cs", "spare", "chosen", "stack"),
        ("12thieves", "spare", "stack", "chosen"),
        ("ours", "rob", "arrival", "smuggle"),
    ],
)
def test_what_contradicts_the_rulebook_is_refused(
    server: LiveServer, rulebook: str, option: str, wanted: str, given: str
) -> None:
    reasons = []
    for language in LANGUAGES:
        key, reason = refused(server, language, rulebook=rulebook, **{option: given})
        assert key == "rulebook_says"
        for word in (rulebook, option, wanted, given):
            assert word in reason
        reasons.append(reason)
    assert len(set(reasons)) == len(LANGUAGES)


@pytest.mark.parametrize("deal", ["6", "6-7-8", "0-7", "26-7", "6,7", "six", "6-", "-", "balance"])
def test_first_hands_that_cannot_be_dealt_are_refused(server: LiveServer, deal: str) -> None:
    for language in LANGUAGES:
        key, reason = refused(server, language, deal=deal)
        assert key == "bad_deal"
        assert "balanced" in reason
        assert f"{deal}" in reason


def test_what_is_no_rulebook_is_not_understood(server: LiveServer) -> None:
    with server.client() as http:
        asked = {"name": "Ali", "agreement": {"rulebook": "fr"}}
        told = http.post("/api/tables", json=asked)
    assert told.status_code == 400
    assert "rulebook" in told.json()["reason"]


@pytest.mark.parametrize(
    ("deal", "agreed", "dealt"),
    [
        ("usual", None, [6, 7]),
        ("6-7", None, [6, 7]),
        ("6-8", "6-8", [6, 8]),
        ("balanced", "balanced", [6, 8]),
        ("25-1", "25-1", [25, 1]),
    ],
)
def test_the_first_hands_agreed_on_are_dealt(
    server: LiveServer, deal: str, agreed: str | None, dealt: list[int]
) -> None:
    host = server.create(chairs=[BOT], deal=deal, hands="seen", start="order")
    assert host.look()["table"]["agreement"].get("deal") == agreed
    host.wants("start")
    shown = host.look()["shown"]
    assert shown["hand_sizes"][:2] == dealt
    assert shown["first_hands"] == [*dealt, 0, 0]


@pytest.mark.parametrize(
    ("deal", "closed", "dealt"),
    [
        ("balanced", 0, (8, 7, 8, 9)),
        ("balanced", 1, (6, 7, 9)),
        ("balanced", 2, (6, 8)),
        ("9-8-7-6", 1, (9, 8, 7)),
        ("9-8-7-6", 2, (9, 8)),
        ("usual", 1, (6, 7, 8)),
    ],
)
def test_with_fewer_players_the_first_numbers_count(
    server: LiveServer, deal: str, closed: int, dealt: tuple[int, ...]
) -> None:
    chairs = [BOT] * (3 - closed) + [{"kind": "closed"}] * closed
    host = server.create(chairs=chairs, players=4, deal=deal, hands="seen", start="order")
    host.wants("start")
    shown = host.look()["shown"]
    assert tuple(shown["first_hands"][: 4 - closed]) == dealt
    game = server.call(server.registry.actor(host.code)).table.game
    assert game is not None
    assert game.options.deal == dealt


def test_a_rematch_is_played_by_the_same_agreement(server: LiveServer) -> None:
    people = server.people(2, rulebook="cs", deal="6-8", hands="hidden")
    play_on(people, Random(1))
    for guest in people:
        guest.wants("rematch")
    people[0].wants("start")
    assert people[0].look()["shown"]["first_hands"] == [6, 8, 0, 0]
    assert people[0].look()["shown"]["spare"] == 1
    record = people[0].get("/games/1/record").text
    assert '[Rulebook "cs"]\n[Spare "chosen"]\n[Deal "6-8"]' in record


def test_an_agreement_for_fewer_players() -> None:
    agreed = Agreement(players=3, rulebook="cs", deal="6-7-9", variant="neutral")
    assert agreed.options == Options(3, "neutral", deal=(6, 7, 9), rulebook="cs")
    assert agreed.options_for(2).deal == (6, 7)


def test_programs_agree_on_the_same(server: LiveServer) -> None:
    with Table.create(server.url, "Robo", chairs=[BOT], rulebook="cs", deal="balanced") as table:
        table.start()
        assert (table.view.options.spare, table.view.options.deal) == ("chosen", (6, 8))
    with pytest.raises(TableError, match="rulebook nl means rob arrival, not smuggle"):
        Table.create(server.url, "Robo", rulebook="nl", rob="smuggle")
    with pytest.raises(TableError, match="one number from 1 to 25 for each of the 2 seats"):
        Table.create(server.url, "Robo", deal="6-7-8")
