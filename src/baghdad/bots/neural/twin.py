"""The same network as `network.Network`, all of it compiled: for machines that have no NumPy.

It knows networks of the usual shape, of either version. A test holds it to the other.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .compiled import compiled
from .layers import Floats, assemble_logits, pair_relu
from .network import OF_A_PAIR, OF_THE_TABLE, Shape, sizes
from .sight import OUTCOMES, Sight
from .trunk import (
    ROWS,
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
from .versions import READING, READINGS

Array = npt.NDArray[Any]

SHAPE = Shape()
"""The only one that it knows, but for the version."""
PALACE, TABLE, PAIR = SHAPE.palace, SHAPE.table, SHAPE.pair
MOST_NUMBERS = numbers_in(sizes(SHAPE))
"""In all arrays; in the first version there are fewer."""

_LEAVING, _ENTERING = place_of("leaving"), place_of("entering")
_OF_PALACE, _OF_PAIR = place_of("of_palace"), place_of("of_pair")
_OF_TABLE, _OUTCOME = place_of("of_table"), place_of("outcome")

_VERSIONS = [READINGS[version] for version in sorted(READINGS)]
_P_COLUMNS, _P_SCALE, _P_AT, _P_VALUES, _P_SIZES = encoding([each.palace for each in _VERSIONS])
_T_COLUMNS, _T_SCALE, _T_AT, _T_VALUES, _T_SIZES = encoding([each.table for each in _VERSIONS])


class TwinMemory(NamedTuple):
    """A network's numbers, and room for what it makes of `ROWS` positions."""

    version: Array
    """[1]: of the observation that it reads."""
    trunk: TrunkMemory
    leaving: Floats
    """[6 ROWS, PAIR]"""
    entering: Floats
    pairs: Floats
    """[30 ROWS, PAIR]"""
    palace_logits: Floats
    pair_logits: Floats
    table_logits: Floats


def new_twin_memory() -> TwinMemory:
    """Memory for one network."""
    shapes = (
        (6 * ROWS, PAIR), (6 * ROWS, PAIR), (30 * ROWS, PAIR),
        (6 * ROWS, READING.palace_actions), (30 * ROWS, OF_A_PAIR), (ROWS, OF_THE_TABLE),
    )  # fmt: skip
    return TwinMemory(
        np.zeros(1, np.int64),
        new_trunk_memory(SHAPE, MOST_NUMBERS),
        *(np.zeros(shape, np.float32) for shape in shapes),
    )


def load_twin(weights: Mapping[str, Floats], shape: Shape, memory: TwinMemory) -> None:
    """Give a network's weights to the twin."""
    assert sizes(shape).keys() == sizes(SHAPE).keys(), "another shape"
    memory.version[0] = shape.observation
    load_numbers(weights, memory.trunk)


@compiled
def look(sight: Sight, first: int, count: int, memory: TwinMemory) -> None:
    """Answer `count` rows of what a player looks at, at most `ROWS`, from the first on."""
    version, trunk = memory.version[0] - 1, memory.trunk
    for row in range(count):
        seen = sight.observations[first + row]
        encode(
            seen, _P_COLUMNS[version], _P_SCALE[version], _P_AT[version], _P_VALUES[version],
            _P_SIZES[version], trunk.palace_inputs[6 * row :],
        )  # fmt: skip
        encode(
            seen, _T_COLUMNS[version], _T_SCALE[version], _T_AT[version], _T_VALUES[version],
            _T_SIZES[version], trunk.table_inputs[row:],
        )  # fmt: skip
    wide, long = _P_SIZES[version], _T_SIZES[version]
    think(count, wide[0] + wide[1], long[0] + long[1], trunk)
    of_palaces, table = trunk.of_palaces[: 6 * count], trunk.inner_table[:count]
    leaving, entering = memory.leaving[: 6 * count], memory.entering[: 6 * count]
    matmul(of_palaces, 6 * count, PALACE, _LEAVING, PAIR, trunk, leaving)
    matmul(of_palaces, 6 * count, PALACE, _ENTERING, PAIR, trunk, entering)
    pairs = memory.pairs[: 30 * count]
    pair_relu(leaving, entering, bias_of(trunk, _LEAVING, PAIR), pairs)
    kinds = 10 + memory.version[0]
    matmul(of_palaces, 6 * count, PALACE, _OF_PALACE, kinds, trunk, memory.palace_logits)
    matmul(pairs, 30 * count, PAIR, _OF_PAIR, OF_A_PAIR, trunk, memory.pair_logits)
    matmul(table, count, TABLE, _OF_TABLE, OF_THE_TABLE, trunk, memory.table_logits)
    assemble_logits(
        memory.palace_logits, bias_of(trunk, _OF_PALACE, kinds),
        memory.pair_logits, bias_of(trunk, _OF_PAIR, OF_A_PAIR),
        memory.table_logits, bias_of(trunk, _OF_TABLE, OF_THE_TABLE),
        sight.logits[first : first + count],
    )  # fmt: skip
    matmul(table, count, TABLE, _OUTCOME, OUTCOMES, trunk, sight.outcomes[first:])
    softmax(sight.outcomes[first : first + count], bias_of(trunk, _OUTCOME, OUTCOMES))
