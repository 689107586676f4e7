"""Rulebooks as presets: what each decides, and what goes with it."""

from typing import Any

import pytest

from baghdad import Game, Options, RecordError
from baghdad.rules.options import (
    PRESETS,
    RULEBOOKS,
    Rulebook,
    RulebookError,
)

# The table "Rulebooks as presets" of the rules, line by line.
SAYS = {
    "ours": ("arrival", "hidden", "stack", "classic"),
    "de": ("smuggle", "hidden", "stack", "classic"),
    "en": ("smuggle", "hidden", "stack", "classic"),
    "nl": ("arrival", "hidden", "stack", "classic"),
    "cs": ("arrival", "hidden", "chosen", "classic"),
    "12thieves": ("smuggle", "hidden", "stack", "loose"),
}
OTHERS = {"rob": ("arrival", "smuggle"), "hands": ("hidden", "seen"), "spare": ("stack", "chosen")}


def test_every_rulebook_is_known() -> None:
    assert set(RULEBOOKS) == set(PRESETS) == set(SAYS)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_rulebook_sets_what_its_text_decides(rulebook: Rulebook, players: int) -> None:
    options = Game(players, rulebook=rulebook).options
    assert (options.rob, options.hands, options.spare, options.board) == SAYS[rulebook]


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_variant_and_first_hands_go_with_any_rulebook(rulebook: Rulebook) -> None:
    options = Options(3, rulebook=rulebook, variant="neutral", deal=(6, 7, 9))
    assert (options.variant, options.deal) == ("neutral", (6, 7, 9))


@pytest.mark.parametrize("option", OTHERS)
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_what_contradicts_a_rulebook_is_refused(rulebook: Rulebook, option: str) -> None:
    says = getattr(PRESETS[rulebook], option)
    for value in OTHERS[option]:
        given: dict[str, Any] = {option: value}
        if value == says:
            assert getattr(Options(rulebook=rulebook, **given), option) == says
        else:
            with pytest.raises(RulebookError, match=f"{option}: {says} by the rulebook"):
                Game(2, rulebook=rulebook, **given)


def test_without_a_rulebook_every_option_is_free() -> None:
    options = Options(rob="smuggle", spare="chosen", hands="seen")
    assert options.rulebook is None


def test_an_unknown_rulebook_is_refused_with_those_that_exist() -> None:
    with pytest.raises(ValueError, match="rulebook: ours, de, en, nl, cs or 12thieves, not 'fr'"):
        Game(2, rulebook="fr")  # type: ignore[arg-type]


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_record_names_the_rulebook_and_says_what_it_means(rulebook: Rulebook) -> None:
    game = Game(3, rulebook=rulebook, seed=1, deal="balanced")
    game.play("@R")
    record = game.record()
    assert f'[Rulebook "{rulebook}"]' in record
    assert '[Deal "6-7-9"]' in record
    assert ('[Spare "chosen"]' in record) == (rulebook == "cs")
    again = Game.from_record(record)
    assert again.options == game.options
    assert again.record() == record


HEADERS = """[Players "2"]
[Variant "standard"]
[Rob "arrival"]
[Hands "hidden"]
[Result "*"]
"""


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ('[Rulebook "de"]', "means Rob smuggle, but the record says arrival"),
        ('[Rulebook "cs"]', "means Spare chosen, but the record says stack"),
        ('[Rulebook "fr"]', "Rulebook is one of: ours, de, en, nl, cs, 12thieves"),
        ('[Spare "none"]', "Spare is one of: stack, chosen"),
        ('[Deal "balanced"]', "Deal needs one number from 1 to 25 for each of the 2 seats"),
        ('[Deal ""]', "Deal needs one number"),
        ('[Deal "6-7-8"]', "Deal needs one number"),
        ('[Rules "1"]', "only edition 2 of the rules"),
        ('[Rules "3"]', "only edition 2 of the rules"),
    ],
)
def test_headers_that_say_what_cannot_be(header: str, words: str) -> None:
    with pytest.raises(RecordError) as caught:
        Game.from_record(f"{HEADERS}{header}\n\n@R\n")
    assert words in str(caught.value)
    assert (caught.value.line, caught.value.column, caught.value.token) == (6, 1, header)


def test_headers_of_the_usual_options_may_stand_there_or_not() -> None:
    usual = Game.from_record(f"{HEADERS}\n@R\n")
    said = Game.from_record(f'{HEADERS}[Rules "2"]\n[Spare "stack"]\n[Deal "6-7"]\n\n@R\n')
    assert said.options == usual.options
    assert said.record() == f'{HEADERS}[Rules "2"]\n\n@R\n', "the edition is kept"
    assert usual.record() == f"{HEADERS}\n@R\n"
