"""Exponential, logarithm and powers in plain arithmetic, for whatever players reckon with.

Every C library rounds these in its own way, and WebAssembly has none of them. Sums, products and
quotients are the same everywhere; so these are, to the last bit, and hardly less exact.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from .compiled import rule

LN2_HIGH, LN2_LOW = 0.6931471805592082, 7.371002565167799e-13
"""The logarithm of 2: its first 40 bits, by which numbers up to 2**12 multiply exactly, and what is
missing."""
LOG2_E = 1.4426950408889634
SQRT_HALF, SQRT_2 = 0.7071067811865476, 1.4142135623730951
SMALLEST, LARGEST = -708.0, 709.0
"""Below is taken for nothing; above for the largest."""

_POWERS, _STEPS = 32, 64
_POWERS_OF_2: npt.NDArray[Any] = 2.0 ** np.arange(_POWERS)
_STEPS_OF_2: npt.NDArray[Any] = 2.0 ** (_POWERS * (np.arange(_STEPS) - _STEPS // 2))
_INVERSE_FACTORIALS: npt.NDArray[Any] = np.array([1 / math.factorial(n) for n in range(14)])
_OF_ODD_POWERS: npt.NDArray[Any] = 2 / (2 * np.arange(11) + 1)


@rule
def exp(x: float) -> float:
    """e to the power of x.

    >>> exp(0.0), round(exp(1.0), 14), exp(-1000.0)
    (1.0, 2.71828182845905, 0.0)
    """
    if x < SMALLEST:
        return 0.0
    x = min(x, LARGEST)
    twos = math.floor(x * LOG2_E + 0.5)
    rest = (x - twos * LN2_HIGH) - twos * LN2_LOW
    total: float = _INVERSE_FACTORIALS[13]
    for number in range(12, -1, -1):
        total = total * rest + _INVERSE_FACTORIALS[number]
    place = twos + _POWERS * (_STEPS // 2)
    scale: float = _POWERS_OF_2[place % _POWERS] * _STEPS_OF_2[place // _POWERS]
    return total * scale


@rule
def log(x: float) -> float:
    """The natural logarithm of a number above 0.

    >>> log(1.0), round(log(10.0), 12)
    (0.0, 2.302585092994)
    """
    twos = 0
    while x > SQRT_2:
        x *= 0.5
        twos += 1
    while x < SQRT_HALF:
        x *= 2.0
        twos -= 1
    part = (x - 1.0) / (x + 1.0)
    square, total = part * part, _OF_ODD_POWERS[10]
    for number in range(9, -1, -1):
        total = total * square + _OF_ODD_POWERS[number]
    rest: float = total * part
    return twos * LN2_HIGH + (rest + twos * LN2_LOW)


@rule
def power(x: float, exponent: float) -> float:
    """A number to a power; nothing where it is not above 0."""
    return exp(exponent * log(x)) if x > 0.0 else 0.0
