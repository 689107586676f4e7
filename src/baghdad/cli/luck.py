"""`baghdad luck`: what the cards and the turns of a finished game were worth."""

import argparse
import json

from baghdad.rules.game import Game
from baghdad.text import say

from .arguments import CommandParser, add_json
from .files import UsageError, read_text
from .saves import names_of


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument("file", metavar="GAME", help=parser.text("luck.file"))
    add_json(parser)


def run(options: argparse.Namespace, language: str) -> int:
    """Tell the ledger of every seat, and the turning points."""
    from baghdad.analysis import luck, win_chances
    from baghdad.analysis.luck_told import as_builtins, told

    game = Game.from_record(read_text(options.file, language))
    if not game.over:
        raise UsageError(say("cli.luck.unfinished", language))
    chances, ledger, players = win_chances(game), luck(game), game.options.players
    if options.json:
        print(json.dumps(as_builtins(chances, ledger, players)))
        return 0
    for line in told(chances, ledger, players, names_of(game), language):
        print(line)
    print()
    print(say("analysis.luck.about", language))
    return 0
