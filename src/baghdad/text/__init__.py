"""Every word that people read, in English, German, Dutch and Czech."""

import json
import os
from functools import cache
from importlib.resources import files
from typing import Any

LANGUAGES = ("en", "de", "nl", "cs")


@cache
def catalogue(name: str, language: str) -> dict[str, Any]:
    """The texts of one catalogue (`messages`, `rules`, `web`, …) in one language, by key."""
    if language not in LANGUAGES:
        raise ValueError(f"language: {', '.join(LANGUAGES)}, not {language!r}")
    text = (files(__name__) / f"{name}.{language}.json").read_text("utf-8")
    texts: dict[str, Any] = json.loads(text)
    return texts


def plural(language: str, number: int) -> str:
    """Which form a number takes.

    >>> [plural("cs", n) for n in (0, 1, 2, 4, 5)]
    ['other', 'one', 'few', 'few', 'other']
    """
    if number == 1:
        return "one"
    return "few" if language == "cs" and number in (2, 3, 4) else "other"


def say(key: str, language: str = "en", **values: object) -> str:
    """A message in a language.

    One that depends on a number has several forms, chosen by `n`. Palaces are given as letters.

    >>> say("refusal.smuggle_cost", palace="R", n=1)
    'smuggling into red costs 1 card: one for each foreign guard'
    >>> say("refusal.smuggle_cost", "cs", palace="R", n=2)
    'červený palác: propašovat sem zloděje stojí 2 karty, jednu za každého cizího strážce'
    """
    text = catalogue("messages", language)[key]
    if isinstance(text, dict):
        text = text[plural(language, int(str(values["n"])))]
    for name in ("palace", "to"):
        if name in values:
            values[name] = catalogue("messages", language)[f"palace.{values[name]}"]
    return str(text).format(**values)


def system_language() -> str:
    """The language that the environment asks for, English where we don't have it."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        wanted = os.environ.get(variable, "")[:2].lower()
        if wanted:
            return wanted if wanted in LANGUAGES else "en"
    return "en"
