"""The value networks as they run without PyTorch: `bots.neural`'s blocks with one head.

That head tells who wins, in the order of play from the observer on, and how likely it is that
nobody does. Where nobody sits nobody wins, exactly. `learn.value.network` is the same in PyTorch,
and a test compares.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np

from baghdad.bots.neural.layers import Floats
from baghdad.bots.neural.network import (
    NOBODY,
    Sizes,
    Trunk,
    Weights,
    blas,
    sizes_with,
    softmax,
)
from baghdad.bots.neural.versions import (
    NETWORK_VERSIONS,
    PALACE_REACHED,
    READING,
    Reading,
    inputs_of,
)
from baghdad.bots.neural.weights_file import open_weights, write_arrays
from baghdad.rules.engine.observation import (
    OBSERVATION_SIZE,
    PLAYS_AT,
    SEAT_SIZE,
    VersionError,
)

from . import EYES_FILE, OPEN_FILE
from .rows import HIDDEN_OF_A_PALACE, OPEN_HIGH, ROWS

FORMAT = "baghdad value 1"
Sees: TypeAlias = Literal["open", "eyes"]
"""All hands and the stack, or what one seat sees."""

SEATED = PLAYS_AT + SEAT_SIZE * np.arange(4)
"""[4]: where a row says whether anybody sits there, the observer first."""
IMPOSSIBLE = np.float32(-1e9)
"""The logit of an outcome that can't be: a softmax makes it a probability of 0."""

_hidden = OBSERVATION_SIZE + np.arange(6 * HIDDEN_OF_A_PALACE).reshape(6, HIDDEN_OF_A_PALACE)
_columns = np.hstack([READING.palace.columns, _hidden])
_of_hidden = [
    (READING.palace.columns.shape[1] + place, reached)
    for place in range(HIDDEN_OF_A_PALACE)
    for reached in (1, 2, 3, 4)
]
OPEN_READING = Reading(
    NETWORK_VERSIONS,
    inputs_of(_columns, [*PALACE_REACHED, *_of_hidden], OPEN_HIGH),
    READING.table,
    palace_actions=0,
    more=HIDDEN_OF_A_PALACE,
)
"""What a network reads that sees all: as others, and of each palace the cards that are hidden."""


@dataclass(frozen=True, slots=True)
class ValueShape:
    """How large a value network is, and what it sees."""

    sees: Sees = "eyes"
    palace: int = 112
    table: int = 160
    blocks: int = 3

    @property
    def reading(self) -> Reading:
        return OPEN_READING if self.sees == "open" else READING


def value_sizes(shape: ValueShape) -> Sizes:
    """The shape of every array that such a network has, by the name that it has in its file."""
    return sizes_with(shape, {})


class ValueNetwork(Trunk):
    """A value network with its weights, evaluated many positions at a time."""

    def __init__(self, weights: Weights, shape: ValueShape) -> None:
        super().__init__(weights, shape)
        self.shape = shape

    def __call__(self, rows: ROWS) -> Floats:
        """How likely each outcome is [n, OUTCOMES]: the observer of each row wins, those after it
        in the order of play, nobody. Every row sums to one."""
        with blas().limit(limits=1, user_api="blas"):
            _, table = self._tokens(rows)
            logits = self._outcomes(table)
        logits[:, :NOBODY] = np.where(rows[:, SEATED] > 0, logits[:, :NOBODY], IMPOSSIBLE)
        return softmax(logits)


def write_value(path: Path, weights: Weights, shape: ValueShape, about: Mapping[str, Any]) -> None:
    """Write a network; `about` says where it comes from, and is kept as it is."""
    head = {"versions": NETWORK_VERSIONS, "shape": asdict(shape), "about": dict(about)}
    write_arrays(path, FORMAT, weights, head)


def read_value(path: Path) -> tuple[dict[str, Floats], ValueShape, dict[str, Any]]:
    """The arrays by name, the network's shape, and what is told about it."""
    file = open_weights(path, FORMAT, ValueShape)
    if file.versions != NETWORK_VERSIONS:
        raise VersionError(f"{path.name} was made for other versions: {file.versions}")
    return file.arrays(value_sizes(file.shape)), file.shape, file.about


def load_value(path: Path) -> ValueNetwork:
    """A value network from its file."""
    weights, shape, _ = read_value(path)
    return ValueNetwork(weights, shape)


@cache
def load_open() -> ValueNetwork:
    """The network that sees all hands."""
    return load_value(OPEN_FILE)


@cache
def load_eyes() -> ValueNetwork:
    """The network that sees what one seat does."""
    return load_value(EYES_FILE)
