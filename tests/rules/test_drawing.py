"""R22 to R27: cards, and games that nobody wins."""

import pytest

from baghdad import CHANCE, OutOfTurnError
from tables import allows, refuses, table


def test_r22_three_cards_after_an_action() -> None:
    game = table(guards={"R": "1n"}, hands=["R"])
    refuses(game, ".", "R23", "no action was taken")
    game.play("R>G(R)")
    for token in ("-", "-*"):
        refuses(game, token, "R22", "an action was taken")
    game.play(".")
    assert game.to_move == CHANCE
    assert game.legal_tokens() == ["="]
    for cards in ("", "RG", "RGWP"):
        refuses(game, f"={cards}", "R22", "3 cards are due")
    refuses(game, "+R(R)", "R22", "cards are drawn first", OutOfTurnError)
    game.play("=RGW")
    assert game.position()["hands"][0] == [1, 1, 1, 0, 0, 0, 0]
    assert game.to_move == 1


def test_r23_four_cards_after_none() -> None:
    game = table(guards={"R": "1n"}, hands=["R"])
    game.play("-")
    refuses(game, "=RGW", "R23", "4 cards are due")
    game.play("=RGWP")
    assert sum(game.position()["hands"][0]) == 5


def test_r23_or_three_and_a_dancer() -> None:
    game = table(hands=["R"])
    game.play("-*")
    assert game.position()["dancers"] == 7
    assert game.position()["hands"][0] == [1, 0, 0, 0, 0, 0, 1]
    refuses(game, "=RGWP", "R23", "3 cards are due")
    refuses(game, "R>G(R)", "R23", "cards are drawn first", OutOfTurnError)
    game.play("=RGW")
    assert sum(game.position()["hands"][0]) == 5


def test_r23_no_dancer_without_one_in_the_supply() -> None:
    game = table(hands=["*" * 4, "*" * 4])
    refuses(game, "-*", "R23", "no dancer is left in the supply")
    allows(game, "-")


def test_r23_doing_nothing_is_always_a_free_choice() -> None:
    allows(table(guards={"R": "1n"}, hands=["RRRR"]), "-", "-*", "+R(R)")


def test_r24_the_discard_pile_becomes_the_stack_when_a_card_is_needed() -> None:
    game = table(hands=[""], deck="RG", discard="WWWW")
    game.play("-")
    refuses(game, "=WRGW", "R24", "white: no such card is left in the stack")
    refuses(game, "=RGGW", "R24", "green: no such card is left in the stack")
    game.play("=GRWW")
    assert game.position()["deck"] == [0, 0, 2, 0, 0, 0]
    assert game.position()["discard"] == [0] * 6


def test_r24_not_before_it_is_needed() -> None:
    game = table(hands=[""], deck="RGW", discard="PPP")
    game.play("-*")
    game.play("=RGW")
    assert game.position()["deck"] == [0] * 6
    assert game.position()["discard"] == [0, 0, 0, 3, 0, 0]


def test_r24_cards_paid_this_turn_can_come_back() -> None:
    game = table(guards={"R": "1n"}, hands=["RR"], deck="G")
    game.play("+R(R)")
    game.play("R>G(R)")
    game.play(".")
    game.play("=GRR")
    assert game.position()["hands"][0] == [2, 1, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("there", ["", "R", "RG"])
def test_r25_the_player_takes_what_there_is(there: str) -> None:
    game = table(hands=[""], deck=there)
    game.play("-")
    assert game.due == len(there)
    refuses(game, "=RGWP", "R25", f"{len(there)} card")
    game.play(f"={there}")
    assert sum(game.position()["hands"][0]) == len(there)
    assert game.to_move == 1


def test_r26_sizes_and_dancers_are_public_and_palace_cards_are_not() -> None:
    game = table(3, hands=["RRG*", "WW**", "P"])
    view = game.view(0)
    assert view.hand == (2, 1, 0, 0, 0, 0, 1)
    assert view.hand_sizes == (4, 4, 1)
    assert view.hand_dancers == (1, 2, 0)
    other = table(3, hands=["RRG*", "YY**", "B"])
    assert other.view(0) == view
    assert other.view(None) == game.view(None)
    assert other.view(1) != game.view(1)


def test_r26_no_hand_limit() -> None:
    game = table(hands=["R" * 17 + "G" * 17 + "W" * 17 + "P" * 17])
    game.play("-")
    game.play("=YYYY")
    assert sum(game.position()["hands"][0]) == 72


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r27_stalemate_when_nobody_acts_or_gains(players: int) -> None:
    game = table(players, hands=["********"], deck="")
    for seat in range(players):
        assert game.to_move == seat
        game.play("-")
        assert game.position()["to_move"] == "chance"
        game.play("=")
    assert game.over
    assert game.winner is None
    assert game.result == "-"
    assert game.position()["to_move"] is None
    with pytest.raises(OutOfTurnError, match="R27: the game is over"):
        game.play("-")


def test_r27_a_dancer_is_a_gain() -> None:
    game = table(deck="")
    for token in ("-", "=", "-*", "=", "-", "="):
        game.play(token)
    assert not game.over
    game.play("-")
    game.play("=")
    assert game.over


def test_r27_an_action_breaks_the_row() -> None:
    game = table(guards={"R": "1n"}, hands=["*", "*" * 7], deck="", seat=2)
    for token in ("-", "=", "R>G(*)", ".", "=", "-", "="):
        game.play(token)
    assert not game.over
    game.play("-")
    game.play("=")
    assert game.over
