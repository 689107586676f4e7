"""Opponents and the analyst in the module, in wasmtime: asked as they are natively."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from baghdad import View
from baghdad.analysis.engine.analyst import JUDGEMENT, MOST_REASONS
from baghdad.analysis.engine.facts import REASON
from baghdad.analysis.engine.machine import SAMPLES
from baghdad.bots.expert.machine import MAX_ACTIONS
from baghdad.bots.neural import WEIGHTS_FILE
from baghdad.bots.neural.trunk import NAMES
from baghdad.rules.engine.actions import Action
from baghdad.rules.engine.dealer import Rng
from baghdad.wasm.minds import mind
from baghdad.wasm.minds.level import LEVEL

from .webassembly import Resident


class Minds(Resident):
    """One mind in a memory of its own, with its network.

    `clock` tells the seconds that its slices are told.
    """

    def __init__(self, clock: Callable[[], float] = lambda: 0.0) -> None:
        self._clock = clock
        super().__init__(mind.SIZE)
        self._view, self._level, self._rng, self._actions = map(
            self._room, (1024, LEVEL.itemsize, 32, 256)
        )
        self._turns = self._room(2 * MAX_ACTIONS), self._room(2 * MAX_ACTIONS)
        self._told = self._room(max(JUDGEMENT.itemsize, MOST_REASONS * REASON.itemsize))
        self._set_network()

    def decide(
        self, view: View, level: np.ndarray, rng: Rng, seconds: float = -1.0, simulations: int = -1
    ) -> list[int]:
        """What a level decides; the generator goes on as a bot's does."""
        self._give(view, level, rng)
        self._call("begin_decision", self._view, self._level, seconds, simulations, self._rng)
        self._think()
        count = self._call("decision", self._actions)
        rng[:] = np.frombuffer(self._memory.read(self._store, self._rng, self._rng + 32), np.int64)
        found = self._memory.read(self._store, self._actions, self._actions + 2 * count)
        actions: list[int] = np.frombuffer(found, np.int16).tolist()
        return actions

    def chance(self, view: View, level: np.ndarray, rng: Rng) -> float:
        """How likely a level thinks that it is to win."""
        self._give(view, level, rng)
        self._call("begin_chance", self._view, self._level, self._rng)
        self._think()
        chance: float = self._call("chance")
        return chance

    def judge(
        self, view: View, played: Sequence[Action], rng: Rng, budget: int, samples: int = SAMPLES
    ) -> Any:
        """What the analyst thinks of a turn: a record of dtype `JUDGEMENT`."""
        self._put(view, rng, played)
        call = "begin_judgement", self._view, self._turns[0], samples, budget, self._rng
        self._call(*call)
        self._analyse()
        self._call("judgement", self._told)
        return self._read(JUDGEMENT, 1)[0]

    def nudge(self, view: View, best: Sequence[Action]) -> int:
        """What draws attention to the best turn, after a judgement."""
        self._put(view, np.zeros(4, np.int64), best)
        nudge: int = self._call("nudge", self._turns[0])
        return nudge

    def explain(self, view: View, best: Sequence[Action], other: Sequence[Action], rng: Rng) -> Any:
        """Why a turn is better than another: an array of dtype `REASON`."""
        self._put(view, rng, best, other)
        self._call("begin_explanation", self._view, *self._turns, self._rng)
        self._analyse()
        return self._read(REASON, self._call("reasons", self._told))

    def robberies(self, view: View, turn: Sequence[Action]) -> list[int]:
        """What each action of a turn carries off, as numbers."""
        self._put(view, np.zeros(4, np.int64), turn)
        self._call("robberies", self._view, self._turns[0], len(turn), self._told)
        robs: list[int] = self._read(np.dtype(np.int8), len(turn)).tolist()
        return robs

    def _analyse(self) -> None:
        while self._call("advance_analysis"):
            pass

    def _put(self, view: View, rng: Rng, *turns: Sequence[Action]) -> None:
        self._memory.write(self._store, bytes(view), self._view)
        self._write(rng, self._rng)
        for turn, address in zip(turns, self._turns, strict=False):
            row = np.full(MAX_ACTIONS, -1, np.int16)
            row[: len(turn)] = turn
            self._write(row, address)

    def _read(self, dtype: np.dtype[Any], count: int) -> Any:
        end = self._told + count * dtype.itemsize
        return np.frombuffer(self._memory.read(self._store, self._told, end), dtype)

    def _think(self) -> None:
        began = self._clock()
        while self._call("advance", self._view, self._level, self._clock() - began, self._rng):
            pass

    def _set_network(self) -> None:
        line, _, numbers = WEIGHTS_FILE.read_bytes().partition(b"\n")
        head, starts, at = json.loads(line), dict[str, int](), 0
        for name, size in head["arrays"].items():
            starts[name] = at
            at += int(np.prod(size))
        halves, places = self._room(len(numbers)), self._room(4 * len(NAMES))
        self._memory.write(self._store, numbers, halves)
        self._write(np.array([starts[name] for name in NAMES], np.int32), places)
        version = head["versions"]["observation"]
        assert self._call("set_network", halves, len(numbers) // 2, places, version) == 1

    def _give(self, view: View, level: np.ndarray, rng: Rng) -> None:
        self._memory.write(self._store, bytes(view), self._view)
        self._write(level, self._level)
        self._write(rng, self._rng)
