"""A game in the terminal, by pipe and by keyboard."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from baghdad import Game
from baghdad.bots import (
    LEVELS,
    Budget,
    decide,
    make_bot,
)
from baghdad.cli import main
from baghdad.cli.board import draw, plain
from baghdad.cli.legal_moves import legal_moves
from baghdad.cli.names import CHARACTERS
from baghdad.cli.saves import promise
from baghdad.cli.terminal import Plain
from baghdad.cli.terminal_game import Player, TerminalGame
from baghdad.rules.engine.actions import TOKENS
from baghdad.rules.engine.dealer import new_rng
from baghdad.text import LANGUAGES
from support.strategies import games
from support.tables import begun, last_thief, no_dancer_left

PLACED = ["r", "g", "w", "p"]
ESCAPE = "\x1b"


def baghdad(*arguments: str, text: str = "", folder: Path) -> subprocess.CompletedProcess[str]:
    """The real program, its input through a pipe."""
    return subprocess.run(
        [sys.executable, "-m", "baghdad", *arguments],
        input=text,
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=folder,
        env=os.environ | {"LC_ALL": "C", "PYTHONUTF8": "1"},
        check=False,
    )


class Typist(Plain):
    """Stands in for a person: a function answers what is asked."""

    def __init__(self, answer: Callable[[str], str]) -> None:
        super().__init__("en")
        self.answer = answer
        self.lines: list[str] = []

    def ask(self, prompt: str, choices: object = None) -> str:
        self.lines.append(self.answer(prompt))
        return self.lines[-1]


def a_whole_game(seed: str) -> tuple[list[str], Game]:
    """Lines with which a person plays a whole game against kasim, and that game."""
    game, bot = Game(players=2), make_bot("ali")
    promise(game, seed)

    def answer(_prompt: str) -> str:
        view, legal = game.view(0), game.legal()
        plan = decide(bot, view, legal, Budget(), new_rng(seed))
        return " ".join(TOKENS[action] for action in plan).lower()

    typist = Typist(answer)
    players = [Player("Ann"), Player("Kasim", make_bot("kasim"))]
    assert TerminalGame(game, players, seed, typist, 0, None).run() == 0
    return typist.lines, game


# By pipe


def test_a_whole_game_by_pipe_is_saved_watched_and_proved_fair(tmp_path: Path) -> None:
    lines, game = a_whole_game("whole")
    table = ["--bots", "kasim", "--people", "Ann", "--seed", "whole"]
    done = baghdad("play", *table, "--save", "g.txt", text="\n".join(lines), folder=tmp_path)
    assert done.returncode == 0, done.stdout
    assert ESCAPE not in done.stdout
    told = "You have won" if game.winner == 0 else "Kasim has won"
    assert f"{told} with 6 chests in turn {game.turns + 1}" in done.stdout
    assert "baghdad replay g.txt --html" in done.stdout
    record = (tmp_path / "g.txt").read_text()
    assert Game.from_record(record).tokens == game.tokens
    assert baghdad("replay", "g.txt", folder=tmp_path).returncode == 0
    assert baghdad("verify", "g.txt", folder=tmp_path).returncode == 0
    again = baghdad("play", "g.txt", folder=tmp_path)
    assert again.returncode == 0
    assert "has won" in again.stdout
    assert (tmp_path / "g.txt").read_text() == record


def test_a_game_that_was_left_goes_on_as_it_would_have(tmp_path: Path) -> None:
    lines, game = a_whole_game("cut")
    for number in (3, len(lines) // 2):
        file = f"{number}.txt"
        table = ["--bots", "kasim", "--people", "Ann", "--seed", "cut", "--save", file]
        done = baghdad("play", *table, text="\n".join(lines[:number]), folder=tmp_path)
        assert done.returncode == 1
        assert "input has ended before the game" in done.stdout
        assert f"baghdad play {file}" in done.stdout
        done = baghdad("play", file, text="\n".join(lines[number:]), folder=tmp_path)
        assert done.returncode == 0
        saved = Game.from_record((tmp_path / file).read_text())
        assert saved.tokens == game.tokens
        assert saved.headers["Seats"] == "Ann, Kasim"


def test_any_record_can_be_played_on(tmp_path: Path) -> None:
    made = baghdad("record", "--players", "3", "--max-turns", "4", "--seed", "1", folder=tmp_path)
    unfinished = made.stdout.replace('[Result "-"]\n[Termination "turn limit"]', '[Result "*"]')
    (tmp_path / "r.txt").write_text(unfinished)
    done = baghdad("play", "r.txt", "--bots", "random", text="quit\n", folder=tmp_path)
    assert done.returncode == 0
    saved = Game.from_record((tmp_path / "r.txt").read_text())
    assert saved.headers["Bots"] == "-, random, random"
    assert "Seed" not in saved.headers  # its cards did not follow from one by our way


def saved(game: Game, folder: Path) -> str:
    """A game of two people at one terminal, as a file to go on with."""
    game.headers |= {"Seats": "Ann, Bob", "Bots": "-, -"}
    (folder / "saved.txt").write_text(game.record())
    return "saved.txt"


def test_a_palace_is_named_when_no_dancer_is_left(tmp_path: Path) -> None:
    file = saved(no_dancer_left(rulebook="cs", deal="6-8"), tmp_path)
    typed = ["-*", "?", "why -w", "-w", "log", "quit"]
    done = baghdad("play", file, text="\n".join(typed), folder=tmp_path)
    assert done.returncode == 0
    assert "Agreed: Czech (2006), spare chosen, deal 6-8" in done.stdout
    shown = " ".join(done.stdout.split())
    assert "R23: no dancer" in shown
    assert "-R does nothing, asks for a card of red and draws 4 cards in all" in shown
    told = "Ann: does nothing, asks for a card of white and draws 4 cards in all"
    assert shown.count(told) == 2, "when it is done, and in the log"
    game = Game.from_record((tmp_path / file).read_text())
    assert game.tokens[-2] == "-W"
    assert game.tokens[-1][:2] == "=W"
    assert game.options.rulebook == "cs"
    assert game.options.deal == (6, 8)


@pytest.mark.parametrize("of_all", [False, True])
def test_the_last_thief_in_stock_is_warned_of(tmp_path: Path, of_all: bool) -> None:
    file = saved(last_thief(of_all=of_all), tmp_path)
    before = len(Game.from_record((tmp_path / file).read_text()).tokens)
    done = baghdad("play", file, text="+p\nquit\n", folder=tmp_path)
    words = "the game would end at once" if of_all else "you could never rob again"
    assert " ".join(done.stdout.split()).count(words) == 1
    assert len(Game.from_record((tmp_path / file).read_text()).tokens) == before
    done = baghdad("play", file, text="+p\n+p\nquit\n", folder=tmp_path)
    assert done.returncode == 0
    assert " ".join(done.stdout.split()).count(words) == 1
    game = Game.from_record((tmp_path / file).read_text())
    assert game.tokens[before] == "+P(PP)"
    assert game.over == of_all
    if of_all:
        assert "nobody has won" in done.stdout


def test_the_options_of_a_saved_game_cannot_be_changed(tmp_path: Path) -> None:
    file = saved(begun(), tmp_path)
    for option in (("--rulebook", "cs"), ("--spare", "chosen"), ("--deal", "6-8")):
        done = baghdad("play", file, *option, folder=tmp_path)
        assert done.returncode == 2
        assert f"{option[0]} can’t be changed" in done.stderr


def test_what_is_typed_is_explained_and_nothing_breaks(tmp_path: Path) -> None:
    typed = [
        *PLACED, "why", "why +g", "why +b", "+b", "fly", "?", "moves", "help", "hand", "board",
        "rules r12", "rules 99", "rules", "log", "undo", "+g (g g) r>g", "undo", "undo", "undo",
        "end", "save", "\t", "\x00", "ä" * 3000, "- +g", "quit",
    ]  # fmt: skip
    done = baghdad("play", "--seed", "7", "--bots", "kasim", text="\n".join(typed), folder=tmp_path)
    assert done.returncode == 0, done.stdout
    assert not done.stderr
    for expected in (
        "R12: no own guard in front of blue",
        "+G(GG) is possible: smuggles a thief into green, for GG",
        "'fly' is not a move",
        "there is no such rule",
        "taken back: +G(GG)",
        "there is nothing to take back",
        "R23: no action was taken this turn",
        "Your turn is over; not played any more: +g",
    ):
        assert expected in done.stdout, expected
    assert done.stdout.count("R12 A – Smuggle a thief.") == 2
    saved = re.findall(r"Saved. Go on with: baghdad\s+play\s+(\S+)", done.stdout)
    assert len(set(saved)) == 1
    assert Game.from_record((tmp_path / saved[0]).read_text()).result == "*"


def test_without_a_file_the_loss_is_told(tmp_path: Path) -> None:
    done = baghdad("play", "--seed", "7", text="r\n", folder=tmp_path)
    assert done.returncode == 1
    assert "The game was not saved; --save FILE would have kept it." in done.stdout
    assert not list(tmp_path.iterdir())


def test_a_bot_that_fails_costs_nobody_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken:
        def choose(self, *given: object) -> int:
            raise RuntimeError("no idea")

    monkeypatch.chdir(tmp_path)
    players = [Player("Ann"), Player("Broken", Broken())]
    here = TerminalGame(Game(players=2), players, "x", Typist(lambda _: "r"), 0, None)
    with pytest.raises(RuntimeError, match="no idea"):
        here.run()
    (file,) = tmp_path.iterdir()
    assert Game.from_record(file.read_text()).tokens == ("@R",)


def test_where_a_file_can_not_be_written_any_more_another_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def answer(_prompt: str) -> str:
        if game.tokens:
            raise EOFError
        return "r"

    monkeypatch.chdir(tmp_path)
    game, players = Game(players=2), [Player("Ann"), Player("Random", make_bot("random"))]
    assert TerminalGame(game, players, "x", Typist(answer), 0, "gone/g.txt").run() == 1
    assert "gone/g.txt can't be written" in capsys.readouterr().out
    (file,) = tmp_path.iterdir()
    assert Game.from_record(file.read_text()).tokens == game.tokens


def test_bytes_that_are_no_text_are_no_move(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "baghdad", "play"],
        input=b"\xff\xfe\n+\xc3(\nquit\n",
        capture_output=True,
        cwd=tmp_path,
        env=os.environ | {"LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "utf-8:strict"},
        check=False,
    )
    assert done.returncode == 0
    assert done.stdout.count(b"is not a move") == 2
    assert not done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("--bots", "nobody"),
        ("--bots", "kasim,ali,kasim,ali"),
        ("--people", "A,B,C,D,E"),
        ("--people", "A,B,C", "--players", "2"),
        ("--people", "A,B", "--players", "4", "--bots", "kasim,kasim,ali"),
        ("--people", "A" * 21),
        ("--pace", "-1"),
        ("--pace", "slow"),
        ("--save", "there.txt"),
        ("--save", "no/such/folder.txt"),
        ("no such file",),
        ("-",),
        ("there.txt", "--seed", "1"),
        ("there.txt", "--players", "3"),
    ],
)
def test_wrong_calls_are_told(
    arguments: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("there.txt").write_text(Game(players=2).record())
    try:
        code = main(["play", *arguments])
    except SystemExit as stop:
        code = int(stop.code or 0)
    assert code == 2
    assert capsys.readouterr().err.strip()


def test_a_bad_record_is_told_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_text(Game(players=2).record() + "@R +R(R)")
    done = baghdad("play", "bad.txt", folder=tmp_path)
    assert done.returncode == 1
    assert "bad.txt: line 7, column 4: +R(R): R6:" in done.stderr


def test_the_terminals_library_is_loaded_for_a_terminal_alone(tmp_path: Path) -> None:
    code = "import sys\nfrom baghdad.cli import main\ntry: main({})\nexcept SystemExit: pass\n"
    code += "print('prompt_toolkit' in sys.modules)"
    for arguments in (["--help"], ["play", "--help"], ["play"], ["demo", "--turns", "0"]):
        done = subprocess.run(
            [sys.executable, "-c", code.format(arguments)],
            input="",
            capture_output=True,
            text=True,
            cwd=tmp_path,
            check=True,
        )
        assert done.stdout.endswith("False\n")


def test_bots_of_every_level_have_names() -> None:
    assert tuple(CHARACTERS) == LEVELS


# The board


@given(games(), st.sampled_from(LANGUAGES), st.sampled_from([0, 60, 80, 120, 200]))
@settings(max_examples=100, deadline=None)
def test_a_board_fits_and_shows_what_a_seat_may_know(game: Game, language: str, width: int) -> None:
    names = ["Ann", "Somebody with a long name", "Kasim", "Kasim 2"][: game.options.players]
    for viewer in (None, *range(game.options.players)):
        board = draw(game.view(viewer), names, language, width)
        assert all(len(line) <= max(width, 60) for line in plain(board).splitlines())
        text = plain(board)
        for seat, name in enumerate(names):
            assert f" {seat + 1}  {name[:14]}" in text
        assert all(f" {letter} " in text for letter in "RGWPYB")
        assert board == draw(game.copy().view(viewer), names, language, width)


@given(games())
@settings(max_examples=50, deadline=None)
def test_every_legal_move_is_on_offer(game: Game) -> None:
    listed = legal_moves(game, "en")
    for token in game.legal_tokens():
        move, bracket, paid = token.partition("(")
        if not bracket:
            assert token in listed.split()
            continue
        ways = re.search(rf"(?<!\S){re.escape(move)}\(([^)]*)\)", listed)
        assert ways is not None
        assert paid[:-1] in ways[1].split("|")


# By keyboard

pty = pytest.importorskip("pty")
from support.terminals import Keyboard  # noqa: E402


def play(folder: Path, *arguments: str, columns: int = 80, **environment: str) -> Keyboard:
    return Keyboard("play", *arguments, folder=folder, columns=columns, **environment)


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_a_few_turns_at_the_keyboard(tmp_path: Path, columns: int) -> None:
    table = ["--seed", "7", "--bots", "kasim", "--pace", "0.01"]
    with play(tmp_path, *table, columns=columns) as keyboard:
        keyboard.until("You>")
        for left, guard in zip((3, 2, 1), PLACED[:3], strict=True):
            keyboard.line(guard)
            keyboard.until(f"own guards to place: {left}")
            keyboard.until("You>")
        keyboard.line(PLACED[3])
        keyboard.until("hand:")
        keyboard.until("Your new cards: R G G P P Y")
        keyboard.until("You>")
        keyboard.type("+g\t")  # there is only one: it is completed
        keyboard.until("+G(GG)")
        keyboard.line("")
        keyboard.until("You: ")
        assert keyboard.until("You>").startswith("smuggles a thief into green, for GG")
        keyboard.line("+y")
        keyboard.until("R12: no own guard in front of yellow")
        keyboard.line("undo")
        keyboard.until("taken back: +G(GG)")
        keyboard.line("- ")
        keyboard.until("does nothing and draws 4 cards")
        keyboard.until("Kasim: ")
        keyboard.until("You>")
        keyboard.line("quit")
        keyboard.until("Save the game?")
        keyboard.line("mine.txt")
        keyboard.until("baghdad play mine.txt")
        assert keyboard.exit_code() == 0
        assert "48;5;" in keyboard.output  # colours
        shown = keyboard.text.splitlines()
        assert all(len(line) <= columns for line in shown if line.startswith(("┌", "│", " R ")))
    saved = Game.from_record((tmp_path / "mine.txt").read_text())
    assert saved.turns >= 2
    with play(tmp_path, "mine.txt", "--pace", "0") as keyboard:
        keyboard.until("kept in mine.txt")
        keyboard.until("You>")
        keyboard.type("\x04")
        keyboard.until("Saved.")
        assert keyboard.exit_code() == 0


def test_without_colour_the_letters_stay(tmp_path: Path) -> None:
    with play(tmp_path, "--pace", "0", NO_COLOR="1") as keyboard:
        keyboard.line("r")
        board = keyboard.until("own guards to place: 3")
        keyboard.until("You>")
        assert "guards  1 2 n" in board or "guards  1 n" in board
        assert "48;5;" not in keyboard.output
        assert "38;5;" not in keyboard.output


def test_a_dumb_terminal_gets_plain_text(tmp_path: Path) -> None:
    with play(tmp_path, "--seed", "7", TERM="dumb") as keyboard:
        keyboard.until("You>")
        keyboard.line("r")
        keyboard.until("You: places a guard in front of red")
        keyboard.until("You>")
        keyboard.line("quit")
        keyboard.until("Save the game?")
        keyboard.line("n")
        assert keyboard.exit_code() == 0
        assert ESCAPE not in keyboard.output
    assert not list(tmp_path.iterdir())


def test_control_c_twice_leaves_and_the_game_is_kept(tmp_path: Path) -> None:
    with play(tmp_path, "--seed", "7", "--pace", "0") as keyboard:
        keyboard.until("You>")
        keyboard.line("r")
        keyboard.until("own guards to place: 3")
        keyboard.until("You>")
        keyboard.type("\x03")
        keyboard.until("Ctrl-C once more")
        keyboard.until("You>")
        keyboard.line("g")
        keyboard.until("own guards to place: 2")
        keyboard.until("You>")
        keyboard.type("\x03")
        keyboard.until("Ctrl-C once more")
        keyboard.until("You>")
        keyboard.type("\x03")
        keyboard.until("Save the game?")
        keyboard.type("\x03")
        keyboard.until("Saved.")
        assert keyboard.exit_code() == 130
    (file,) = tmp_path.iterdir()
    assert Game.from_record(file.read_text()).tokens[::2] == ("@R", "@G")


def test_enter_hurries_the_bots(tmp_path: Path) -> None:
    table = ["--seed", "7", "--players", "4", "--bots", "kasim", "--pace", "60"]
    with play(tmp_path, *table) as keyboard:
        keyboard.until("You>")
        keyboard.line("r")
        keyboard.until("Kasim: ")
        keyboard.type("\r")
        keyboard.until("own guards to place: 1", seconds=50)  # two more bots would take 120


@pytest.mark.parametrize("hands", ["hidden", "seen"])
def test_nobody_sees_the_hand_of_another_at_one_keyboard(tmp_path: Path, hands: str) -> None:
    table = ["--people", "Ann,Ben", "--seed", "7", "--save", "g.txt", "--hands", hands]
    with play(tmp_path, *table) as keyboard:

        def handed(name: str) -> None:
            """Take the keyboard: until Enter is pressed nothing but that is to be seen."""
            keyboard.until("\f")
            cover = keyboard.until(f"{name}: press Enter")
            assert cover.split() == ["Hand", "the", "keyboard", "to", f"{name}."]
            keyboard.line("")
            keyboard.until("\f")

        for guard, name in zip("RRGGWWPP", ["Ann", "Ben"] * 4, strict=True):
            if hands == "seen":
                handed(name)
            keyboard.until(f"{name}>")
            keyboard.line(guard)
        for name in ("Ann", "Ben", "Ann", "Ben"):
            handed(name)
            board = keyboard.until(f"{name}>")
            assert board.count("hand: ") == 1
            keyboard.line("-")
        handed("Ann")
        keyboard.until("Ann>")
        keyboard.line("quit")
        assert keyboard.exit_code() == 0
        before, *covers = keyboard.text.split("Hand the keyboard to ")
        assert len(covers) == (13 if hands == "seen" else 5)
        assert "hand: " not in before


# The demo


def test_the_demo_is_watched_at_a_terminal(tmp_path: Path) -> None:
    with Keyboard(
        "demo", "--seed", "1", "--pace", "0.01", "--bots", "kasim,ali", folder=tmp_path
    ) as keyboard:
        keyboard.until("Kasim: ")
        assert keyboard.exit_code() == 0
        assert keyboard.text.count("\f") > 30
        last = keyboard.output.rpartition("\x1b[?1049l")[2]
        assert re.search(r"(Kasim|Ali) has won with 6 chests", last)


def test_the_demo_into_a_file_waits_for_nobody(tmp_path: Path) -> None:
    done = baghdad("demo", "--seed", "1", "--pace", "50", "--turns", "1", folder=tmp_path)
    assert done.returncode == 0
    assert ESCAPE not in done.stdout
    assert "… and on to the end:" in done.stdout
    assert "has won with 6 chests" in done.stdout


# Giving up (R28)


def test_giving_up_is_asked_about_and_the_other_wins(tmp_path: Path) -> None:
    text = "resign\nr\nresign resign\n"
    result = baghdad("play", "--people", "Ann", "--save", "game.txt", text=text, folder=tmp_path)
    assert result.returncode == 0
    assert 'Type "resign resign" if you are sure.' in result.stdout
    assert "Maruf has won: Ann gave up" in result.stdout
    game = Game.from_record((tmp_path / "game.txt").read_text("utf-8"))
    assert (game.result, game.termination) == ("2", "resigned")
    again = baghdad("play", "game.txt", folder=tmp_path)
    assert "Maruf has won: Ann gave up" in again.stdout


def test_a_bot_plays_on_in_a_larger_company(tmp_path: Path) -> None:
    text = "resign resign\nr\n"
    result = baghdad(
        "play", "--people", "Ann, Ben", "--bots", "kasim", "--save", "game.txt",
        text=text, folder=tmp_path,
    )  # fmt: skip
    assert "Ann has given up; morgiana plays on there" in result.stdout
    game = Game.from_record((tmp_path / "game.txt").read_text("utf-8"))
    assert game.resigned == {0: 0}
    assert game.headers["Bots"] == "morgiana, -, kasim"
    assert "Ben: places a guard" in result.stdout


def test_alone_against_bots_nobody_is_left(tmp_path: Path) -> None:
    text = "resign resign\n"
    result = baghdad("play", "--players", "3", text=text, folder=tmp_path)
    assert "all had given up: nobody has won" in result.stdout
