"""The program that measures how strong a bot is."""

import json
import lzma
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from baghdad.jit.compiler import COMPILED
from support.programs import ROOT, load


def strength(*arguments: object) -> list[dict[str, Any]]:
    command = [sys.executable, "-W", "error", str(ROOT / "benchmarks" / "strength.py")]
    done = subprocess.run(
        [*command, *map(str, arguments)], capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.skipif(not COMPILED, reason="whole games need compiled rules")
def test_games_are_kept_and_not_played_twice(tmp_path: Path) -> None:
    kept = tmp_path / "games.jsonl"
    (first,) = strength("--bots", "heuristic", "random", "2:1:4", "-o", kept)
    assert (first["players"], first["games"], first["share"][0]) == (2, 4, 1.0)
    lines = kept.read_text().splitlines()
    (more,) = strength("--bots", "heuristic", "random", "2:1:6", "-o", kept)
    assert more["games"] == 6
    assert kept.read_text().splitlines()[:4] == lines
    assert len({(game["deal"], game["seat"]) for game in map(json.loads, lines)}) == 4
    assert strength("--sum", kept, kept) == [more], "a game counts once"
    packed = tmp_path / "games.jsonl.xz"
    packed.write_bytes(lzma.compress(kept.read_bytes()))
    assert strength("--sum", packed) == [more]


def test_a_deal_counts_when_it_was_played_in_all_seats() -> None:
    program = load("benchmarks/strength.py")

    def game(deal: int, seat: int, won: bool) -> Any:
        return program.Played(
            ["one", "rest"], "abc", 3, "1s", deal, seat, won, False, [10], [5], "here"
        )

    whole = [game(0, 0, True), game(0, 1, True), game(0, 2, False)]
    report = program.report([*whole, game(1, 0, False), game(1, 1, False)])
    assert report["games"] == 3
    assert report["share"][0] == pytest.approx(2 / 3, abs=1e-4)


@pytest.mark.parametrize(
    ("text", "run"),
    [("2:1s:64", (2, "1s", range(64))), ("3:300:60-120", (3, "300", range(60, 120)))],
)
def test_what_to_play_is_read(text: str, run: tuple[int, str, range]) -> None:
    assert load("benchmarks/strength.py").read_run(text) == run
