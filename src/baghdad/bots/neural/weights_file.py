"""A network's weights in one file: a line of JSON about them, then the numbers, half precision.

The line holds the versions of observation and action table that the network knows, and the SHA-256
of the numbers: weights made for other numbers, or damaged on the way, are refused.
"""

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from baghdad.bots.neural import WEIGHTS_FILE
from baghdad.files import atomic_write

from .layers import Floats
from .network import (
    Network,
    Shape,
    Weights,
    sizes,
)
from .versions import reading_of

FORMAT = "baghdad network 1"
NUMBERS = np.dtype("<f2")


class WeightsError(ValueError):
    """A file is not a network of ours, or it is damaged."""


def write_weights(path: Path, weights: Weights, shape: Shape, about: Mapping[str, Any]) -> None:
    """Write a network; `about` says where it comes from, and is kept as it is."""
    numbers = b"".join(array.astype(NUMBERS).tobytes() for array in weights.values())
    head = {
        "format": FORMAT,
        "versions": shape.reading.versions,
        "shape": asdict(shape),
        "arrays": {name: list(array.shape) for name, array in weights.items()},
        "sha256": hashlib.sha256(numbers).hexdigest(),
        "about": dict(about),
    }
    with atomic_write(path) as part:
        part.write_bytes(json.dumps(head, ensure_ascii=False).encode() + b"\n" + numbers)


def read_weights(path: Path) -> tuple[dict[str, Floats], Shape, dict[str, Any]]:
    """The arrays by name, the network's shape, and what is told about it."""
    try:
        line, _, numbers = path.read_bytes().partition(b"\n")
    except OSError as error:
        raise WeightsError(f"{path} can't be read: {error.strerror}") from None
    try:
        head = json.loads(line)
        shape, made_for = Shape(**head["shape"]), dict(head["versions"])
        arrays, digest, about = head["arrays"], head["sha256"], head["about"]
        count = sum(math.prod(size) for size in arrays.values())
        known = head["format"] == FORMAT
    except (ValueError, KeyError, TypeError, AttributeError):
        known = False
    if not known:
        raise WeightsError(f"{path.name} is no network of ours")
    reading = reading_of(made_for)
    # Files of version 1 don't say it in their shape.
    shape = replace(shape, observation=reading.versions["observation"])
    fits = {name: tuple(size) for name, size in arrays.items()} == sizes(shape)
    if hashlib.sha256(numbers).hexdigest() != digest:
        raise WeightsError(f"{path.name} is damaged: its numbers have another SHA-256")
    if count * NUMBERS.itemsize != len(numbers):
        raise WeightsError(f"{path.name} is damaged: it should have {count} numbers")
    if not fits:
        raise WeightsError(f"{path.name} is damaged: its arrays are not those of such a network")
    weights, at = {}, 0
    flat = np.frombuffer(numbers, NUMBERS).astype(np.float32)
    for name, size in arrays.items():
        weights[name] = flat[at : at + math.prod(size)].reshape(size)
        at += math.prod(size)
    return weights, shape, about


def load_network(path: Path = WEIGHTS_FILE) -> Network:
    """A network from its file."""
    weights, shape, _ = read_weights(path)
    return Network(weights, shape)
