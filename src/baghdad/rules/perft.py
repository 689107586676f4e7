"""Node counts: how many ways a position has to go on. The first test of any engine."""

from collections.abc import Iterator

import numpy as np

from baghdad.rules.engine.actions import ROWS, Action
from baghdad.rules.engine.legality import legal_rows
from baghdad.rules.engine.simulate import perft as count_part
from baghdad.rules.engine.state import STATE

from .game import Game

DEEPEST = 200
"""No position has more decisions before the next chance step: every action costs a card."""
PART = 1_000_000
"""Positions between two chances to interrupt: some 50 ms."""


def perft(game: Game, depth: int) -> int:
    """Sequences of exactly `depth` decisions; shorter ones that reach chance or the end are one.

    >>> perft(Game(players=2), 2)
    36
    """
    if depth == 0 or not game.legal():
        return 1
    depth = min(depth, DEEPEST)
    states, rows = np.zeros(depth, STATE), np.zeros((depth, ROWS), np.int64)
    states[0] = game.state
    legal_rows(states[0], rows[0])
    level, total = 0, 0
    while level >= 0:
        level, sequences = count_part(states, rows, depth, level, PART)
        total += sequences
    return total


def divide(game: Game, depth: int) -> Iterator[tuple[Action, int]]:
    """Every legal action with the sequences behind it: where two engines differ, it shows where.

    >>> sum(count for _, count in divide(Game(players=2), 2)) == perft(Game(players=2), 2)
    True
    """
    for action in game.legal() if depth > 0 else []:
        after = game.copy()
        after.play(action)
        yield action, perft(after, depth - 1)
