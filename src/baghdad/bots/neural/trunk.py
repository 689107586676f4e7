"""The blocks of our networks, all of them compiled: for machines that have no NumPy.

Matrix products are loops, which an optimizer turns into the machine's own vectors; what lies
between them are the loops of `layers`. How large the arrays are says the memory; how many blocks
there are is the same for all. `twin` has the heads of a policy, `bots.value.twin` that of chances.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from baghdad.rules.engine.exponentials import exp

from .compiled import compiled, noinline
from .layers import (
    Floats,
    add_bias_context_relu,
    add_bias_relu,
    add_residual,
    layer_norm,
    pool_palaces,
)
from .network import Shape, Sizes, TrunkShape, sizes
from .sight import OUTCOMES
from .versions import Inputs

Array = npt.NDArray[Any]

BLOCKS = Shape().blocks
PART = 128
"""Products that are added up before anything else."""
ROWS = 32
"""Positions that are looked at together: some milliseconds."""
NAMES: tuple[str, ...] = tuple(sizes(Shape()))
"""The arrays that a network can have."""


def place_of(name: str) -> int:
    """Where the weights stand in `NAMES`."""
    return NAMES.index(f"{name}.weight")


_PALACE_IN, _TABLE_IN = place_of("palace_in"), place_of("table_in")
_PALACE_NORM, _TABLE_NORM = place_of("palace_norm"), place_of("table_norm")
_IN_BLOCK = (
    "palace_norm",
    "table_norm",
    "table_hears",
    "table_out",
    "palace_hears",
    "palace_is_told",
    "palace_out",
)
_NORM_P, _NORM_T, _HEARS_T, _OUT_T, _HEARS_P, _TOLD_P, _OUT_P = range(len(_IN_BLOCK))
_BLOCK: npt.NDArray[np.int64] = np.array(
    [[place_of(f"blocks.{block}.{name}") for name in _IN_BLOCK] for block in range(BLOCKS)]
)
"""[block, layer]: where each layer's weights stand in `NAMES`."""
_BIAS: npt.NDArray[np.int64] = np.array(
    [
        NAMES.index(bias) if (bias := name.replace(".weight", ".bias")) in NAMES else -1
        for name in NAMES
    ]
)
"""[array]: where the bias that belongs to weights stands."""


class Encoding(NamedTuple):
    """How several kinds of networks read a row, one beside another, filled up to the longest."""

    columns: Array
    """[kind, 6 or 1, n]"""
    scale: Array
    """[kind, n]"""
    threshold_columns: Array
    threshold_values: Array
    sizes: Array
    """[kind, 2]: features, thresholds."""


def encoding(kinds: Sequence[Inputs]) -> Encoding:
    """As each kind has it."""
    return Encoding(
        _stacked([np.atleast_2d(each.columns) for each in kinds]),
        _stacked([each.scale for each in kinds]),
        _stacked([each.threshold_columns for each in kinds]),
        _stacked([each.threshold_values for each in kinds]),
        np.array([[len(each.scale), len(each.threshold_values)] for each in kinds]),
    )


def _stacked(parts: Sequence[Array]) -> Array:
    shape = len(parts), *np.max([each.shape for each in parts], axis=0)
    stacked = np.zeros(shape, parts[0].dtype)
    for number, each in enumerate(parts):
        stacked[np.ix_([number], *map(range, each.shape))] = each
    return stacked


class TrunkMemory(NamedTuple):
    """A network's numbers, and room for what its blocks make of `ROWS` positions."""

    numbers: Floats
    """All arrays, one after another, as PyTorch has them."""
    starts: Array
    """[NAMES]: where in `numbers` each array begins, where the network has it."""
    palace_inputs: Floats
    table_inputs: Floats
    palaces: Floats
    """[6 ROWS, palace]"""
    table: Floats
    """[ROWS, table]"""
    of_palaces: Floats
    """[6 ROWS, palace]: what the blocks have made of the palaces, normalized."""
    pooled: Floats
    """[ROWS, table + 2 palace]"""
    inner_palaces: Floats
    inner_table: Floats
    """[ROWS, table]: what they have made of the table, in the end."""
    more_palaces: Floats
    more_table: Floats
    context: Floats
    """[ROWS, palace]"""


