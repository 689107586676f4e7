"""Opponents in the module, wherever it runs, asked for many decisions at once."""

import json
from base64 import b64decode, b64encode
from collections.abc import Sequence
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from baghdad import View
from baghdad.bots.levels import TABLE, Level
from baghdad.bots.neural import WEIGHTS_FILE
from baghdad.bots.neural.trunk import NAMES
from baghdad.rules.engine.actions import ACTION_COUNT
from baghdad.rules.engine.dealer import Rng
from baghdad.rules.engine.views import VIEW
from baghdad.wasm.minds import mind
from baghdad.wasm.minds.level import LEVEL
from baghdad.wasm.minds.levels import level_record
from baghdad.wasm.module import MODULE

from .engines import Run

PROGRAM = (Path(__file__).parent / "minds.js").read_text("utf-8")
LEVELS = {**TABLE, "search": Level(0, "search")}
RECKONING = [name for name, level in LEVELS.items() if level.kind not in ("neural", "expert")]
"""Those that have no network: their sums are the same everywhere, to the last bit."""


class Decided(NamedTuple):
    """What the module has decided, position by position."""

    actions: list[list[int]]
    rngs: list[bytes]
    """Of each generator, what has become of it."""
    ms: float
    """For all of them."""
    logits: npt.NDArray[np.float32]
    """[positions, ACTION_COUNT], or none where nobody has asked for them."""


class Minds:
    """A mind in the module, with its network."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._start: dict[str, Any] | None = start()

    def decide(
        self,
        name: str,
        positions: Sequence[tuple[View, Rng]],
        simulations: int,
        *,
        with_logits: bool = False,
    ) -> Decided:
        """What a level decides in positions, each with its generator."""
        given = {
            "start": self._start,
            "level": text(level_record(LEVELS[name]).tobytes()),
            "simulations": simulations,
            "views": text(b"".join(bytes(view) for view, _ in positions)),
            "rngs": text(b"".join(rng.tobytes() for _, rng in positions)),
            "logits": with_logits * ACTION_COUNT,
        }
        self._start = None
        answer = self._run(PROGRAM, given)
        rngs = b64decode(answer["rngs"])
        said = b"".join(map(b64decode, answer["logits"]))
        return Decided(
            answer["answers"],
            [rngs[at : at + 32] for at in range(0, len(rngs), 32)],
            answer["ms"],
            np.frombuffer(said, np.float32).reshape(-1, ACTION_COUNT),
        )


def start() -> dict[str, Any]:
    """What the module needs once."""
    line, _, numbers = WEIGHTS_FILE.read_bytes().partition(b"\n")
    head, starts, at = json.loads(line), dict[str, int](), 0
    for name, size in head["arrays"].items():
        starts[name] = at
        at += int(np.prod(size))
    return {
        "module": text(MODULE.read_bytes()),
        "mind": mind.SIZE,
        "view": VIEW.itemsize,
        "level": LEVEL.itemsize,
        "halves": text(numbers),
        "starts": [starts[name] for name in NAMES],
        "version": head["versions"]["observation"],
        "logits": _places().expert.sight.logits,
    }


def _places() -> Any:
    """Where each part of a mind lies in its block: as it is found, but no array is made there."""
    find: Any = mind.find
    offsets = {"_at": lambda _, offset: offset, "_array": lambda offset, *_: offset}
    return FunctionType(find.py_func.__code__, {**find.py_func.__globals__, **offsets})(None)


def text(data: bytes) -> str:
    return b64encode(data).decode()
