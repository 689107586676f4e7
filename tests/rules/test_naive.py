"""The second reading by itself: each rule of edition 2, allowed and refused.

Lockstep shows that engine and second reading agree; here the second reading is held to the text.
"""

from collections.abc import Mapping, Sequence

import pytest

from support.naive import DANCER, PALACES, NaiveGame


def middle(
    players: int = 2,
    *,
    hands: Sequence[str] = (),
    stack: str | None = None,
    discard: str = "",
    dancers: int = 8,
    guards: Mapping[str, str] | None = None,
    stock: Sequence[int] = (),
    rob: str = "arrival",
    spare: str = "stack",
) -> NaiveGame:
    """A game in its first turn, with these cards and pieces."""
    game = NaiveGame(players, rob=rob, spare=spare)
    game.phase = "turn"
    game.own_to_place = dict.fromkeys(game.seats, 0)
    for seat, hand in zip(game.seats, hands, strict=False):
        game.hand[seat] = list(hand)
    if stack is not None:
        game.stack = list(stack)
    game.discard = list(discard)
    game.dancers = dancers
    for palace, owners in (guards or {}).items():
        game.guards[palace] = list(owners)
    for seat, thieves in zip(game.seats, stock, strict=False):
        game.stock[seat] = thieves
    return game


def play(game: NaiveGame, tokens: str) -> NaiveGame:
    for token in tokens.split():
        game.play(token)
    return game


def refuses(game: NaiveGame, token: str) -> None:
    """The token is not legal, and nothing changes."""
    before = game.position()
    with pytest.raises(ValueError, match=r".+"):
        game.play(token)
    assert game.position() == before


NAMES = [f"-{palace}" for palace in PALACES]

# R7 and the option `deal`


@pytest.mark.parametrize(
    ("players", "deal", "cards"),
    [
        (2, None, [6, 7]),
        (3, None, [6, 7, 8]),
        (4, None, [6, 7, 8, 9]),
        (2, (6, 8), [6, 8]),
        (3, (6, 7, 9), [6, 7, 9]),
        (4, (8, 7, 8, 9), [8, 7, 8, 9]),
        (2, (1, 25), [1, 25]),
        (4, (25, 25, 25, 25), [25] * 4),
    ],
)
@pytest.mark.parametrize("hands", ["hidden", "seen"])
def test_r7_first_hands(
    players: int, deal: tuple[int, ...] | None, cards: list[int], hands: str
) -> None:
    game = NaiveGame(players, deal=deal, hands=hands)
    while game.phase == "placing":
        game.play(game.legal()[0])
    came = []
    while game.phase == "dealing":
        came.append(game.due())
        refuses(game, "=" + "".join(game.stack[: game.due() - 1]))
        game.play("=" + "".join(game.stack[: game.due()]))
    assert came == cards
    assert [len(game.hand[seat]) for seat in game.seats] == cards
    assert len(game.stack) == 102 - sum(cards)


@pytest.mark.parametrize("deal", [(), (6,), (6, 7, 8), (0, 7), (6, 26), (-1, 7)])
def test_a_deal_has_a_number_for_each_seat(deal: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"cards|number"):
        NaiveGame(2, deal=deal)


# R23 and the option `spare`


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r23_a_palace_may_be_named_where_no_dancer_is_left(players: int) -> None:
    game = middle(players, dancers=0, spare="chosen")
    assert game.legal() == sorted(["-", *NAMES])


@pytest.mark.parametrize(
    ("dancers", "spare", "legal"),
    [(0, "stack", ["-"]), (1, "stack", ["-", "-*"]), (1, "chosen", ["-", "-*"])],
)
def test_r23_no_palace_is_named_otherwise(dancers: int, spare: str, legal: list[str]) -> None:
    game = middle(dancers=dancers, spare=spare)
    assert game.legal() == legal
    refuses(game, "-R")


def test_r23_no_palace_is_named_after_an_action() -> None:
    game = middle(hands=["R"], guards={"R": "1"}, dancers=0, spare="chosen")
    game.play("R>G(R)")
    for name in NAMES:
        refuses(game, name)


