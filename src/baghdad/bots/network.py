"""The trained network as a bot runs it: NumPy alone, many positions at once.

Six palaces go through the same weights, so that no palace is different from another but by what
stands there; one more token is the table, with its seats. In each block the table hears of all
palaces, and every palace of the table. `learn.network` is the same in PyTorch, and a test compares.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ..rules.actions import ACTION_COUNT, CARRY_ROW, MOVE_ROW, NEUTRAL_ROW, ROW_START, ROWS
from ..rules.observation import (
    HIGH,
    PALACE_FEATURES,
    PALACE_SIZE,
    SEAT_FEATURES,
    SEATS_AT,
    TABLE_FEATURES,
)

Floats: TypeAlias = npt.NDArray[np.float32]
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
SCALE: Floats = np.minimum(HIGH, 20).astype(np.float32)
"""[OBSERVATION_SIZE]: what each number is divided by; 20 cards are as good as 100."""
PALACE_SCALE, TABLE_SCALE = SCALE[:PALACE_SIZE], SCALE[SEATS_AT:]
PALACE_INPUTS = PALACE_SIZE + len(_PALACE)
TABLE_INPUTS = len(TABLE_SCALE) + len(_TABLE)

OF_A_PALACE = 11
"""Actions at one palace: placing an own and a neutral guard, nine ways to pay for a thief."""
OF_A_PAIR = ROWS - MOVE_ROW
"""Actions from one palace to another: by kind of guard, with a thief or not, and payment."""
OF_THE_TABLE = 3
"""Ending the turn, passing, passing for a dancer."""
OUTCOMES = 5
"""Who wins: the observer, the others in the order of play, nobody."""
NOBODY = 4

# The network's actions come in the order of the table without being sorted: see `assemble`.
assert ROW_START[MOVE_ROW] == 2 * 6 + OF_THE_TABLE + 9 * 6
assert (CARRY_ROW, NEUTRAL_ROW, OF_A_PAIR) == (MOVE_ROW + 3, MOVE_ROW + 6, 10)

LAYER_NORM_EPSILON = 1e-5
ILLEGAL = np.float32(-1e9)


@dataclass(frozen=True, slots=True)
class Shape:
    """How large a network is."""

    palace: int = 128
    """Numbers that it keeps of a palace."""
    table: int = 192
    """Numbers that it keeps of the table."""
    pair: int = 32
    """Numbers that it makes of two palaces."""
    blocks: int = 3


def encode(observations: npt.NDArray[np.int8]) -> tuple[Floats, Floats]:
    """[n, OBSERVATION_SIZE] as [n, 6, PALACE_INPUTS] and [n, TABLE_INPUTS], numbers from 0 to 1."""
    count = len(observations)
    palaces = observations[:, :SEATS_AT].reshape(count, 6, PALACE_SIZE)
    table = observations[:, SEATS_AT:]
    return (
        np.concatenate(
            [palaces / PALACE_SCALE, palaces[..., PALACE_PLACES] >= PALACE_REACHED], -1, dtype="f4"
        ),
        np.concatenate(
            [table / TABLE_SCALE, table[..., TABLE_PLACES] >= TABLE_REACHED], -1, dtype="f4"
        ),
    )


def assemble(of_palaces: Floats, of_pairs: Floats, of_table: Floats) -> Floats:
    """[n, 6, OF_A_PALACE], [n, 6, 6, OF_A_PAIR], [n, 3] as [n, ACTION_COUNT].

    In the action table the palace, or the pair of palaces, counts fastest. The ways from a palace
    to itself are left out: in a row of 36 they are the first and every seventh after it.
    """
    count = len(of_palaces)
    single = of_palaces.transpose(0, 2, 1)
    pairs = of_pairs.reshape(count, 36, OF_A_PAIR)[:, 1:].reshape(count, 5, 7, OF_A_PAIR)
    rows = pairs[:, :, :6].reshape(count, 30, OF_A_PAIR).transpose(0, 2, 1)
    parts = (single[:, :2], of_table, single[:, 2:], rows)
    return np.concatenate([part.reshape(count, -1) for part in parts], axis=1)


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
        count = len(observations)
        palaces, table = encode(observations)
        h = self._linear("palace_in", palaces.reshape(6 * count, PALACE_INPUTS))
        g = self._linear("table_in", table)
        np.maximum(h, 0, out=h)
        np.maximum(g, 0, out=g)
        for block in range(self.shape.blocks):
            name = f"blocks.{block}."
            of_palaces = self._norm(f"{name}palace_norm", h)
            each = of_palaces.reshape(count, 6, self.shape.palace)
            heard = (self._norm(f"{name}table_norm", g), each.mean(axis=1), each.max(axis=1))
            inner = self._linear(f"{name}table_hears", np.concatenate(heard, axis=1))
            np.maximum(inner, 0, out=inner)
            g += self._linear(f"{name}table_out", inner)
            inner = self._linear(f"{name}palace_hears", of_palaces)
            inner.reshape(count, 6, -1)[:] += self._linear(f"{name}palace_is_told", g)[:, None]
            np.maximum(inner, 0, out=inner)
            h += self._linear(f"{name}palace_out", inner)
        h, g = self._norm("palace_norm", h), self._norm("table_norm", g)
        leaving = self._linear("leaving", h).reshape(count, 6, 1, -1)
        entering = self._linear("entering", h).reshape(count, 1, 6, -1)
        pairs = np.maximum(leaving + entering, 0).reshape(36 * count, -1)
        liked = assemble(
            self._linear("of_palace", h).reshape(count, 6, OF_A_PALACE),
            self._linear("of_pair", pairs).reshape(count, 6, 6, OF_A_PAIR),
            self._linear("of_table", g),
        )
        return liked, softmax(self._linear("outcome", g))

    def _linear(self, name: str, x: Floats) -> Floats:
        y: Floats = x @ self._by_name[f"{name}.weight"]
        bias = self._by_name.get(f"{name}.bias")
        if bias is not None:
            y += bias
        return y

    def _norm(self, name: str, x: Floats) -> Floats:
        x = x - x.mean(axis=1, keepdims=True)
        x /= np.sqrt(np.square(x).mean(axis=1, keepdims=True) + np.float32(LAYER_NORM_EPSILON))
        x *= self._by_name[f"{name}.weight"]
        x += self._by_name[f"{name}.bias"]
        return x


def softmax(x: Floats) -> Floats:
    """Along the last axis."""
    x = np.exp(x - x.max(axis=-1, keepdims=True))
    x /= x.sum(axis=-1, keepdims=True)
    return x


def policy(liked: Floats, masks: npt.NDArray[np.bool_], temperature: float = 1.0) -> Floats:
    """[n, ACTION_COUNT]: how likely each action is to be played; the illegal are not."""
    assert liked.shape[-1] == ACTION_COUNT
    return softmax(np.where(masks, liked / np.float32(temperature), ILLEGAL))
