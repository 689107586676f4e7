"""R1 to R8: what is in the box, and how a game begins."""

from typing import Any

import pytest

from baghdad import (
    CHANCE,
    Game,
    Options,
    OutOfTurnError,
)
from baghdad.rules.engine.material import CHESTS_TO_WIN, FIRST_HANDS, Hands
from support.tables import (
    EVERY_TABLE,
    allows,
    new_game,
    refuses,
)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r1_two_to_four_players_and_six_palaces_with_four_chests(players: int) -> None:
    position = Game(players).position()
    assert position["chests"] == dict.fromkeys("RGWPYB", 4)
    assert len(position["loot"]) == players


@pytest.mark.parametrize("players", [-1, 0, 1, 5, 40])
def test_r1_no_other_number_of_players(players: int) -> None:
    with pytest.raises(ValueError, match="players: 2, 3 or 4"):
        Game(players)


def test_r2_seventeen_cards_of_each_palace_and_eight_dancers() -> None:
    position = Game(2).position()
    assert position["deck"] == [17] * 6
    assert position["dancers"] == 8


def test_r2_a_dancer_is_never_dealt() -> None:
    game = Game(2, hands="seen")
    refuses(game, "=RGWPY*", "R2", "never in the stack")


@pytest.mark.parametrize(("players", "guards"), [(2, 4), (3, 3), (4, 2)])
def test_r3_guards_by_number_of_players_and_twelve_thieves(players: int, guards: int) -> None:
    state = Game(players).state
    assert state.unplaced[:, 0].tolist() == [guards] * players + [0] * (4 - players)
    assert state.stock.tolist() == [12] * players + [0] * (4 - players)


def test_r3_a_neutral_guard_in_front_of_every_palace() -> None:
    assert Game(2).position()["guards"] == {palace: [0, 0, 0, 0, 1] for palace in "RGWPYB"}


def test_r4_palaces_and_cards_have_letters_in_a_fixed_order() -> None:
    assert list(Game(2).position()["guards"]) == list("RGWPYB")


def test_r5_seat_1_begins_and_play_goes_round() -> None:
    game = Game(3)
    seats = []
    for palace in "RGWPYBRGW":
        seats.append(game.to_move)
        game.play(f"@{palace}")
    assert seats == [0, 1, 2] * 3


def test_r5_a_move_for_another_seat_is_refused() -> None:
    game = Game(2)
    with pytest.raises(OutOfTurnError, match="R5: it is seat 1’s turn"):
        game.play("@R", seat=1)
    game.play("@R", seat=0)
    game.play("@R", seat=1)


@pytest.mark.parametrize(("players", "rounds"), [(2, 4), (3, 3), (4, 2)])
def test_r6_guards_are_placed_in_turn_until_all_stand(players: int, rounds: int) -> None:
    game = Game(players)
    palaces = "RGWPYB" * 2
    for number in range(players * rounds):
        assert game.to_move == number % players
        game.play(f"@{palaces[number % 6]}")
    assert game.to_move == CHANCE
    assert sum(sum(guards[:players]) for guards in game.position()["guards"].values()) == (
        players * rounds
    )


def test_r6_never_more_than_four_guards() -> None:
    game = Game(2)
    for _ in range(3):
        allows(game, "@R")
        game.play("@R")
    refuses(game, "@R", "R6", "red is full")
    allows(game, "@G")


def test_r6_placing_and_acting_are_not_mixed() -> None:
    game = Game(2)
    for token in ("R>G(R)", "+R(R)", "R>>G(R)", "nR>G(RG)", ".", "-", "-*", "nR>>G(RG)"):
        refuses(game, token, "R6", "still being placed", OutOfTurnError)
    refuses(game, "=RGWPYB", "R6", "no cards", OutOfTurnError)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r7_six_and_one_more_for_each_further_seat(players: int) -> None:
    game = Game(players)
    while game.to_move != CHANCE:
        game.play(game.legal()[0])
    dealt = []
    while game.to_move == CHANCE:
        dealt.append(game.due)
        game.play("=" + "RGWPYBRGW"[: game.due])
    assert dealt == list(FIRST_HANDS[:players])
    assert game.to_move == 0
    assert [sum(hand) for hand in game.position()["hands"]] == dealt


DEALS = [(2, "6-8"), (2, (1, 25)), (3, "6-7-9"), (3, "balanced"), (4, "8-7-8-9"), (4, (25,) * 4)]


