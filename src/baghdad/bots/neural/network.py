"""The trained network as a bot runs it: NumPy and small loops, many positions at once.

Six palaces go through the same weights, so that no palace is different from another but by what
stands there; one more token is the table, with its seats. In each block the table hears of all
palaces, and every palace of the table. `learn.network` is the same in PyTorch, and a test compares.
`first_edition` says which numbers it reads, and what it says of actions that came after it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from threadpoolctl import ThreadpoolController

from baghdad.rules.engine.actions import (
    ACTION_COUNT,
    CARRY_ROW,
    MOVE_ROW,
    NAME_ROW,
    NEUTRAL_ROW,
    ROW_START,
)
from baghdad.rules.engine.observation import (
    PALACE_FEATURES,
    PALACE_SIZE,
    SEAT_FEATURES,
    SEATS_AT,
    TABLE_FEATURES,
)

from . import layers
from .first_edition import KNOWN_ACTIONS, READS, scale
from .layers import Floats

Weights: TypeAlias = Mapping[str, Floats]
"""Arrays by the name that PyTorch gives them."""

PALACE_STEPS: dict[str, Iterable[int]] = {
    **{name: range(1, 4) for name in PALACE_FEATURES if "guard" in name},
    **{name: range(1, 8) for name in PALACE_FEATURES if name.startswith("thieves of")},
    "chests left": range(1, 5),
    "cards in the observer's hand": range(1, 7),
}
SEAT_STEPS: dict[str, Iterable[int]] = {
    "cards in hand": (1, 2, 3, 4, 5, 6, 8, 10, 13, 17),
    "dancers in hand": range(1, 6),
    "thieves in stock": (1, 2, 3, 4, 6, 8),
    "chests taken": range(1, 6),
    "chests to go": range(2, 7),
    "own guards to place": range(1, 5),
    "neutral guards to place": (1, 2),
}
TABLE_STEPS: dict[str, Iterable[int]] = {
    "thief actions left": range(1, 4),
    "dancers in the supply": range(1, 4),
    "cards in the stack": (1, 3, 5, 10, 20),
}
"""Where a number matters by what it reaches: one input for each of these, on when it does."""


def _steps(
    features: Mapping[str, int], steps: Mapping[str, Iterable[int]]
) -> list[tuple[int, int]]:
    places = {name: place for place, name in enumerate(features)}
    return [(places[name], step) for name, all_ in steps.items() for step in all_]


_PALACE = _steps(PALACE_FEATURES, PALACE_STEPS)
_SEAT = _steps(SEAT_FEATURES, SEAT_STEPS)
_TABLE = [
    *((seat * len(SEAT_FEATURES) + place, step) for seat in range(4) for place, step in _SEAT),
    *(
        (4 * len(SEAT_FEATURES) + place, step)
        for place, step in _steps(TABLE_FEATURES, TABLE_STEPS)
    ),
]
PALACE_PLACES, PALACE_REACHED = (np.array(column) for column in zip(*_PALACE, strict=True))
TABLE_PLACES, TABLE_REACHED = (np.array(column) for column in zip(*_TABLE, strict=True))
SCALE = scale()
PALACE_SCALE, TABLE_SCALE = SCALE[:PALACE_SIZE], SCALE[SEATS_AT:]
PALACE_INPUTS = PALACE_SIZE + len(_PALACE)
TABLE_INPUTS = len(TABLE_SCALE) + len(_TABLE)

OF_A_PALACE = 11
"""Actions at one palace: placing an own and a neutral guard, nine ways to pay for a thief."""
OF_A_PAIR = NAME_ROW - MOVE_ROW
"""Actions from one palace to another: by kind of guard, with a thief or not, and payment."""
OF_THE_TABLE = 3
"""Ending the turn, passing, passing for a dancer."""
OUTCOMES = 5
"""Who wins: the observer, the others in the order of play, nobody."""
NOBODY = 4

# The network's actions come in the order of the table without being sorted: `layers.assemble`.
assert ROW_START[MOVE_ROW] == 2 * 6 + OF_THE_TABLE + 9 * 6
assert (CARRY_ROW, NEUTRAL_ROW, OF_A_PAIR) == (MOVE_ROW + 3, MOVE_ROW + 6, 10)
assert ROW_START[NAME_ROW] == KNOWN_ACTIONS


@dataclass(frozen=True, slots=True)
class Shape:
    """How large a network is."""

    palace: int = 96
    """Numbers that it keeps of a palace."""
    table: int = 128
    """Numbers that it keeps of the table."""
    pair: int = 32
    """Numbers that it makes of two palaces."""
    blocks: int = 3


def sizes(shape: Shape) -> dict[str, tuple[int, ...]]:
    """Of every array that such a network has."""
    palace, table, pair = shape.palace, shape.table, shape.pair
    of_block = {
        "palace_norm": (palace,),
        "table_norm": (table,),
        "table_hears": (table, table + 2 * palace),
        "table_out": (table, table),
        "palace_hears": (palace, palace),
        "palace_is_told": (palace, table),
        "palace_out": (palace, palace),
    }
    layers: dict[str, tuple[int, ...]] = {
        "palace_in": (palace, PALACE_INPUTS),
        "table_in": (table, TABLE_INPUTS),
        "palace_norm": (palace,),
        "table_norm": (table,),
        "leaving": (pair, palace),
        "entering": (pair, palace),
        "of_palace": (OF_A_PALACE, palace),
        "of_pair": (OF_A_PAIR, pair),
        "of_table": (OF_THE_TABLE, table),
        "outcome": (OUTCOMES, table),
    }
    for block in range(shape.blocks):
        layers |= {f"blocks.{block}.{name}": size for name, size in of_block.items()}
    weights = {f"{name}.weight": size for name, size in layers.items()}
    # What comes from elsewhere, too, has its bias there.
    biased = [name for name in layers if not name.endswith(("palace_is_told", "entering"))]
    return weights | {f"{name}.bias": layers[name][:1] for name in biased}


@cache
def blas() -> ThreadpoolController:
    """Found once: to look for libraries takes time, and what is found can't be copied."""
    return ThreadpoolController()


