"""The worked examples of the rulebooks, and the remarks in which those differ, told in our words.

A rulebook is named as a table names it: `de`, `en`, `nl` and `cs` are of 2006, `12thieves` is the
later German one. Where players have colours in an example they sit as in R4: green is seat 1, blue
seat 2, red seat 3.
"""

import pytest

from baghdad import Game
from baghdad.rules.options import RULEBOOKS, Rulebook
from support.tables import allows, refuses, table

GREEN, BLUE, RED = "123"
BOXES = RULEBOOKS[1:]
"""Those that come in a box; the first is ours."""
ONLY_SMUGGLED: tuple[Rulebook, ...] = ("de", "en", "12thieves")


@pytest.fixture(params=BOXES)
def rulebook(request: pytest.FixtureRequest) -> Rulebook:
    """Each rulebook that comes in a box."""
    found: Rulebook = request.param
    return found


def smuggling(rulebook: Rulebook, players: int, hand: str = "RRR") -> Game:
    """Before the red palace stand a guard of green, one of blue and a neutral one."""
    return table(players, guards={"R": GREEN + BLUE + "n"}, hands=[hand], rulebook=rulebook)


# Smuggling into red: in all five rulebooks (R10, R12, R18).


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r12_green_smuggles_past_blue_and_the_neutral_guard(
    rulebook: Rulebook, players: int
) -> None:
    """Two red cards: one for blue's guard, one for the neutral one, none for green's own."""
    game = smuggling(rulebook, players)
    allows(game, "+R(RR)")
    game.play("+R(RR)")
    position = game.position()
    assert position["thieves"]["R"] == [1, 0, 0, 0]
    assert position["guards"]["R"] == [1, 1, 0, 0, 1]
    assert position["hands"][0] == [1, 0, 0, 0, 0, 0, 0]
    assert position["discard"] == [2, 0, 0, 0, 0, 0]
    assert game.state.stock[0] == 11


def test_r12_green_pays_neither_less_nor_for_the_own_guard(rulebook: Rulebook) -> None:
    refuses(smuggling(rulebook, 3), "+R(R)", "R12", "costs 2 cards")
    refuses(smuggling(rulebook, 3), "+R(RRR)", "R12", "costs 2 cards")
    refuses(smuggling(rulebook, 3, "RG"), "+R(RR)", "R12", "this costs 2 cards")


@pytest.mark.parametrize("seat", [1, 2])
def test_r12_blue_would_pay_the_same_at_the_same_palace(rulebook: Rulebook, seat: int) -> None:
    """To blue the guard of green is the foreign one (R10)."""
    game = table(
        3, guards={"R": GREEN + BLUE + "n"}, hands=["RR", "RR"], seat=seat, rulebook=rulebook
    )
    allows(game, "+R(RR)")


# The chest with the five: in all five rulebooks (R1, R19).


def five(rulebook: Rulebook, own: int) -> Game:
    """Red has lost its first chest, so that the top one needs five; blue has thieves there, too."""
    return table(
        guards={"R": GREEN + "n", "G": GREEN},
        thieves={"R": GREEN * own + BLUE * 2, "G": GREEN},
        hands=["RRG"],
        chests={"R": 3},
        rulebook=rulebook,
    )


def test_r19_the_chest_with_the_five_takes_five_thieves(rulebook: Rulebook) -> None:
    game = five(rulebook, own=3)
    game.play("+R(R)")
    assert game.position()["loot"] == [0, 0]
    game.play("+R(R)")
    position = game.position()
    assert position["loot"] == [1, 0]
    assert position["chests"]["R"] == 2
    assert position["thieves"]["R"] == [0, 2, 0, 0], "those of others stay"
    assert position["guards"]["R"] == [1, 0, 0, 0, 1], "guards stay"
    assert game.state.stock[0] == 11, "five are back, and may be used at once"


def test_r19_thieves_of_others_do_not_help_to_carry(rulebook: Rulebook) -> None:
    game = five(rulebook, own=2)
    game.play("+R(R)")
    assert game.position()["thieves"]["R"] == [3, 2, 0, 0]
    assert game.position()["loot"] == [0, 0]


