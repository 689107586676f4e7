"""`baghdad perft`: how many ways a position has to go on."""

import argparse
import json

from baghdad.rules.engine.actions import TOKENS
from baghdad.rules.game import Game
from baghdad.rules.perft import divide
from baghdad.text import say

from .files import read_text
from .progress import progress


def run(options: argparse.Namespace, language: str) -> int:
    """Count behind each first move, so that there is progress to show."""
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
