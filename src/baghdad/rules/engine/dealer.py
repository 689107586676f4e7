"""Chance: a small generator with its state in the open, and the dealer who draws with it.

The generator is xoshiro128++ (Blackman and Vigna), in arithmetic that gives the same numbers
compiled, uncompiled and on a GPU.
"""

import hashlib
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from .compiled import rule
from .material import DEALING, DRAWING, Card
from .state import Counts, State
from .steps import (
    named_card,
    refill,
    settle,
    take,
)

Rng: TypeAlias = npt.NDArray[Any]
"""[4], int64: the generator's state, four numbers of 32 bits."""

LOW = 0xFFFFFFFF


def new_rng(seed: int | str, stream: int = 0) -> Rng:
    """A generator for a seed; different streams of one seed have nothing in common.

    Its state is the first 16 bytes of SHA-256 of the text "baghdad SEED STREAM", as four
    little-endian numbers.

    >>> new_rng(7).tolist()
    [81902980, 1018551193, 3580738282, 703600228]
    """
    digest = hashlib.sha256(f"baghdad {seed} {stream}".encode()).digest()
    return np.frombuffer(digest[:16], "<u4").astype(np.int64)


@rule
def _rotated(value: int, by: int) -> int:
    return ((value << by) & LOW) | (value >> (32 - by))


@rule
def next_number(rng: Rng) -> int:
    """The next 32 random bits, as a number from 0 to 2**32 - 1."""
    a, b, c, d = rng[0], rng[1], rng[2], rng[3]
    number = (_rotated((a + d) & LOW, 7) + a) & LOW
    c ^= a
    d ^= b
    rng[0] = a ^ d
    rng[1] = b ^ c
    rng[2] = c ^ ((b << 9) & LOW)
    rng[3] = _rotated(d, 11)
    return number


@rule
def spawn(rng: Rng, rngs: npt.NDArray[Any]) -> None:
    """Fill `rngs` [generators, 4] with new generators."""
    for number in range(len(rngs)):
        for part in range(4):
            rngs[number, part] = next_number(rng)


@rule
def below(rng: Rng, bound: int) -> int:
    """A random number from 0 to `bound` - 1, each exactly as likely (Lemire's method)."""
    bound = int(bound)
    product = next_number(rng) * bound
    if product & LOW < bound:
        unfair = (LOW + 1 - bound) % bound
        while product & LOW < unfair:
            product = next_number(rng) * bound
    return product >> 32


@rule
def card_at(counts: Counts, n: int) -> Card:
    """The card with `n` others before it, were the cards sorted. Counted without a branch."""
    card = 0
    for palace in range(5):
        n -= counts[palace]
        card += n >= 0
    return card


@rule
def draw_card(state: State, rng: Rng) -> Card:
    """Which card comes next; it is not taken yet. Prepares the stack (R24)."""
    size = refill(state)
    named = named_card(state)
    return named if named >= 0 else card_at(state.deck, below(rng, size))


@rule
def deal(state: State, rng: Rng) -> None:
    """Carry out the pending chance step with random cards."""
    size = refill(state)
    named = named_card(state)
    while state.due > 0:
        take(state, named if named >= 0 else card_at(state.deck, below(rng, size)))
        named = -1
        size -= 1
        if size == 0:
            size = refill(state)
    settle(state)


@rule
def awaits_chance(state: State) -> bool:
    """Whether cards come next, and nobody has a choice."""
    return state.phase == DEALING or state.phase == DRAWING


@rule
def deal_all(state: State, rng: Rng) -> None:
    """Carry out all chance steps up to the next decision or the end, with random cards."""
    while awaits_chance(state):
        deal(state, rng)
