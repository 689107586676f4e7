"""R9 to R18: actions and what they cost."""

import pytest

from baghdad import Game, OutOfTurnError
from support.tables import allows, refuses, table


def test_r9_any_number_of_actions_in_any_order_or_none() -> None:
    game = table(guards={"R": "1n", "G": "n"}, hands=["RRRGGW"])
    allows(game, "-", "-*")
    for token in ("+R(R)", "R>G(R)", "nR>W(RW)", "G>R(G)", "."):
        allows(game, token)
        game.play(token)


def test_r9_only_as_far_as_the_cards_pay() -> None:
    game = table(guards={"R": "1n"}, hands=["R"])
    game.play("+R(R)")
    refuses(game, "+R(R)", "R12", "red: this costs 1 card")
    assert game.legal_tokens() == ["."]


def test_r9_no_draw_in_the_middle_of_a_turn() -> None:
    refuses(table(hands=["R"]), "=RGW", "R9", "no cards", OutOfTurnError)


@pytest.mark.parametrize(("players", "foreign"), [(2, "2"), (3, "3"), (4, "4"), (4, "n")])
def test_r10_a_foreign_guard_is_anybody_elses(players: int, foreign: str) -> None:
    allows(table(players, guards={"R": "1" + foreign}, hands=["R"]), "+R(R)")


def test_r11_three_actions_with_a_thief() -> None:
    game = table(guards={"R": "11n", "G": "n"}, thieves={"R": "1"}, hands=["RRRRRRRR"])
    for token in ("+R(R)", "+R(R)", "R>>G(R)"):
        game.play(token)
    for token in ("+R(R)", "R>>W(R)", "G>>R(R)"):
        refuses(game, token, "R11", "three actions with a thief")
    allows(game, "R>G(R)", ".")


def test_r11_counts_smuggling_and_taking_along_together() -> None:
    for tokens in (
        ["+R(R)"] * 3,
        ["R>>G(R)", "G>>R(R)", "R>>G(R)"],
        ["+R(R)", "R>>G(R)", "G>>R(R)"],
    ):
        game = table(guards={"R": "1n", "G": "n"}, thieves={"R": "1"}, hands=["RRRRRRRR"])
        for token in tokens:
            game.play(token)
        assert not [token for token in game.legal_tokens() if "+" in token or ">>" in token]


def test_r11_other_actions_are_unlimited_and_the_next_turn_is_fresh() -> None:
    game = table(guards={"R": "1n", "G": "2n"}, hands=["RRRRRRRRR", "GGGG"])
    for _ in range(4):
        game.play("R>W(R)")
        game.play("W>R(R)")
    game.play(".")
    game.play("=RRR")
    for _ in range(3):
        game.play("+G(G)")
    refuses(game, "+G(G)", "R11", "three")


def test_r12_smuggle_needs_an_own_guard() -> None:
    refuses(
        table(guards={"R": "2n"}, hands=["RR"]), "+R(RR)", "R12", "no own guard in front of red"
    )


def test_r12_smuggle_needs_a_foreign_guard() -> None:
    refuses(
        table(guards={"R": "11"}, hands=["R"]), "+R(R)", "R12", "no foreign guard in front of red"
    )


def test_r12_smuggle_needs_a_thief_in_stock() -> None:
    game = table(
        guards={"R": "1n"}, thieves={"R": "111", "G": "111", "W": "111", "P": "111"}, hands=["R"]
    )
    refuses(game, "+R(R)", "R12", "no thief is left in stock")


@pytest.mark.parametrize(
    ("guards", "cost"),
    [("1n", 1), ("11n", 1), ("111n", 1), ("12", 1), ("12n", 2), ("122n", 3), ("1nnn", 3)],
)
def test_r12_smuggle_costs_a_card_for_each_foreign_guard(guards: str, cost: int) -> None:
    game = table(guards={"R": guards}, hands=["RRR"])
    for paid in (1, 2, 3):
        token = f"+R({'R' * paid})"
        if paid == cost:
            allows(game, token)
        else:
            refuses(game, token, "R12", f"costs {cost} card")
    game.play(f"+R({'R' * cost})")
    assert game.position()["thieves"]["R"] == [1, 0, 0, 0]
    assert game.position()["hands"][0] == [3 - cost, 0, 0, 0, 0, 0, 0]


def test_r12_smuggle_is_paid_with_cards_of_that_palace_alone() -> None:
    game = table(guards={"R": "1n", "G": "12n"}, hands=["RGG"])
    refuses(game, "+R(G)", "R12", "cards of that palace and dancers only")
    refuses(game, "+G(RG)", "R12", "cards of that palace and dancers only")
    refuses(game, "+R()", "R12", "one to three cards")
    refuses(game, "+R(RRRR)", "R12", "one to three cards")


@pytest.mark.parametrize("card", ["R", "G"])
def test_r13_move_an_own_guard_for_a_card_of_either_palace(card: str) -> None:
    game = table(guards={"R": "1n", "G": "n"}, hands=[card])
    allows(game, f"R>G({card})")
    game.play(f"R>G({card})")
    assert game.position()["guards"]["R"] == [0, 0, 0, 0, 1]
    assert game.position()["guards"]["G"] == [1, 0, 0, 0, 1]
    assert sum(game.position()["hands"][0]) == 0


def test_r13_to_any_other_palace_with_a_free_field() -> None:
    game = table(guards={"R": "1", "G": "nnnn", "W": "222", "P": "2222"}, hands=["R"])
    assert game.legal_tokens() == ["-", "-*", "R>B(R)", "R>W(R)", "R>Y(R)"]
    refuses(game, "R>G(R)", "R13", "green is full")
    refuses(game, "R>P(R)", "R13", "purple is full")
    refuses(game, "R>R(R)", "R13", "another palace")


