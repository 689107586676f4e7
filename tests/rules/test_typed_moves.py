"""Moves as people type them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from baghdad import (
    ACTIONS,
    TOKENS,
    Game,
    MoveError,
    NotAMoveError,
)
from baghdad.rules.engine.material import DANCER
from support.strategies import games


@given(games(), st.data())
@settings(max_examples=60, deadline=None)
def test_every_token_and_its_small_letters_mean_the_action(game: Game, data: st.DataObject) -> None:
    for action in game.legal():
        token = TOKENS[action]
        for text in (token, token.lower(), f" {token.lower()} ", token.rstrip(")")):
            assert game.understand(text) == action
        move, bracket, paid = token.partition("(")
        if bracket:
            paid = "".join(data.draw(st.permutations(paid[:-1].lower())))
            assert game.understand(f"{move.lower()} ( {paid} )") == action
    if game.placing:
        assert all(
            TOKENS[game.understand(TOKENS[a][1:].lower())] == TOKENS[a] for a in game.legal()
        )


@given(games())
@settings(max_examples=60, deadline=None)
def test_without_a_payment_as_few_dancers_as_possible_pay(game: Game) -> None:
    legal = game.legal()
    for action in legal:
        move = TOKENS[action].partition("(")[0]
        ways = [other for other in legal if TOKENS[other].partition("(")[0] == move]
        fewest = min(ACTIONS[way].pays_dancers for way in ways)
        cheapest = [way for way in ways if ACTIONS[way].pays_dancers == fewest]
        if len(cheapest) == 1:
            assert game.understand(move.lower()) == cheapest[0]
        else:
            with pytest.raises(NotAMoveError) as caught:
                game.understand(move)
            assert all(TOKENS[way] in str(caught.value) for way in cheapest)


@given(games())
@settings(max_examples=60, deadline=None)
def test_what_is_not_legal_is_refused_with_the_words_of_play(game: Game) -> None:
    legal, before = set(game.legal()), game.record()
    for action, token in enumerate(TOKENS):
        if action not in legal:
            with pytest.raises(MoveError) as typed:
                game.understand(token.lower())
            with pytest.raises(MoveError) as played:
                game.play(action)
            assert str(typed.value) == str(played.value)
        with_payment = token.partition("(")[0]
        try:
            assert game.understand(with_payment) in legal
        except MoveError as error:
            assert error.said("cs")
    assert game.record() == before


@given(games(), st.text(max_size=50))
@settings(max_examples=100, deadline=None)
def test_any_text_means_a_legal_action_or_is_refused(game: Game, text: str) -> None:
    try:
        assert game.understand(text) in game.legal()
    except MoveError as error:
        assert error.said("de")


def dealt(first: str) -> Game:
    """Two players, everybody with a guard at red; seat 1 holds these six cards."""
    game = Game(players=2)
    for token in ["@R", "@R", "@G", "@G", "@W", "@P", "@Y", "@B", first, "=RRRGGGG"]:
        game.play(token)
    return game


@pytest.mark.parametrize(
    ("text", "rule", "key"),
    [
        ("+r", "R12", "smuggle_cost"),
        ("+b", "R12", "no_own_guard"),
        ("+r(g)", "R12", "smuggle_payment"),
        ("+r(wwww", "R12", "smuggle_payment"),
        ("+r(rrrr)", "R12", "smuggle_cost_range"),
        ("w>b(", "R13", "move_payment"),
        ("r>y", "R13", "move_payment"),
        ("r>r", "R13", "same_palace"),
        ("nr>>g", "R15", "neutral_alone"),
        ("nr>y", "R15", "neutral_payment"),
        ("r>>b", "R14", "no_own_thief"),
        (".", "R23", "nothing_done"),
        ("@r", "R6", "all_placed"),
        ("=rgw", "R24", "cards_by_chance"),
        ("g>w", None, "several_payments"),
        ("r", None, "no_token"),
        ("", None, "no_token"),
        ("fly", None, "no_token"),
    ],
)
def test_why_a_typed_move_is_refused(text: str, rule: str | None, key: str) -> None:
    game = dealt("=GGWWPP")
    assert game.hand(0)[DANCER] == 0
    with pytest.raises(MoveError) as caught:
        game.understand(text)
    assert (caught.value.rule, caught.value.key) == (rule, key)
