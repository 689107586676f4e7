"""`baghdad beliefs`, as people and programs call it."""

import json
from pathlib import Path

import pytest

from baghdad import Game
from baghdad.analysis.turns import turns_of
from baghdad.bots import Budget, make_bot
from baghdad.bots.playing import play_to_end
from baghdad.text import LANGUAGES, say
from support.commands import call

HEADERS = {"Seats": "Ali, Eva", "Bots": "ali, -"}


@pytest.fixture(autouse=True)
def _in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")


def written(folder: Path, **headers: str) -> Path:
    """A game of two that was stopped after some turns."""
    game = Game(players=2, seed="beliefs", headers=HEADERS | headers)
    play_to_end(game, [make_bot("kasim"), make_bot("kasim")], "beliefs", Budget(), 7)
    path = folder / "game.txt"
    path.write_text(game.record(), "utf-8")
    return path


@pytest.mark.parametrize("language", LANGUAGES)
def test_beliefs_stand_beside_the_truth(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path)
    assert call("beliefs", str(path), "--lang", language) == 0
    shown = capsys.readouterr().out
    game = Game.from_record(path.read_text("utf-8"))
    for turn in turns_of(game, 1):
        if turn.number:
            assert say("analysis.turn", language, number=turn.number) in shown
    lines, ali = shown.splitlines(), f"{say('log.seat', language, seat=1)}: Ali"
    rival = [line for line in lines if line.startswith(ali)][-1]
    held = [f"({number})" for number in game.hand(0)[:6]]
    assert [word for word in rival.split() if word[0] == "("] == held
    assert lines[-1] == say("analysis.beliefs.over", language)


def test_beliefs_for_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path)
    assert call("beliefs", str(path), "--json", "--seat", "1") == 0
    (found,) = json.loads(capsys.readouterr().out)["beliefs"]
    assert found["seat"] == 1
    assert [moment["turn"] for moment in found["moments"]] == [1, 3, 5, 7]
    for moment in found["moments"]:
        rival, stack = moment["of"]
        assert (rival["holder"], stack["holder"]) == (2, "stack")
        for each in (rival, stack):
            assert each["size"] == sum(each["held"])
            for number, chances in zip(each["held"], each["chances"], strict=True):
                assert sum(chances) == pytest.approx(1, abs=0.001)
                assert chances[number] > 0


def test_of_a_running_game_only_its_own_player_is_told_and_never_the_truth(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path)
    path.write_text(path.read_text("utf-8").replace("turn limit", "agreed"), "utf-8")
    record = path.read_text("utf-8")
    running = "\n".join(line for line in record.splitlines() if "Termination" not in line)
    running = running.replace('[Result "-"]', '[Result "*"]') + "\n"
    path.write_text(running, "utf-8")
    assert call("beliefs", str(path)) == 0
    shown = capsys.readouterr().out
    assert "(" not in shown
    assert shown.splitlines()[-1] == say("analysis.beliefs.running")
    path.write_text(running.replace("ali, -", "-, -"), "utf-8")
    assert call("beliefs", str(path)) == 2
    assert "finished" in capsys.readouterr().err
    path.write_text(record, "utf-8")
    assert call("beliefs", str(path), "--seat", "3") == 2
    assert "no seat 3" in capsys.readouterr().err
