"""Who says how likely every seat is to win, and what cards were worth: three networks, and memory.

`look_at` answers at once. `begin_draw` starts to look at cards that came, and `advance` goes on for
some milliseconds, again and again until it returns `DONE`.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from baghdad.analysis.engine import ahead
from baghdad.analysis.engine.ahead import AheadMemory, new_ahead_memory
from baghdad.analysis.engine.draws import until_all_have_cards
from baghdad.bots.neural import twin
from baghdad.bots.neural.network import NOBODY
from baghdad.bots.neural.sight import OUTCOMES
from baghdad.bots.neural.trunk import ROWS
from baghdad.bots.neural.twin import TwinMemory, new_twin_memory
from baghdad.bots.value.rows import observe_openly
from baghdad.bots.value.seats import Chances, by_seat
from baghdad.bots.value.twin import ValueTwins, look_open, look_seen, new_value_twins
from baghdad.rules.engine.dealer import Rng
from baghdad.rules.engine.observation import observe
from baghdad.rules.engine.state import State

from .block import Block, Layout
from .compiled import compiled, noinline

DONE, GO_ON = 0, 1
TOLD = 2 * OUTCOMES
"""Numbers that are told, at most."""

STAND = np.dtype((np.record, np.dtype([("rows", "i8"), ("seen", "i8")], align=True)))
"""Rows that a network is to look at, as `ahead.advance` says, and how many it has looked at."""


class Oracle(NamedTuple):
    """All its memory."""

    stand: npt.NDArray[Any]
    """[1], dtype `STAND`"""
    policy: TwinMemory
    networks: ValueTwins
    ahead: AheadMemory


def new_oracle() -> Oracle:
    return Oracle(np.zeros(1, STAND), new_twin_memory(), new_value_twins(), new_ahead_memory())


_LAYOUT = Layout()
find = _LAYOUT.place(new_oracle())
"""The parts of an oracle in a block."""
SIZE = _LAYOUT.size


@compiled
def look_at(state: State, rng: Rng, told: Chances, block: Block) -> None:
    """Write who wins from a position [OUTCOMES + NOBODY]: with all hands open, and each seat's own
    chance as it sees it."""
    oracle = find(block)
    memory = oracle.ahead
    count = until_all_have_cards(state, rng, memory.after, memory.weights)
    for place in range(OUTCOMES + NOBODY):
        told[place] = 0.0
    for first in range(0, count, ROWS):
        for seat in range(-1, int(state.players)):
            _look_at_some(first, min(count - first, ROWS), seat, told, oracle)


@noinline
def _look_at_some(first: int, rows: int, viewer: int, told: Chances, oracle: Oracle) -> None:
    """Add what some positions are worth, as a seat sees them, or with open hands (-1)."""
    memory = oracle.ahead
    for row in range(rows):
        state = memory.after[first + row]
        if viewer < 0:
            observe_openly(state, memory.rows[row])
        else:
            observe(state, viewer, memory.rows[row])
    if viewer < 0:
        look_open(memory.rows, rows, oracle.networks, memory.outcomes)
    else:
        look_seen(memory.rows, rows, oracle.networks, memory.outcomes)
    for row in range(rows):
        state, weight = memory.after[first + row], memory.weights[first + row]
        observer = int(state.seat) if viewer < 0 else viewer
        by_seat(state, observer, memory.outcomes[row], memory.one)
        if viewer >= 0:
            told[OUTCOMES + viewer] += weight * memory.one[viewer]
            continue
        for seat in range(OUTCOMES):
            told[seat] += weight * memory.one[seat]


@compiled
def begin_draw(before: State, came: State, rng: Rng, block: Block) -> None:
    """Start to look at a draw: the position before it, and the one that came of it."""
    oracle = find(block)
    ahead.begin(before, came, rng, oracle.ahead)
    oracle.stand[0].rows = oracle.stand[0].seen = 0


@compiled
def advance(block: Block) -> int:
    """Go on for some milliseconds; returns `DONE` or `GO_ON`."""
    oracle = find(block)
    stand, memory = oracle.stand[0], oracle.ahead
    first = int(stand.seen)
    rows = min(abs(int(stand.rows)) - first, ROWS)
    if rows > 0:
        if stand.rows > 0:
            twin.look(memory.sight, first, rows, oracle.policy)
        else:
            look_open(memory.rows[first:], rows, oracle.networks, memory.outcomes[first:])
        stand.seen += rows
        return GO_ON
    stand.rows, stand.seen = ahead.advance(memory), 0
    return DONE if stand.rows == ahead.DONE else GO_ON


@compiled
def tell_draw(told: Chances, block: Block) -> None:
    """Write what the position was worth before the draw, and after it [2 OUTCOMES]."""
    memory = find(block).ahead
    for place in range(2):
        for seat in range(OUTCOMES):
            told[place * OUTCOMES + seat] = memory.told[place, seat]
