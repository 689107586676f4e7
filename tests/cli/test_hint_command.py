"""`baghdad hint`: how much it tells, and to whom it tells nothing."""

import json
from pathlib import Path

import pytest

from baghdad import Game
from baghdad.cli import main
from baghdad.text import LANGUAGES, say

FEW = ("--budget", "200")


@pytest.fixture(autouse=True)
def _in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")


@pytest.fixture
def game_file(tmp_path: Path) -> Path:
    game = Game(players=2, seed=7, headers={"Seats": "Eva, Ali", "Bots": "-, ali"})
    game.play("@R")
    game.play("@G")
    path = tmp_path / "game.txt"
    path.write_text(game.record(), "utf-8")
    return path


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hint_tells_as_much_as_is_asked_for(
    language: str, game_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("hint", str(game_file), *FEW, "--lang", language)
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    nudge = say(f"analysis.nudge.{found['nudge']}", language)
    said = []
    for step in ("1", "2", "3"):
        assert main([*words, "--step", step]) == 0
        said.append(capsys.readouterr().out)
    assert all(text.startswith(nudge) for text in said)
    assert [found["first"] in text for text in said] == [False, True, True]
    assert ["%" in text for text in said] == [False, False, True]


def test_who_gets_no_hint_is_told_why(game_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def refused(game: Game, reason: str) -> bool:
        game_file.write_text(game.record(), "utf-8")
        assert main(["hint", str(game_file), *FEW]) == 2
        return reason in capsys.readouterr().err

    game = Game.from_record(game_file.read_text("utf-8"))
    game.headers["Bots"] = "-, -"
    assert refused(game, "one person against bots")
    game.headers["Teaching"] = "no"
    assert refused(game, "tables for teaching")
    game.headers["Teaching"] = "yes"  # help was agreed on: a hint for whoever's turn it is
    game_file.write_text(game.record(), "utf-8")
    assert main(["hint", str(game_file), *FEW]) == 0
    del game.headers["Teaching"]
    del game.headers["Bots"]
    assert refused(game, "one person against bots")
    game.headers["Bots"] = "ali, -"
    assert refused(game, "not your turn")
    game.end("abandoned")
    assert refused(game, "baghdad review")
