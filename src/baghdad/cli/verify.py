"""`baghdad verify`: prove that a game's deal was fair."""

import argparse
import json

from baghdad.rules.game import Game
from baghdad.rules.notation import read_records
from baghdad.rules.verdict import verdict

from .arguments import CommandParser, add_file, add_json
from .files import read_text

NOT_FAIR = 1


def add_arguments(parser: CommandParser) -> None:
    add_file(parser)
    parser.add_argument("--promise", metavar="HASH", help=parser.text("verify.promise"))
    parser.add_argument("--number", metavar="NUMBER", help=parser.text("verify.number"))
    add_json(parser)


def run(options: argparse.Namespace, language: str) -> int:
    """Check all records of a file; 1 where one is not fair."""
    verdicts = [
        verdict(Game.from_record(record), options.promise, language, number=options.number)
        for record in read_records(read_text(options.file, language))
    ]
    for each in verdicts:
        found = {"fair": each.fair, "reason": each.reason, "shares": each.shares}
        print(json.dumps(found) if options.json else each.reason)
    return 0 if all(each.fair for each in verdicts) else NOT_FAIR
