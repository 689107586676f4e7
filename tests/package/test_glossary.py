"""One word for one thing: in the code, and in all texts."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import baghdad
from baghdad.text import LANGUAGES, catalogue

GLOSSARY = Path(__file__).parents[2] / "docs" / "glossary.md"
LABELS_APART = (("log.name", "replay.charts"), ("menu", "pile.dancers"), ("turn.undo", "past.now"))


def rows() -> list[list[str]]:
    """The cells of the table, below its head."""
    lines = [line for line in GLOSSARY.read_text("utf-8").splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def forbidden(language: str) -> list[str]:
    found = [word.strip() for row in rows() for word in row[-1].split(",") if word.strip()]
    assert all(word[:2] in LANGUAGES and word[2] == " " for word in found), found
    return [word[3:] for word in found if word[:2] == language]


def pattern(word: str) -> re.Pattern[str]:
    """The whole word or words; a capital counts where the glossary writes one."""
    start = re.escape(word[0]) if word[0].isupper() else f"(?i:{re.escape(word[0])})"
    rest = re.escape(word[1:]).replace(r"\*", r"\w*")
    return re.compile(rf"(?<![\w/-]){start}{rest}(?![\w-])")


def texts(language: str) -> Iterator[tuple[str, str]]:
    for name in ("messages", "pictures", "rules", "web"):
        for key, text in catalogue(name, language).items():
            for form in text.values() if isinstance(text, dict) else [text]:
                # Not what is typed: options of commands, places for values.
                yield f"{name} {key}", re.sub(r"--\w+|\{[^}]*\}|`[^`]*`", "{}", form)


def test_every_thing_has_its_word_in_every_language() -> None:
    assert len(rows()) > 40
    for row in rows():
        assert len(row) == 2 + len(LANGUAGES)
        assert all(row[:-1]), row


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_uses_a_word_that_the_glossary_rules_out(language: str) -> None:
    wrong = [
        f"{place}: {word!r} in {text!r}"
        for word in forbidden(language)
        for place, text in texts(language)
        if pattern(word).search(text)
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("language", LANGUAGES)
def test_different_things_have_different_labels(language: str) -> None:
    labels = catalogue("web", language)
    for one, other in LABELS_APART:
        assert str(labels[one]) not in str(labels[other]), (one, other)


def test_a_forbidden_word_is_found_as_a_word() -> None:
    assert pattern("pole").search("volné pole")
    assert not pattern("pole").search("políčko, poleno")
    assert pattern("einschmugg*").search("Einschmuggeln")
    assert pattern("geben Sie").search("Geben Sie es ein")
    assert not pattern("geben Sie").search("die geben sie weiter")


def terms() -> list[str]:
    """The entries of the code's glossary, each with all its lines."""
    section = GLOSSARY.read_text("utf-8").partition("## In the code")[2].partition("\n## ")[0]
    entries = re.findall(r"^- (.*?)\n(?=- |\n|\Z)", section, re.DOTALL | re.MULTILINE)
    return [" ".join(entry.split()) for entry in entries]


def test_a_word_of_the_code_means_one_thing() -> None:
    words = [word for entry in terms() for word in re.findall(r"\*\*(.+?)\*\*", entry)]
    assert len(words) > 50
    assert len(set(words)) == len(words)


def test_every_word_of_the_code_is_at_home_in_a_module_that_exists() -> None:
    package = Path(baghdad.__file__).parent
    for entry in terms():
        homes = re.search(r"\((`[\w.]+`(?:, `[\w.]+`)*)\)$", entry)
        assert homes, entry
        for home in re.findall(r"`([\w.]+)`", homes[1]):
            module = package.joinpath(*home.split("."))
            assert module.is_dir() or module.with_suffix(".py").is_file(), home
