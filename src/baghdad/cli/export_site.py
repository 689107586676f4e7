"""`baghdad export-site`: the whole game as a folder for any static host."""

import argparse
from pathlib import Path

from baghdad.text import say

from .arguments import CommandParser
from .files import UsageError


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument("folder", metavar="DIR", help=parser.text("export-site.folder"))


def run(options: argparse.Namespace, language: str) -> int:
    """Write the folder, or renew an earlier one."""
    from baghdad.alone.page import NotOursError, is_built, write_site

    if not is_built():
        raise UsageError(say("cli.page_not_built", language))
    try:
        write_site(Path(options.folder))
    except NotOursError:
        reason = say("cli.export-site.not_ours", language, folder=options.folder)
        raise UsageError(reason) from None
    except (FileExistsError, NotADirectoryError):
        reason = say("cli.export-site.no_folder", language, folder=options.folder)
        raise UsageError(reason) from None
    except OSError as error:
        reason = error.strerror or str(error)
        text = say("cli.no_output", language, file=options.folder, reason=reason)
        raise UsageError(text) from None
    print(say("cli.replay.written", language, file=options.folder))
    return 0
