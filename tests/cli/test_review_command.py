"""`baghdad review`, as people and programs call it."""

import json
from pathlib import Path
from typing import Any

import pytest

from baghdad import Game
from baghdad.analysis import reviewing
from baghdad.analysis.telling import name_of
from baghdad.analysis.turns import turns_of
from baghdad.bots import Budget, make_bot
from baghdad.bots.playing import play_to_end
from baghdad.text import LANGUAGES
from support.commands import call

FEW = ("--budget", "200")


@pytest.fixture(autouse=True)
def _in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")


@pytest.fixture
def game_file(tmp_path: Path) -> Path:
    """A game of two that was stopped after some turns; the second one is a person."""
    headers = {"Seats": "Ali, Eva", "Bots": "ali, -"}
    game = Game(players=2, seed="review", headers=headers)
    play_to_end(game, [make_bot("kasim"), make_bot("kasim")], "review", Budget(), 7)
    path = tmp_path / "game.txt"
    path.write_text(game.record(), "utf-8")
    return path


def told(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


def test_a_review_as_json_has_all_turns_of_the_people(
    game_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("review", str(game_file), *FEW, "--json") == 0
    (found,) = told(capsys)["reviews"]
    assert (found["seat"], found["budget"]) == (2, 200)
    game = Game.from_record(game_file.read_text("utf-8"))
    turns = list(turns_of(game, 1))
    assert [turn["played"] for turn in found["turns"]] == [list(turn.tokens) for turn in turns]
    assert call("review", str(game_file), *FEW, "--json", "--seat", "1") == 0
    assert told(capsys)["reviews"][0]["seat"] == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_review_reads_well_in_every_language(
    language: str, game_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "review.html"
    words = ("review", str(game_file), *FEW, "--lang", language)
    assert call(*words) == 0
    out = capsys.readouterr().out
    lines = out.splitlines()
    names = ["Ali", "Eva"]  # turns of people are reviewed; what cards were worth is told of all
    assert [name_of(seat, names, language) in lines for seat in (0, 1)] == [False, True]
    assert "{" not in out
    assert call(*words, "--html", str(page)) == 0
    text = page.read_text("utf-8")
    assert text.startswith(f'<!doctype html><html lang="{language}">')
    assert "Eva" in text
    assert "http" not in text, "it needs nothing else"


def test_an_interrupt_keeps_what_is_done_and_the_same_command_goes_on(
    game_file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[int] = []
    real = reviewing.review_turn

    def review_turn(judge: Any, turn: Any, seed: str) -> Any:
        if len(judged) == 3:
            raise KeyboardInterrupt
        judged.append(turn.at)
        return real(judge, turn, seed)

    words = ("review", str(game_file), *FEW, "--jobs", "1", "--json")
    with monkeypatch.context() as patch:
        patch.setattr(reviewing, "review_turn", review_turn)
        assert call(*words) == 130
    captured = capsys.readouterr()
    assert "the same command goes on" in captured.err
    (begun,) = json.loads(captured.out)["reviews"]
    assert [turn["at"] for turn in begun["turns"]] == judged

    again: list[int] = []

    def note_turn(judge: Any, turn: Any, seed: str) -> Any:
        again.append(turn.at)
        return real(judge, turn, seed)

    monkeypatch.setattr(reviewing, "review_turn", note_turn)
    assert call(*words) == 0
    (whole,) = told(capsys)["reviews"]
    assert whole["turns"][:3] == begun["turns"]
    assert len(whole["turns"]) == 3 + len(again)
    assert not set(again) & set(judged)
    again.clear()
    assert call(*words) == 0
    assert told(capsys)["reviews"] == [whole]
    assert not again


def test_what_was_kept_of_another_game_budget_or_seed_is_not_taken(
    game_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = Path(f"{game_file}.review.jsonl")
    words = ("review", str(game_file), "--json")
    assert call(*words, *FEW) == 0
    first, lines = told(capsys), kept.read_text("utf-8").splitlines()
    # A line that was cut off in the middle is judged again, and nothing else is lost.
    kept.write_text("\n".join([*lines[:4], lines[4][:30]]), "utf-8")
    assert call(*words, *FEW) == 0
    assert told(capsys) == first
    assert sorted(kept.read_text("utf-8").splitlines()) == sorted(lines)
    for other in (("--budget", "201"), (*FEW, "--seed", "other")):
        assert call(*words, *other) == 0
        assert told(capsys) != first
        assert kept.read_text("utf-8").splitlines()[0] != lines[0]


def test_a_running_game_is_reviewed_only_against_bots(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = Game(players=2, seed=7)
    game.play("@R")
    path = tmp_path / "running.txt"
    for bots, code in (("-, -", 2), (None, 2), ("-, kasim", 0)):
        game.headers = {} if bots is None else {"Bots": bots}
        path.write_text(game.record(), "utf-8")
        assert call("review", str(path), *FEW) == code
        captured = capsys.readouterr()
        assert ("not finished" in captured.err) == (code == 2)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--seat", "3"), "there is no seat 3"),
        (("--seat", "0"), "at least 1"),
        (("--budget", "5"), "at least 100"),
        (("--html", "/nowhere/page.html"), "/nowhere/page.html"),
        (("--html", "x", "--json"), "together with --html"),
    ],
)
def test_what_is_wrong_is_said(
    words: tuple[str, ...],
    reason: str,
    game_file: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert call("review", str(game_file), *words) == 2
    assert reason in capsys.readouterr().err


def test_a_record_that_is_wrong_says_where(
    game_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game_file.write_text(game_file.read_text("utf-8").replace("@", "@@", 1), "utf-8")
    assert call("review", str(game_file)) == 1
    assert str(game_file) in capsys.readouterr().err
    assert call("review", "nowhere.txt") == 2
    assert "nowhere.txt" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_no_obstacle(
    game_file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "no")

    monkeypatch.setattr("baghdad.analysis.lines.atomic_write", refuse)
    assert call("review", str(game_file), *FEW, "--json") == 0
    assert told(capsys)["reviews"][0]["turns"]
    assert not Path(f"{game_file}.review.jsonl").exists()
