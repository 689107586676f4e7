"""`baghdad luck`, as people and programs call it, and what a review tells of it."""

import json
import re
from pathlib import Path

import pytest

from baghdad import Game
from baghdad.analysis import luck, win_chances
from baghdad.bots import Budget, make_bot
from baghdad.bots.playing import play_to_end
from baghdad.jit.compiler import COMPILED
from baghdad.text import LANGUAGES, say
from support.commands import call

pytestmark = pytest.mark.skipif(not COMPILED, reason="networks need compiled rules")

HEADERS = {"Seats": "Ali, Eva"}


@pytest.fixture(autouse=True)
def _in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")


@pytest.fixture(scope="module")
def game() -> Game:
    game = Game(players=2, seed="luck", headers=HEADERS)
    return play_to_end(game, [make_bot("kasim"), make_bot("zubaida")], "luck", Budget())


@pytest.fixture
def path(game: Game, tmp_path: Path) -> Path:
    path = tmp_path / "game.txt"
    path.write_text(game.record(), "utf-8")
    return path


def numbers_of(line: str) -> float:
    """The number that a line begins with."""
    return float(line.split()[0].replace("−", "-").replace(",", "."))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_told_adds_up(
    language: str, game: Game, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("luck", str(path), "--lang", language) == 0
    lines = capsys.readouterr().out.splitlines()
    for seat, name in enumerate(("Ali", "Eva")):
        head = f"{say('log.seat', language, seat=seat + 1)}: {name}"
        told = lines[lines.index(head) + 1 :]
        start, *parts, result, adjusted = map(numbers_of, told[:6])
        assert start + sum(parts) == pytest.approx(result, abs=0.21)
        assert result == 100 * (game.winner == seat)
        assert adjusted == pytest.approx(result - parts[0], abs=0.11)
        assert told[0].endswith(say("analysis.luck.start", language))
    at = lines.index(say("analysis.turning.title", language))
    assert len(lines[at + 1 :]) == len(win_chances(game).turning_points) + 2
    assert lines[-1] == say("analysis.luck.about", language)


def test_turning_points_name_the_turn_and_both_chances(
    game: Game, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("luck", str(path)) == 0
    shown = capsys.readouterr().out
    chances = win_chances(game)
    for point in chances.turning_points:
        seat = max(range(2), key=lambda seat: abs(point.change[seat]))
        before, after = (100 * chances.moments[at].open[seat] for at in (point.at, point.until))
        what = f"cards for seat {point.seat + 1}" if point.drawn else f"seat {point.seat + 1} to"
        found = re.search(rf"turn {point.number}, {what}.*?: ([\d.]+)% → ([\d.]+)%", shown)
        assert found is not None
        assert [float(each) for each in found.groups()] == pytest.approx([before, after], abs=0.06)


def test_luck_for_programs(game: Game, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("luck", str(path), "--json") == 0
    found, ledger = json.loads(capsys.readouterr().out), luck(game)
    assert found["format"] == 1
    assert [each["seat"] for each in found["seats"]] == [1, 2]
    for seat, each in enumerate(found["seats"]):
        assert each["cards"] == ledger.cards(seat)
        sums = each["start"] + each["cards"] + each["own"] + each["others"]
        assert sums == pytest.approx(each["result"], abs=1e-9)
    assert [draw["seat"] - 1 for draw in found["draws"]] == [draw.seat for draw in ledger.draws]
    assert len(found["moments"]) == len(game.tokens) + 1
    assert found["result"] == list(ledger.result)


@pytest.mark.parametrize("how", ["resigned", "agreed"])
def test_an_end_without_a_move_is_told(
    how: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = Game(players=2, seed="end")
    for _ in range(8):
        game.play(game.legal()[0])
    game.resign(0) if how == "resigned" else game.end("agreed")
    path = tmp_path / "game.txt"
    path.write_text(game.record(), "utf-8")
    assert call("luck", str(path)) == 0
    key = "gave_up" if how == "resigned" else "ended"
    assert say(f"analysis.turning.{key}", seat="seat 1") in capsys.readouterr().out
    assert call("luck", str(path), "--json") == 0
    last = json.loads(capsys.readouterr().out)["turns"][-1]
    assert last["seat"] == (1 if how == "resigned" else None)


def test_a_game_that_goes_on_is_nobodys_to_look_into(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not even one's own against bots: it would show their hands."""
    path = tmp_path / "game.txt"
    game = Game(players=2, seed="on", headers=HEADERS | {"Bots": "ali, -"})
    path.write_text(game.record(), "utf-8")
    assert call("luck", str(path)) == 2
    assert say("cli.luck.unfinished") in capsys.readouterr().err


def test_a_review_tells_of_luck_too(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    short = Game(players=2, seed="short", headers=HEADERS)
    for _ in range(9):
        short.play(short.legal()[0])
    short.resign(1)
    path.write_text(short.record(), "utf-8")
    assert call("review", str(path), "--seat", "1", "--budget", "100", "--seed", "x") == 0
    shown = capsys.readouterr().out
    for key in ("analysis.luck.title", "analysis.turning.title", "analysis.luck.about"):
        assert say(key) in shown
    page = tmp_path / "review.html"
    review = "review", str(path), "--seat", "1", "--budget", "100", "--seed", "x"
    assert call(*review, "--html", str(page)) == 0
    text = page.read_text("utf-8")
    assert text.count("<polyline") == 2
    assert say("analysis.chances.chart") in text
    assert "<td>100.0</td>" in text