def test_r13_needs_an_own_guard_and_the_right_card() -> None:
    game = table(guards={"R": "1n", "G": "2"}, hands=["W"])
    refuses(game, "G>R(G)", "R13", "no own guard in front of green")
    refuses(game, "R>G(R)", "R13", "red: this costs 1 card")
    refuses(game, "R>G(G)", "R13", "green: this costs 1 card")
    refuses(game, "R>G(W)", "R13", "exactly one card")
    refuses(game, "R>G()", "R13", "exactly one card")
    refuses(game, "R>G(RG)", "R13", "exactly one card")


def test_r14_a_guard_takes_one_thief_along_for_the_same_card() -> None:
    game = table(guards={"R": "1"}, thieves={"R": "112"}, hands=["RG"])
    allows(game, "R>>G(R)", "R>>G(G)", "R>G(R)")
    game.play("R>>G(R)")
    position = game.position()
    assert position["guards"]["G"] == [1, 0, 0, 0, 0]
    assert position["thieves"]["R"] == [1, 1, 0, 0]
    assert position["thieves"]["G"] == [1, 0, 0, 0]
    assert position["hands"][0] == [0, 1, 0, 0, 0, 0, 0]


def test_r14_refusals() -> None:
    game = table(
        guards={"R": "1", "G": "2", "W": "nnnn"}, thieves={"R": "1", "G": "1"}, hands=["RP"]
    )
    refuses(game, "G>>R(R)", "R14", "no own guard in front of green")
    refuses(game, "R>>W(R)", "R14", "white is full")
    refuses(game, "R>>G(G)", "R14", "green: this costs 1 card")
    refuses(game, "R>>G(P)", "R14", "exactly one card")
    refuses(game, "R>>R(R)", "R14", "another palace")


def test_r15_a_neutral_guard_costs_a_card_of_both_palaces() -> None:
    game = table(guards={"R": "n", "G": "1"}, hands=["RG"])
    game.play("nR>G(RG)")
    assert game.position()["guards"]["G"] == [1, 0, 0, 0, 1]
    assert game.position()["discard"] == [1, 1, 0, 0, 0, 0]


def test_r15_refusals() -> None:
    game = table(guards={"R": "n", "G": "1", "W": "nnnn"}, thieves={"R": "1"}, hands=["RRW"])
    refuses(game, "nG>R(GR)", "R15", "no neutral guard in front of green")
    refuses(game, "nR>W(RW)", "R15", "white is full")
    refuses(game, "nR>G(RG)", "R15", "green: this costs 1 card")
    refuses(game, "nR>G(R)", "R15", "exactly two cards")
    refuses(game, "nR>G(RR)", "R15", "exactly two cards")
    refuses(game, "nR>R(RR)", "R15", "another palace")
    refuses(game, "nR>>G(RG)", "R15", "takes nobody along")
    no_red = table(guards={"R": "n"}, hands=["G"])
    refuses(no_red, "nR>G(RG)", "R15", "red: this costs 1 card")


def test_r16_other_players_guards_and_thieves_stay() -> None:
    game = table(guards={"R": "2", "G": "1"}, thieves={"G": "2"}, hands=["RG"])
    refuses(game, "R>G(R)", "R13", "no own guard in front of red")
    refuses(game, "G>>R(G)", "R14", "no own thief in the courtyard of green")


def test_r17_a_dancer_stands_in_for_any_card() -> None:
    game = table(guards={"R": "12n", "G": "n"}, thieves={"R": "1"}, hands=["RR**"])
    allows(game, "+R(RR)", "+R(R*)", "+R(**)", "R>G(*)", "R>>G(*)")
    allows(game, "nR>G(R*)", "nR>G(**)")
    refuses(game, "nR>G(*G)", "R15", "green: this costs 1 card")
    with_green = table(guards={"R": "n"}, hands=["G*"])
    allows(with_green, "nR>G(*G)")


def test_r17_dancers_must_be_in_the_hand() -> None:
    game = table(guards={"R": "12n", "G": "n"}, thieves={"R": "1"}, hands=["RRG*", "****"])
    refuses(game, "+R(**)", "R17", "paid with 2 dancers")
    refuses(game, "nR>G(**)", "R17", "paid with 2 dancers")
    none = table(guards={"R": "12n"}, thieves={"R": "1"}, hands=["RRG"])
    for token in ("+R(R*)", "R>G(*)", "R>>G(*)", "nR>G(R*)", "nR>G(*G)"):
        refuses(none, token, "R17", "paid with 1 dancer")


def test_r17_three_dancers_can_pay_for_three_guards() -> None:
    game = table(guards={"R": "1nnn"}, hands=["***"])
    game.play("+R(***)")
    assert game.position()["dancers"] == 8


def test_r18_palace_cards_are_discarded_and_dancers_go_back_at_once() -> None:
    game = table(guards={"R": "12n"}, hands=["R*"])
    assert game.position()["dancers"] == 7
    game.play("+R(R*)")
    assert game.position()["discard"] == [1, 0, 0, 0, 0, 0]
    assert game.position()["dancers"] == 8
    assert game.position()["hands"][0] == [0] * 7


def test_the_five_lines_of_the_readme() -> None:
    import random

    game = Game(players=2, seed=7)
    while not game.over and game.turns < 30:
        game.play(random.choice(game.legal()))
    assert "[Players" in game.record()
