"""The deal can be proved, and nobody can bend it.

Every card follows from a secret that was promised before the game, and from numbers that the
players' devices bring once all promises are fixed.
"""

import hashlib
import json
from collections.abc import Sequence
from itertools import pairwise, product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from baghdad import Game
from baghdad.cli import main
from baghdad.client import Table
from baghdad.rules.fair import commitment, deal_seed, fair_draw
from baghdad.rules.verdict import verdict
from support.live_server import Guest, LiveServer, play_on
from support.pledges import (
    COLOURS,
    header,
    naive_cards,
    naive_seed,
    number_of,
    promise_of,
    with_header,
)

KASIM = {"kind": "bot", "level": "kasim"}


def gathered(server: LiveServer, promises: Sequence[str | None], **agreement: Any) -> list[Guest]:
    """People who have promised these, by chair; the game has not begun."""
    agreed: dict[str, Any] = {"start": "order", "players": len(promises)} | agreement
    host = server.create("Guest 0", promise=promises[0], **agreed)
    joined = [
        server.join(host.code, f"Guest {n}", promise=promise)
        for n, promise in enumerate(promises[1:], 1)
    ]
    return [host, *joined]


def pledged(server: LiveServer, count: int, *none: int, **agreement: Any) -> list[Guest]:
    """People whose game has begun, each with a promise except those named."""
    promises = [None if n in none else promise_of(n) for n in range(count)]
    people = gathered(server, promises, **agreement)
    people[0].wants("start")
    return people


def all_bring(people: Sequence[Guest]) -> None:
    for n, guest in enumerate(people):
        if guest.look()["table"]["chairs"][n].get("promise"):
            guest.wants("bring", number=number_of(n))


def chairs(guest: Guest) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = guest.look()["table"]["chairs"]
    return found


@pytest.fixture(scope="module")
def finished(server: LiveServer) -> list[Guest]:
    """Three people after a game; the third has brought no number."""
    people = pledged(server, 3, 2)
    all_bring(people)
    play_on(people, Random(11))
    return people


@pytest.fixture(scope="module")
def record(finished: list[Guest]) -> str:
    return finished[0].get("/record").text


# Every card follows from what was promised


@pytest.mark.parametrize("hands", ["hidden", "seen"])
@pytest.mark.parametrize(
    ("players", "none"), [(2, ()), (3, ()), (4, ()), (2, (0,)), (4, (1, 2)), (3, (0, 1, 2))]
)
def test_every_card_follows_as_documented(
    server: LiveServer, players: int, none: tuple[int, ...], hands: str
) -> None:
    people = pledged(server, players, *none, hands=hands)
    promise = people[0].look()["table"]["promise"]
    all_bring(people)
    play_on(people, Random(players))
    record = people[0].get("/record").text
    secret = header(record, "Seed")
    assert hashlib.sha256(secret.encode()).hexdigest() == promise == header(record, "Commitment")
    brought = ["-" if n in none else number_of(n) for n in range(players)]
    promised = ["-" if n in none else promise_of(n) for n in range(players)]
    if len(none) < players:
        assert header(record, "Numbers") == ", ".join(brought)
        assert header(record, "Promises") == ", ".join(promised)
    else:
        assert "[Numbers" not in record
        assert "[Promises" not in record
    dealt = "".join(token[1:] for token in Game.from_record(record).tokens if token[0] == "=")
    assert "".join(naive_cards(record, naive_seed(record))) == dealt
    assert verdict(Game.from_record(record), promise).shares == tuple(
        "none" if n in none else "brought" for n in range(players)
    )


def test_the_stack_runs_out_in_one_of_these_games(record: str) -> None:
    """Else the test above would say nothing of R24's shuffle."""
    game = Game.from_record(record)
    assert sum(len(token) - 1 for token in game.tokens if token[0] == "=") > 102