def test_r23_a_dancer_paid_ends_the_naming() -> None:
    game = middle(hands=["R", DANCER], guards={"G": "2"}, dancers=0, spare="chosen")
    play(game, "-R =RGGG")
    assert set(NAMES) <= set(game.legal())
    play(game, "G>R(*) . =RRR")
    assert "-*" in game.legal()
    assert not set(NAMES) & set(game.legal())


def test_r23_no_palace_is_named_where_no_card_is_left() -> None:
    game = middle(stack="", dancers=0, spare="chosen")
    assert game.legal() == ["-"]
    refuses(game, "-R")
    for stack, discard in [("G", ""), ("", "G")]:
        game = middle(stack=stack, discard=discard, dancers=0, spare="chosen")
        assert set(NAMES) <= set(game.legal())


def test_r23_the_named_card_comes_first_then_any_three() -> None:
    game = middle(stack="RGGWWP", dancers=0, spare="chosen")
    game.play("-R")
    assert (game.legal(), game.due(), game.named) == (["="], 4, "R")
    for cards in ("=GRWP", "=GGWW", "=RGW", "=RRGW", "=RGWPG", "=RYGG"):
        refuses(game, cards)
    game.play("=RGWP")
    assert game.hand["1"] == list("RGWP")
    assert (game.seat, game.position()["named"]) == ("2", None)


def test_r23_any_card_comes_where_the_stack_holds_none_of_the_palace() -> None:
    game = middle(stack="GGWWP", discard="RRR", dancers=0, spare="chosen")
    game.play("-R")
    for cards in ("=RGGW", "=YGGW"):
        refuses(game, cards)
    game.play("=PGGW")
    assert game.stack == ["W"]


def test_r23_the_named_card_is_sought_in_a_renewed_stack() -> None:
    """R24: the stack was used up when there was no discard pile; a card is needed now."""
    game = middle(stack="", discard="RGGG", dancers=0, spare="chosen")
    game.play("-R")
    assert game.stack == []
    refuses(game, "=GGGR")
    game.play("=RGGG")


def test_r23_only_the_first_card_is_the_named_one() -> None:
    """The stack held none of red; that the renewed one does changes nothing any more."""
    game = middle(stack="G", discard="RRWW", dancers=0, spare="chosen")
    game.play("-R")
    refuses(game, "=RGRW")
    play(game, "=GWWR")


# R24


def test_r24_the_stack_is_renewed_after_the_last_card_of_a_draw() -> None:
    game = middle(stack="RGWP", discard="YYB")
    play(game, "- =WRPG")
    assert (sorted(game.stack), game.discard) == (["B", "Y", "Y"], [])


def test_r24_what_is_paid_next_is_not_shuffled_in() -> None:
    game = middle(stack="RGWP", discard="YYB", hands=["", "R"], guards={"R": "2"})
    play(game, "- =WRPG R>G(R)")
    assert (sorted(game.stack), game.discard) == (["B", "Y", "Y"], ["R"])
    game.play(".")
    refuses(game, "=YYR")
    play(game, "=YYB")
    assert (game.stack, game.discard) == (["R"], [])


def test_r24_the_stack_is_renewed_in_the_middle_of_a_draw() -> None:
    game = middle(stack="RG", discard="WWP")
    game.play("-")
    for cards in ("=WRGW", "=RWGW", "=RGRW", "=RGWWP"):
        refuses(game, cards)
    game.play("=GRWW")
    assert (game.stack, game.discard) == (["P"], [])


def test_r24_and_again_where_the_new_stack_is_used_up_too() -> None:
    game = middle(stack="RG", discard="WP")
    play(game, "- =GRPW")
    assert (game.stack, game.discard) == ([], [])


def test_r24_where_there_is_no_discard_pile_it_waits_until_a_card_is_needed() -> None:
    game = middle(stack="RGWP", hands=["", "RR"], guards={"R": "2"})
    play(game, "- =RGWP")
    assert (game.stack, game.discard) == ([], [])
    play(game, "R>G(R)")
    assert (game.stack, game.discard) == ([], ["R"])
    play(game, "G>R(R) .")
    assert (game.stack, game.discard, game.due()) == ([], ["R", "R"], 2)
    play(game, "=RR")
    assert (game.stack, game.discard) == ([], [])


