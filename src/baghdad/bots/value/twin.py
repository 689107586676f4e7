"""The same networks as `network.ValueNetwork`, all of them compiled: for machines without NumPy.

They know networks of the usual shape, of either kind. A test holds them to the others.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from baghdad.bots.neural.layers import Floats
from baghdad.bots.neural.network import NOBODY
from baghdad.bots.neural.sight import OUTCOMES
from baghdad.bots.neural.trunk import (
    TrunkMemory,
    bias_of,
    encode,
    encoding,
    load_numbers,
    matmul,
    new_trunk_memory,
    numbers_in,
    place_of,
    softmax,
    think,
)
from baghdad.jit.compiler import compiler

from . import SOURCES
from .network import IMPOSSIBLE, SEATED, Sees, ValueShape, value_sizes

compiled = compiler(SOURCES, fastmath=True)

Array = npt.NDArray[Any]

KINDS: tuple[Sees, ...] = ("eyes", "open")
EYES, OPEN = range(len(KINDS))
SHAPES = tuple(ValueShape(sees) for sees in KINDS)
"""The only ones that they know."""
TABLE = SHAPES[OPEN].table
NUMBERS = tuple(numbers_in(value_sizes(shape)) for shape in SHAPES)
"""In all arrays of each."""

_OUTCOME = place_of("outcome")
_READINGS = [shape.reading for shape in SHAPES]
_P_COLUMNS, _P_SCALE, _P_AT, _P_VALUES, _P_SIZES = encoding([each.palace for each in _READINGS])
_T_COLUMNS, _T_SCALE, _T_AT, _T_VALUES, _T_SIZES = encoding([each.table for each in _READINGS])
_SEATED: npt.NDArray[np.int64] = SEATED


class ValueTwins(NamedTuple):
    """Both networks' numbers, and room for what one of them makes of `ROWS` positions."""

    eyes: TrunkMemory
    open: TrunkMemory
    """All but its numbers and starts is the other's."""


def new_value_twins() -> ValueTwins:
    """Memory for both networks."""
    memory = new_trunk_memory(SHAPES[OPEN], NUMBERS[OPEN])
    numbers, starts = np.zeros(NUMBERS[EYES], np.float32), np.zeros_like(memory.starts)
    return ValueTwins(memory._replace(numbers=numbers, starts=starts), memory)


def load_twin(weights: Mapping[str, Floats], shape: ValueShape, memory: ValueTwins) -> None:
    """Give a network's weights to its twin."""
    assert shape in SHAPES, "another shape"
    load_numbers(weights, memory[KINDS.index(shape.sees)])


@compiled
def look_open(rows: Array, count: int, memory: ValueTwins, outcomes: Floats) -> None:
    """Say who wins from the first `count` positions, at most `ROWS`, all of which is seen: `rows`
    [n, OPEN_SIZE], `outcomes` [n, OUTCOMES]."""
    _look(rows, count, OPEN, memory.open, outcomes)


@compiled
def look_seen(rows: Array, count: int, memory: ValueTwins, outcomes: Floats) -> None:
    """The same of what one seat sees; what more there is in the rows is not read."""
    _look(rows, count, EYES, memory.eyes, outcomes)


@compiled
def _look(rows: Array, count: int, kind: int, memory: TrunkMemory, outcomes: Floats) -> None:
    for row in range(count):
        encode(
            rows[row], _P_COLUMNS[kind], _P_SCALE[kind], _P_AT[kind], _P_VALUES[kind],
            _P_SIZES[kind], memory.palace_inputs[6 * row :],
        )  # fmt: skip
        encode(
            rows[row], _T_COLUMNS[kind], _T_SCALE[kind], _T_AT[kind], _T_VALUES[kind],
            _T_SIZES[kind], memory.table_inputs[row:],
        )  # fmt: skip
    wide, long = _P_SIZES[kind], _T_SIZES[kind]
    think(count, wide[0] + wide[1], long[0] + long[1], memory)
    matmul(memory.inner_table, count, TABLE, _OUTCOME, OUTCOMES, memory, outcomes)
    for row in range(count):
        for place in range(NOBODY):  # where nobody sits nobody wins
            if rows[row, _SEATED[place]] <= 0:
                outcomes[row, place] = IMPOSSIBLE
    softmax(outcomes[:count], bias_of(memory, _OUTCOME, OUTCOMES))