def test_a_named_card_counts_and_its_number_decides_nothing() -> None:
    """R23 under `spare=chosen`, in whole games."""
    named = absent = 0
    for seed in range(6):
        game, random = Game(2, spare="chosen"), Random(seed)
        while not game.over and len(game.tokens) < 600:
            if game.to_move == 4:
                game.play(fair_draw(game, f"secret {seed}"))
                continue
            legal = game.legal_tokens()
            wanted = [t for t in legal if t[0] == "-" and len(t) == 2]
            game.play(random.choice(wanted or legal))
        game.headers = {"Seed": f"secret {seed}"}
        tokens = game.tokens
        for token, came in pairwise(tokens):
            if token[0] == "-" and token[1:] in COLOURS and token[1:]:
                named, absent = named + 1, absent + (came[1] != token[1])
        dealt = "".join(token[1:] for token in tokens if token[0] == "=")
        assert "".join(naive_cards(game.record(), f"secret {seed}")) == dealt
    assert named > 20
    assert absent > 0


def test_the_worked_examples_of_the_documentation() -> None:
    text = (Path(__file__).parents[2] / "docs" / "server.md").read_text()
    assert hashlib.sha256(b"abc").hexdigest() in text
    shown = f"abc {'1' * 64} - {'3' * 64}"
    seed = hashlib.sha256(shown.encode()).hexdigest()
    assert shown in text
    assert seed in text
    row = "".join(colour * 17 for colour in COLOURS)
    for each in (seed, "abc"):
        digest = hashlib.sha256(f"{each} 0".encode()).hexdigest()
        number = int(digest, 16) % 102
        assert digest in text
        assert f"modulo 102 is {number}" in text
        assert f"card {number} is {row[number]}" in text
    assert hashlib.sha256(b"1" * 64).hexdigest() in text


def test_every_game_has_a_secret_of_its_own(server: LiveServer) -> None:
    assert len({server.create().look()["table"]["promise"] for _ in range(20)}) == 20


def test_the_secret_is_shown_at_the_end_and_not_before(server: LiveServer) -> None:
    people = server.people(2)
    play_on(people, Random(1), 20)
    assert people[0].look()["table"]["seed"] is None
    early = people[0].get("/record")
    assert (early.status_code, early.json()["key"]) == (409, "server.not_over")
    play_on(people, Random(1))
    seed = people[0].look()["table"]["seed"]
    assert seed == header(people[0].get("/record").text, "Seed")
    last = people[1].events(people[1].look()["number"] - 1)["events"][0]
    assert last["table"]["seed"] == seed


# Promises first, then numbers, then cards


def test_promises_are_shown_before_the_game_and_fixed_by_its_start(server: LiveServer) -> None:
    people = gathered(server, [promise_of(0), promise_of(1)])
    stranger = server.spectator(people[0].code)
    assert [chair["promise"] for chair in chairs(stranger)] == [promise_of(0), promise_of(1)]
    people[1].wants("sit", promise=promise_of("another"))
    assert chairs(stranger)[1]["promise"] == promise_of("another")
    people[1].wants("sit", colour=3)  # what was promised stays
    assert chairs(stranger)[1]["promise"] == promise_of("another")
    people[0].wants("start")
    assert people[1].refusal("sit", promise=promise_of(1)) == "has_begun"
    assert [chair["promise"] for chair in chairs(stranger)] == [
        promise_of(0),
        promise_of("another"),
    ]
    assert people[1].refusal("bring", number=number_of(1)) == "wrong_number"
    people[1].wants("bring", number=number_of("another"))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_hands_that_are_seen_wait_for_every_number(server: LiveServer, players: int) -> None:
    people = pledged(server, players, hands="seen")
    for n, guest in enumerate(people):
        seen = people[0].look()
        assert seen["shown"]["hand_sizes"][:players] == [0] * players
        assert seen["own"]["legal"] == []
        assert people[0].refusal("move", action="@R") == "deal_waits"
        assert [chair.get("number") for chair in seen["table"]["chairs"]] == [
            number_of(m) if m < n else None for m in range(players)
        ]
        guest.wants("bring", number=number_of(n))
    last = people[0].events(people[0].look()["number"] - 1)["events"][0]
    assert (last["kind"], last["seat"]) == ("brought", players - 1)
    assert [line["key"] for line in last["lines"]] == ["log.dealt_open"]
    assert last["drawn"] == [[seat, 6 + seat] for seat in range(players)]
    assert len(last["cards"]) == 6
    people[0].wants("move", action="@R")