def new_trunk_memory(shape: TrunkShape, numbers: int) -> TrunkMemory:
    """Memory for one network with so many numbers."""
    assert shape.blocks == BLOCKS, "another shape"
    palace, table, reading = shape.palace, shape.table, shape.reading
    shapes = (
        (6 * ROWS, reading.palace.size), (ROWS, reading.table.size),
        (6 * ROWS, palace), (ROWS, table), (6 * ROWS, palace), (ROWS, table + 2 * palace),
        (6 * ROWS, palace), (ROWS, table), (6 * ROWS, palace), (ROWS, table), (ROWS, palace),
    )  # fmt: skip
    return TrunkMemory(
        np.zeros(numbers, np.float32),
        np.zeros(len(NAMES), np.int64),
        *(np.zeros(shape, np.float32) for shape in shapes),
    )


def numbers_in(sizes: Sizes) -> int:
    """In all arrays together."""
    return sum(int(np.prod(size)) for size in sizes.values())


def load_numbers(weights: Mapping[str, Floats], memory: TrunkMemory) -> None:
    """Take a network's weights in."""
    at = 0
    for name, array in weights.items():
        memory.starts[NAMES.index(name)] = at
        memory.numbers[at : at + array.size] = array.ravel()
        at += array.size


@compiled
def _read_halves(halves: Array, numbers: Floats) -> None:
    """Numbers of half precision, given as 16 bits each, as `weights_file` has them."""
    for place in range(len(halves)):
        bits = int(halves[place])
        power, part = (bits >> 10) & 31, bits & 1023
        value = float(part + 1024) if power > 0 else float(part)
        for _ in range(25 - max(power, 1)):
            value *= 0.5
        for _ in range(max(power, 1) - 25):
            value *= 2.0
        numbers[place] = -value if bits >> 15 else value


@compiled
def take_in(halves: Array, starts: Array, memory: TrunkMemory) -> None:
    """Take a network's numbers in as its file has them, and where each of its arrays begins."""
    _read_halves(halves, memory.numbers)
    for array in range(len(NAMES)):
        memory.starts[array] = starts[array]


@compiled
def encode(
    seen: Array,
    columns: Array,
    scale: Array,
    threshold_columns: Array,
    thresholds: Array,
    sizes: Array,
    out: Floats,
) -> None:
    """As `layers.scale_and_threshold`, of one row: its six palaces into six rows of `out`, or the
    table into one."""
    for token in range(len(columns)):
        for place in range(sizes[0]):
            out[token, place] = seen[columns[token, place]] / scale[place]
        for number in range(sizes[1]):
            reached = seen[columns[token, threshold_columns[number]]] >= thresholds[number]
            out[token, sizes[0] + number] = 1.0 if reached else 0.0


@noinline
def think(count: int, palace_inputs: int, table_inputs: int, memory: TrunkMemory) -> None:
    """Let the blocks think of `count` positions that were encoded, by so many inputs."""
    palace, wide = memory.palaces.shape[1], memory.table.shape[1]
    h, g = memory.palaces[: 6 * count], memory.table[:count]
    palaces, table = memory.palace_inputs, memory.table_inputs
    matmul(palaces, 6 * count, palace_inputs, _PALACE_IN, palace, memory, h)
    matmul(table, count, table_inputs, _TABLE_IN, wide, memory, g)
    add_bias_relu(h, bias_of(memory, _PALACE_IN, palace))
    add_bias_relu(g, bias_of(memory, _TABLE_IN, wide))
    of_palaces, pooled = memory.of_palaces[: 6 * count], memory.pooled[:count]
    inner_h, inner_g = memory.inner_palaces[: 6 * count], memory.inner_table[:count]
    more_h, more_g = memory.more_palaces[: 6 * count], memory.more_table[:count]
    context = memory.context[:count]
    for block in range(BLOCKS):
        at = _BLOCK[block]
        _normalized(h, at[_NORM_P], palace, memory, of_palaces)
        _normalized(g, at[_NORM_T], wide, memory, pooled)
        pool_palaces(of_palaces, pooled, wide)
        matmul(pooled, count, wide + 2 * palace, at[_HEARS_T], wide, memory, inner_g)
        add_bias_relu(inner_g, bias_of(memory, at[_HEARS_T], wide))
        matmul(inner_g, count, wide, at[_OUT_T], wide, memory, more_g)
        add_residual(g, more_g, bias_of(memory, at[_OUT_T], wide))
        matmul(of_palaces, 6 * count, palace, at[_HEARS_P], palace, memory, inner_h)
        matmul(g, count, wide, at[_TOLD_P], palace, memory, context)
        add_bias_context_relu(inner_h, bias_of(memory, at[_HEARS_P], palace), context)
        matmul(inner_h, 6 * count, palace, at[_OUT_P], palace, memory, more_h)
        add_residual(h, more_h, bias_of(memory, at[_OUT_P], palace))
    _normalized(h, _PALACE_NORM, palace, memory, of_palaces)
    _normalized(g, _TABLE_NORM, wide, memory, inner_g)


