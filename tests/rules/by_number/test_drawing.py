"""R22 to R27: cards, and games that nobody wins."""

from typing import Any

import pytest

from baghdad import CHANCE, Game, OutOfTurnError
from support.tables import allows, refuses, table


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


ALL_DANCERS = ["*" * 4, "*" * 4]
"""Hands that leave no dancer in the supply."""
NAMES = tuple(f"-{palace}" for palace in "RGWPYB")


def chosen(players: int = 2, **given: Any) -> Game:
    """A table where whoever does nothing may name a palace."""
    given.setdefault("hands", ALL_DANCERS)
    return table(players, spare="chosen", **given)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r23_where_no_dancer_is_left_a_palace_may_be_named(players: int) -> None:
    game = chosen(players)
    allows(game, "-", *NAMES)
    refuses(game, "-*", "R23", "no dancer is left in the supply")
    game.play("-G")
    assert game.position()["named"] == "G"
    assert game.view(1).fields.named == game.view(None).fields.named == 1
    assert game.due == 4
    refuses(game, "=RGWP", "R23", "green")
    refuses(game, "=GRW", "R23", "4 cards are due")
    game.play("=GRWP")
    assert game.position()["named"] is None
    assert game.position()["hands"][0] == [1, 1, 1, 1, 0, 0, 4]
    assert game.to_move == 1


@pytest.mark.parametrize("palace", "RGWPYB")
def test_r23_every_palace_may_be_named_whatever_the_stack_holds(palace: str) -> None:
    """What is legal depends only on what everybody sees."""
    game = chosen(deck="RRRRRRRR")
    allows(game, "-", *NAMES)
    game.play(f"-{palace}")
    game.play("=RRRR")
    assert game.position()["hands"][0] == [4, 0, 0, 0, 0, 0, 4]


def test_r23_only_the_first_card_of_the_draw_is_the_named_one() -> None:
    game = chosen(deck="GRRRRR")
    game.play("-G")
    refuses(game, "=RGRR", "R23", "green")
    refuses(game, "=GGRR", "R24", "green: no such card is left in the stack")
    game.play("=GRRR")


def test_r23_where_the_stack_holds_none_any_card_comes() -> None:
    game = chosen(deck="RRRRR", discard="GG")
    game.play("-G")
    refuses(game, "=GRRR", "R24", "green: no such card is left in the stack")
    game.play("=RRRR")


def test_r23_a_stack_that_is_renewed_for_the_draw_is_asked_for_the_named_card() -> None:
    game = chosen(deck="", discard="GGWWW")
    game.play("-G")
    refuses(game, "=WGWW", "R23", "green")
    game.play("=GWWW")


@pytest.mark.parametrize(("there", "came"), [("R", "R"), ("RG", "GR"), ("RGG", "GRG")])
def test_r25_a_named_card_counts_among_what_there_is(there: str, came: str) -> None:
    game = chosen(deck=there)
    game.play("-G")
    refuses(game, "=GRGR", "R25", f"{len(there)} card")
    game.play(f"={came}")
    assert sum(game.position()["hands"][0][:6]) == len(there)


def test_r23_no_name_while_the_supply_has_a_dancer() -> None:
    game = chosen(hands=["*" * 4, "*" * 3])
    for token in NAMES:
        refuses(game, token, "R23", "dancer")
    allows(game, "-", "-*")


def test_r23_no_name_where_neither_stack_nor_discard_pile_has_a_card() -> None:
    game = chosen(deck="")
    for token in NAMES:
        refuses(game, token, "R23", "empty")
    allows(game, "-")


def test_r23_a_discard_pile_alone_is_enough_for_a_name() -> None:
    allows(chosen(deck="", discard="R"), *NAMES)


def test_r22_no_name_after_an_action() -> None:
    game = chosen(guards={"R": "1n"}, hands=["R****", "****"])
    game.play("R>G(R)")
    for token in NAMES:
        refuses(game, token, "R22", "an action was taken")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r23_by_the_usual_rules_no_palace_is_named(players: int) -> None:
    game = table(players, hands=ALL_DANCERS)
    for token in NAMES:
        refuses(game, token, "R23", "table")
    allows(game, "-")


def test_r27_a_named_card_is_a_gain() -> None:
    game = chosen(deck="R")
    for token in ("-G", "=R", "-", "=", "-", "="):
        assert not game.over
        game.play(token)
    assert game.over