@pytest.mark.parametrize("when", ["before the first guard", "before the last guard", "after all"])
def test_hidden_hands_wait_only_with_the_deal(server: LiveServer, when: str) -> None:
    people = pledged(server, 2)
    people[0].wants("bring", number=number_of(0))
    guards = {"before the first guard": 0, "before the last guard": 7, "after all": 8}[when]
    play_on(people, Random(2), guards)
    before = people[0].look()
    assert before["shown"]["hand_sizes"][:2] == [0, 0]
    if guards == 8:
        assert people[0].refusal("move", action=".") == "deal_waits"
        assert before["shown"]["phase"] == 1
    people[1].wants("bring", number=number_of(1))
    last = people[1].events(before["number"])["events"][0]
    assert last["table"]["chairs"][1]["number"] == number_of(1)
    assert ("shown" in last) == ("drawn" in last) == (guards == 8)
    play_on(people, Random(2), 8 - guards)
    assert people[0].look()["shown"]["hand_sizes"][:2] == [6, 7]


def test_a_number_that_comes_makes_no_move_stale_and_is_never_stale(server: LiveServer) -> None:
    people = pledged(server, 2)
    version = people[0].look()["number"]
    people[1].wants("bring", number=number_of(1))
    people[0].wants("move", action="@R", version=version)
    assert people[0].wants("bring", number=number_of(0), version=0) == version + 3


def test_a_number_is_brought_once(server: LiveServer) -> None:
    people = pledged(server, 2)
    number = people[0].wants("bring", number=number_of(0), id="bring-1")
    assert people[0].wants("bring", number=number_of(0), id="bring-1") == number
    assert people[0].refusal("bring", number=number_of(0)) == "number_there"
    assert people[0].refusal("bring", number=number_of(7)) == "wrong_number"
    play_on(people, Random(1), 3)
    assert people[0].refusal("bring", number=number_of(0)) == "number_there"


def test_what_can_not_be_brought(server: LiveServer) -> None:
    people = pledged(server, 2, 1)
    assert people[1].refusal("bring", number=number_of(1)) == "no_number_promised"
    lobby = server.create(promise=promise_of(0))
    assert lobby.refusal("bring", number=number_of(0)) == "not_begun"
    for nonsense in ("", "ab", number_of(0).upper(), f"{number_of(0)}\n", 7, None):
        command = lobby.command("bring", number=nonsense)
        assert lobby.send(command).status_code == 400
        asked = {"name": "Bea", "promise": nonsense}
        if nonsense is not None:
            assert lobby.http.post(f"{lobby.path}/join", json=asked).status_code == 400


def test_who_has_to_knock_promises_too(server: LiveServer) -> None:
    host = server.create(players=2, promise=promise_of(0), start="order")
    guest = server.join(host.code, "Bea")
    host.wants("kick", person=guest.person)
    knocking = server.join(host.code, "Cem", promise=promise_of(1))
    assert "promise" not in chairs(host)[1]
    host.wants("admit", person=knocking.person, yes=True)
    assert chairs(host)[1]["promise"] == promise_of(1)
    host.wants("start")
    knocking.wants("bring", number=number_of(1))


def test_who_leaves_takes_the_promise_along(server: LiveServer) -> None:
    people = gathered(server, [promise_of(0), promise_of(1)])
    people[1].wants("leave")
    assert server.join(people[0].code, "Cem").look()["table"]["chairs"][1].get("promise") is None


def test_who_leaves_in_the_game_is_not_waited_for(server: LiveServer) -> None:
    people = pledged(server, 3, hands="seen")
    people[0].wants("bring", number=number_of(0))
    people[2].wants("bring", number=number_of(2))
    people[1].wants("leave")
    with people[0].socket(after=people[0].look()["number"] - 1) as wire:
        event = wire.until("event", kind="left_out")
    assert [line["key"] for line in event["lines"]] == ["log.left_out", "log.dealt_open"]
    chair = event["table"]["chairs"][1]
    assert (chair["promise"], chair["left_out"]) == (promise_of(1), True)
    assert "number" not in chair


