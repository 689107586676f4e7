"""What lies between the network's matrix products, compiled: small loops over many positions.

NumPy would go over the same numbers again and again. The products themselves are left to it.
"""

import math
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from baghdad.rules.engine.actions import PASS_CARDS

from .compiled import fastmath

Floats: TypeAlias = npt.NDArray[np.float32]

EPSILON = 1e-5


@fastmath
def scale_and_threshold(
    seen: npt.NDArray[np.int8],
    scale: Floats,
    columns: npt.NDArray[np.int64],
    thresholds: npt.NDArray[np.int64],
    out: Floats,
) -> None:
    """Fill `out` [n, features + thresholds]: each of `seen` [n, features] divided by its scale,
    then 1 or 0 for each threshold that its column reaches or not."""
    features = len(scale)
    for row in range(len(seen)):
        for place in range(features):
            out[row, place] = seen[row, place] / scale[place]
        for number in range(len(columns)):
            out[row, features + number] = seen[row, columns[number]] >= thresholds[number]


@fastmath
def layer_norm(x: Floats, weight: Floats, bias: Floats, out: Floats) -> None:
    """Layer normalization (Ba et al. 2016) of `x` [n, width], into the first columns of `out`."""
    width = x.shape[1]
    for row in range(len(x)):
        total = np.float32(0)
        for place in range(width):
            total += x[row, place]
        mean = total / np.float32(width)
        total = np.float32(0)
        for place in range(width):
            deviation = x[row, place] - mean
            total += deviation * deviation
        factor = np.float32(1 / math.sqrt(total / width + EPSILON))
        for place in range(width):
            out[row, place] = (x[row, place] - mean) * factor * weight[place] + bias[place]


@fastmath
def pool_palaces(palaces: Floats, out: Floats, at: int) -> None:
    """Mean and maximum over the six palaces of a position: `palaces` [6n, width] into columns of
    `out` [n, ...] from `at` on."""
    width = palaces.shape[1]
    for row in range(len(out)):
        six = palaces[6 * row : 6 * row + 6]
        for place in range(width):
            a, b, c = six[0, place], six[1, place], six[2, place]
            d, e, f = six[3, place], six[4, place], six[5, place]
            out[row, at + place] = (a + b + c + d + e + f) / np.float32(6)
            out[row, at + width + place] = max(a, b, c, d, e, f)


@fastmath
def add_bias_relu(x: Floats, bias: Floats) -> None:
    """ReLU of `x` [n, width] with a bias added, in place."""
    for row in range(len(x)):
        for place in range(x.shape[1]):
            x[row, place] = max(x[row, place] + bias[place], np.float32(0))


@fastmath
def add_bias_context_relu(x: Floats, bias: Floats, context: Floats) -> None:
    """ReLU of `x` [6n, width], a bias and the position's `context` [n, width] added, in place."""
    for row in range(len(x)):
        for place in range(x.shape[1]):
            value = x[row, place] + bias[place] + context[row // 6, place]
            x[row, place] = max(value, np.float32(0))


@fastmath
def add_residual(x: Floats, more: Floats, bias: Floats) -> None:
    """Add a block's output `more` [n, width] and its bias to `x`, in place."""
    for row in range(len(x)):
        for place in range(x.shape[1]):
            x[row, place] += more[row, place] + bias[place]


@fastmath
def pair_relu(leaving: Floats, entering: Floats, bias: Floats, out: Floats) -> None:
    """ReLU of the sum for every ordered pair of palaces of a position: `leaving` and `entering`
    [6n, width] into `out` [30n, width]."""
    pair = 0
    for first in range(0, len(leaving), 6):
        for source in range(first, first + 6):
            for target in range(first, first + 6):
                if source != target:
                    for place in range(out.shape[1]):
                        value = leaving[source, place] + entering[target, place] + bias[place]
                        out[pair, place] = max(value, np.float32(0))
                    pair += 1


@fastmath
def assemble_logits(
    of_palaces: Floats,
    palace_bias: Floats,
    of_pairs: Floats,
    pair_bias: Floats,
    of_table: Floats,
    table_bias: Floats,
    out: Floats,
) -> None:
    """Fill `out` [n, ACTION_COUNT] with [6n, 11], [30n, 10], [n, 3] and their biases.

    In the action table the palace, or the pair of palaces, counts fastest. Actions that the network
    does not know get the logit of the plain pass: see `versions`.
    """
    kinds = 11
    for row in range(len(out)):
        at = 0
        for kind in range(kinds):
            if kind == 2:
                for place in range(len(table_bias)):
                    out[row, at] = of_table[row, place] + table_bias[place]
                    at += 1
            for palace in range(6):
                out[row, at] = of_palaces[6 * row + palace, kind] + palace_bias[kind]
                at += 1
        for kind in range(len(pair_bias)):
            for pair in range(30):
                out[row, at] = of_pairs[30 * row + pair, kind] + pair_bias[kind]
                at += 1
        for palace in range(6):
            if len(palace_bias) > kinds:
                out[row, at + palace] = of_palaces[6 * row + palace, kinds] + palace_bias[kinds]
            else:
                out[row, at + palace] = out[row, PASS_CARDS]