def test_r24_the_discard_pile_becomes_the_stack_in_the_middle_of_a_draw() -> None:
    game = table(hands=[""], deck="RG", discard="WWWW")
    game.play("-")
    refuses(game, "=WRGW", "R24", "white: no such card is left in the stack")
    refuses(game, "=RGGW", "R24", "green: no such card is left in the stack")
    game.play("=GRWW")
    assert game.position()["deck"] == [0, 0, 2, 0, 0, 0]
    assert game.position()["discard"] == [0] * 6


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r24_the_last_card_of_a_draw_brings_the_new_stack_at_once(players: int) -> None:
    game = table(players, hands=[""], deck="RGW", discard="PPP")
    game.play("-*")
    game.play("=RGW")
    assert game.position()["deck"] == [0, 0, 0, 3, 0, 0]
    assert game.position()["discard"] == [0] * 6


def test_r24_what_the_next_player_pays_is_not_in_the_new_stack() -> None:
    game = table(guards={"R": "2n"}, hands=["", "RRR"], deck="GWP", discard="YYY")
    for token in ("-*", "=GWP", "+R(R)", "."):
        game.play(token)
    refuses(game, "=RYY", "R24", "red: no such card is left in the stack")
    game.play("=YYY")
    assert game.position()["deck"] == [1, 0, 0, 0, 0, 0], "renewed again at once"


def test_r24_without_a_discard_pile_it_happens_when_a_card_is_next_needed() -> None:
    game = table(guards={"R": "2n"}, hands=["", "RRR"], deck="GWP")
    game.play("-*")
    game.play("=GWP")
    assert game.position()["deck"] == [0] * 6
    game.play("+R(R)")
    assert game.position()["deck"] == [0] * 6
    assert game.position()["discard"] == [1, 0, 0, 0, 0, 0]
    game.play(".")
    game.play("=R")
    assert game.position()["discard"] == [0] * 6


def test_r24_cards_paid_this_turn_can_come_back() -> None:
    game = table(guards={"R": "1n"}, hands=["RR"], deck="G")
    game.play("+R(R)")
    game.play("R>G(R)")
    game.play(".")
    game.play("=GRR")
    assert game.position()["hands"][0] == [2, 1, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("there", ["", "R", "RG", "RGG"])
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


def test_r25_is_what_breaks_when_fewer_are_left_than_a_pass_brings() -> None:
    game = table(hands=[""], deck="GGB")
    game.play("-")
    refuses(game, "=BBGG", "R25", "3 cards are due")
    twin = table(hands=[""], deck="GGB")
    twin.play("-*")
    refuses(twin, "=BBGG", "R23", "3 cards are due")


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


def everybody_out(players: int, in_stock: dict[int, int] | None = None, **given: Any) -> Game:
    """Seat 1 has one thief at home, the others as many as said, else none; the rest are out."""
    home = {1: 1} | (in_stock or {})
    thieves: dict[str, str] = {}
    for seat in range(1, players + 1):
        out = 12 - home.get(seat, 0)
        for palace in "GWPYB":  # three of a colour in a courtyard rob nothing
            here = min(3, out)
            thieves[palace] = thieves.get(palace, "") + str(seat) * here
            out -= here
    given = {"rob": "smuggle", "guards": {"R": "1n", "B": "12"}, "hands": ["RRBB"]} | given
    return table(players, thieves=thieves, **given)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r27_where_only_smugglers_rob_a_game_without_thieves_at_home_is_over(players: int) -> None:
    game = everybody_out(players)
    game.play("+R(R)")
    assert game.over
    assert (game.winner, game.result, game.due) == (None, "-", 0)
    assert game.position()["to_move"] is None
    with pytest.raises(OutOfTurnError, match="R27: the game is over: nobody has a thief"):
        game.play(".")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r27_it_goes_on_while_anybody_has_a_thief_at_home(players: int) -> None:
    for seat in range(2, players + 1):
        game = everybody_out(players, {seat: 1})
        game.play("+R(R)")
        assert not game.over
        allows(game, ".")


def test_r27_the_robbery_comes_first() -> None:
    game = everybody_out(2, guards={"G": "1n"}, hands=["GGG"])
    game.play("+G(G)")
    assert not game.over, "four thieves have taken a chest and are at home again"
    assert game.loot == (1, 0)


def test_r27_a_thief_that_is_carried_ends_nothing() -> None:
    game = everybody_out(2, {1: 0}, guards={"G": "1n"}, hands=["GG"])
    game.play("G>>W(G)")
    assert not game.over


def test_r27_where_any_arrival_robs_the_game_goes_on() -> None:
    game = everybody_out(2, rob="arrival")
    game.play("+R(R)")
    assert not game.over
