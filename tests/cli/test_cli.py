"""The command line, as people and programs call it."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from baghdad import Game
from baghdad.bots.playing import MAX_TURNS
from baghdad.rules.notation import read_records
from baghdad.rules.options import PRESETS, RULEBOOKS
from baghdad.rules.perft import perft
from baghdad.text import LANGUAGES, catalogue, say
from support.commands import call
from support.make_data import DATA
from support.naive import NaiveGame

COMMANDS = (
    "record",
    "replay",
    "perft",
    "bench",
    "arena",
    "ladder",
    "train",
    "lab",
    "bots",
    "rules",
    "play",
    "demo",
    "serve",
    "verify",
    "backup",
    "export",
)


@pytest.fixture(autouse=True)
def _in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("COLUMNS", "200")


def baghdad(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    """The real program in a process of its own."""
    command = [sys.executable, "-m", "baghdad", *arguments]
    environment = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "1"}
    return subprocess.run(
        command, input=text, capture_output=True, text=True, env=environment, check=False
    )


@pytest.fixture
def game_file(tmp_path: Path) -> Path:
    path = tmp_path / "game.txt"
    assert call("record", "--seed", "7", "--max-turns", "20", "-o", str(path)) == 0
    return path


def unfinished(game_file: Path) -> str:
    """The headers of that game, as if it was not over."""
    limit = '[Result "-"]\n[Termination "turn limit"]'
    return game_file.read_text().partition("\n\n")[0].replace(limit, '[Result "*"]')


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_in_every_language(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("--help", "--lang", language) == 0
    shown = capsys.readouterr().out
    for command in COMMANDS:
        assert catalogue("messages", language)[f"cli.{command}"] in shown
        assert call(command, "--help", f"--lang={language}") == 0
        text = capsys.readouterr().out
        assert catalogue("messages", language)["argparse.usage: "] in text
        assert language == "en" or "usage:" not in text
        assert "%(" not in text
        assert "%%" not in text


def test_argparse_counts_in_every_language(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("arena", "ali", "kasim", "--sprt", "10", "--lang", "de") == 2
    assert "2 Werte müssen folgen" in capsys.readouterr().err


def test_a_file_whose_name_is_no_text_is_named_all_the_same(tmp_path: Path) -> None:
    file = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.txt")
    command = [sys.executable, "-m", "baghdad", "replay", file]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 2
    assert b"\\udcff.txt" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_bot_that_does_not_start_does_not_hide_the_others(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("baghdad.bots.bot_names", lambda: ["broken", "random"])
    assert call("bots", "--lang", "en") == 0
    broken, random = capsys.readouterr().out.splitlines()
    assert "does not start: KeyError" in broken
    assert random.startswith("random")


@pytest.mark.parametrize("players", ["2", "3", "4"])
def test_record_writes_games_that_replay_accepts(
    players: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "games.txt")
    arguments = ["--players", players, "--games", "3", "--seed", "x", "--max-turns", "15"]
    options = ["--variant", "neutral", "--rob", "smuggle", "--hands", "seen"]
    assert call("record", *arguments, *options, "-o", path) == 0
    assert call("replay", path) == 0
    shown = capsys.readouterr().out
    assert shown.count("all legal") == 3
    assert "stopped after turn 15" in shown
    records = read_records(Path(path).read_text())
    assert [record.headers["Seed"] for record in records] == ["x", "x-2", "x-3"]
    assert records[0].headers["Seats"] == ", ".join(["random"] * int(players))
    assert records[0].headers["Result"] == "-"


def test_the_same_seed_gives_the_same_games(capsys: pytest.CaptureFixture[str]) -> None:
    outputs = []
    for seed in ("a", "a", "b"):
        assert call("record", "--seed", seed, "--max-turns", "5", "--seats", "random,random") == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1] != outputs[2]


def test_a_recorded_game_can_be_played_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("record", "--seed", "end") == 0
    game = Game.from_record(capsys.readouterr().out)
    assert game.winner is not None


def test_replay_prints_a_position_a_line(
    game_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("replay", str(game_file), "--json") == 0
    lines = capsys.readouterr().out.splitlines()
    record = read_records(game_file.read_text())[0]
    naive = NaiveGame(2)
    assert json.loads(lines[0]) == naive.position()
    for token, line in zip(record.tokens, lines[1:], strict=True):
        naive.play(token.text)
        assert json.loads(line) == naive.position()


def test_replay_and_perft_read_standard_input(game_file: Path) -> None:
    text = game_file.read_text()
    assert baghdad("replay", "-", text=text).returncode == 0
    assert baghdad("perft", "-", "--depth", "0", text=text).stdout == "1\n"


def test_a_bad_record_is_exit_code_1_with_place_and_rule(
    game_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = game_file.read_text().splitlines()
    placed = max(n for n, line in enumerate(lines) if line.startswith("@")) + 1
    lines[placed] += " @R"
    game_file.write_text("\n".join(lines))
    column, line = len(lines[placed]) - 1, placed + 1
    assert call("replay", str(game_file)) == 1
    place = f"{game_file}: line {line}, column {column}: @R: R6: all guards are placed already\n"
    assert capsys.readouterr().err == place
    assert call("replay", str(game_file), "--json") == 1
    assert json.loads(capsys.readouterr().err) == {
        "error": {
            "line": line,
            "column": column,
            "token": "@R",
            "rule": "R6",
            "reason": "R6: all guards are placed already",
        }
    }
    assert call("perft", str(game_file), "--depth", "1", "--lang", "de") == 1
    assert f"Zeile {line}" in capsys.readouterr().err


def test_nonsense_is_a_bad_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "nonsense"
    for data in (b"", b"\xff\xfe\x00", b"[Players", b"\xff" + os.urandom(300)):
        path.write_bytes(data)
        assert call("replay", str(path)) == 1
        assert "line 1, column" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ("fly",),
        ("replay",),
        ("replay", "no such file"),
        ("replay", "/"),
        ("perft", "x"),
        ("perft", "x", "--depth", "-1"),
        ("perft", "x", "--depth", "many"),
        ("record", "--players", "5"),
        ("record", "--games", "0"),
        ("record", "--games", "5%"),
        ("record", "--seats", "nobody"),
        ("record", "--seats", "random,random,random"),
        ("record", "-o", "/no/such/folder/game.txt"),
        ("record", "--play", "3"),
        ("record", "--seed", "a\nb"),
        ("record", "--seed", "\udcff"),
        ("record", "--max-turns", "1", "-o", "/dev/full"),
        ("bench", "--seconds", "0"),
        ("bench", "--device", "tpu"),
        ("rules", "fr"),
        ("--lang", "fr"),
        ("record", "--rulebook", "fr"),
        ("record", "--spare", "dancer"),
        ("demo", "--deal", "6-7-8"),
        ("play", "--players", "3", "--deal", "6-8"),
        ("arena", "random", "heuristic", "--rulebook", "nl", "--rob", "smuggle"),
        ("ladder", "--rulebook", "cs", "--spare", "stack"),
    ],
)
def test_wrong_usage_is_exit_code_2_with_a_reason(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(*arguments) == 2
    assert capsys.readouterr().err.strip()


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_rulebook_decides_the_options(rulebook: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("record", "--rulebook", rulebook, "--seed", "1", "--max-turns", "2") == 0
    text = capsys.readouterr().out
    game, preset = Game.from_record(text), PRESETS[rulebook]  # type: ignore[index]
    assert f'[Rulebook "{rulebook}"]' in text
    assert game.options.rulebook == rulebook
    assert (game.options.rob, game.options.hands) == (preset.rob, preset.hands)
    assert game.options.spare == preset.spare


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_contradicts_a_rulebook_is_refused_with_what_to_do(
    language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ("record", "--rulebook", "12thieves", "--rob", "arrival", "--lang", language)
    assert call(*command) == 2
    told = capsys.readouterr().err
    for word in ("--rulebook 12thieves", "--rob smuggle", "arrival"):
        assert word in told
    assert call("record", "--rulebook", "12thieves", "--rob", "smuggle", "--max-turns", "1") == 0
    capsys.readouterr()


@pytest.mark.parametrize(
    ("players", "deal", "hands"),
    [
        ("2", "6-8", (6, 8)),
        ("2", "balanced", (6, 8)),
        ("3", "balanced", (6, 7, 9)),
        ("4", "balanced", (8, 7, 8, 9)),
        ("4", "1-25-1-25", (1, 25, 1, 25)),
    ],
)
def test_first_hands_are_dealt_as_named(
    players: str, deal: str, hands: tuple[int, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    command = ("record", "--players", players, "--deal", deal, "--seed", "1", "--max-turns", "1")
    assert call(*command) == 0
    game = Game.from_record(capsys.readouterr().out)
    assert game.options.deal == hands
    assert tuple(len(token) - 1 for token in game.tokens if token[0] == "=")[: len(hands)] == hands


@pytest.mark.parametrize("deal", ["6", "6-7-8", "0-6", "26-1", "6,8", "even", ""])
def test_first_hands_that_cannot_be_dealt_say_what_can(
    deal: str, capsys: pytest.CaptureFixture[str]
) -> None:
    refused = call("record", "--deal", deal, "--max-turns", "1")
    told = capsys.readouterr().err
    if not deal:  # as if nothing was named
        assert refused == 0
        return
    assert refused == 2
    assert "balanced" in told
    assert "such as 6-8" in told


def test_the_demo_and_the_arena_say_what_is_agreed(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--rulebook", "cs", "--deal", "6-8", "--seed", "1")
    line = "Agreed: Czech (2006), spare chosen, deal 6-8"
    assert call("demo", "--pace", "0", "--bots", "heuristic", *options) == 0
    assert line in capsys.readouterr().out
    assert call("arena", "heuristic", "random", "--games", "2", *options) == 0
    assert line in capsys.readouterr().out


def test_perft_counts_what_a_naive_count_counts(tmp_path: Path) -> None:
    def slow(game: NaiveGame, depth: int) -> int:
        if depth == 0 or game.legal() in ([], ["="]):
            return 1
        total = 0
        for token in game.legal():
            after = game.copy()
            after.play(token)
            total += slow(after, depth - 1)
        return total

    for seed in (1, 2):
        path = tmp_path / f"{seed}.txt"
        call("record", "--seed", str(seed), "--max-turns", "25", "-o", str(path))
        record = read_records(path.read_text())[0]
        game, naive = Game(2), NaiveGame(2)
        for token in record.tokens[: -2 * seed]:
            game.play(token.text)
            naive.play(token.text)
        for depth in range(3):
            assert perft(game, depth) == slow(naive, depth)
    placing, naive = Game(3, variant="neutral"), NaiveGame(3, variant="neutral")
    assert [perft(placing, depth) for depth in range(4)] == [1, 12, 144, 1728]
    assert slow(naive, 3) == 1728


def test_perft_on_the_command_line(
    game_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begin = tmp_path / "begin.txt"
    begin.write_text(f"{unfinished(game_file)}\n\n@R @R @R\n")
    assert call("perft", str(begin), "--depth", "2", "--divide") == 0
    assert capsys.readouterr().out == "@B 5\n@G 5\n@P 5\n@W 5\n@Y 5\n25\n"
    assert call("perft", str(begin), "--depth", "2", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"depth": 2, "count": 25}
    over = DATA / "2-standard-arrival-hidden-thieving.txt"
    assert call("perft", str(over), "--depth", "3") == 0
    assert capsys.readouterr().out == "1\n"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_in_every_language(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("rules", language) == 0
    shown = capsys.readouterr().out
    for number in range(1, 29):
        assert f"\nR{number} " in shown
    texts, messages = catalogue("rules", language), catalogue("messages", language)
    books = {key: text for key, text in messages.items() if key.startswith("rulebook.")}
    for name in ("ours", "de", "en", "nl", "cs", "12thieves"):
        assert f"\n{name:<11}{books[f'rulebook.{name}']}: " in shown
    unbroken = " ".join(shown.split())
    assert all(text in unbroken for text in books.values())
    assert all(text in unbroken for key, text in texts.items() if key.startswith("differs."))
    assert call("rules", language, "--json") == 0
    assert json.loads(capsys.readouterr().out) == {**texts, **books}


def test_bench_measures(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("bench", "--seconds", "0.01", "--players", "3", "--threads", "2", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["steps_per_second"] > 0
    assert report["games_per_second"] >= 0
    assert report["players"] == 3
    assert call("bench", "--seconds", "0.01", "--lang", "nl") == 0
    assert "stappen per seconde" in capsys.readouterr().out


def test_demo_shows_a_whole_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("demo", "--seed", "1", "--turns", "2", "--players", "3", "--lang", "cs") == 0
    shown = capsys.readouterr().out
    assert "vyhrává v " in shown
    assert "Kasim: " in shown
    assert "Firuz: " in shown
    assert shown.count("odnáší truhlu") >= 5


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    command = f"{sys.executable} -m baghdad rules | head -n 1"
    result = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
    assert result.stderr == ""
    assert len(result.stdout.splitlines()) == 1


def test_standard_output_takes_every_language(monkeypatch: pytest.MonkeyPatch) -> None:
    data = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(data, encoding="ascii"))
    assert call("rules", "cs") == 0
    assert data.getvalue().decode("utf-8").startswith(catalogue("rules", "cs")["title"])


def test_a_full_disk_is_told_without_a_traceback() -> None:
    command = f"{sys.executable} -m baghdad rules > /dev/full"
    result = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert "Traceback" not in result.stderr
    assert "No space left" in result.stderr


def test_closed_streams_are_no_traceback() -> None:
    for words in ("replay - <&-", "rules >&-"):
        command = f"{sys.executable} -m baghdad {words}"
        result = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
        assert result.returncode == 2
        assert "Traceback" not in result.stderr


def test_a_depth_beyond_all_turns_is_answered(
    game_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = tmp_path / "few.txt"
    few.write_text(f"{unfinished(game_file)}\n\n@R @R @R @G @G @G @W @W\n")
    assert call("perft", str(few), "--depth", "9" * 25) == 0
    assert capsys.readouterr().out == "1\n"


INTERRUPTED = """
import os, signal, sys
from baghdad import bench
from baghdad.cli import main
from baghdad.rules import perft

pressed = []

def interrupting(function):
    def called(*arguments):
        if arguments[-1] > 1 and not pressed:  # not the one step that compiles
            pressed.append(True)
            os.kill(os.getpid(), signal.SIGINT)
        return function(*arguments)
    return called

bench.random_steps = interrupting(bench.random_steps)
perft.count_part = interrupting(perft.count_part)
sys.exit(main(sys.argv[1:]))
"""
"""Stands in for a person who presses Ctrl-C when the work has just begun."""


@pytest.mark.parametrize(
    "arguments", [("bench", "--threads", "2", "--seconds", "3000"), ("perft", "-", "--depth", "60")]
)
def test_an_interrupt_is_heard(arguments: tuple[str, ...]) -> None:
    result = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, *arguments],
        input=Game(4, variant="neutral").record(),
        capture_output=True,
        text=True,
        env=os.environ | {"LC_ALL": "C"},
        check=False,
    )
    assert result.returncode == 130
    assert result.stderr == "stopped\n"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_help_names_the_limit_of_turns_that_there_is(language: str) -> None:
    assert f": {MAX_TURNS})" in say("cli.arena.max_turns", language)
