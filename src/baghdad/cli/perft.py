"""`baghdad perft`: how many ways a position has to go on."""

import argparse
import json

import numpy as np

from ..rules.actions import ROWS, TOKENS
from ..rules.game import Game
from ..rules.simulate import perft
from ..rules.state import STATE
from ..text import say
from .files import read_text
from .progress import progress


def count(game: Game, depth: int) -> int:
    """Sequences of exactly `depth` decisions; shorter ones that reach chance or the end are one."""
    states = np.zeros(depth + 1, STATE)
    states[0] = game.state
    return int(perft(states, np.zeros((depth + 1, ROWS), np.int64), depth))


def run(options: argparse.Namespace, language: str) -> int:
    """Count behind each first move, so that there is progress to show."""
    game = Game.from_record(read_text(options.file, language))
    behind: dict[str, int] = {}
    legal = game.legal() if options.depth > 0 else []
    for action in progress(legal, len(legal), say("cli.perft.progress", language)):
        after = game.copy()
        after.play(action)
        behind[TOKENS[action]] = count(after, options.depth - 1)
    total = sum(behind.values()) if legal else 1
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
