"""The trained network as a bot runs it: NumPy and small loops, many positions at once.

Six palaces go through the same weights, so that no palace is different from another but by what
stands there (deep sets: Zaheer et al. 2017); one more token is the table, with its seats. In each
residual block the table is told of all palaces, and every palace of the table. `learn.network` is
the same in PyTorch, and a test compares. `versions` says which numbers of an observation it reads,
and which logits it gives to actions that came later.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Protocol, TypeAlias

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

from . import layers
from .layers import Floats
from .sight import OUTCOMES, Sight
from .versions import READING, READINGS, Inputs, Reading

Weights: TypeAlias = Mapping[str, Floats]
"""Arrays by the name that PyTorch gives them."""

OF_A_PAIR = NAME_ROW - MOVE_ROW
"""Actions from one palace to another: by kind of guard, with a thief or not, and payment."""
OF_THE_TABLE = 3
"""Ending the turn, passing, passing for a dancer."""
NOBODY = 4

# Logits come in the order of the action table without being sorted: `layers.assemble_logits`.
assert ROW_START[MOVE_ROW] == 2 * 6 + OF_THE_TABLE + 9 * 6
assert (CARRY_ROW, NEUTRAL_ROW, OF_A_PAIR) == (MOVE_ROW + 3, MOVE_ROW + 6, 10)
assert ROW_START[NAME_ROW] == ROW_START[MOVE_ROW] + OF_A_PAIR * 30 == ACTION_COUNT - 6


class TrunkShape(Protocol):
    """How large the blocks are that all our networks have, and what they read."""

    @property
    def palace(self) -> int: ...
    @property
    def table(self) -> int: ...
    @property
    def blocks(self) -> int: ...
    @property
    def reading(self) -> Reading: ...


@dataclass(frozen=True, slots=True)
class Shape:
    """How large a network is."""

    palace: int = 96
    """Array that it keeps of a palace."""
    table: int = 128
    """Array that it keeps of the table."""
    pair: int = 32
    """Array that it makes of two palaces."""
    blocks: int = 3
    observation: int = READING.versions["observation"]
    """The version that it reads."""

    @property
    def reading(self) -> Reading:
        return READINGS[self.observation]


Sizes: TypeAlias = dict[str, tuple[int, ...]]
"""The shape of every array that a network has, by the name that it has in its file."""


def sizes(shape: Shape) -> Sizes:
    """Of a network with a policy."""
    palace, table, pair = shape.palace, shape.table, shape.pair
    return sizes_with(
        shape,
        {
            "leaving": (pair, palace),
            "entering": (pair, palace),
            "of_palace": (shape.reading.palace_actions, palace),
            "of_pair": (OF_A_PAIR, pair),
            "of_table": (OF_THE_TABLE, table),
        },
    )


def sizes_with(shape: TrunkShape, heads: Sizes) -> Sizes:
    """Of the blocks with heads, by the names of layers; that of the outcomes is always there."""
    palace, table = shape.palace, shape.table
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
        "palace_in": (palace, shape.reading.palace.size),
        "table_in": (table, shape.reading.table.size),
        "palace_norm": (palace,),
        "table_norm": (table,),
        **heads,
        "outcome": (OUTCOMES, table),
    }
    for block in range(shape.blocks):
        layers |= {f"blocks.{block}.{name}": size for name, size in of_block.items()}
    weights = {f"{name}.weight": size for name, size in layers.items()}
    # A layer that is added to another has its bias there.
    biased = [name for name in layers if not name.endswith(("palace_is_told", "entering"))]
    return weights | {f"{name}.bias": layers[name][:1] for name in biased}


@cache
def blas() -> ThreadpoolController:
    """The controller of BLAS threads, made once: looking for libraries takes time."""
    return ThreadpoolController()


class Trunk:
    """The blocks of a network with their weights, evaluated many positions at a time; heads are
    for those who build on it. Nothing in it is random."""

    def __init__(self, weights: Weights, shape: TrunkShape) -> None:
        self._trunk_shape = shape
        self._by_name = {
            name: np.ascontiguousarray(array.T if array.ndim == 2 else array, np.float32)
            for name, array in weights.items()
        }

    def _tokens(self, rows: npt.NDArray[np.int8]) -> tuple[Floats, Floats]:
        """What the blocks make of rows [n, ...]: [6n, palace] and [n, table], normalized."""
        shape, count = self._trunk_shape, len(rows)
        palaces, table = encode(rows, shape.reading)
        h, g = self._matmul("palace_in", palaces), self._matmul("table_in", table)
        layers.add_bias_relu(h, self._bias("palace_in"))
        layers.add_bias_relu(g, self._bias("table_in"))
        of_palaces = np.empty_like(h)
        pooled = np.empty((count, shape.table + 2 * shape.palace), np.float32)
        for block in range(shape.blocks):
            name = f"blocks.{block}."
            self._layer_norm(f"{name}palace_norm", h, of_palaces)
            self._layer_norm(f"{name}table_norm", g, pooled)
            layers.pool_palaces(of_palaces, pooled, shape.table)
            inner = self._matmul(f"{name}table_hears", pooled)
            layers.add_bias_relu(inner, self._bias(f"{name}table_hears"))
            self._add_residual(g, f"{name}table_out", inner)
            inner = self._matmul(f"{name}palace_hears", of_palaces)
            context = self._matmul(f"{name}palace_is_told", g)
            layers.add_bias_context_relu(inner, self._bias(f"{name}palace_hears"), context)
            self._add_residual(h, f"{name}palace_out", inner)
        self._layer_norm("palace_norm", h, of_palaces)
        table = np.empty_like(g)
        self._layer_norm("table_norm", g, table)
        return of_palaces, table

    def _outcomes(self, table: Floats) -> Floats:
        """The logits of all outcomes [n, OUTCOMES]."""
        y: Floats = self._matmul("outcome", table) + self._bias("outcome")
        return y

    def _matmul(self, name: str, x: Floats) -> Floats:
        y: Floats = x @ self._by_name[f"{name}.weight"]
        return y

    def _bias(self, name: str) -> Floats:
        return self._by_name[f"{name}.bias"]

    def _add_residual(self, x: Floats, name: str, inner: Floats) -> None:
        layers.add_residual(x, self._matmul(name, inner), self._bias(name))

    def _layer_norm(self, name: str, x: Floats, out: Floats) -> None:
        layers.layer_norm(x, self._by_name[f"{name}.weight"], self._bias(name), out)


class Network(Trunk):
    """A network with a policy."""

    def __init__(self, weights: Weights, shape: Shape) -> None:
        super().__init__(weights, shape)
        self.shape = shape

    def __call__(self, observations: npt.NDArray[np.int8]) -> tuple[Floats, Floats]:
        """Evaluate `observations` [n, OBSERVATION_SIZE].

        Returns the logits of all actions [n, ACTION_COUNT], legal or not, and how likely each
        outcome is [n, OUTCOMES].
        """
        # A second thread gains nothing with matrices of this size, and where several bots think at
        # once their threads wait for each other.
        with blas().limit(limits=1, user_api="blas"):
            return self._forward(observations)

    def look(self, sight: Sight, count: int) -> None:
        """Answer the first `count` rows of what a player looks at."""
        logits, outcomes = self(sight.observations[:count])
        sight.logits[:count], sight.outcomes[:count] = logits, outcomes

    def _forward(self, observations: npt.NDArray[np.int8]) -> tuple[Floats, Floats]:
        count = len(observations)
        of_palaces, table = self._tokens(observations)
        pairs = np.empty((30 * count, self.shape.pair), np.float32)
        leaving, entering = (self._matmul(name, of_palaces) for name in ("leaving", "entering"))
        layers.pair_relu(leaving, entering, self._bias("leaving"), pairs)
        logits = np.empty((count, ACTION_COUNT), np.float32)
        layers.assemble_logits(
            self._matmul("of_palace", of_palaces), self._bias("of_palace"),
            self._matmul("of_pair", pairs), self._bias("of_pair"),
            self._matmul("of_table", table), self._bias("of_table"),
            logits,
        )  # fmt: skip
        return logits, softmax(self._outcomes(table))


def encode(observations: npt.NDArray[np.int8], reading: Reading = READING) -> tuple[Floats, Floats]:
    """The inputs of observations [n, OBSERVATION_SIZE], numbers from 0 to 1: [6n, ...] of the
    palaces, [n, ...] of the table."""
    return _encode(observations, reading.palace), _encode(observations, reading.table)


def _encode(observations: npt.NDArray[np.int8], inputs: Inputs) -> Floats:
    seen = observations[:, inputs.columns].reshape(-1, len(inputs.scale))
    out = np.empty((len(seen), inputs.size), np.float32)
    layers.scale_and_threshold(
        seen, inputs.scale, inputs.threshold_columns, inputs.threshold_values, out
    )
    return out


def softmax(x: Floats) -> Floats:
    """Softmax along the last axis."""
    x = np.exp(x - x.max(axis=-1, keepdims=True))
    x /= x.sum(axis=-1, keepdims=True)
    return x
