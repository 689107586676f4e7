"""What a seat could think the others held: by what it knew, and by nothing else."""

from random import Random

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings

from baghdad import Game
from baghdad.analysis import Beliefs, beliefs
from baghdad.analysis.believing.beliefs import MANNER
from baghdad.analysis.believing.even import even
from baghdad.analysis.believing.histories import STACK
from baghdad.analysis.believing.known import known_steps
from baghdad.bots import Budget, make_bot
from baghdad.bots.playing import play_to_end
from baghdad.rules.engine.material import PALACE_LETTERS, PALACES
from baghdad.rules.errors import RecordError
from baghdad.rules.views import View, view_of
from support.make_data import DATA
from support.strategies import games

FEW = 64
"""Histories, where it does not matter how exact they are."""
MANY = 4000
BY_CHANCE = MANNER._replace(turns=0)
"""Nobody's actions tell anything."""


def played(players: int, turns: int, seed: str = "beliefs", bot: str = "kasim") -> Game:
    game = Game(players=players, seed=seed)
    return play_to_end(game, [make_bot(bot) for _ in range(players)], seed, Budget(), turns)


def as_bytes(found: tuple[Beliefs, ...]) -> bytes:
    return msgspec.json.encode(found)


def views_at(game: Game, seat: int) -> dict[int, View]:
    """By tokens before: what a seat saw."""
    again, found = Game.with_options(game.options), {}
    for at, token in enumerate(game.tokens):
        found[at] = again.view(seat)
        again.play(token)
    return found | {len(game.tokens): again.view(seat)}


@settings(max_examples=25, deadline=None)
@given(games())
def test_beliefs_add_up_to_what_is_unseen(game: Game) -> None:
    for seat in range(game.options.players):
        views = views_at(game, seat)
        for moment in beliefs(game, seat, histories=FEW):
            view = views[moment.at]
            others = [other for other in range(game.options.players) if other != seat]
            assert [each.holder for each in moment.of] == [*others, STACK]
            for each in moment.of:
                in_hand = view.deck_size
                if each.holder != STACK:
                    in_hand = view.hand_sizes[each.holder] - view.hand_dancers[each.holder]
                assert each.size == in_hand
                assert sum(each.mean(palace) for palace in PALACES) == pytest.approx(each.size)
                for palace in PALACES:
                    assert sum(each.chances[palace]) == pytest.approx(1)
                    assert min(each.chances[palace]) >= 0
                    assert each.at_least(palace, min(view.unseen(palace), each.size) + 1) == 0
            for palace in PALACES:
                together = sum(each.mean(palace) for each in moment.of)
                assert together == pytest.approx(view.unseen(palace))


@pytest.mark.parametrize("name", sorted(path.stem for path in DATA.glob("*.txt")))
def test_the_rules_follow_a_record_that_hides_cards(name: str) -> None:
    game = Game.from_record((DATA / f"{name}.txt").read_text("utf-8"))
    for seat in range(game.options.players):
        views = views_at(game, seat)
        for step in known_steps(game.record(seat=seat), seat):
            assert view_of(step.before[0], seat) == views[step.at]


@pytest.mark.parametrize(("players", "seat"), [(2, 1), (3, 0)])
def test_what_a_seat_cannot_see_changes_no_byte(players: int, seat: int) -> None:
    game = played(players, 5 * players)
    random, dealt, exchanged = Random(players), 0, list(game.tokens)
    again = Game.with_options(game.options)
    for place, token in enumerate(game.tokens):
        if token[0] == "=":
            owner = dealt if dealt < players else int(again.state.seat)
            dealt += 1
            if owner != seat:
                others = (random.choice(PALACE_LETTERS) for _ in token[1:])
                exchanged[place] = "=" + "".join(others)
        again.play(token)
    assert exchanged != list(game.tokens)
    head = game.record().partition("\n\n")[0]
    twin = f"{head}\n\n{' '.join(exchanged)}\n"
    found = as_bytes(beliefs(game, seat, histories=FEW))
    assert found == as_bytes(beliefs(twin, seat, histories=FEW))
    assert found == as_bytes(beliefs(game.record(seat=seat), seat, histories=FEW))
    assert found != as_bytes(beliefs(game, seat, histories=FEW, seed="another"))