# Who brings none


def test_bots_bring_none(server: LiveServer) -> None:
    host = server.create(chairs=[KASIM, KASIM], players=3, promise=promise_of(0), start="order")
    host.wants("start")
    assert ["promise" in chair for chair in chairs(host)] == [True, False, False]
    host.wants("bring", number=number_of(0))
    assert [chair.get("number") for chair in chairs(host)] == [number_of(0), None, None]


def test_a_table_on_one_device_claims_nothing(server: LiveServer) -> None:
    host = server.create(chairs=[{"kind": "human", "name": "Bea"}])
    host.wants("start")
    table = host.look()["table"]
    assert not any(key in chair for chair in table["chairs"] for key in ("promise", "number"))


def test_the_lesson_is_as_it_is(server: LiveServer) -> None:
    with server.client() as http:
        asked = {"name": "Ali", "lesson": True, "promise": promise_of(0)}
        assert http.post("/api/tables", json=asked).json()["key"] == "server.lesson_as_it_is"


def test_programs_bring_numbers_by_themselves(server: LiveServer) -> None:
    with (
        Table.create(server.url, "One", start="order", hands="seen") as one,
        Table.join(server.url, one.code, "Two") as two,
    ):
        numbers = [one.number, two.number]
        one.wait()
        one.start()
        two.wait()
        while not one.legal:
            one.wait()
        look = server.spectator(one.code).look()["table"]
        assert [chair["number"] for chair in look["chairs"]] == numbers
        assert None not in numbers


def test_programs_bring_other_numbers_to_a_rematch(server: LiveServer) -> None:
    with (
        Table.create(server.url, "One", start="order", hands="seen") as one,
        Table.join(server.url, one.code, "Two") as two,
    ):
        one.wait()
        one.start()
        first = [one.number, two.number]
        two.send("resign")
        one.refresh()
        one.send("rematch")
        two.refresh()
        two.send("rematch")
        one.refresh()
        one.start()
        two.refresh()
        while not one.legal:
            one.wait()
        look = server.spectator(one.code).look()["table"]
        assert [chair["number"] for chair in look["chairs"]] == [one.number, two.number]
        assert not {one.number, two.number} & {*first}
        record = one.record(1)
    assert verdict(Game.from_record(record)).fair


# Attacks


def deals(secret: str, numbers: Sequence[str | None], players: int = 2) -> str:
    """The first hands."""
    game, cards = Game(players, hands="seen"), []
    while game.to_move == 4:
        cards.append(fair_draw(game, deal_seed(secret, numbers)))
        game.play(cards[-1])
    return " ".join(cards)


def test_a_host_that_knows_only_promises_can_not_choose_the_cards() -> None:
    """Whatever secret it tries, the cards still depend on numbers that it does not know."""
    for secret in map(str, range(20)):
        assert len({deals(secret, [number_of(0), number_of(n)]) for n in range(40)}) == 40
        assert len({deals(secret, [number_of(n), number_of(0)]) for n in range(40)}) == 40


def redealt(record: str, secret: str) -> str:
    """What a host would write that has tried secrets after the numbers came: all cards anew."""
    old = Game.from_record(record)
    numbers = [n if len(n) == 64 else None for n in header(record, "Numbers").split(", ")]
    game = Game.with_options(old.options, headers=old.headers)
    for token in old.tokens:
        if token[0] != "=":
            if game.to_move == 4 or token not in game.legal_tokens():
                break
            game.play(token)
        while game.to_move == 4:
            game.play(fair_draw(game, deal_seed(secret, numbers)))
    game.headers |= {"Seed": secret, "Commitment": commitment(secret)}
    return game.record()


def test_a_host_that_grinds_after_the_numbers_came_is_found_out(record: str) -> None:
    noted = header(record, "Commitment")
    for secret in (f"try {n}" for n in range(30)):
        forged = Game.from_record(redealt(record, secret))
        assert not verdict(forged, noted).fair
        # Whoever has noted nothing is told what the record alone can't say.
        alone = verdict(forged)
        assert alone.fair
        assert "cannot tell whether these promises" in alone.reason
    assert "cannot tell" not in verdict(Game.from_record(record), noted).reason