def test_r24_renewed_when_needed_with_more_than_the_draw_takes() -> None:
    game = middle(stack="", hands=["RRRRR"], guards={"R": "1"})
    play(game, "R>G(R) G>R(R) R>G(R) G>R(R) R>G(R) . =RRR")
    assert (game.stack, game.discard) == (["R", "R"], [])


# R25


@pytest.mark.parametrize(("cards", "due"), [("", 0), ("R", 1), ("RG", 2), ("RGW", 3)])
def test_r25_the_player_takes_what_there_is(cards: str, due: int) -> None:
    for end in ("-", "-*"):
        game = middle(stack=cards)
        game.play(end)
        assert game.due() == due
        refuses(game, "=RRRR")
        refuses(game, f"={cards}R")
        game.play(f"={cards}")
        assert len(game.hand["1"]) == due + (end == "-*")


def test_r25_a_named_card_counts_among_what_there_is() -> None:
    game = middle(stack="G", discard="R", dancers=0, spare="chosen")
    game.play("-R")
    refuses(game, "=RG")
    game.play("=GR")
    assert (game.hand["1"], game.stack, game.discard) == (["G", "R"], [], [])


# R27


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r27_nobody_acts_and_nobody_gains(players: int) -> None:
    game = middle(players, stack="", dancers=0)
    for _ in range(players):
        assert game.phase == "turn"
        play(game, "- =")
    assert game.position()["to_move"] is None
    assert game.position()["winner"] is None
    assert game.legal() == []
    refuses(game, "-")
    refuses(game, "=")


def test_r27_a_dancer_a_card_and_an_action_each_break_the_succession() -> None:
    dancer = play(middle(stack="", dancers=1), "- = -* = - =")
    assert dancer.phase == "turn"
    assert play(dancer, "- =").phase == "over"
    card = middle(stack="", discard="R", dancers=0, spare="chosen")
    assert play(card, "-G =R - =").phase == "turn"
    assert play(card, "- =").phase == "over"
    action = middle(stack="", dancers=0, hands=["", "R"], guards={"R": "2"})
    assert play(action, "- = R>G(R) . =R").phase == "turn"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r27_no_thief_in_any_stock_ends_the_game_under_smuggle(players: int) -> None:
    game = middle(players, hands=["RR"], guards={"R": "1n"}, stock=[2] + [0] * 3, rob="smuggle")
    play(game, "+R(R)")
    assert game.phase == "turn"
    play(game, "+R(R)")
    assert game.position()["to_move"] is None
    assert game.winner is None
    assert game.legal() == []
    refuses(game, ".")


def test_r27_a_thief_in_one_stock_is_enough() -> None:
    for others in ([1, 0], [0, 1]):
        game = middle(3, hands=["R"], guards={"R": "1n"}, stock=[1, *others], rob="smuggle")
        assert play(game, "+R(R) .").phase == "drawing"


def test_r27_not_under_arrival_where_carried_thieves_rob() -> None:
    game = middle(hands=["R"], guards={"R": "1n"}, stock=[1, 0])
    assert play(game, "+R(R) .").phase == "drawing"


def test_r27_what_a_robbery_gives_back_counts() -> None:
    game = middle(hands=["R"], guards={"R": "1n"}, stock=[1, 0], rob="smuggle")
    game.courtyard["R"] = ["1"] * 3
    play(game, "+R(R)")
    assert (game.phase, game.stock["1"], game.loot["1"]) == ("turn", 4, [4])


def test_r27_with_the_last_robbery_the_game_is_won() -> None:
    game = middle(hands=["R"], guards={"R": "1n"}, stock=[1, 0], rob="smuggle")
    game.courtyard["R"] = ["1"] * 3
    game.loot["1"] = [4, 4, 4, 4, 4]
    assert play(game, "+R(R)").position()["winner"] == 1
