"""The deal can be proved: every card follows from a seed that was promised before the game."""

import hashlib
import json
from pathlib import Path
from random import Random

import pytest

from baghdad import Game
from baghdad.cli import main
from server_helpers import Guest, House, play_on

COLOURS = "RGWPYB"


@pytest.fixture(scope="module")
def finished(house: House) -> list[Guest]:
    """Two people after a game."""
    people = house.people(2)
    play_on(people, Random(11))
    return people


@pytest.fixture(scope="module")
def record(finished: list[Guest]) -> str:
    return finished[0].get("/record").text


def naive_cards(record: str, seed: str) -> list[str]:
    """All cards of a game in order, by what docs/server.md says and nothing of ours.

    The stack has 17 cards of each colour. What is paid lies in the discard pile, which becomes
    the stack where that is empty.
    """
    stack, discard, cards = dict.fromkeys(COLOURS, 17), dict.fromkeys(COLOURS, 0), list[str]()
    for token in record.partition("\n\n")[2].split():
        if token[0] != "=":
            paid = token.partition("(")[2].rstrip(")")
            for letter in paid.replace("*", ""):
                discard[letter] += 1
            continue
        for _ in token[1:]:
            if not any(stack.values()):
                stack, discard = discard, dict.fromkeys(COLOURS, 0)
            row = "".join(colour * stack[colour] for colour in COLOURS)
            digest = hashlib.sha256(f"{seed} {len(cards)}".encode()).hexdigest()
            cards.append(row[int(digest, 16) % len(row)])
            stack[cards[-1]] -= 1
    return cards


def header(record: str, name: str) -> str:
    return record.partition(f'[{name} "')[2].partition('"')[0]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_card_follows_from_the_seed_as_documented(house: House, players: int) -> None:
    people = house.people(players)
    promise = people[0].look()["table"]["promise"]
    play_on(people, Random(players))
    record = people[0].get("/record").text
    seed = header(record, "Seed")
    assert hashlib.sha256(seed.encode()).hexdigest() == promise == header(record, "Commitment")
    dealt = "".join(token[1:] for token in Game.from_record(record).tokens if token[0] == "=")
    assert "".join(naive_cards(record, seed)) == dealt


def test_the_stack_runs_out_in_one_of_these_games(record: str) -> None:
    """Else the test above would say nothing of R24's shuffle."""
    game = Game.from_record(record)
    assert sum(len(token) - 1 for token in game.tokens if token[0] == "=") > 102


def test_the_worked_example_of_the_documentation() -> None:
    text = (Path(__file__).parents[2] / "docs" / "server.md").read_text()
    digest = hashlib.sha256(b"abc 0").hexdigest()
    row = "".join(colour * 17 for colour in COLOURS)
    number = int(digest, 16) % 102
    assert digest in text
    assert f"modulo 102 is {number}" in text
    assert f"card {number} is {row[number]}" in text
    assert hashlib.sha256(b"abc").hexdigest() in text


def test_every_game_has_a_seed_of_its_own(house: House) -> None:
    assert len({house.create().look()["table"]["promise"] for _ in range(20)}) == 20


def test_the_seed_is_shown_at_the_end_and_not_before(house: House) -> None:
    people = house.people(2)
    play_on(people, Random(1), 20)
    assert people[0].look()["table"]["seed"] is None
    early = people[0].get("/record")
    assert (early.status_code, early.json()["key"]) == (409, "server.not_over")
    play_on(people, Random(1))
    seed = people[0].look()["table"]["seed"]
    assert seed == header(people[0].get("/record").text, "Seed")
    last = people[1].events(people[1].look()["number"] - 1)["events"][0]
    assert last["table"]["seed"] == seed


# Proving it


def test_a_record_is_proved_fair(
    finished: list[Guest], record: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.txt"
    file.write_text(record)
    promise = finished[0].look()["table"]["promise"]
    assert main(["--lang", "en", "verify", str(file)]) == 0
    assert "fair: every card follows" in capsys.readouterr().out
    assert main(["verify", str(file), "--promise", promise, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["fair"]
    assert main(["verify", str(file), "--promise", "0" * 64]) == 1


def tampered(record: str, how: str) -> str:
    if how == "another seed":
        return record.replace(header(record, "Seed"), "0" * 64)
    if how == "seed and promise":
        other = "0" * 64
        promised = hashlib.sha256(other.encode()).hexdigest()
        changed = record.replace(header(record, "Seed"), other)
        return changed.replace(header(record, "Commitment"), promised)
    # The first such draw: while the stack is full, any order of its cards can be dealt.
    drawn = next(token for token in record.split() if token[0] == "=" and token[1:] != token[:0:-1])
    return record.replace(drawn, "=" + drawn[:0:-1], 1)


@pytest.mark.parametrize("how", ["another seed", "seed and promise", "swapped cards"])
def test_a_changed_record_is_found_out(house: House, record: str, tmp_path: Path, how: str) -> None:
    file = tmp_path / "game.txt"
    file.write_text(tampered(record, how))
    assert main(["verify", str(file)]) == 1
    with house.client() as http:
        proof = http.post("/api/verify", json={"record": tampered(record, how)}).json()
        assert not proof["fair"]
        assert http.post("/api/verify", json={"record": record}).json()["fair"]


def test_what_is_no_record_or_has_no_seed_is_not_proved(house: House) -> None:
    with house.client() as http:
        assert http.post("/api/verify", json={"record": "nonsense"}).status_code in (400, 409)
        plain = http.post("/api/verify", json={"record": Game(seed=1).record()}).json()
    assert not plain["fair"]
