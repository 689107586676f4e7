"""What several commands understand alike: numbers within bounds, players, a table's options."""

import argparse
import math
from collections.abc import Callable
from typing import Any

from baghdad.rules.options import VALUES
from baghdad.text import say

SLOWEST = 60
"""Seconds between two steps of a bot, at most."""


class CommandParser(argparse.ArgumentParser):
    """A parser that speaks one language, about wrong numbers, too."""

    def __init__(self, language: str, **settings: Any) -> None:
        super().__init__(**settings)
        self.language = language

    def text(self, key: str, **values: object) -> str:
        """A text of the command line for the help of an argument."""
        # There argparse fills in % itself.
        return say(f"cli.{key}", self.language, **values).replace("%", "%%")

    def whole(self, least: int, most: int | None = None) -> Callable[[str], int]:
        """Reads whole numbers within bounds."""

        def number(given: str) -> int:
            known = given.strip().removeprefix("-").isdecimal()
            if not known or int(given) < least or (most is not None and int(given) > most):
                key = "cli.at_least" if most is None else "cli.from_to"
                raise self.refusal(key, least=least, most=most, given=given)
            return int(given)

        return number

    def positive(self, given: str) -> float:
        """Reads a number above 0."""
        number = _real(given)
        if not 0 < number < math.inf:
            raise self.refusal("cli.positive", given=given)
        return number

    def between(self, least: float, most: float) -> Callable[[str], float]:
        """Reads numbers within bounds."""

        def number(given: str) -> float:
            found = _real(given)
            if not least <= found <= most:
                raise self.refusal("cli.between", least=least, most=most, given=given)
            return found

        return number

    def seed(self, given: str) -> str:
        """Reads a seed, which has to fit into the header of a record."""
        if not given.isprintable():
            raise self.refusal("cli.bad_seed")
        return given

    def refusal(self, key: str, **values: object) -> argparse.ArgumentTypeError:
        return argparse.ArgumentTypeError(say(key, self.language, **values))


def _real(given: str) -> float:
    try:
        return float(given)
    except ValueError:
        return math.nan


def add_file(parser: CommandParser) -> None:
    parser.add_argument("file", metavar="FILE", help=parser.text("file"))


def add_json(parser: CommandParser) -> None:
    parser.add_argument("--json", action="store_true", help=parser.text("json"))


def add_jobs(parser: CommandParser, key: str) -> None:
    parser.add_argument(
        "--jobs", type=parser.whole(1), default=1, metavar="N", help=parser.text(key)
    )


def add_output(parser: CommandParser) -> None:
    """Where records go: a file, or standard output."""
    parser.add_argument(
        "-o", "--output", default="-", metavar="FILE", help=parser.text("record.output")
    )


def add_players(parser: CommandParser) -> None:
    parser.add_argument(
        "--players",
        type=int,
        choices=(2, 3, 4),
        default=2,
        metavar="N",
        help=parser.text("players", default=2),
    )


def add_options(parser: CommandParser) -> None:
    """What is agreed on for a game, and its seed."""
    for name in ("rulebook", "variant", "rob", "hands", "spare"):
        parser.add_argument(f"--{name}", choices=VALUES[name], help=parser.text(f"record.{name}"))
    parser.add_argument("--deal", metavar="N-N|balanced", help=parser.text("record.deal"))
    parser.add_argument("--seed", type=parser.seed, metavar="SEED", help=parser.text("seed"))


def add_pace(parser: CommandParser, default: float) -> None:
    parser.add_argument(
        "--pace",
        type=parser.between(0, SLOWEST),
        default=default,
        metavar="SECONDS",
        help=parser.text("pace", default=default),
    )


def add_database(parser: CommandParser) -> None:
    """Where a server keeps its games."""
    parser.add_argument("--data", metavar="FOLDER", help=parser.text("serve.data"))
    parser.add_argument("--database-url", metavar="URL", help=parser.text("serve.database_url"))


def add_room(parser: "argparse._ActionsContainer", text: str) -> None:
    """Before the command and after it, as the language."""
    parser.add_argument("--room", action="store_true", default=argparse.SUPPRESS, help=text)
