"""`baghdad export-game`: the whole game as one HTML file."""

import argparse
from pathlib import Path

from baghdad.text import say

from .arguments import CommandParser
from .files import UsageError


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument(
        "-o",
        "--output",
        default="baghdad.html",
        metavar="FILE",
        help=parser.text("export-game.output"),
    )


def run(options: argparse.Namespace, language: str) -> int:
    """Write the file."""
    from baghdad.alone.page import is_built, one_file, write_file

    if not is_built():
        raise UsageError(say("cli.page_not_built", language))
    if options.output == "-":
        print(one_file(), end="")
        return 0
    try:
        write_file(Path(options.output))
    except OSError as error:
        reason = error.strerror or str(error)
        text = say("cli.no_output", language, file=options.output, reason=reason)
        raise UsageError(text) from None
    print(say("cli.replay.written", language, file=options.output))
    return 0
