"""The commands by name, and a parser that loads the arguments of those that are asked for."""

import argparse
from collections.abc import Callable, Collection
from importlib import import_module
from types import ModuleType

from baghdad import __version__
from baghdad.text import LANGUAGES, catalogue, say

from .arguments import CommandParser, add_room

COMMANDS = (
    "record", "replay", "review", "hint", "puzzles", "beliefs", "luck", "perft", "bench", "arena",
    "ladder", "lab", "train", "bots", "rules", "serve", "worker", "verify", "backup", "export",
    "export-game", "export-site", "play", "demo",
)  # fmt: skip
"""In the order of the help. Each is a module of this folder with `add_arguments` and `run`."""


def make_parser(language: str, words: Collection[str] = COMMANDS) -> argparse.ArgumentParser:
    """The parser, all its texts in one language.

    A command has its arguments where it is among the `words` that are to be parsed: help has to be
    instant, and must not load what all the others need.
    """
    _translate_argparse(language)
    parser = CommandParser(
        language,
        prog="baghdad",
        description=say("cli.about", language),
        epilog=say("cli.more", language),
        allow_abbrev=False,
    )
    parser.add_argument(
        "--version", action="version", version=f"baghdad {__version__}", help=parser.text("version")
    )
    _add_language(parser)
    add_room(parser, parser.text("room"))
    commands = parser.add_subparsers(
        title=parser.text("commands"), metavar=parser.text("command"), dest="command"
    )
    for name in COMMANDS:
        command = commands.add_parser(
            name,
            language=language,
            help=parser.text(name),
            description=say(f"cli.{name}.more", language),
            allow_abbrev=False,
        )
        _add_language(command)
        command.set_defaults(run=_run_later(name))
        if name in words:
            _module(name).add_arguments(command)
    return parser


def _add_language(parser: CommandParser) -> None:
    # main() has read it already; here it is only accepted, before and after the command.
    parser.add_argument(
        "--lang", choices=LANGUAGES, default=argparse.SUPPRESS, help=parser.text("lang")
    )


def _run_later(name: str) -> Callable[[argparse.Namespace, str], int]:
    """A command that loads its module when it runs."""

    def run(options: argparse.Namespace, language: str) -> int:
        code: int = _module(name).run(options, language)
        return code

    return run


def _module(name: str) -> ModuleType:
    return import_module(f"{__package__}.{name.replace('-', '_')}")


def _translate_argparse(language: str) -> None:
    """Give argparse our words for its own: it asks a function named `_` for each."""
    words = {
        key.removeprefix("argparse."): word
        for key, word in catalogue("messages", language).items()
        if key.startswith("argparse.")
    }
    setattr(argparse, "_", lambda word: words.get(word, word))  # noqa: B010

    def of_number(one: str, many: str, number: int) -> str:
        word = one if number == 1 else many
        return str(words.get(word, word))

    setattr(argparse, "ngettext", of_number)  # noqa: B010
