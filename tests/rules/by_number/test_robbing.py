"""R19 to R21: chests."""

import pytest

from baghdad import OutOfTurnError
from baghdad.rules.engine.material import Rob
from support.tables import allows, table


@pytest.mark.parametrize(("chests", "needed"), [(4, 4), (3, 5), (2, 6), (1, 7)])
def test_r19_a_smuggled_thief_robs_when_there_are_enough(chests: int, needed: int) -> None:
    game = table(
        guards={"R": "1n"},
        thieves={"R": "1" * (needed - 2) + "2"},
        hands=["RR"],
        chests={"R": chests},
    )
    game.play("+R(R)")
    assert game.position()["loot"] == [0, 0]
    game.play("+R(R)")
    position = game.position()
    assert position["loot"] == [1, 0]
    assert position["chests"]["R"] == chests - 1
    assert position["thieves"]["R"] == [0, 1, 0, 0]
    assert position["guards"]["R"] == [1, 0, 0, 0, 1]
    assert game.state.stock.tolist() == [12, 11, 0, 0]


def test_r19_a_thief_taken_along_robs_too() -> None:
    game = table(guards={"R": "1"}, thieves={"R": "1", "G": "111"}, hands=["R"])
    game.play("R>>G(R)")
    assert game.position()["loot"] == [1, 0]
    assert game.position()["thieves"]["G"] == [0, 0, 0, 0]


def test_r19_the_thieves_can_be_used_again_at_once() -> None:
    game = table(
        guards={"R": "1n"},
        thieves={"R": "111", "G": "111", "W": "111", "P": "11"},
        hands=["RR"],
    )
    assert game.state.stock[0] == 1
    game.play("+R(R)")
    assert game.state.stock[0] == 4
    allows(game, "+R(R)")


def test_r19_several_robberies_in_one_turn() -> None:
    game = table(
        guards={"R": "1n", "G": "1n", "W": "1n"},
        thieves={"R": "111", "G": "111", "W": "111"},
        hands=["RGW"],
    )
    for token in ("+R(R)", "+G(G)", "+W(W)"):
        game.play(token)
    assert game.position()["loot"] == [3, 0]


def test_r19_a_robbery_is_no_action_and_costs_nothing() -> None:
    game = table(guards={"R": "1n"}, thieves={"R": "111"}, hands=["RR"])
    game.play("+R(R)")
    assert game.state.thief_actions == 1
    assert game.position()["hands"][0][0] == 1


def test_r19_other_players_thieves_do_not_count() -> None:
    game = table(guards={"R": "1n"}, thieves={"R": "1222"}, hands=["R"])
    game.play("+R(R)")
    assert game.position()["loot"] == [0, 0]


def test_option_rob_smuggle_a_thief_taken_along_does_not_rob() -> None:
    game = table(
        guards={"R": "1", "G": "1n"}, thieves={"R": "1", "G": "111"}, hands=["RG"], rob="smuggle"
    )
    game.play("R>>G(R)")
    assert game.position()["loot"] == [0, 0]
    assert game.position()["thieves"]["G"] == [4, 0, 0, 0]
    game.play("+G(G)")
    assert game.position()["loot"] == [1, 0]
    assert game.position()["thieves"]["G"] == [1, 0, 0, 0], "the surplus stays"


def test_option_rob_smuggle_one_arrival_takes_one_chest() -> None:
    game = table(guards={"R": "1n"}, thieves={"R": "1" * 9}, hands=["RR"], rob="smuggle")
    game.play("+R(R)")
    assert game.position()["loot"] == [1, 0]
    assert game.position()["thieves"]["R"] == [6, 0, 0, 0]
    game.play("+R(R)")
    assert game.position()["loot"] == [2, 0]
    assert game.position()["thieves"]["R"] == [2, 0, 0, 0]


@pytest.mark.parametrize("rob", ["arrival", "smuggle"])
def test_r20_an_empty_palace_works_as_any_other(rob: Rob) -> None:
    game = table(
        guards={"R": "1n"}, thieves={"R": "1" * 9}, hands=["RRRR"], chests={"R": 0}, rob=rob
    )
    for _ in range(3):
        game.play("+R(R)")
    assert game.position()["loot"] == [0, 0]
    assert game.position()["thieves"]["R"] == [12, 0, 0, 0]


@pytest.mark.parametrize(("players", "goal"), [(2, 6), (3, 5), (4, 4)])
def test_r21_the_first_with_enough_chests_wins_at_once(players: int, goal: int) -> None:
    game = table(
        players,
        guards={"R": "1n", "G": "1n"},
        thieves={"R": "111", "G": "111"},
        hands=["RRG"],
        loot=[goal - 2],
    )
    game.play("+R(R)")
    assert not game.over
    game.play("+G(G)")
    assert game.over
    assert game.winner == 0
    assert game.result == "1"
    assert game.position()["to_move"] is None
    assert game.position()["winner"] == 1
    assert game.legal() == []
    for token in (".", "=RGW", "+R(R)", "@R", "R>R(R)"):
        with pytest.raises(OutOfTurnError, match="R21: the game is over: seat 1 has won"):
            game.play(token)
