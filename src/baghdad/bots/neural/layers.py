"""What lies between the network's matrix products, compiled: small loops over many positions.

NumPy would go over the same numbers again and again. The products themselves are left to it.
"""

import math
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from baghdad.bots import SOURCES
from baghdad.jit.compiler import compiler
from baghdad.rules.engine.actions import PASS_CARDS

Floats: TypeAlias = npt.NDArray[np.float32]

smooth = compiler(SOURCES, fastmath=True)
"""Compiles a function whose sums may be added up in any order."""
EPSILON = 1e-5


@smooth
def spread(
    seen: npt.NDArray[np.int8],
    scale: Floats,
    places: npt.NDArray[np.int64],
    reached: npt.NDArray[np.int64],
    out: Floats,
) -> None:
    """[n, numbers] as [n, numbers + steps]: each from 0 to 1, then which steps are reached."""
    numbers = len(scale)
    for row in range(len(seen)):
        for place in range(numbers):
            out[row, place] = seen[row, place] / scale[place]
        for step in range(len(places)):
            out[row, numbers + step] = seen[row, places[step]] >= reached[step]


@smooth
def normalize(x: Floats, weight: Floats, bias: Floats, out: Floats) -> None:
    """Layer normalization of each row of x; into the first places of a row of out."""
    width = x.shape[1]
    for row in range(len(x)):
        total = np.float32(0)
        for place in range(width):
            total += x[row, place]
        mean = total / np.float32(width)
        total = np.float32(0)
        for place in range(width):
            apart = x[row, place] - mean
            total += apart * apart
        factor = np.float32(1 / math.sqrt(total / width + EPSILON))
        for place in range(width):
            out[row, place] = (x[row, place] - mean) * factor * weight[place] + bias[place]


@smooth
def gather(palaces: Floats, heard: Floats, at: int) -> None:
    """Of six rows each the mean and the maximum, into places of a row of `heard` from `at` on."""
    width = palaces.shape[1]
    for row in range(len(heard)):
        six = palaces[6 * row : 6 * row + 6]
        for place in range(width):
            a, b, c = six[0, place], six[1, place], six[2, place]
            d, e, f = six[3, place], six[4, place], six[5, place]
            heard[row, at + place] = (a + b + c + d + e + f) / np.float32(6)
            heard[row, at + width + place] = max(a, b, c, d, e, f)


@smooth
def bend(x: Floats, bias: Floats) -> None:
    """Add the bias; what is below 0 becomes 0."""
    for row in range(len(x)):
        for place in range(x.shape[1]):
            x[row, place] = max(x[row, place] + bias[place], np.float32(0))


@smooth
def bend_together(x: Floats, bias: Floats, told: Floats) -> None:
    """The same; six rows each are told the same."""
    for row in range(len(x)):
        for place in range(x.shape[1]):
            value = x[row, place] + bias[place] + told[row // 6, place]
            x[row, place] = max(value, np.float32(0))


@smooth
def add(x: Floats, more: Floats, bias: Floats) -> None:
    for row in range(len(x)):
        for place in range(x.shape[1]):
            x[row, place] += more[row, place] + bias[place]


@smooth
def join(leaving: Floats, entering: Floats, bias: Floats, out: Floats) -> None:
    """Of six rows each every ordered pair of two, added up; what is below 0 becomes 0."""
    pair = 0
    for first in range(0, len(leaving), 6):
        for source in range(first, first + 6):
            for target in range(first, first + 6):
                if source != target:
                    for place in range(out.shape[1]):
                        value = leaving[source, place] + entering[target, place] + bias[place]
                        out[pair, place] = max(value, np.float32(0))
                    pair += 1


@smooth
def assemble(
    of_palaces: Floats,
    palace_bias: Floats,
    of_pairs: Floats,
    pair_bias: Floats,
    of_table: Floats,
    table_bias: Floats,
    out: Floats,
) -> None:
    """[6n, 11], [30n, 10], [n, 3] and their biases as [n, ACTION_COUNT].

    In the action table the palace, or the pair of palaces, counts fastest. What comes after them
    is liked as the plain pass is: see `first_edition`.
    """
    for row in range(len(out)):
        at = 0
        for kind in range(len(palace_bias)):
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
        for later in range(at, out.shape[1]):
            out[row, later] = out[row, PASS_CARDS]