def test_a_seat_that_grinds_after_it_saw_the_others_is_refused(server: LiveServer) -> None:
    people = pledged(server, 2)
    people[0].wants("bring", number=number_of(0))
    assert chairs(people[1])[0]["number"] == number_of(0)  # now it knows
    for n in range(2, 12):
        assert people[1].refusal("bring", number=number_of(n)) == "wrong_number"
    people[1].wants("bring", number=number_of(1))


def test_withholding_gives_a_coalition_one_choice_a_member() -> None:
    """As the documents say: two ways for one, four for two, and no more."""
    for members in (1, 2):
        ways = product(*[(None, number_of(n)) for n in range(members)])
        found = {deals("secret", [number_of("honest"), *way], 4) for way in ways}
        assert len(found) == 2**members


def seats(record: str, name: str) -> list[str]:
    return header(record, name).split(", ")


def forge(record: str, how: str) -> str:
    """A record in which something was changed."""
    numbers, promises = seats(record, "Numbers"), seats(record, "Promises")
    if how == "another secret":
        return with_header(record, "Seed", "0" * 64)
    if how == "secret and promise":
        forged = with_header(record, "Seed", "0" * 64)
        return with_header(forged, "Commitment", commitment("0" * 64))
    if how == "another number":
        numbers[1] = number_of("another")
    if how == "another promise":
        promises[1] = promise_of("another")
    if how == "number and promise":
        numbers[1], promises[1] = number_of("another"), promise_of("another")
    if how == "left out":
        numbers[1] = "-"
    if how == "without promise":
        promises[1] = "-"
    if how == "a number more":
        numbers[2], promises[2] = number_of(2), promise_of(2)
    if how == "seats changed":
        numbers[:2], promises[:2] = numbers[1::-1], promises[1::-1]
    if how == "too few":
        numbers.pop()
    if how == "nonsense":
        numbers[0] = "nonsense"
    forged = with_header(record, "Numbers", ", ".join(numbers))
    forged = with_header(forged, "Promises", ", ".join(promises))
    if how != "swapped cards":
        return forged
    # The first such draw: while the stack is full, any order of its cards can be dealt.
    drawn = next(token for token in record.split() if token[0] == "=" and token[1:] != token[:0:-1])
    return record.replace(drawn, "=" + drawn[:0:-1], 1)


FORGED = {
    "another secret": "the seed is not the one that was promised",
    "secret and promise": "does not follow from the seed and the numbers",
    "another number": "the number of seat 2 is not the one that it promised",
    "another promise": "the number of seat 2 is not the one that it promised",
    "number and promise": "does not follow from the seed and the numbers",
    "left out": "does not follow from the seed and the numbers",
    "without promise": "seat 2 brought a number that it had not promised",
    "a number more": "does not follow from the seed and the numbers",
    "seats changed": "does not follow from the seed and the numbers",
    "too few": "do not fit the seats",
    "nonsense": "do not fit the seats",
    "swapped cards": "does not follow from the seed and the numbers",
}


@pytest.mark.parametrize("how", FORGED)
def test_a_changed_record_is_found_out(
    server: LiveServer, record: str, tmp_path: Path, how: str
) -> None:
    file = tmp_path / "game.txt"
    file.write_text(forge(record, how))
    assert main(["verify", str(file)]) == 1
    with server.client() as http:
        body = {"record": forge(record, how)}
        proof = http.post("/api/verify", json=body, params={"lang": "en"}).json()
        assert not proof["fair"]
        assert FORGED[how] in proof["reason"]
        assert http.post("/api/verify", json={"record": record}).json()["fair"]


# Proving it