@pytest.mark.parametrize("named", RULEBOOKS)
def test_r19_whether_a_thief_taken_along_is_the_fifth(named: Rulebook) -> None:
    """German, English and 12 Thieves name the smuggled one; Dutch and Czech want the number."""
    game = five(named, own=4)
    game.play("G>>R(G)")
    if named in ONLY_SMUGGLED:
        assert game.position()["loot"] == [0, 0]
        assert game.position()["thieves"]["R"] == [5, 2, 0, 0]
        game.play("+R(R)")
        assert game.position()["thieves"]["R"] == [1, 2, 0, 0], "the sixth stays"
    else:
        assert game.position()["thieves"]["R"] == [0, 2, 0, 0]
    assert game.position()["loot"] == [1, 0]


# One guard moved twice: in 12 Thieves (R9, R11, R13, R14, R18).


def twice(rulebook: Rulebook = "12thieves", hand: str = "WW") -> Game:
    """A guard of red at the green palace, a thief of red inside the white one."""
    return table(
        3,
        guards={"G": RED + "n", "W": "n", "P": "n"},
        thieves={"W": RED},
        hands=["", "", hand],
        seat=3,
        rulebook=rulebook,
    )


def test_r13_r14_a_guard_moves_twice_the_second_time_with_a_thief() -> None:
    """A white card from green to white, and a white card on to purple, thief and all."""
    game = twice()
    allows(game, "G>W(W)")
    refuses(game, "G>>W(W)", "R14", "no own thief in the courtyard of green")
    game.play("G>W(W)")
    assert game.position()["guards"]["W"] == [0, 0, 1, 0, 1]
    assert game.state.thief_actions == 0
    allows(game, "W>>P(W)", "W>P(W)")
    game.play("W>>P(W)")
    position = game.position()
    assert position["guards"]["G"] == position["guards"]["W"] == [0, 0, 0, 0, 1]
    assert position["guards"]["P"] == [0, 0, 1, 0, 1]
    assert position["thieves"]["W"] == [0, 0, 0, 0]
    assert position["thieves"]["P"] == [0, 0, 1, 0]
    assert position["hands"][2] == [0] * 7
    assert position["discard"] == [0, 0, 2, 0, 0, 0]
    assert game.state.thief_actions == 1, "only the second had a thief in it"
    assert game.legal_tokens() == ["."]
    game.play(".")
    game.play("=RGY")
    assert sum(game.position()["hands"][2]) == 3, "three cards, however many actions (R22)"


@pytest.mark.parametrize("named", RULEBOOKS)
@pytest.mark.parametrize("hand", ["GW", "GP", "WP", "W*", "**"])
def test_r13_r14_other_cards_would_pay_for_it_as_well(named: Rulebook, hand: str) -> None:
    """Each step takes a card of either of its palaces, or a dancer, under any rulebook."""
    game = twice(named, hand)
    game.play(f"G>W({hand[0]})")
    allows(game, f"W>>P({hand[1]})")


def test_r13_r14_a_card_of_neither_palace_pays_for_nothing() -> None:
    refuses(twice(hand="PW"), "G>W(P)", "R13", "exactly one card")
    game = twice(hand="WG")
    game.play("G>W(W)")
    refuses(game, "W>>P(G)", "R14", "exactly one card")


# No dancer is left: a remark of all five, and the Czech one has another (R23).


@pytest.mark.parametrize("named", RULEBOOKS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_r23_what_comes_in_place_of_a_dancer(named: Rulebook, players: int) -> None:
    """Four from the stack; by the Czech one the first may be of a palace that is named."""
    game = table(players, hands=["*" * 8], rulebook=named)
    allows(game, "-")
    refuses(game, "-*", "R23", "no dancer is left")
    if named != "cs":
        refuses(game, "-R", "R23", "at this table")
    else:
        allows(game, *(f"-{letter}" for letter in "RGWPYB"))
        game.play("-R")
        game.play("=RGGW")
        assert sum(game.position()["hands"][0]) == 12


# The first hands: in all five rulebooks (R7). The Czech one adds that nobody looks yet.


@pytest.mark.parametrize(("players", "cards"), [(2, (6, 7)), (3, (6, 7, 8)), (4, (6, 7, 8, 9))])
def test_r7_later_seats_get_more_cards_when_all_guards_stand(
    rulebook: Rulebook, players: int, cards: tuple[int, ...]
) -> None:
    game = Game(players, rulebook=rulebook, seed=7)
    while game.placing:
        assert game.view(0).hand_sizes == (0,) * players
        game.play(game.legal()[0])
    assert game.view(0).hand_sizes == cards