def test_what_comes_later_changes_nothing() -> None:
    early, late = played(2, 8), played(2, 14)
    assert late.tokens[: len(early.tokens)] == early.tokens
    first, second = (beliefs(game, 0, histories=FEW) for game in (early, late))
    assert len(first) < len(second)
    assert as_bytes(first) == as_bytes(second[: len(first)])


def test_there_is_a_belief_for_every_turn_and_for_the_one_that_begins() -> None:
    game = played(3, 7)
    found = beliefs(game, 1, histories=FEW)
    assert [each.number for each in found] == [2, 5, 8]
    assert found[-1].at == len(game.tokens)


def test_cards_lie_evenly_where_actions_tell_nothing() -> None:
    """In the first stack, whatever was drawn and paid."""
    game = played(3, 18)
    views = views_at(game, 2)
    for moment in beliefs(game, 2, manner=BY_CHANCE, histories=MANY):
        view = views[moment.at]
        unseen = np.array([view.unseen(palace) for palace in PALACES])
        for each in moment.of:
            assert np.abs(np.array(each.chances) - even(unseen, each.size)).max() < 0.04


def test_a_stack_that_was_shuffled_is_known() -> None:
    """With two players whoever remembers the discard pile knows what the rival held when it became
    the stack, and what the rival drew from it since is of that pile."""
    game = played(2, 60, bot="alnaschar")
    again = Game.with_options(game.options)
    for token in game.tokens:
        drawer, pile, size = again.state.seat, again.state.discard.astype(int), again.deck_size
        again.play(token)
        if token[0] == "=" and again.deck_size > size:
            break
    drawn = pile.sum() - again.deck_size
    assert drawn, "some of these cards were drawn from it at once"
    hand = np.array(again.hand(drawer)[:6])
    for letter in token[-drawn:]:
        hand[PALACE_LETTERS.index(letter)] -= 1
    found = beliefs(game, 1 - drawer, manner=BY_CHANCE, histories=MANY)
    rival, stack = next(each.of for each in found if each.at == len(again.tokens))
    for palace in PALACES:
        of_it = pile[palace] * drawn / pile.sum()
        assert rival.mean(palace) == pytest.approx(hand[palace] + of_it, abs=0.05)
        assert stack.mean(palace) == pytest.approx(pile[palace] - of_it, abs=0.05)
        assert rival.at_least(palace, hand[palace]) > 0.99


RECORD = """[Players "2"]
[Variant "standard"]
[Rob "arrival"]
[Hands "hidden"]
[Result "*"]

@R @P @G @B @W @R @Y @G =RGWYRB =???????
- =RGWY
+P(P) +P(P) +P(P) . =???
- =RGWY
"""
"""The second player can smuggle thieves in at purple and blue for a card each, and has done it at
purple alone."""


def test_who_does_not_smuggle_hardly_has_the_card() -> None:
    game, blue = RECORD + "-* =???", PALACE_LETTERS.index("B")
    found, by_chance = (beliefs(game, 0, manner=manner)[-1].of[0] for manner in (MANNER, BY_CHANCE))
    assert by_chance.size == found.size == 10
    assert by_chance.mean(blue) > 1.8
    assert found.mean(blue) < 1.2, "three of the cards have come since"
    assert found.at_least(blue, 2) < by_chance.at_least(blue, 2) / 2


def test_a_record_that_cannot_be_true_is_refused() -> None:
    for wrong in ("+R(R) . =???", "- =???", "- =????? ."):
        with pytest.raises(RecordError):
            beliefs(RECORD + wrong, 0, histories=FEW)
    with pytest.raises(RecordError, match="hides cards"):
        beliefs(RECORD, 1, histories=FEW)
    with pytest.raises(ValueError, match="seat: 0 to 1"):
        beliefs(RECORD, 2, histories=FEW)


def test_histories_that_are_unlikely_are_given_up() -> None:
    """The effective number falls where actions tell much, and is told."""
    found = [
        beliefs(RECORD + "-* =???", 0, manner=manner, histories=FEW)[-1].effective
        for manner in (BY_CHANCE, MANNER)
    ]
    assert found[0] == FEW
    assert 1 <= found[1] < FEW
