"""Moves as people type them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from baghdad import ACTIONS, TOKENS, Game, MoveError, NotAMoveError
from baghdad.rules.material import DANCER

OPTIONS = {
    "players": st.sampled_from([2, 3, 4]),
    "variant": st.sampled_from(["standard", "neutral"]),
    "hands": st.sampled_from(["hidden", "seen"]),
}


@st.composite
def games(draw: st.DrawFn) -> Game:
    """A game after some random decisions, with somebody to move."""
    game = Game(**draw(st.fixed_dictionaries(OPTIONS)), seed=draw(st.integers(0, 10_000)))
    for number in draw(st.lists(st.integers(0, 10**6), max_size=40)):
        before = game.copy()
        game.play(game.legal()[number % len(game.legal())])
        if game.over:
            return before
    return game


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
    ("text", "reason"),
    [
        ("+r", "R12: smuggling into red costs 2 cards: one for each foreign guard"),
        ("+b", "R12: no own guard in front of blue"),
        ("+r(g)", "R12: smuggling into red is paid with its own cards and dancers alone"),
        ("+r(wwww", "R12: smuggling into red is paid with its own cards and dancers alone"),
        ("w>b(", "R13: moving an own guard costs exactly one card"),
        ("r>y", "R13: moving an own guard costs exactly one card"),
        ("r>r", "R13: a guard goes to another palace"),
        ("nr>>g", "R15: a neutral guard takes nobody along"),
        ("nr>y", "R15: moving a neutral guard costs exactly two cards"),
        ("r>>b", "R14: no own thief in the courtyard of red"),
        (".", "R23: no action was taken this turn"),
        ("@r", "R6: all guards stand already"),
        ("r", "'r' is no move"),
        ("", "'' is no move"),
        ("=rgw", "R24: cards are dealt and drawn by chance"),
        ("g>w", "g>w can be paid in several ways: G>W(G), G>W(W)"),
        ("fly", "'fly' is no move"),
    ],
)
def test_why_a_typed_move_is_refused(text: str, reason: str) -> None:
    game = dealt("=GGWWPP")
    assert game.hand(0)[DANCER] == 0
    with pytest.raises(MoveError) as caught:
        game.understand(text)
    assert str(caught.value).startswith(reason)
