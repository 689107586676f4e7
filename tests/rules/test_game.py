"""`Game` as a Python object: what goes in, what comes out, copies and pickles."""

import copy
import pickle
import random
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np
import pytest

from baghdad import (
    CHANCE,
    Game,
    IllegalMoveError,
    MoveError,
    NotAMoveError,
    OutOfTurnError,
    RecordError,
)
from baghdad.rules.engine.state import state_from_bytes
from support.tables import table


@pytest.mark.parametrize("number", [2, np.int64(2), np.uint8(2), np.int16(2)])
def test_whole_numbers_of_any_kind_are_actions(number: Any) -> None:
    game = Game(2)
    game.play(number)
    assert game.tokens == ("@W",)
    seat: Any = np.int64(1)
    game.play("@R", seat=seat)


@pytest.mark.parametrize(
    "number", [2.0, 3.7, np.float64(1), True, None, b"@R", [1], -1, 375, 1 << 80]
)
def test_nothing_else_is(number: Any) -> None:
    game = Game(2)
    with pytest.raises(NotAMoveError, match="is not an action"):
        game.play(number)
    assert game.tokens == ()


@pytest.mark.parametrize("seat", [True, 1.5, "1", 2, -1])
def test_a_seat_is_a_whole_number(seat: Any) -> None:
    with pytest.raises(ValueError, match="seat: 0 to 1"):
        Game(2).view(seat)


def test_a_seat_may_be_a_numpy_number() -> None:
    seat: Any = np.int8(1)
    assert Game(2).view(seat).viewer == 1


@pytest.mark.parametrize("players", [2.0, "2", None, True])
def test_players_are_a_whole_number(players: Any) -> None:
    with pytest.raises(ValueError, match="players: 2, 3 or 4"):
        Game(players)
    assert type(Game(np.int64(3)).options.players) is int  # type: ignore[arg-type]


def test_a_seat_never_plays_for_chance() -> None:
    game = Game(2, hands="seen")
    for seat in (0, 1):
        with pytest.raises(OutOfTurnError, match="by chance"):
            game.play("=RRRRRR", seat=seat)
    game.play("=RRRRRR")


def test_chance_is_no_place_in_a_list_of_bots() -> None:
    game = Game(4, hands="seen")
    assert game.to_move == CHANCE
    with pytest.raises(IndexError):
        ["a", "b", "c", "d"][game.to_move]


@pytest.mark.parametrize(
    "how", [copy.copy, copy.deepcopy, Game.copy, lambda game: pickle.loads(pickle.dumps(game))]
)
def test_copies_go_their_own_way(how: Any) -> None:
    game = Game(2, seed=3)
    game.play("@R")
    twin = how(game)
    twin.play("@G")
    assert game.tokens == ("@R",)
    assert twin.tokens == ("@R", "@G")
    game.play("@G")
    assert game.state.tobytes() == twin.state.tobytes()
    assert twin.undo() == "@G"


def test_a_game_of_thousands_of_moves_can_be_pickled() -> None:
    game, chance = Game(2, seed=3), random.Random(3)
    while not game.over:
        game.play(chance.choice(game.legal()))
    assert len(game.tokens) > 2000
    twin = pickle.loads(pickle.dumps(game))
    assert twin.tokens == game.tokens
    assert twin.undo() == game.undo()


def test_what_can_not_be_taken_back_any_more_is_still_told() -> None:
    game, light, chance = Game(3), Game(3), random.Random(5)
    while game.turns < 40:
        move = chance.choice(game.legal()) if game.due == 0 else game.copy().deal(seed=game.turns)
        for each in (game, light):
            each.play(move)
        light.keep_this_turn()
    assert light.tokens == game.tokens
    for seat in (None, 0, 1, 2):
        assert light.record(seat=seat) == game.record(seat=seat)
    for twin in (light.copy(), pickle.loads(pickle.dumps(light))):
        twin.resign(0)
        assert twin.resigned == {0: len(game.tokens)}
        assert twin.tokens == light.tokens
    assert len(pickle.dumps(light)) < len(pickle.dumps(game)) / 5


def test_this_turn_can_be_taken_back_when_the_earlier_ones_can_not() -> None:
    game, chance = Game(2, seed=3), random.Random(3)
    while not (game.turns > 10 and game.acted):
        game.play(chance.choice(game.legal()))
    whole = game.copy()
    game.keep_this_turn()
    while game.acted:
        assert game.undo() == whole.undo()
        assert game.state.tobytes() == whole.state.tobytes()
        assert game.tokens == whole.tokens
    with pytest.raises(OutOfTurnError, match="nothing to take back"):
        game.undo()


@pytest.mark.parametrize(
    "how", [copy.copy, copy.deepcopy, lambda view: pickle.loads(pickle.dumps(view))]
)
def test_views_stay_as_they_are(how: Any) -> None:
    view = table(hands=["RRG"]).view(0)
    twin = how(view)
    assert twin == view
    assert hash(twin) == hash(view)
    with pytest.raises(ValueError, match="read-only"):
        twin.fields.hand[0] = 9


def test_a_state_goes_through_bytes() -> None:
    game = table(hands=["RRG"])
    state = state_from_bytes(game.state.tobytes())
    assert state.tobytes() == game.state.tobytes()
    state.turn = 5
    assert game.turns == 0


@pytest.mark.parametrize(
    "error",
    [
        IllegalMoveError("smuggle_cost", "R12", palace="R", n=2),
        NotAMoveError("no_token", token="x"),
        RecordError(3, 4, "+R(R)", IllegalMoveError("full", "R6", palace="G")),
        RecordError(1, 1, "", key="header_missing", name="Rob", value="arrival"),
    ],
)
def test_errors_survive_copies_and_processes(error: MoveError | RecordError) -> None:
    for twin in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert type(twin) is type(error)
        assert str(twin) == str(error)
        assert twin.rule == error.rule
        assert twin.said("cs") == error.said("cs")


def _refused() -> None:
    Game(2).play("R>G(R)")


def test_a_refusal_in_another_process_arrives() -> None:
    with ProcessPoolExecutor(1) as pool, pytest.raises(OutOfTurnError, match="still being placed"):
        pool.submit(_refused).result()


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="language: en, de, nl, cs, not 'fr'"):
        IllegalMoveError("full", "R6", palace="G").said("fr")
