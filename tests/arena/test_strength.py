"""The program that measures how strong a bot is."""

import json
import lzma
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from baghdad import Options
from baghdad.arena import Match, Played, Results, read_results, summarize
from baghdad.arena.results import open_results, write_deal
from baghdad.jit.compiler import COMPILED
from support.programs import ROOT, load

RESULTS = ("docs/levels.jsonl", "docs/strength.jsonl", "docs/training/strength.jsonl")


def strength(*arguments: object) -> list[dict[str, Any]]:
    command = [sys.executable, "-W", "error", str(ROOT / "benchmarks" / "strength.py")]
    done = subprocess.run(
        [*command, *map(str, arguments)], capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.skipif(not COMPILED, reason="whole games need compiled rules")
def test_games_are_kept_and_not_played_twice(tmp_path: Path) -> None:
    words = ["--bots", "heuristic", "random", "-o", tmp_path]
    kept = tmp_path / "heuristic-random-2-1.jsonl"
    (first,) = strength(*words, "2:1:4")
    assert first["match"]["options"]["players"] == 2
    assert (first["games"], first["pairs"][0]["share"][0]) == (4, 1.0)
    lines = kept.read_text().splitlines()
    (more,) = strength(*words, "2:1:6")
    assert more["games"] == 6
    assert kept.read_text().splitlines()[:3] == lines
    games = [game for line in lines[1:] for game in json.loads(line)]
    assert len({(game["deal"], game["seats"].index("heuristic")) for game in games}) == 4
    assert all(game["thinking"] for game in games)
    assert strength("--sum", kept, kept) == [more], "a game counts once"
    packed = tmp_path / "games.jsonl.xz"
    packed.write_bytes(lzma.compress(kept.read_bytes()))
    assert strength("--sum", packed) == [more]


def test_games_of_several_machines_add_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = Match(("one", "rest"), Options(3), "s", first_alone=True, timed=True)
    files = [tmp_path / "here.jsonl", tmp_path / "there.jsonl"]
    for deal, path in enumerate(files, 1):
        _, file = open_results_of_strangers(path, match, path.stem)
        write_deal(file, games_of(match, deal, winners=(0, 1, 0)))
        file.close()
    load("benchmarks/strength.py").add_up(files)
    (report,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (report["deals"], report["machine"]) == (2, "here; there")
    assert report["pairs"][0]["share"][0] == pytest.approx(2 / 3)


def open_results_of_strangers(path: Path, match: Match, machine: str) -> Any:
    """A file of bots that are not installed: whoever reads it need not have them."""
    known = replace(match, bots=("heuristic", "random"))
    _, file = open_results(path, known, {"machine": machine})
    file.close()
    head = json.loads(path.read_text())
    path.write_text(json.dumps(head | {"match": match.as_json()}) + "\n")
    return head, path.open("a", encoding="utf-8")


def games_of(match: Match, deal: int, winners: tuple[int, ...]) -> list[Played]:
    """The lone bot thinks for 10 ms and 5 simulations in each game."""
    return [
        Played(deal, seats, winner, 30, (), ((seats.index("one"), 10, 5),))
        for seats, winner in zip(match.seatings(), winners, strict=True)
    ]


def test_a_deal_counts_when_it_was_played_in_all_seats(tmp_path: Path) -> None:
    match = Match(("one", "rest"), Options(3), "s", first_alone=True, timed=True)
    path = tmp_path / "games.jsonl"
    _, file = open_results_of_strangers(path, match, "here")
    write_deal(file, games_of(match, 1, winners=(0, 1, 0)))
    write_deal(file, games_of(match, 2, winners=(1, 0, 0))[:2])
    file.close()
    report = summarize(read_results(path))
    assert report["games"] == 3
    assert report["pairs"] == [
        {"alone": "one", "rest": "rest", "share": report["pairs"][0]["share"]}
    ]
    assert report["pairs"][0]["share"][0] == pytest.approx(2 / 3, abs=1e-4)


def test_what_decisions_took_is_told_by_bot() -> None:
    match = Match(("one", "rest"), Options(3), "s", first_alone=True, timed=True)
    report = summarize(Results(match, {1: games_of(match, 1, winners=(0, 1, 0))}))
    took = {"median_ms": 10.0, "p95_ms": 10.0, "longest_ms": 10}
    assert report["thinking"] == {"one": {"decisions": 3, "simulations": 5, **took}}
    untimed = replace(match, timed=False)
    assert "thinking" not in summarize(Results(untimed, {1: games_of(match, 1, winners=(0, 1, 0))}))


@pytest.mark.parametrize(
    ("text", "run"),
    [("2:1s:64", (2, "1s", range(64))), ("3:300:60-120", (3, "300", range(60, 120)))],
)
def test_what_to_play_is_read(text: str, run: tuple[int, str, range]) -> None:
    assert load("benchmarks/strength.py").read_run(text) == run


@pytest.mark.parametrize("file", RESULTS)
def test_results_that_the_documents_show_have_the_form_of_a_summary(file: str) -> None:
    match = Match(("one", "rest"), seed="s", first_alone=True, timed=True)
    wanted = summarize(Results(match, {1: games_of(match, 1, winners=(0, 1))}))
    known = {*wanted, "players", "machine"}
    for line in (ROOT / file).read_text().splitlines():
        told = json.loads(line)
        assert told.keys() <= known
        assert {"match", "deals", "games", "pairs", "thinking", "machine"} <= told.keys()
        again = Match.from_json(told["match"])
        assert json.loads(json.dumps(again.as_json())) == told["match"]
        (pair,) = told["pairs"]
        assert (pair["alone"], pair["rest"]) == tuple(told["match"]["bots"])
        assert ("elo" in pair) == (told["match"]["options"]["players"] == 2)


def test_the_plot_of_the_documents_is_up_to_date(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ROOT / "docs" / "strength.jsonl"
    monkeypatch.setattr("sys.argv", ["strength.py", "--plot", str(lines)])
    load("benchmarks/strength.py").main()
    assert capsys.readouterr().out == (ROOT / "docs" / "strength.svg").read_text("utf-8")
