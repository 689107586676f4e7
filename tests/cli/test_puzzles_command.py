"""`baghdad puzzles`, as people and programs call it."""

import json
from pathlib import Path
from typing import Any

import pytest

from baghdad import Game
from baghdad.analysis import puzzling
from baghdad.analysis.consent import may_be_used
from baghdad.analysis.kept_puzzles import read_puzzles
from baghdad.analysis.lines import name_of_game
from baghdad.bots import Budget, make_bot
from baghdad.bots.playing import play_to_end
from baghdad.rules.notation import read_records
from baghdad.text import LANGUAGES
from support.commands import call


@pytest.fixture(autouse=True)
def _in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two finished games in a file. In the second one turn is a puzzle; not all are looked at."""
    bots = [make_bot("duban"), make_bot("dalila")]
    headers = {"Seats": "duban, dalila"}
    told = [
        play_to_end(Game(players=2, seed=seed, headers=headers), bots, "x", Budget(), 200).record()
        for seed in ("11", "12")
    ]
    path = tmp_path / "games.txt"
    path.write_text("\n".join(told), "utf-8")
    whole = puzzling.positions_of
    monkeypatch.setattr(puzzling, "positions_of", lambda game: list(whole(game))[12:14])
    return path


def test_what_is_found_is_kept_and_the_same_command_goes_on(
    games: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = games.with_name("puzzles.jsonl")
    words = ("puzzles", games, "-o", out, "--budget", 300, "--jobs", 1)
    real, made = puzzling.Smith.make, list[Any]()

    def make(smith: Any, view: Any) -> Any:
        if len(made) == 3:
            raise KeyboardInterrupt
        made.append(view)
        return real(smith, view)

    with monkeypatch.context() as patch:
        patch.setattr(puzzling.Smith, "make", make)
        assert call(*words) == 130
    told = capsys.readouterr()
    assert "the same command goes on" in told.err
    assert "0 puzzles in " in told.out
    made.clear()
    assert call(*words, "--most", 1) == 0
    assert "1 puzzle in " in capsys.readouterr().out
    (found,) = read_puzzles(out)
    with monkeypatch.context() as patch:  # enough is there
        patch.setattr(puzzling.Smith, "make", None)
        assert call(*words, "--most", 1) == 0
    assert call(*words) == 0  # to the end of the second game
    with monkeypatch.context() as patch:
        patch.setattr(puzzling.Smith, "make", None)
        assert call(*words) == 0
    assert read_puzzles(out) == [found]


def test_what_was_looked_through_is_not_looked_at_again(
    games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = games.with_name("puzzles.jsonl")
    looked: list[Any] = []
    monkeypatch.setattr(puzzling.Smith, "make", lambda _, view: looked.append(view))
    words = ("puzzles", games, "-o", out, "--jobs", 1)
    assert call(*words) == call(*words) == 0
    assert len(looked) == 4
    assert call(*words, "--seed", "another") == 2
    assert len(looked) == 4


def test_games_of_people_are_left_out_unless_all_have_agreed(
    games: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is withdrawn goes from the file, and comes back where they agree again."""
    out, exported = games.with_name("puzzles.jsonl"), games.with_name("games.jsonl")
    words = ("puzzles", exported, "-o", out, "--budget", 300, "--jobs", 1)
    _, record = read_records(games.read_text("utf-8"))
    game = Game.from_record(record)

    def export(answers: str) -> None:
        game.headers = {"Seats": "Amira, dalila", "Puzzles": answers}
        exported.write_text(json.dumps({"record": game.record()}) + "\n", "utf-8")

    export("yes, -")
    assert call(*words) == 0
    (found,) = read_puzzles(out)
    assert found.game == name_of_game(game)
    assert capsys.readouterr().err.count("left out") == 0
    for answers in ("no, -", "yes", "-, maybe"):
        export(answers)
        with monkeypatch.context() as patch:
            patch.setattr(puzzling.Smith, "make", None)
            assert call(*words) == 0
        assert "1 game left out" in capsys.readouterr().err
        assert read_puzzles(out) == []
    export("yes, -")
    assert call(*words) == 0
    assert read_puzzles(out) == [found]


@pytest.mark.parametrize(
    ("headers", "used"),
    [
        ({"Seats": "duban, kasim"}, True),
        ({"Seats": "neural, random"}, True),
        ({"Seats": "Amira, kasim"}, False),
        ({"Seats": "A, B, kasim"}, False),
        ({}, False),
        ({"Seats": "Amira, kasim", "Bots": "-, kasim"}, False),
        ({"Seats": "ali, kasim", "Bots": "-, kasim"}, False),
        ({"Seats": "A, B", "Bots": "ali, kasim"}, True),
        # Somebody who goes by a bot's name, as the promise of the device tells.
        ({"Seats": "ali, kasim", "Promises": f"{'a' * 64}, -", "Numbers": "-, -"}, False),
        ({"Seats": "ali, kasim", "Promises": "x"}, False),
        ({"Seats": "Amira, Bea", "Puzzles": "yes, yes"}, True),
        ({"Seats": "Amira, Bea", "Puzzles": "yes, no"}, False),
        ({"Seats": "ali, kasim", "Puzzles": "no, -"}, False),
        ({"Seats": "ali, kasim", "Puzzles": ""}, False),
    ],
)
def test_who_has_not_agreed_has_not_agreed(headers: dict[str, str], used: bool) -> None:
    assert may_be_used(Game(players=2, headers=headers)) is used


@pytest.mark.parametrize("language", LANGUAGES)
def test_running_games_and_other_files_are_refused(
    language: str, games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = games.with_name("puzzles.jsonl")
    running = games.with_name("running.txt")
    running.write_text(games.read_text("utf-8") + "\n" + Game(players=3).record(), "utf-8")
    assert call("puzzles", running, "-o", out, "--lang", language) == 2
    told = capsys.readouterr().err
    assert "3" in told
    assert "running.txt" in told
    assert not out.exists()
    assert call("puzzles", games, "-o", games, "--lang", language) == 2
    assert "games.txt" in capsys.readouterr().err
    assert games.read_text("utf-8").startswith("[Players")
    assert call("puzzles", games, "-o", games.parent, "--lang", language) == 2
    assert "{" not in capsys.readouterr().err
