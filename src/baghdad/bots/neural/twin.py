"""The same network as `network.Network`, all of it compiled: for machines that have no NumPy.

Its matrix products are loops, which an optimizer turns into the machine's own vectors; what lies
between them are the loops of `layers`. It knows networks of the usual shape, of either version. A
test holds it to the other.
"""

from collections.abc import Mapping
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
    assemble_logits,
    layer_norm,
    pair_relu,
    pool_palaces,
)
from .network import OF_A_PAIR, OF_THE_TABLE, Shape, sizes
from .sight import OUTCOMES, Sight
from .versions import READING, READINGS, Inputs

Array = npt.NDArray[Any]

SHAPE = Shape()
"""The only one that it knows, but for the version."""
PALACE, TABLE, PAIR, BLOCKS = SHAPE.palace, SHAPE.table, SHAPE.pair, SHAPE.blocks
PART = 128
"""Products that are added up before anything else."""
ROWS = 32
"""Positions that it looks at together: some milliseconds."""
NAMES: tuple[str, ...] = tuple(sizes(SHAPE))
"""The arrays of such a network."""
MOST_NUMBERS = sum(int(np.prod(size)) for size in sizes(SHAPE).values())
"""In all of them; in the first version there are fewer."""


def _place_of(name: str) -> int:
    """Where the weights stand in `NAMES`."""
    return NAMES.index(f"{name}.weight")


_PALACE_IN, _TABLE_IN = _place_of("palace_in"), _place_of("table_in")
_PALACE_NORM, _TABLE_NORM = _place_of("palace_norm"), _place_of("table_norm")
_LEAVING, _ENTERING = _place_of("leaving"), _place_of("entering")
_OF_PALACE, _OF_PAIR = _place_of("of_palace"), _place_of("of_pair")
_OF_TABLE, _OUTCOME = _place_of("of_table"), _place_of("outcome")
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
    [[_place_of(f"blocks.{block}.{name}") for name in _IN_BLOCK] for block in range(BLOCKS)]
)
"""[block, layer]: where each layer's weights stand in `NAMES`."""
_BIAS: npt.NDArray[np.int64] = np.array(
    [
        NAMES.index(bias) if (bias := name.replace(".weight", ".bias")) in NAMES else -1
        for name in NAMES
    ]
)
"""[array]: where the bias that belongs to weights stands."""

_VERSIONS = sorted(READINGS)


def _stacked(kind: str, part: str) -> npt.NDArray[Any]:
    """[version, ...]: a part of how each version reads, filled up to the longest."""
    parts = [getattr(getattr(READINGS[each], kind), part) for each in _VERSIONS]
    stacked = np.zeros(
        (len(parts), *np.max([each.shape for each in parts], axis=0)), parts[0].dtype
    )
    for number, each in enumerate(parts):
        stacked[np.ix_([number], *map(range, each.shape))] = each
    return stacked


def _counts(kind: str, part: str) -> npt.NDArray[np.int64]:
    readings: list[Inputs] = [getattr(READINGS[each], kind) for each in _VERSIONS]
    return np.array([len(getattr(each, part)) for each in readings])


_P_COLUMNS, _T_COLUMNS = _stacked("palace", "columns"), _stacked("table", "columns")[:, None]
_P_SCALE, _T_SCALE = _stacked("palace", "scale"), _stacked("table", "scale")
_P_AT, _T_AT = (_stacked(kind, "threshold_columns") for kind in ("palace", "table"))
_P_VALUES, _T_VALUES = (_stacked(kind, "threshold_values") for kind in ("palace", "table"))
_P_SIZES = np.stack([_counts("palace", part) for part in ("scale", "threshold_values")], axis=1)
_T_SIZES = np.stack([_counts("table", part) for part in ("scale", "threshold_values")], axis=1)
"""[version]: features, thresholds"""