def test_a_record_is_proved_fair(
    finished: list[Guest], record: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.txt"
    file.write_text(record)
    promise = finished[0].look()["table"]["promise"]
    assert main(["--lang", "en", "verify", str(file)]) == 0
    said = capsys.readouterr().out
    assert "fair: every card follows" in said
    assert "a number of their own, which counts: 1 (Guest 0), 2 (Guest 1)." in said
    assert "These brought none: 3 (Guest 2)." in said
    assert main(["verify", str(file), "--promise", promise, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["fair"], found["shares"]) == (True, ["brought", "brought", "none"])
    assert main(["verify", str(file), "--promise", "0" * 64]) == 1


def test_one_can_prove_that_the_own_number_counts(
    server: LiveServer, record: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.txt"
    file.write_text(record)
    assert main(["--lang", "en", "verify", str(file), "--number", number_of(1)]) == 0
    assert "Your number is among them." in capsys.readouterr().out
    assert main(["--lang", "en", "verify", str(file), "--number", number_of(2)]) == 1
    assert "your number is not in this record" in capsys.readouterr().out
    with server.client() as http:
        for number, fair in ((number_of(0), True), (number_of(9), False)):
            body = {"record": record, "number": number}
            assert http.post("/api/verify", json=body).json()["fair"] is fair
        noted = {"record": record, "promise": "0" * 64}
        assert not http.post("/api/verify", json=noted).json()["fair"]


def test_where_nobody_brought_a_number_the_proof_says_so(server: LiveServer) -> None:
    people = server.people(2)
    play_on(people, Random(5))
    found = verdict(Game.from_record(people[0].get("/record").text))
    assert found.fair
    assert "could have tried seeds" in found.reason


def test_what_is_no_record_or_has_no_seed_is_not_proved(server: LiveServer) -> None:
    with server.client() as http:
        assert http.post("/api/verify", json={"record": "nonsense"}).status_code in (400, 409)
        plain = http.post("/api/verify", json={"record": Game(seed=1).record()}).json()
    assert not plain["fair"]


# Another game


def test_a_rematch_has_another_secret_and_other_numbers(server: LiveServer) -> None:
    people = pledged(server, 2)
    all_bring(people)
    play_on(people, Random(6))
    first = people[0].look()["table"]["promise"]
    people[0].wants("rematch", promise=promise_of("again 0"))
    assert chairs(people[1])[0]["promise"] == promise_of(0)  # of the game that is over
    people[1].wants("rematch", promise=promise_of("again 1"))
    table = people[0].look()["table"]
    assert table["promise"] != first
    assert [chair["promise"] for chair in table["chairs"]] == [
        promise_of("again 0"),
        promise_of("again 1"),
    ]
    people[0].wants("start")
    for n, guest in enumerate(people):
        assert guest.refusal("bring", number=number_of(n)) == "wrong_number"
        guest.wants("bring", number=number_of(f"again {n}"))
    play_on(people, Random(7))
    for game, names in ((1, (0, 1)), (2, ("again 0", "again 1"))):
        record = people[0].get(f"/games/{game}/record").text
        assert header(record, "Numbers") == ", ".join(map(number_of, names))
        assert verdict(Game.from_record(record)).shares == ("brought", "brought")


def test_who_sits_down_late_to_a_rematch_promises_then(server: LiveServer) -> None:
    people = pledged(server, 2)
    all_bring(people)
    play_on(people, Random(6))
    people[0].wants("rematch", now=True, promise=promise_of("again 0"))
    people[1].wants("sit", promise=promise_of("again 1"))
    assert [chair["promise"] for chair in chairs(people[0])] == [
        promise_of("again 0"),
        promise_of("again 1"),
    ]


# The same seat on another device


def test_a_number_goes_to_another_device_sealed(server: LiveServer) -> None:
    """The server passes on what it can't read."""
    people = gathered(server, [promise_of(0), promise_of(1)])
    sealed = number_of("sealed")
    game = {"code": people[1].code, "numbers": [sealed]}
    with server.client() as http:
        ticket = http.post("/api/transfers", json={"games": [game]}).json()["ticket"]
        claim = {"ticket": ticket, "claimant": "x" * 24}
        found = http.post("/api/transfers/claim", json=claim).json()
        assert found["games"][0]["numbers"] == [sealed]
        for nonsense in (["secret"], [sealed] * 9):
            asked = {"games": [{"code": people[1].code, "numbers": nonsense}]}
            assert http.post("/api/transfers", json=asked).status_code == 400
