"""Reasons: each names a fact of the position, and without that fact the advice is another."""

from collections.abc import Sequence

import pytest

from baghdad import View
from baghdad.analysis.engine.facts import KINDS
from baghdad.analysis.facts import Fact, facts, fitted, without
from baghdad.analysis.judge import Judge
from baghdad.analysis.reasons import matters, reasons, weigh
from baghdad.analysis.telling import fact_in_words
from baghdad.rules.engine.actions import ACTION_OF, TOKENS, Action
from baghdad.rules.engine.material import GUARD_FIELDS, NEUTRAL
from baghdad.text import LANGUAGES
from support.tables import table


def actions(tokens: str) -> list[Action]:
    return [ACTION_OF[token] for token in tokens.split()]


def race() -> View:
    """Who comes first? Both are one thief short of a chest: seat 2 of its last."""
    return table(
        guards={"R": "1n", "G": "2n"},
        thieves={"R": "111", "G": "222"},
        hands=["RG", "GGGG****"],
        loot=[5, 5],
    ).view(0)


CASES = [
    (race(), "+R(R)", "-", Fact("win")),
    (race(), "+R(R)", "-", Fact("ready", "R", n=1, number=4)),
    (
        table(guards={"R": "12n", "G": "1n"}, thieves={"R": "1112"}, hands=["RR*W", "RRR"]).view(0),
        "+R(RR) .",
        "-",
        Fact("ready", "R", n=1, number=4),
    ),
    (
        table(
            guards={"R": "2n", "G": "1n"}, thieves={"R": "222", "G": "1"}, hands=["RG", "R*"]
        ).view(0),
        "G>R(R) .",
        "-",
        Fact("threat", "R", 1, 1, 4),
    ),
    (
        table(guards={"R": "12n", "G": "1"}, hands=["RRRG"]).view(0),
        "nR>G(RG) +R(R) +R(R) .",
        "+R(RR) .",
        Fact("dear", "R"),
    ),
    (
        table(guards={"R": "1n", "G": "1nn"}, hands=["RGG"]).view(0),
        "+R(R) .",
        "+G(GG) .",
        Fact("cheap", "R"),
    ),
    (table(guards={"R": "1n"}, hands=["R"]).view(0), "-*", "R>G(R) .", Fact("dancer")),
    (
        table(guards={"R": "1n", "G": "n"}, hands=["RG"], discard="R" * 14).view(0),
        "R>G(G) .",
        "-",
        Fact("gone", "R", n=2),
    ),
    (table(guards={"R": "1n"}, hands=["R"]).view(0), "-", "+R(R) .", Fact("hand", n=1)),
]


@pytest.mark.parametrize(
    ("view", "best", "other", "fact"), CASES, ids=[case[3].kind for case in CASES]
)
def test_a_fact_is_found_and_can_be_taken_away(
    view: View, best: str, other: str, fact: Fact
) -> None:
    assert fact in facts(view, actions(best), actions(other))
    assert fact not in facts(view, actions(other), actions(best)), "it speaks for one of the two"
    edited = without(view, fact)
    one, two = (fitted(edited, actions(each)) for each in (best, other))
    assert fact not in facts(edited, one, two)
    # All thieves, guards and cards are somewhere still, but those that were the fact.
    fields, before = edited.fields, view.fields
    assert (fields.guards.sum(1) <= GUARD_FIELDS).all()
    assert fields.thieves.sum() + fields.stock.sum() == before.thieves.sum() + before.stock.sum()
    assert abs(fields.guards[:, NEUTRAL].sum() - before.guards[:, NEUTRAL].sum()) == (
        fact.kind in ("dear", "cheap")
    )
    cards = fields.discard.sum() + fields.hand_sizes.sum() + fields.deck_size
    assert cards == before.discard.sum() + before.hand_sizes.sum() + before.deck_size
    assert bytes(without(view, fact)) == bytes(edited)
    assert fields.viewer == before.viewer
    assert fields.seat == before.seat


def test_every_kind_of_fact_is_among_these() -> None:
    assert {fact.kind for *_, fact in CASES} == set(KINDS)


@pytest.mark.parametrize(
    ("view", "best", "other"),
    [(race(), "+R(R)", "-"), (race(), "+R(R)", "-*"), (race(), "+R(R)", "R>G(R) .")],
)
def test_a_reason_that_is_named_is_true_in_other_deals(view: View, best: str, other: str) -> None:
    judge, one, two = Judge(budget=400), actions(best), actions(other)
    found = reasons(judge, view, one, two, "seed")
    assert {reason.fact.kind for reason in found} <= {"win", "ready", "cheap"}
    assert len(found) == 2
    for reason in found:
        weight = weigh(judge, view, one, two, reason.fact, "other deals")
        assert matters(weight)
        assert weight.margin > 20
        assert reason.loses >= 0.75 * reason.margin


def test_a_fact_on_which_nothing_hangs_is_no_reason() -> None:
    """The turn takes a chest, but the rival wins next, whatever happens."""
    view = table(
        guards={"R": "1n", "G": "2n"},
        thieves={"R": "111", "G": "222"},
        hands=["RG", "GGGG****"],
        loot=[0, 5],
    ).view(0)
    best, other = actions("+R(R) ."), actions("-")
    fact = Fact("ready", "R", n=1, number=4)
    assert fact in facts(view, best, other)
    judge = Judge(budget=400)
    weight = weigh(judge, view, best, other, fact, "seed")
    assert not matters(weight)
    assert reasons(judge, view, best, other, "seed") == ()


@pytest.mark.parametrize(
    ("hand", "turn", "left"),
    [
        ("RG", "+R(R) R>G(G) .", ["+R(R)", "R>G(G)", "."]),
        ("G", "+R(R) R>G(G) .", ["R>G(G)", "."]),
        ("", "+R(R) R>G(G) .", ["-"]),
        ("R", "-*", ["-*"]),
    ],
)
def test_a_turn_is_played_as_far_as_it_goes(hand: str, turn: str, left: Sequence[str]) -> None:
    view = table(guards={"R": "1n", "G": "n"}, hands=[hand]).view(0)
    assert [TOKENS[action] for action in fitted(view, actions(turn))] == left


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_fact_is_a_sentence(language: str) -> None:
    for *_, fact in CASES:
        text = fact_in_words(fact, language)
        assert not text[0].islower()
        assert text.endswith(".")
        assert "{" not in text
