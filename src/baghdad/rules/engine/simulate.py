"""Loops over many steps that never leave compiled code."""

from typing import Any

import numpy as np
import numpy.typing as npt

from .compiled import rule
from .dealer import Rng, awaits_chance, below, deal
from .legality import (
    Rows,
    count_legal,
    legal_rows,
    nth_legal,
    take_first,
)
from .material import OVER
from .state import State, States
from .steps import play


@rule
def random_step(state: State, rng: Rng, rows: Rows) -> None:
    """One step of random play: every legal action is as likely as any other."""
    if awaits_chance(state):
        deal(state, rng)
    else:
        legal_rows(state, rows)
        play(state, nth_legal(rows, below(rng, count_legal(rows))))


@rule
def random_steps(states: States, start: States, rng: Rng, rows: Rows, steps: int) -> int:
    """Play `steps` random steps on `states[0]`, again from `start[0]` after each end.

    Returns how many games ended.
    """
    games = 0
    for _ in range(steps):
        random_step(states[0], rng, rows)
        if states[0].phase == OVER:
            games += 1
            states[0] = start[0]
    return games


@rule
def copy_states(states: States, copies: int) -> None:
    """Copy states of `states` [2 or more] to their neighbours, round and round."""
    source = 0
    for _ in range(copies):
        target = source + 1 if source + 1 < len(states) else 0
        states[target] = states[source]
        source = target


@rule
def perft(states: States, rows: npt.NDArray[np.int64], depth: int, level: int, most: int) -> Any:
    """Count decision sequences of exactly `depth` steps from `states[0]`, a part at a time.

    One that comes to a chance step or to the end earlier counts as one. Begin with level 0 and
    the legal rows of `states[0]` in `rows[0]`; `states` [depth] and `rows` [depth, ROWS] keep the
    rest. After at most this many positions it returns the level to go on with, under 0 when all
    is counted, and what was counted this time.
    """
    sequences = 0
    for _ in range(most):
        if level < 0:
            break
        if level == depth - 1:
            sequences += count_legal(rows[level])
            level -= 1
            continue
        action = take_first(rows[level])
        if action < 0:
            level -= 1
            continue
        states[level + 1] = states[level]
        play(states[level + 1], action)
        legal_rows(states[level + 1], rows[level + 1])
        if count_legal(rows[level + 1]) == 0:
            sequences += 1
        else:
            level += 1
    return level, sequences
