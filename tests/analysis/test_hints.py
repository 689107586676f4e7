"""Hints: three steps, by what the seat knows, and the first never gives the answer away."""

from random import Random

import msgspec
import pytest

from baghdad import Game, Options
from baghdad.analysis import hint
from baghdad.analysis.engine.nudges import NUDGES
from baghdad.analysis.hints import fits, nudge_of
from baghdad.analysis.judge import Judge
from baghdad.rules.engine.actions import ACTION_OF, Action
from baghdad.rules.engine.dealer import new_rng
from baghdad.text import LANGUAGES, catalogue
from support.positions import decisions
from support.tables import table

SMALL = 300


def actions(*tokens: str) -> list[Action]:
    return [ACTION_OF[token] for token in tokens]


def test_a_win_within_reach_is_found_and_only_hinted_at() -> None:
    game = table(
        guards={"R": "1n", "G": "2n"},
        thieves={"R": "111", "G": "222"},
        hands=["RG", "GGGG****"],
        loot=[5, 5],
    )
    found = hint(game.view(0), budget=SMALL)
    assert found.nudge == "win"
    assert found.turn == ("+R(R)",)
    assert found.robs == ("R4",)
    assert (found.chance, found.low, found.high) == (1.0, 1.0, 1.0)
    assert found.ahead_low > 20
    assert {reason.fact.kind for reason in found.reasons} <= {"win", "ready", "cheap"}
    assert len(found.reasons) == 2


@pytest.mark.parametrize("options", [Options(2), Options(3, spare="chosen"), Options(4, "neutral")])
def test_a_hint_is_legal_repeatable_and_blind_to_what_is_hidden(options: Options) -> None:
    judge = Judge(budget=SMALL)
    for number, game in enumerate(decisions(options, seed=6, steps=120, every=17)):
        seat = game.to_move
        assert seat is not None
        view = game.view(seat)
        found = hint(view, judge=judge)
        other = Game.from_state(view.determinize(new_rng("hidden", number)))
        again = hint(other.view(seat), judge=judge)
        assert msgspec.json.encode(again) == msgspec.json.encode(found)
        for token in found.turn:
            assert game.to_move == seat
            game.play(token, seat=seat)
        assert game.over or game.to_move != seat
        assert found.low <= found.chance <= found.high


def test_the_nudge_fits_more_than_the_answer() -> None:
    """Unless it says that there is a chest or the game to be had: not where, and not how."""
    judge, random = Judge(budget=SMALL), Random(1)
    told = set()
    for game in decisions(Options(3), seed=8, steps=150, every=9):
        view = game.view(game.to_move)
        judge.judge(view, (), new_rng("nudge"))
        tried = judge.tried()
        best = random.choice(tried)
        nudge = nudge_of(view, best, tried)
        told.add(nudge)
        assert fits(nudge, view, best)
        if nudge not in ("win", "rob", "look"):
            assert sum(fits(nudge, view, turn) for turn in tried) > 1
    assert len(told) > 3


def test_a_nudge_that_would_be_the_answer_is_not_given() -> None:
    view = table(guards={"R": "1n", "G": "1n"}, thieves={"R": "1"}, hands=["RGG"]).view(0)
    carry, stay, rest = actions("R>>G(R)", "."), actions("+R(R)", "."), actions("-")
    assert nudge_of(view, carry, [carry, stay, rest]) == "look"
    assert nudge_of(view, carry, [carry, actions("+R(R)", "R>>G(G)", "."), rest]) == "carry"
    assert nudge_of(view, rest, [rest, actions("-*"), stay]) == "hand"


def test_a_hint_is_only_for_whose_turn_it_is() -> None:
    game = Game(players=2, seed=1)
    for viewer in (1, None):
        with pytest.raises(ValueError, match="whose turn it is"):
            hint(game.view(viewer))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_nudge_has_words(language: str) -> None:
    words = catalogue("messages", language)
    told = [key for key in words if key.startswith("analysis.nudge.")]
    assert told == [f"analysis.nudge.{nudge}" for nudge in NUDGES]
