"""Puzzles: each has one turn that is surely the best, by what the seat knew."""

import json
from collections.abc import Sequence
from math import prod
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from baghdad import Game
from baghdad.analysis import Puzzle, UnfinishedGameError, puzzles, puzzling
from baghdad.analysis.judge import Estimate, Judge
from baghdad.analysis.kept_puzzles import KeptPuzzles, OtherPuzzlesError, read_puzzles
from baghdad.analysis.lines import name_of_game
from baghdad.analysis.puzzling import (
    AHEAD,
    PuzzleMaker,
    at_99,
    end_of,
    identity,
    positions_of,
    turn_of,
)
from baghdad.bots import LEVELS, Budget, make_bot
from baghdad.bots.playing import play_to_end
from baghdad.rules.engine.actions import ACTION_OF, Action
from baghdad.rules.engine.dealer import new_rng
from baghdad.rules.position import view_from_shown
from baghdad.rules.views import View
from support.programs import load

SMALL = 300
"""Simulations, for tests."""


@pytest.fixture(scope="module")
def game() -> Game:
    """A finished game in which one turn of the first seat is a puzzle; most games have none."""
    bots = [make_bot("duban"), make_bot("dalila")]
    return play_to_end(Game(players=2, seed="12"), bots, "x", Budget(), 200)


@pytest.fixture(scope="module")
def views(game: Game) -> list[View]:
    """Some of its positions, the puzzle among them."""
    return list(positions_of(game))[12:15]


@pytest.fixture(scope="module")
def found(views: list[View]) -> list[Puzzle]:
    with PuzzleMaker(SMALL) as maker:
        return [each for each in maker.puzzles_of(views) if each is not None]


def actions(tokens: Sequence[str]) -> tuple[Action, ...]:
    return tuple(ACTION_OF[token] for token in tokens)


def test_few_positions_are_puzzles(found: list[Puzzle], views: list[View]) -> None:
    assert [each.id for each in found] == [identity(views[1])]
    for each in found:
        assert each.low >= AHEAD
        assert each.low <= each.ahead <= each.high
        assert each.turn != each.next


def test_the_best_turn_is_ahead_of_others_that_a_search_proposes_in_other_deals(
    found: list[Puzzle],
) -> None:
    judge = Judge(budget=SMALL)
    for each in found[:3]:
        view, best = each.view(), actions(each.turn)
        judge.judge(view, (), new_rng("proposes"))
        for other in judge.tried():
            if end_of(view, other) != end_of(view, best):
                met = judge.compare(view, other, best, 256, new_rng("other deals"))
                assert met.gain.mean > 0, (each, other)


def test_a_puzzle_is_the_position_that_the_seat_saw(game: Game, found: list[Puzzle]) -> None:
    seen = {bytes(view) for view in positions_of(game)}
    assert all(bytes(each.view()) in seen for each in found)


def test_those_who_solve_it_play_the_turn(found: list[Puzzle]) -> None:
    for each in found:
        assert list(each.solved_by) == [level for level in LEVELS if level in each.solved_by]
        if {"duban", "jafar"} & set(each.solved_by):  # those two play without chance
            solver = "duban" if "duban" in each.solved_by else "jafar"
            played = turn_of(make_bot(solver), each.view(), "any")
            assert end_of(each.view(), played) == end_of(each.view(), actions(each.turn))


def test_nobody_who_played_is_named(found: list[Puzzle]) -> None:
    assert all(not {"Seats", "Bots", "Seed"} & set(each.options) for each in found)


def test_the_same_puzzles_again_by_any_number_of_threads_each_once(
    game: Game, views: list[View], found: list[Puzzle], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(puzzling, "positions_of", lambda _: views)
    named = [replace(each, game=name_of_game(game)) for each in found]
    assert list(puzzles([game.record(), game], budget=SMALL, jobs=3)) == named


def test_a_game_that_goes_on_has_none() -> None:
    with pytest.raises(UnfinishedGameError):
        list(puzzles([Game(players=2)]))


def test_bounds_at_99_percent_are_wider() -> None:
    assert at_99(Estimate(12.0, 10.04, 13.96)) == pytest.approx((12.0, 9.424, 14.576))


def test_a_file_of_puzzles_is_gone_on_with(tmp_path: Path, game: Game, found: list[Puzzle]) -> None:
    path = tmp_path / "puzzles.jsonl"
    with KeptPuzzles(path, SMALL, "seed") as kept:
        kept.add(found[0])
        kept.add(found[0])
        kept.looked(game)
    with path.open("a") as file:
        file.write('{"id": "cut')
    with KeptPuzzles(path, SMALL, "seed") as kept:
        assert list(kept.puzzles.values()) == found[:1]
        assert kept.has_looked(game)
        assert not kept.has_looked(Game(players=2))
    assert read_puzzles(path) == found[:1]


@pytest.mark.parametrize("text", ["a letter\n", "\udcff", '{"format": 0}\n'])
def test_a_file_with_something_else_is_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "puzzles.jsonl"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    before = path.read_bytes()
    with pytest.raises(OtherPuzzlesError), KeptPuzzles(path, SMALL, "seed"):
        pass
    assert path.read_bytes() == before


def test_the_file_of_the_page_tells_all_that_the_seat_saw(found: list[Puzzle]) -> None:
    tool = load("tools/puzzle_file.py")
    told = json.loads(tool.file_of([*found, *found]))
    (row,) = told["puzzles"]
    numbers = iter(row[2])
    shown = {}
    for name, shape in told["fields"].items():
        taken = [next(numbers) for _ in range(prod(shape))]
        shown[name] = np.array(taken).reshape(shape) if shape else taken[0]
    assert not list(numbers)
    assert view_from_shown(shown, row[1], row[3]) == found[0].view()
    assert tuple(row[4].split()) == found[0].turn


def test_what_ships_has_the_fields_of_a_view() -> None:
    shipped = json.loads((Path(puzzling.__file__).parent / "puzzles.json").read_text("utf-8"))
    assert len(shipped["puzzles"]) > 100
    shapes = load("tools/puzzle_file.py").shapes()
    assert shipped["fields"] == shapes  # else the page would read other numbers
    assert all(len(row[2]) == sum(map(prod, shapes.values())) for row in shipped["puzzles"])