class TwinMemory(NamedTuple):
    """A network's numbers, and room for what it makes of `ROWS` positions."""

    version: Array
    """[1]: of the observation that it reads."""
    numbers: Floats
    """[MOST_NUMBERS]: all arrays, one after another, as PyTorch has them."""
    starts: Array
    """[NAMES]: where in `numbers` each array begins."""
    palace_inputs: Floats
    table_inputs: Floats
    palaces: Floats
    """[6 ROWS, PALACE]"""
    table: Floats
    """[ROWS, TABLE]"""
    of_palaces: Floats
    """[6 ROWS, PALACE]"""
    pooled: Floats
    """[ROWS, TABLE + 2 PALACE]"""
    inner_palaces: Floats
    inner_table: Floats
    more_palaces: Floats
    more_table: Floats
    context: Floats
    """[ROWS, PALACE]"""
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
    palace, table = READING.palace.size, READING.table.size
    shapes = (
        (6 * ROWS, palace), (ROWS, table),
        (6 * ROWS, PALACE), (ROWS, TABLE), (6 * ROWS, PALACE), (ROWS, TABLE + 2 * PALACE),
        (6 * ROWS, PALACE), (ROWS, TABLE), (6 * ROWS, PALACE), (ROWS, TABLE), (ROWS, PALACE),
        (6 * ROWS, PAIR), (6 * ROWS, PAIR), (30 * ROWS, PAIR),
        (6 * ROWS, READING.palace_actions), (30 * ROWS, OF_A_PAIR), (ROWS, OF_THE_TABLE),
    )  # fmt: skip
    return TwinMemory(
        np.zeros(1, np.int64),
        np.zeros(MOST_NUMBERS, np.float32),
        np.zeros(len(NAMES), np.int64),
        *(np.zeros(shape, np.float32) for shape in shapes),
    )


def load_twin(weights: Mapping[str, Floats], shape: Shape, memory: TwinMemory) -> None:
    """Give a network's weights to the twin."""
    assert sizes(shape).keys() == sizes(SHAPE).keys(), "another shape"
    memory.version[0], at = shape.observation, 0
    for name, array in weights.items():
        memory.starts[NAMES.index(name)] = at
        memory.numbers[at : at + array.size] = array.ravel()
        at += array.size


