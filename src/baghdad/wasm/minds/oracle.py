"""Who says how likely every seat is to win: the value networks, and memory for all that may come.

`look_at` answers at once. `begin_mean` and `advance` ask for the mean over the cards that come next,
some milliseconds at a time.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from baghdad.analysis.engine.draws import SPREAD, Weights, add_up, spread
from baghdad.bots.neural.layers import Floats
from baghdad.bots.neural.network import NOBODY
from baghdad.bots.neural.sight import OUTCOMES
from baghdad.bots.neural.trunk import ROWS
from baghdad.bots.value.rows import OPEN_SIZE, observe_openly
from baghdad.bots.value.rows import ROWS as Rows
from baghdad.bots.value.seats import Chances, by_seat
from baghdad.bots.value.twin import ValueTwins, look_open, look_seen, new_value_twins
from baghdad.rules.engine.dealer import Rng
from baghdad.rules.engine.observation import observe
from baghdad.rules.engine.state import STATE, State, States

from .block import Block, Layout
from .compiled import compiled

DONE, GO_ON = 0, 1
TOLD = OUTCOMES + NOBODY
"""With open hands, and from the eyes of each seat."""

STAND = np.dtype((np.record, np.dtype([("count", "i8"), ("seen", "i8")], align=True)))
"""Positions that may come, and how many of them were looked at."""


class Oracle(NamedTuple):
    """All its memory."""

    stand: npt.NDArray[Any]
    """[1], dtype `STAND`"""
    networks: ValueTwins
    after: States
    """[SPREAD]"""
    weights: Weights
    rows: Rows
    """[ROWS, OPEN_SIZE]"""
    outcomes: Floats
    """[ROWS, OUTCOMES]"""
    one: Chances
    mean: Chances


def new_oracle() -> Oracle:
    return Oracle(
        np.zeros(1, STAND),
        new_value_twins(),
        np.zeros(SPREAD, STATE),
        np.zeros(SPREAD),
        np.zeros((ROWS, OPEN_SIZE), np.int8),
        np.zeros((ROWS, OUTCOMES), np.float32),
        np.zeros(OUTCOMES),
        np.zeros(OUTCOMES),
    )


_LAYOUT = Layout()
find = _LAYOUT.place(new_oracle())
"""The parts of an oracle in a block."""
SIZE = _LAYOUT.size


@compiled
def look_at(state: State, told: Chances, block: Block) -> None:
    """Write who wins from a position [TOLD]: with all hands open, and each seat's own chance as it
    sees it."""
    oracle = find(block)
    observe_openly(state, oracle.rows[0])
    look_open(oracle.rows, 1, oracle.networks, oracle.outcomes)
    by_seat(state, state.seat, oracle.outcomes[0], told)
    players = int(state.players)
    for seat in range(players):
        observe(state, seat, oracle.rows[seat])
    look_seen(oracle.rows, players, oracle.networks, oracle.outcomes)
    for seat in range(NOBODY):
        told[OUTCOMES + seat] = 0.0
        if seat < players:
            by_seat(state, seat, oracle.outcomes[seat], oracle.one)
            told[OUTCOMES + seat] = oracle.one[seat]


@compiled
def begin_mean(state: State, rng: Rng, block: Block) -> None:
    """Start to ask for the mean of what may come of a position in which cards come next."""
    oracle = find(block)
    stand = oracle.stand[0]
    stand.count, stand.seen = spread(state, rng, oracle.after, oracle.weights), 0
    for seat in range(OUTCOMES):
        oracle.mean[seat] = 0.0


@compiled
def advance(block: Block) -> int:
    """Go on for some milliseconds; returns `DONE` or `GO_ON`."""
    oracle = find(block)
    stand = oracle.stand[0]
    first = int(stand.seen)
    rows = min(int(stand.count) - first, ROWS)
    for row in range(rows):
        observe_openly(oracle.after[first + row], oracle.rows[row])
    look_open(oracle.rows, rows, oracle.networks, oracle.outcomes)
    add_up(oracle.after, first, rows, oracle.outcomes, oracle.weights, oracle.one, oracle.mean)
    stand.seen += rows
    return GO_ON if stand.seen < stand.count else DONE


@compiled
def tell_mean(told: Chances, block: Block) -> None:
    """Write the mean [OUTCOMES]."""
    oracle = find(block)
    for seat in range(OUTCOMES):
        told[seat] = oracle.mean[seat]
