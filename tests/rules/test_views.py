"""R7, R26: what a seat may know, and that nothing else shows (non-interference)."""

from random import Random

import numpy as np
import pytest

from baghdad import CHANCE, Game, Options
from baghdad.rules.engine.dealer import new_rng
from baghdad.rules.engine.state import FIELDS
from baghdad.rules.engine.views import PUBLIC, VIEW
from baghdad.rules.views import View, view_of
from support.tables import (
    EVERY_TABLE,
    NAMING,
    Manner,
    any_move,
    asking,
    new_game,
    table,
    thieving,
)

SECRET = {"hands", "deck"}


def positions(options: Options, seed: int, count: int, manner: Manner = thieving) -> list[Game]:
    """Positions from all over a game."""
    random = Random(seed)
    game = new_game(options)
    seen = []
    for _ in range(count):
        if game.over:
            break
        if game.to_move == CHANCE:
            game.deal(random.randrange(1 << 30))
        else:
            game.play(manner(game.legal_tokens(), random))
        seen.append(game.copy())
    return seen


def test_every_field_of_the_state_is_public_or_secret() -> None:
    assert {field[0] for field in FIELDS} == set(PUBLIC) | SECRET


def test_a_view_has_no_field_but_those_on_the_list() -> None:
    own = {"viewer", "hand", "hand_sizes", "hand_dancers", "deck_size"}
    assert set(VIEW.names or ()) == set(PUBLIC) | own


@pytest.mark.parametrize("options", EVERY_TABLE, ids=str)
def test_what_a_seat_cannot_see_changes_nothing_for_it(options: Options) -> None:
    rng = new_rng("unseen")
    for game in positions(options, seed=1, count=150):
        for viewer in [*range(options.players), None]:
            view = game.view(viewer)
            other = Game.from_state(view.determinize(rng))
            assert bytes(other.view(viewer)) == bytes(view)
            if game.to_move == viewer:
                assert other.legal() == game.legal()
                assert other.legal_mask().tolist() == game.legal_mask().tolist()


@pytest.mark.parametrize("options", NAMING, ids=str)
def test_whether_the_stack_holds_a_named_card_changes_nothing_for_others(options: Options) -> None:
    """R23: neither while the cards are due nor when they have come; nor does it for the drawer,
    before they come."""
    rng, worlds = new_rng("named"), set()
    for game in positions(options, seed=1, count=170, manner=asking):
        asked = game.legal_tokens() if game.to_move != CHANCE else []
        named = int(game.state.named)
        for viewer in [*range(options.players), None]:
            view = game.view(viewer)
            for _ in range(4):
                other = Game.from_state(view.determinize(rng))
                assert bytes(other.view(viewer)) == bytes(view)
                if game.to_move == viewer:
                    assert other.legal_tokens() == asked
                if named < 0:
                    continue
                held = [bool(each.state.deck[named]) for each in (game, other)]
                drawer = int(game.state.seat)
                for each in (game.copy(), other):
                    each.deal(7)
                    if viewer != drawer:
                        worlds.add(tuple(held))
                        drawn = bytes(each.view(viewer))
                        assert drawn == bytes(after_any_draw(game, viewer))
    assert {(True, True), (True, False), (False, True)} <= worlds


def after_any_draw(game: Game, viewer: int | None) -> View:
    """What somebody else sees when the cards that are due have come, whichever they are."""
    other = game.copy()
    other.deal(8)
    return other.view(viewer)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_imagined_states_are_possible(players: int) -> None:
    rng = new_rng("possible")
    for game in positions(Options(players), seed=2, count=120):
        for viewer in [*range(players), None]:
            state = game.view(viewer).determinize(rng)
            true = game.state
            assert state.deck.sum() == true.deck.sum()
            assert state.hands.sum(axis=1).tolist() == true.hands.sum(axis=1).tolist()
            by_palace = state.deck + state.discard + state.hands[:, :6].sum(axis=0)
            assert by_palace.tolist() == [17] * 6
            assert state.deck.min() >= 0
            for field in PUBLIC:
                assert np.array_equal(state[field], true[field])
            if viewer is not None:
                assert state.hands[viewer].tolist() == true.hands[viewer].tolist()


def test_imagined_cards_are_as_likely_as_they_should_be() -> None:
    """Seat 2 holds one of 50 red and 50 other unseen cards: half the time it is red."""
    state = table(hands=["", "R"], discard="").state
    state.deck[:] = [16, 0, 17, 0, 0, 0]
    state.discard[:] = [0, 17, 0, 17, 17, 17]
    view = Game.from_state(state).view(0)
    rng = new_rng("likely")
    red = sum(int(view.determinize(rng).hands[1, 0]) for _ in range(4000))
    assert 1850 < red < 2150  # five standard deviations either way


def test_a_spectator_sees_nobodys_cards() -> None:
    game = table(3, hands=["RRG*", "WW**", "P"])
    view = game.view(None)
    assert view.viewer is None
    assert view.hand == (0,) * 7
    assert view.hand_sizes == (4, 4, 1)
    assert view.hand_dancers == (1, 2, 0)


def test_a_view_cannot_be_changed() -> None:
    view = table(hands=["R"]).view(0)
    with pytest.raises(ValueError, match="read-only"):
        view.fields.hand[0] = 3
    with pytest.raises(AttributeError):
        view.fields = None  # type: ignore[misc, assignment]


def test_a_view_is_of_its_moment() -> None:
    game = table(hands=["R"])
    view = game.view(0)
    game.play("-")
    assert view.to_move == 0
    assert game.view(0).to_move == CHANCE
    assert view != game.view(0)
    assert len({view, game.view(0)}) == 2


@pytest.mark.parametrize("seat", [-1, 2, 7])
def test_no_view_for_a_seat_that_is_not_there(seat: int) -> None:
    with pytest.raises(ValueError, match="seat: 0 to 1"):
        Game(2).view(seat)


def test_unseen_cards_are_counted() -> None:
    view = table(hands=["RRG", "RW"], discard="RPP").view(0)
    assert [view.unseen(palace) for palace in range(6)] == [14, 16, 17, 15, 17, 17]


def test_views_of_random_games_tell_the_options() -> None:
    for options in EVERY_TABLE:
        game = new_game(options, seed=4)
        game.play(any_move(game.legal_tokens(), Random(1)))
        assert game.view(0).options == options
        assert view_of(game.state, 0) == game.view(0)