@compiled
def read_halves(halves: Array, numbers: Floats) -> None:
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
def look(sight: Sight, first: int, count: int, memory: TwinMemory) -> None:
    """Answer `count` rows of what a player looks at, at most `ROWS`, from the first on."""
    version = memory.version[0] - 1
    h, g = memory.palaces[: 6 * count], memory.table[:count]
    palaces, table = memory.palace_inputs, memory.table_inputs
    for row in range(count):
        seen = sight.observations[first + row]
        for palace in range(6):
            columns, out = _P_COLUMNS[version, palace], palaces[6 * row + palace]
            _encode(
                seen, columns, _P_SCALE[version], _P_AT[version], _P_VALUES[version],
                _P_SIZES[version], out,
            )  # fmt: skip
        _encode(
            seen, _T_COLUMNS[version, 0], _T_SCALE[version], _T_AT[version], _T_VALUES[version],
            _T_SIZES[version], table[row],
        )  # fmt: skip
    wide, long = _P_SIZES[version], _T_SIZES[version]
    _matmul(palaces, 6 * count, wide[0] + wide[1], _PALACE_IN, PALACE, memory, h)
    _matmul(table, count, long[0] + long[1], _TABLE_IN, TABLE, memory, g)
    add_bias_relu(h, _bias(memory, _PALACE_IN, PALACE))
    add_bias_relu(g, _bias(memory, _TABLE_IN, TABLE))
    of_palaces, pooled = memory.of_palaces[: 6 * count], memory.pooled[:count]
    inner_h, inner_g = memory.inner_palaces[: 6 * count], memory.inner_table[:count]
    more_h, more_g = memory.more_palaces[: 6 * count], memory.more_table[:count]
    context = memory.context[:count]
    for block in range(BLOCKS):
        at = _BLOCK[block]
        _normalized(h, at[_NORM_P], PALACE, memory, of_palaces)
        _normalized(g, at[_NORM_T], TABLE, memory, pooled)
        pool_palaces(of_palaces, pooled, TABLE)
        _matmul(pooled, count, TABLE + 2 * PALACE, at[_HEARS_T], TABLE, memory, inner_g)
        add_bias_relu(inner_g, _bias(memory, at[_HEARS_T], TABLE))
        _matmul(inner_g, count, TABLE, at[_OUT_T], TABLE, memory, more_g)
        add_residual(g, more_g, _bias(memory, at[_OUT_T], TABLE))
        _matmul(of_palaces, 6 * count, PALACE, at[_HEARS_P], PALACE, memory, inner_h)
        _matmul(g, count, TABLE, at[_TOLD_P], PALACE, memory, context)
        add_bias_context_relu(inner_h, _bias(memory, at[_HEARS_P], PALACE), context)
        _matmul(inner_h, 6 * count, PALACE, at[_OUT_P], PALACE, memory, more_h)
        add_residual(h, more_h, _bias(memory, at[_OUT_P], PALACE))
    _normalized(h, _PALACE_NORM, PALACE, memory, of_palaces)
    _normalized(g, _TABLE_NORM, TABLE, memory, inner_g)
    leaving, entering = memory.leaving[: 6 * count], memory.entering[: 6 * count]
    _matmul(of_palaces, 6 * count, PALACE, _LEAVING, PAIR, memory, leaving)
    _matmul(of_palaces, 6 * count, PALACE, _ENTERING, PAIR, memory, entering)
    pairs = memory.pairs[: 30 * count]
    pair_relu(leaving, entering, _bias(memory, _LEAVING, PAIR), pairs)
    kinds = 10 + memory.version[0]
    _matmul(of_palaces, 6 * count, PALACE, _OF_PALACE, kinds, memory, memory.palace_logits)
    _matmul(pairs, 30 * count, PAIR, _OF_PAIR, OF_A_PAIR, memory, memory.pair_logits)
    _matmul(inner_g, count, TABLE, _OF_TABLE, OF_THE_TABLE, memory, memory.table_logits)
    assemble_logits(
        memory.palace_logits, _bias(memory, _OF_PALACE, kinds),
        memory.pair_logits, _bias(memory, _OF_PAIR, OF_A_PAIR),
        memory.table_logits, _bias(memory, _OF_TABLE, OF_THE_TABLE),
        sight.logits[first : first + count],
    )  # fmt: skip
    _matmul(inner_g, count, TABLE, _OUTCOME, OUTCOMES, memory, sight.outcomes[first:])
    _softmax(sight.outcomes[first : first + count], _bias(memory, _OUTCOME, OUTCOMES))


@compiled
def _encode(
    seen: Array,
    columns: Array,
    scale: Floats,
    threshold_columns: Array,
    thresholds: Array,
    counts: Array,
    out: Floats,
) -> None:
    """As `layers.scale_and_threshold`, of one row."""
    for place in range(counts[0]):
        out[place] = seen[columns[place]] / scale[place]
    for number in range(counts[1]):
        reached = seen[columns[threshold_columns[number]]] >= thresholds[number]
        out[counts[0] + number] = 1.0 if reached else 0.0


@compiled
def _bias(memory: TwinMemory, place: int, size: int) -> Floats:
    start = memory.starts[_BIAS[place]]
    return memory.numbers[start : start + size]


@compiled
def _normalized(x: Floats, place: int, size: int, memory: TwinMemory, out: Floats) -> None:
    start = memory.starts[place]
    layer_norm(x, memory.numbers[start : start + size], _bias(memory, place, size), out)


@compiled
def _matmul(
    x: Floats, rows: int, width: int, place: int, size: int, memory: TwinMemory, out: Floats
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
def _softmax(x: Floats, bias: Floats) -> None:
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