class Network:
    """Weights, ready to be asked about positions."""

    def __init__(self, weights: Weights, shape: Shape) -> None:
        self.shape = shape
        self._by_name = {
            name: np.ascontiguousarray(array.T if array.ndim == 2 else array, np.float32)
            for name, array in weights.items()
        }

    def __call__(self, observations: npt.NDArray[np.int8]) -> tuple[Floats, Floats]:
        """[n, OBSERVATION_SIZE]: how much each action is liked [n, ACTION_COUNT], legal or not,
        and how likely each outcome is [n, OUTCOMES]."""
        # A second thread gains nothing with matrices of this size, and where several bots think at
        # once their threads wait for each other.
        with blas().limit(limits=1, user_api="blas"):
            return self._ask(observations)

    def _ask(self, observations: npt.NDArray[np.int8]) -> tuple[Floats, Floats]:
        shape, count = self.shape, len(observations)
        palaces, table = encode(observations)
        h, g = self._times("palace_in", palaces), self._times("table_in", table)
        layers.bend(h, self._bias("palace_in"))
        layers.bend(g, self._bias("table_in"))
        of_palaces = np.empty_like(h)
        heard = np.empty((count, shape.table + 2 * shape.palace), np.float32)
        for block in range(shape.blocks):
            name = f"blocks.{block}."
            self._normalize(f"{name}palace_norm", h, of_palaces)
            self._normalize(f"{name}table_norm", g, heard)
            layers.gather(of_palaces, heard, shape.table)
            inner = self._times(f"{name}table_hears", heard)
            layers.bend(inner, self._bias(f"{name}table_hears"))
            layers.add(g, self._times(f"{name}table_out", inner), self._bias(f"{name}table_out"))
            inner = self._times(f"{name}palace_hears", of_palaces)
            told = self._times(f"{name}palace_is_told", g)
            layers.bend_together(inner, self._bias(f"{name}palace_hears"), told)
            layers.add(h, self._times(f"{name}palace_out", inner), self._bias(f"{name}palace_out"))
        self._normalize("palace_norm", h, of_palaces)
        table = np.empty_like(g)
        self._normalize("table_norm", g, table)
        pairs = np.empty((30 * count, shape.pair), np.float32)
        leaving, entering = (self._times(name, of_palaces) for name in ("leaving", "entering"))
        layers.join(leaving, entering, self._bias("leaving"), pairs)
        liked = np.empty((count, ACTION_COUNT), np.float32)
        layers.assemble(
            self._times("of_palace", of_palaces), self._bias("of_palace"),
            self._times("of_pair", pairs), self._bias("of_pair"),
            self._times("of_table", table), self._bias("of_table"),
            liked,
        )  # fmt: skip
        return liked, softmax(self._times("outcome", table) + self._bias("outcome"))

    def _times(self, name: str, x: Floats) -> Floats:
        y: Floats = x @ self._by_name[f"{name}.weight"]
        return y

    def _bias(self, name: str) -> Floats:
        return self._by_name[f"{name}.bias"]

    def _normalize(self, name: str, x: Floats, out: Floats) -> None:
        layers.normalize(x, self._by_name[f"{name}.weight"], self._bias(name), out)


def encode(observations: npt.NDArray[np.int8]) -> tuple[Floats, Floats]:
    """[n, OBSERVATION_SIZE] as [6n, PALACE_INPUTS] and [n, TABLE_INPUTS], numbers from 0 to 1."""
    count = len(observations)
    palaces = np.empty((6 * count, PALACE_INPUTS), np.float32)
    table = np.empty((count, TABLE_INPUTS), np.float32)
    seen = np.ascontiguousarray(observations[:, :SEATS_AT]).reshape(6 * count, PALACE_SIZE)
    layers.spread(seen, PALACE_SCALE, PALACE_PLACES, PALACE_REACHED, palaces)
    seen = np.ascontiguousarray(observations[:, SEATS_AT:READS])
    layers.spread(seen, TABLE_SCALE, TABLE_PLACES, TABLE_REACHED, table)
    return palaces, table


def softmax(x: Floats) -> Floats:
    """Along the last axis."""
    x = np.exp(x - x.max(axis=-1, keepdims=True))
    x /= x.sum(axis=-1, keepdims=True)
    return x