@pytest.mark.parametrize("hands", ["hidden", "seen"])
@pytest.mark.parametrize(("players", "deal"), DEALS)
def test_r7_other_first_hands_by_agreement(players: int, deal: Any, hands: Hands) -> None:
    game = Game(players, deal=deal, hands=hands)
    stack = "RGWPYB" * 17
    dealt: list[int] = []
    while len(dealt) < players:
        if game.to_move == CHANCE:
            cards, stack = stack[: game.due], stack[game.due :]
            refuses(game, f"={cards}R", "R7", f"{len(cards)} card")
            refuses(game, f"={cards[1:]}", "R7", f"{len(cards)} card")
            game.play(f"={cards}")
            dealt.append(len(cards))
        else:
            game.play(game.legal()[0])
    assert tuple(dealt) == game.options.deal
    assert game.view(0).hand_sizes == tuple(dealt)
    assert game.view(None).options == game.options


@pytest.mark.parametrize(
    "deal",
    ["6", "6-7-8", "0-7", "6-26", "6-7-", "-6-7", "six", "6 7", "٣-٣", (6,), (6, 7.0), 6],
)
def test_r7_first_hands_that_cannot_be_dealt(deal: Any) -> None:
    with pytest.raises(ValueError, match="deal: a number from 1 to 25 for each of 2 seats"):
        Game(2, deal=deal)


def test_r7_hidden_cards_come_when_all_guards_stand() -> None:
    game = Game(4)
    for palace in "RGWPRGWP":
        assert game.view(0).hand_sizes == (0, 0, 0, 0)
        game.play(f"@{palace}")
    assert game.to_move == CHANCE


def test_r7_seen_cards_come_first() -> None:
    game = Game(2, hands="seen")
    assert game.legal_tokens() == ["="]
    game.play("=RRRRRR")
    game.play("=GGGGGGG")
    assert game.view(1).hand == (0, 7, 0, 0, 0, 0, 0)
    assert game.to_move == 0
    for palace in "RGWPRGWP":
        game.play(f"@{palace}")
    assert game.to_move == 0
    allows(game, "-")


@pytest.mark.parametrize(
    ("cards", "rule", "words"),
    [
        ("", "R7", "6 cards are due, not 0"),
        ("RGWPY", "R7", "6 cards are due, not 5"),
        ("RGWPYBR", "R7", "6 cards are due, not 7"),
    ],
)
def test_r7_no_other_number_of_cards_is_dealt(cards: str, rule: str, words: str) -> None:
    refuses(Game(2, hands="seen"), f"={cards}", rule, words)


def test_r7_nobody_acts_before_the_deal() -> None:
    game = Game(2, hands="seen")
    for token in ("@R", "R>G(R)", "-", "R>R(R)"):
        refuses(game, token, "R7", "cards of seat 1 are dealt first", OutOfTurnError)


def test_r8_no_neutral_guard_is_placed_in_the_standard_game() -> None:
    refuses(Game(2), "@nR", "R8", "tactical variant")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r8_two_neutral_guards_each_in_any_order(players: int) -> None:
    game = Game(players, variant="neutral")
    assert not any(any(guards) for guards in game.position()["guards"].values())
    own = {2: 4, 3: 3, 4: 2}[players]
    for kind in ["@n", *["@"] * own, "@n"]:
        for seat in range(players):
            assert game.to_move == seat
            game.play(f"{kind}{'RGWPYB'[len(game.tokens) % 6]}")
    assert game.to_move == CHANCE
    assert sum(guards[4] for guards in game.position()["guards"].values()) == 2 * players


def test_r8_not_more_than_two_neutral_guards_nor_more_than_the_own() -> None:
    game = Game(4, variant="neutral")
    for palace in "RGWPRGWP":
        game.play(f"@n{palace}")
    refuses(game, "@nR", "R8", "both neutral guards are placed already")
    other = Game(4, variant="neutral")
    for palace in "RGWPRGWP":
        other.play(f"@{palace}")
    refuses(other, "@R", "R8", "all your own guards are placed already")
    allows(other, "@nR")


def test_r8_full_is_full_for_neutral_guards_too() -> None:
    game = Game(2, variant="neutral")
    for token in ("@R", "@nR", "@R", "@nR"):
        game.play(token)
    refuses(game, "@nR", "R6", "red is full")
    refuses(game, "@R", "R6", "red is full")


@pytest.mark.parametrize("options", EVERY_TABLE, ids=str)
def test_every_table_can_be_set_up(options: Options) -> None:
    game = new_game(options, seed=3)
    while not game.turns and game.to_move is not None and "-" not in game.legal_tokens():
        game.play(game.legal()[-1])
    assert sum(map(sum, game.position()["hands"])) == sum(6 + i for i in range(options.players))
    assert CHESTS_TO_WIN[options.players] == {2: 6, 3: 5, 4: 4}[options.players]
