"""A position as JSON is loaded again, and what is none is refused."""

import json
from random import Random
from typing import Any

import pytest

from baghdad import (
    CHANCE,
    Game,
    Options,
    PositionError,
)
from support.tables import (
    EVERY_TABLE,
    hoarding,
    new_game,
    thieving,
)


@pytest.mark.parametrize("options", EVERY_TABLE, ids=str)
def test_every_position_of_a_game_can_be_loaded_again(options: Options) -> None:
    random = Random(str(options))
    for manner in (thieving, hoarding):
        game, again = new_game(options), new_game(options)
        for _ in range(150):
            again = Game.from_position(json.loads(json.dumps(game.position())))
            assert again.state.tobytes() == game.state.tobytes()
            assert again.options == game.options
            if game.over:
                break
            if game.to_move == CHANCE:
                game.deal(random.randrange(1 << 30))
            else:
                game.play(manner(game.legal_tokens(), random))
        assert again.position() == game.position() or not game.over


def test_a_loaded_game_goes_on_but_has_no_record() -> None:
    game = Game(2, seed=3)
    for token in ("@R", "@G", "@W"):
        game.play(token)
    again = Game.from_position(game.position(), seed=4)
    for token in ("@B", "@R", "@G", "@W", "@B"):
        again.play(token)
    assert sum(again.view(0).hand) == 6
    with pytest.raises(ValueError, match="no record"):
        again.record()
    with pytest.raises(ValueError, match="no record"):
        again.copy().record()


def middle() -> dict[str, Any]:
    game = Game(3, seed=5)
    random = Random(5)
    while game.turns < 20:
        game.play(random.choice(game.legal()))
    position: dict[str, Any] = json.loads(json.dumps(game.position()))
    return position


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("options", None),
        ("options", {}),
        ("options", {"Players": "9", "Variant": "standard", "Rob": "arrival", "Hands": "hidden"}),
        ("guards", []),
        ("guards", {"R": [0] * 5}),
        ("thieves", {letter: [12, 0, 0, 0] for letter in "RGWPYB"}),
        (
            "thieves",
            dict(zip("RGWPYB", ([n, 0, 0, 0] for n in (110, 110, 36, 0, 0, 0)), strict=True)),
        ),
        ("chests", dict.fromkeys("RGWPYB", 5)),
        ("hands", [[0] * 7] * 2),
        ("hands", [[0] * 7] * 3),
        ("hands", [["1"] * 7] * 3),
        ("dancers", 9),
        ("dancers", True),
        ("deck", [0] * 5),
        ("discard", [-1] * 6),
        ("loot", [6, 0, 0]),
        ("unplaced", [[1, 0]] * 3),
        ("phase", "lunch"),
        ("acted", 1),
        ("thief_actions", 4),
        ("due", -1),
        ("due", 3),
        ("phase", "placing"),
        ("phase", "drawing"),
        ("named", "X"),
        ("named", "RG"),
        ("named", "R"),
        ("idle", 9),
        ("turn", 1 << 40),
        ("turn", (1 << 31) - 3),
        ("winner", 1),
        ("winner", 4),
        ("to_move", "chance"),
        ("to_move", None),
        ("to_move", 9),
    ],
)
def test_what_is_no_position_is_refused_and_says_which_part(part: str, value: Any) -> None:
    position = middle()
    Game.from_position(position)
    with pytest.raises(PositionError, match="no position that can be loaded"):
        Game.from_position(position | {part: value})
    position.pop(part)
    if part not in ("named", "winner"):
        with pytest.raises(PositionError) as missing:
            Game.from_position(position)
        assert missing.value.part == part


def moment(phase: str) -> dict[str, Any]:
    """The first position of a kind in a game."""
    game, random = Game(2), Random(1)
    while game.position()["phase"] != phase:
        if game.to_move == CHANCE:
            game.deal(random.randrange(1 << 30))
        else:
            game.play(random.choice(game.legal()))
    position: dict[str, Any] = json.loads(json.dumps(game.position()))
    return position


@pytest.mark.parametrize(
    ("phase", "part", "changed"),
    [
        ("placing", "to_move", {"to_move": 2}),
        ("placing", "turn", {"turn": 3}),
        ("placing", "acted", {"acted": True}),
        ("placing", "unplaced", {"phase": "turn", "to_move": 1}),
        ("placing", "unplaced", {"phase": "drawing", "to_move": "chance", "due": 2}),
        ("dealing", "due", {"due": 0}),
        ("dealing", "due", {"due": 102}),
        ("dealing", "turn", {"turn": 2}),
        ("turn", "unplaced", {"phase": "placing", "to_move": 1}),
        ("drawing", "due", {"due": 0}),
        ("drawing", "due", {"due": 5}),
    ],
)
def test_nothing_is_under_way_that_could_not_go_on(
    phase: str, part: str, changed: dict[str, Any]
) -> None:
    position = moment(phase)
    Game.from_position(position)
    with pytest.raises(PositionError) as refused:
        Game.from_position(position | changed)
    assert refused.value.part == part


def test_r6_guards_are_placed_in_turn_and_before_the_deal() -> None:
    placing, dealing = moment("placing"), moment("dealing")
    empty = {letter: [0, 0, 0, 0, 1] for letter in "RGWPYB"}
    for left, seat in (([4, 4], 1), ([3, 4], 2), ([3, 3], 1)):
        placed = empty | {"R": [4 - left[0], 4 - left[1], 0, 0, 1]}
        unplaced = [[each, 0] for each in left]
        found = {"guards": placed, "unplaced": unplaced, "to_move": seat}
        Game.from_position(placing | found)
    for left, seat in (([4, 3], 1), ([2, 4], 2), ([3, 3], 2)):
        placed = empty | {"R": [4 - left[0], 4 - left[1], 0, 0, 1]}
        unplaced = [[each, 0] for each in left]
        with pytest.raises(PositionError, match="to_move"):
            Game.from_position(placing | {"guards": placed, "unplaced": unplaced, "to_move": seat})
    guards = {letter: list(row) for letter, row in dealing["guards"].items()}
    next(row for row in guards.values() if row[0])[0] -= 1
    with pytest.raises(PositionError, match="unplaced"):
        Game.from_position(dealing | {"guards": guards, "unplaced": [[1, 0], [0, 0]]})


def test_a_game_that_was_ended_in_the_middle_can_be_loaded_again() -> None:
    for phase in ("placing", "dealing", "turn", "drawing"):
        game = Game.from_position(moment(phase))
        game.resign(0)
        again = Game.from_position(game.position())
        assert (again.over, again.winner) == (True, 1)
