"""`baghdad perft`: how many ways a position has to go on."""

import argparse
import json

from baghdad.text import say

from .arguments import CommandParser, add_file, add_json
from .files import read_text
from .progress import progress


def add_arguments(parser: CommandParser) -> None:
    add, text = parser.add_argument, parser.text
    add_file(parser)
    add("--depth", type=parser.whole(0), required=True, metavar="DEPTH", help=text("perft.depth"))
    add("--divide", action="store_true", help=text("perft.divide"))
    add_json(parser)


def run(options: argparse.Namespace, language: str) -> int:
    """Count behind each first move, so that there is progress to show."""
    from baghdad.rules.engine.actions import TOKENS
    from baghdad.rules.game import Game
    from baghdad.rules.perft import divide

    game = Game.from_record(read_text(options.file, language))
    behind: dict[str, int] = {}
    first_moves = len(game.legal()) if options.depth > 0 else 0
    counted = divide(game, options.depth)
    for action, count in progress(counted, first_moves, say("cli.perft.progress", language)):
        behind[TOKENS[action]] = count
    total = sum(behind.values()) if first_moves else 1
    if options.json:
        report: dict[str, object] = {"depth": options.depth, "count": total}
        if options.divide:
            report["divide"] = dict(sorted(behind.items()))
        print(json.dumps(report))
        return 0
    if options.divide:
        for token, number in sorted(behind.items()):
            print(f"{token} {number}")
    print(total)
    return 0
