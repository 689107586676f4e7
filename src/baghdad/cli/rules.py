"""`baghdad rules`: the rules of the game, in our words, and where the rulebooks differ."""

import argparse
import json
import shutil
import textwrap
from collections.abc import Mapping

from baghdad.text import LANGUAGES, catalogue

from .arguments import CommandParser, add_json

SECTIONS = {
    "R1": "material",
    "R5": "setup",
    "R9": "turn",
    "R19": "robbing",
    "R22": "drawing",
    "R27": "ending",
    "option.variant": "options",
}
"""The heading that comes before a rule or an option."""
WIDEST = 88
RULE_INDENT = 8
BOOK_INDENT = 11


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument(
        "language",
        nargs="?",
        choices=LANGUAGES,
        metavar="LANGUAGE",
        help=parser.text("rules.language"),
    )
    add_json(parser)


def run(options: argparse.Namespace, language: str) -> int:
    """Print the rules."""
    language = options.language or language
    texts: dict[str, str] = catalogue("rules", language)
    messages = catalogue("messages", language)
    books = {key: text for key, text in messages.items() if key.startswith("rulebook.")}
    if options.json:
        print(json.dumps({**texts, **books}, ensure_ascii=False, indent=2))
        return 0
    width = min(WIDEST, shutil.get_terminal_size().columns)
    print(f"{texts['title']}\n\n{textwrap.fill(texts['intro'], width)}")
    for key, text in texts.items():
        if key in SECTIONS:
            print(f"\n{texts[SECTIONS[key]]}\n")
        name = key.removeprefix("option.")
        if name != key or (key[0] == "R" and key[1:].isdecimal()):
            print(_beside(name, text, RULE_INDENT, width))
    print("\n" + "\n".join(_rulebooks(texts, books, width)))
    return 0


def _rulebooks(texts: Mapping[str, str], books: Mapping[str, str], width: int) -> list[str]:
    """The rulebooks by the names that commands know, then point by point what they say."""
    lines = [texts["rulebooks"], "", textwrap.fill(texts["rulebooks.intro"], width), ""]
    for key, differs in books.items():
        name = key.removesuffix(".differs")
        if name != key:
            text = f"{books[name]}: {differs}"
            lines.append(_beside(name.removeprefix("rulebook."), text, BOOK_INDENT, width))
    lines += ["", texts["differences"], ""]
    for key, said in texts.items():
        name = key.removesuffix(".texts")
        if name != key:
            ours = f"{texts['differences.ours']} {texts[f'{name}.ours']}"
            lines += [
                texts[name],
                *(_beside("", text, RULE_INDENT, width) for text in (said, ours)),
            ]
    return lines


def _beside(name: str, text: str, indent: int, width: int) -> str:
    """A text with its name in a column to its left."""
    return textwrap.fill(
        text, width, initial_indent=f"{name:<{indent}}", subsequent_indent=" " * indent
    )