@compiled
def bias_of(memory: TrunkMemory, place: int, size: int) -> Floats:
    start = memory.starts[_BIAS[place]]
    return memory.numbers[start : start + size]


@compiled
def _normalized(x: Floats, place: int, size: int, memory: TrunkMemory, out: Floats) -> None:
    start = memory.starts[place]
    layer_norm(x, memory.numbers[start : start + size], bias_of(memory, place, size), out)


@compiled
def matmul(
    x: Floats, rows: int, width: int, place: int, size: int, memory: TrunkMemory, out: Floats
) -> None:
    """The first `width` columns of `x` [rows, ...], times the weights [size, width]: `out` [rows,
    size]."""
    _multiply(x, rows, width, memory.numbers[memory.starts[place] :], size, out)


@noinline
def _multiply(x: Floats, rows: int, width: int, weights: Floats, size: int, out: Floats) -> None:
    """Two rows by four columns at a time: so every number that is loaded is used often.

    Sums of parts are added up: the larger a sum is, the more of what comes to it is rounded away.
    """
    row, zero = 0, np.float32(0)
    while row < rows:
        other = min(row + 1, rows - 1)
        one, two = x[row], x[other]
        column = 0
        while column + 3 < size:
            sum_a1, sum_b1, sum_c1, sum_d1 = zero, zero, zero, zero
            sum_a2, sum_b2, sum_c2, sum_d2 = zero, zero, zero, zero
            for first in range(0, width, PART):
                at = column * width + first
                of_one, of_two = one[first:], two[first:]
                a, b = weights[at:], weights[at + width :]
                c, d = weights[at + 2 * width :], weights[at + 3 * width :]
                a1, b1, c1, d1 = zero, zero, zero, zero
                a2, b2, c2, d2 = zero, zero, zero, zero
                for k in range(min(PART, width - first)):
                    u, v = of_one[k], of_two[k]
                    a1 += u * a[k]
                    b1 += u * b[k]
                    c1 += u * c[k]
                    d1 += u * d[k]
                    a2 += v * a[k]
                    b2 += v * b[k]
                    c2 += v * c[k]
                    d2 += v * d[k]
                sum_a1, sum_b1, sum_c1, sum_d1 = sum_a1 + a1, sum_b1 + b1, sum_c1 + c1, sum_d1 + d1
                sum_a2, sum_b2, sum_c2, sum_d2 = sum_a2 + a2, sum_b2 + b2, sum_c2 + c2, sum_d2 + d2
            out[row, column], out[row, column + 1] = sum_a1, sum_b1
            out[row, column + 2], out[row, column + 3] = sum_c1, sum_d1
            out[other, column], out[other, column + 1] = sum_a2, sum_b2
            out[other, column + 2], out[other, column + 3] = sum_c2, sum_d2
            column += 4
        while column < size:
            at = column * width
            a1, a2 = zero, zero
            for k in range(width):
                a1 += one[k] * weights[at + k]
                a2 += two[k] * weights[at + k]
            out[row, column], out[other, column] = a1, a2
            column += 1
        row += 2


@compiled
def softmax(x: Floats, bias: Floats) -> None:
    """Softmax of `x` [n, OUTCOMES] with a bias added, in place."""
    for row in range(len(x)):
        largest = x[row, 0] + bias[0]
        for place in range(OUTCOMES):
            x[row, place] += bias[place]
            largest = max(largest, x[row, place])
        total = 0.0
        for place in range(OUTCOMES):
            odds = exp(float(x[row, place] - largest))
            x[row, place] = odds
            total += odds
        for place in range(OUTCOMES):
            x[row, place] = x[row, place] / total
