"""All that people read is there in four languages."""

import re
from pathlib import Path
from string import Formatter

import pytest

from baghdad.bots import BUILTIN_BOTS
from baghdad.rules.engine.actions import ACTION_COUNT
from baghdad.rules.engine.material import BALANCED
from baghdad.rules.narration import describe
from baghdad.rules.options import RULEBOOKS, VALUES, written_deal
from baghdad.text import (
    LANGUAGES,
    catalogue,
    plural,
    say,
    system_language,
)

WEB = Path(__file__).parents[2] / "web" / "src"
PLURALS = {"en": {"one", "other"}, "de": {"one", "other"}, "nl": {"one", "other"}}
PLURALS["cs"] = {"one", "few", "other"}


def places(text: object) -> list[set[str | None]]:
    """The values that a text, or each of its plural forms, has room for."""
    forms = text.values() if isinstance(text, dict) else [text]
    return [
        {name for _, name, _, _ in Formatter().parse(str(form)) if name}
        | set(re.findall(r"%\(?\w+\)?", str(form)))
        for form in forms
    ]


@pytest.mark.parametrize("name", ["messages", "pictures", "rules", "web"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_there_with_room_for_the_same_values(name: str, language: str) -> None:
    english, translated = catalogue(name, "en"), catalogue(name, language)
    file = f"{name}.{language}.json"
    missing = sorted(set(english) - set(translated))
    assert not missing, f"missing in {file}: {missing}"
    surplus = sorted(set(translated) - set(english))
    assert not surplus, f"only in {file}: {surplus}"
    assert list(translated) == list(english), f"{file} has not the order of {name}.en.json"
    for key, text in english.items():
        place = f"{file}, {key}"
        alike = isinstance(translated[key], dict) == isinstance(text, dict)
        assert alike, f"{place}: forms for a number in all languages, or in none"
        if isinstance(text, dict):
            assert set(translated[key]) == PLURALS[language], f"{place}: its forms"
        wanted = places(text)[0]
        for found in places(translated[key]):
            assert found == wanted, f"{place}: every form has room for the same values"


@pytest.mark.parametrize("name", ["messages", "web"])
@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_translations_are_translated(name: str, language: str) -> None:
    english, translated = catalogue(name, "en"), catalogue(name, language)
    same = {key for key in english if english[key] == translated.get(key)}
    assert len(same) < len(english) * 0.06, same
    assert not {key for key in same if key.startswith(("refusal.", "record."))}


def test_every_text_of_the_page_is_used() -> None:
    page = "".join(
        file.read_text("utf-8") for file in WEB.rglob("*") if file.suffix in {".svelte", ".ts"}
    )
    made = set(re.findall(r"`([\w.]+\.)\$\{", page))
    unused = [
        key
        for key in catalogue("web", "en")
        if f"'{key}'" not in page and not key.startswith(tuple(made))
    ]
    assert not unused, f"no file of the page uses {', '.join(unused)}"


def test_every_bot_of_ours_is_introduced() -> None:
    for name in BUILTIN_BOTS:
        key = f"bot.{name}"
        assert key in catalogue("messages", "en"), f"missing in messages.en.json: {key}"


def test_every_rule_is_worded() -> None:
    for language in LANGUAGES:
        rules = catalogue("rules", language)
        assert [key for key in rules if re.fullmatch(r"R\d+", key)] == [
            f"R{number}" for number in range(1, 29)
        ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rulebook_has_a_name_and_a_line_on_what_differs(language: str) -> None:
    told = [key for key in catalogue("messages", language) if key.startswith("rulebook.")]
    assert told == [f"rulebook.{name}{part}" for name in RULEBOOKS for part in ("", ".differs")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_tell_every_value_of_an_option(language: str) -> None:
    rules = catalogue("rules", language)
    for option, values in VALUES.items():
        if option != "rulebook":
            assert all(f"`{value}`" in rules[f"option.{option}"] for value in values), option
    for deal in BALANCED.values():
        assert f"`{written_deal(deal)}`" in rules["option.deal"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_other_words_lead_to_words_of_the_rules(language: str) -> None:
    """What the search of the rules takes for the same thing, such as a rulebook's own word."""
    rules = " ".join(catalogue("rules", language).values()).lower()
    for ours, others in catalogue("synonyms", language).items():
        assert all(word[:4].lower() in rules for word in ours.split()), ours
        assert others
        assert len(set(others)) == len(others)


def test_every_action_has_words_in_every_language() -> None:
    for language in LANGUAGES:
        assert len({describe(action, language) for action in range(ACTION_COUNT)}) == ACTION_COUNT


def test_plurals() -> None:
    assert [plural("de", n) for n in (0, 1, 2)] == ["other", "one", "other"]
    assert say("refusal.cards_due", "cs", n=3, given=1) != say(
        "refusal.cards_due", "cs", n=5, given=1
    )


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "de_DE", "LC_ALL": "cs_CZ.UTF-8"}, "cs"),
        ({"LANG": "fr_FR"}, "en"),
        ({"LANG": "C"}, "en"),
        ({}, "en"),
    ],
)
def test_the_language_of_the_system(
    environment: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert system_language() == language
