"""`baghdad perft`: how many ways a position has to go on."""

import argparse
import json

import numpy as np

from baghdad.rules.engine.actions import ROWS, TOKENS
from baghdad.rules.engine.legality import legal_rows
from baghdad.rules.engine.simulate import perft
from baghdad.rules.engine.state import STATE
from baghdad.rules.game import Game
from baghdad.text import say

from .files import read_text
from .progress import progress

DEEPEST = 200
"""No position has more decisions before the next chance step: every action costs a card."""
PART = 1_000_000
"""Positions between two chances to interrupt: some 50 ms."""


def count(game: Game, depth: int) -> int:
    """Sequences of exactly `depth` decisions; shorter ones that reach chance or the end are one."""
    if depth == 0 or not game.legal():
        return 1
    depth = min(depth, DEEPEST)
    states, rows = np.zeros(depth, STATE), np.zeros((depth, ROWS), np.int64)
    states[0] = game.state
    legal_rows(states[0], rows[0])
    level, total = 0, 0
    while level >= 0:
        level, sequences = perft(states, rows, depth, level, PART)
        total += sequences
    return total


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
