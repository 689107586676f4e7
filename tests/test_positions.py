"""A position as JSON is loaded again, and what is none is refused."""

import json
from random import Random
from typing import Any

import pytest

from baghdad import CHANCE, Game, Options, PositionError
from tables import EVERY_TABLE, hoarding, new_game, thieving


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
        ("named", "X"),
        ("named", "RG"),
        ("idle", 9),
        ("turn", 1 << 40),
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
