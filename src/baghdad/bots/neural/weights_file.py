"""A network's weights in one file: a line of JSON about them, then the numbers, half precision.

The line holds the versions of observation and action table that the network knows, and the SHA-256
of the numbers: weights made for other numbers, or damaged on the way, are refused.
"""

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from baghdad.bots.neural import WEIGHTS_FILE
from baghdad.files import atomic_write

from .layers import Floats
from .network import (
    Network,
    Shape,
    Sizes,
    Weights,
    sizes,
)
from .versions import reading_of

FORMAT = "baghdad network 1"
NUMBERS = np.dtype("<f2")


AnyShape = TypeVar("AnyShape")


class WeightsError(ValueError):
    """A file is not a network of ours, or it is damaged."""


def write_weights(path: Path, weights: Weights, shape: Shape, about: Mapping[str, Any]) -> None:
    """Write a network; `about` says where it comes from, and is kept as it is."""
    head = {"versions": shape.reading.versions, "shape": asdict(shape), "about": dict(about)}
    write_arrays(path, FORMAT, weights, head)


def write_arrays(path: Path, form: str, weights: Weights, head: Mapping[str, Any]) -> None:
    """Write a file of this form: what stands in `head` besides, then the arrays."""
    numbers = b"".join(array.astype(NUMBERS).tobytes() for array in weights.values())
    line = {
        "format": form,
        **head,
        "arrays": {name: list(array.shape) for name, array in weights.items()},
        "sha256": hashlib.sha256(numbers).hexdigest(),
    }
    with atomic_write(path) as part:
        part.write_bytes(json.dumps(line, ensure_ascii=False).encode() + b"\n" + numbers)


def read_weights(path: Path) -> tuple[dict[str, Floats], Shape, dict[str, Any]]:
    """The arrays by name, the network's shape, and what is told about it."""
    file = open_weights(path, FORMAT, Shape)
    reading = reading_of(file.versions)
    # Files of version 1 don't say it in their shape.
    shape = replace(file.shape, observation=reading.versions["observation"])
    return file.arrays(sizes(shape)), shape, file.about


@dataclass(frozen=True, slots=True)
class WeightsFile(Generic[AnyShape]):
    """A file whose first line has been understood."""

    name: str
    shape: AnyShape
    versions: dict[str, Any]
    about: dict[str, Any]
    sizes: dict[str, tuple[int, ...]]
    sha256: str
    numbers: bytes

    def arrays(self, wanted: Sizes) -> dict[str, Floats]:
        """All arrays by name; raises where they are not whole, or not those that are wanted."""
        count = sum(math.prod(size) for size in self.sizes.values())
        if hashlib.sha256(self.numbers).hexdigest() != self.sha256:
            raise WeightsError(f"{self.name} is damaged: its numbers have another SHA-256")
        if count * NUMBERS.itemsize != len(self.numbers):
            raise WeightsError(f"{self.name} is damaged: it should have {count} numbers")
        if self.sizes != wanted:
            raise WeightsError(
                f"{self.name} is damaged: its arrays are not those of such a network"
            )
        weights, at = {}, 0
        flat = np.frombuffer(self.numbers, NUMBERS).astype(np.float32)
        for name, size in self.sizes.items():
            weights[name] = flat[at : at + math.prod(size)].reshape(size)
            at += math.prod(size)
        return weights


def open_weights(path: Path, form: str, shape: type[AnyShape]) -> WeightsFile[AnyShape]:
    """A file of this form; raises where it is another."""
    try:
        line, _, numbers = path.read_bytes().partition(b"\n")
    except OSError as error:
        raise WeightsError(f"{path} can't be read: {error.strerror}") from None
    try:
        head = json.loads(line)
        found = {name: tuple(size) for name, size in head["arrays"].items()}
        sum(math.prod(size) for size in found.values())
        file = WeightsFile(
            path.name, shape(**head["shape"]), dict(head["versions"]), head["about"],
            found, head["sha256"], numbers,
        )  # fmt: skip
        known = head["format"] == form
    except (ValueError, KeyError, TypeError, AttributeError):
        known = False
    if not known:
        raise WeightsError(f"{path.name} is no network of ours")
    return file


def load_network(path: Path = WEIGHTS_FILE) -> Network:
    """A network from its file."""
    weights, shape, _ = read_weights(path)
    return Network(weights, shape)
