"""Who says who wins, in the module, in wasmtime: asked as natively."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from baghdad.bots.neural import WEIGHTS_FILE
from baghdad.bots.neural.trunk import NAMES
from baghdad.bots.value import EYES_FILE, OPEN_FILE
from baghdad.rules.engine.dealer import Rng
from baghdad.rules.engine.state import STATE, State
from baghdad.wasm.minds import oracle

from .webassembly import Resident


class Oracles(Resident):
    """One oracle in a memory of its own, with its networks."""

    def __init__(self) -> None:
        super().__init__(oracle.SIZE)
        self._states = self._room(STATE.itemsize), self._room(STATE.itemsize)
        self._rng, self._told = self._room(32), self._room(8 * oracle.TOLD)
        for kind, file in enumerate((EYES_FILE, OPEN_FILE, WEIGHTS_FILE)):
            assert self.learn(kind, file) == 1

    def look_at(self, state: State, rng: Rng) -> Any:
        """[9]: by seat and nobody with open hands, and each seat's own."""
        self._put(rng, state)
        self._call("look_at", self._states[0], self._rng, self._told)
        return self._read()[:9]

    def draw(self, before: State, came: State, rng: Rng) -> Any:
        """[2, 5]: what it was worth before cards came, and after."""
        self._put(rng, before, came)
        self._call("begin_draw", *self._states, self._rng)
        while self._call("advance_draw"):
            pass
        self._call("draw_worth", self._told)
        return self._read().reshape(2, 5)

    def learn(self, kind: int, file: Path) -> int:
        """Give it a network; returns 1 where it fits."""
        line, _, numbers = file.read_bytes().partition(b"\n")
        head, starts, at = json.loads(line), dict[str, int](), 0
        for name, size in head["arrays"].items():
            starts[name] = at
            at += int(np.prod(size))
        halves, places = self._room(len(numbers)), self._room(4 * len(NAMES))
        self._memory.write(self._store, numbers, halves)
        self._write(np.array([starts.get(name, 0) for name in NAMES], np.int32), places)
        version = head["versions"]["observation"]
        call = "set_oracle_network", kind, halves, len(numbers) // 2, places, version
        found: int = self._call(*call)
        return found

    def _put(self, rng: Rng, *states: State) -> None:
        self._write(rng, self._rng)
        for state, address in zip(states, self._states, strict=False):
            self._memory.write(self._store, state.tobytes(), address)

    def _read(self) -> Any:
        end = self._told + 8 * oracle.TOLD
        return np.frombuffer(self._memory.read(self._store, self._told, end))
