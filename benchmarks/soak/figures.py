"""What is measured: how long others wait, the generator's own lag, memory, what went wrong."""

import time
from array import array
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]


@dataclass(slots=True)
class Times:
    """Seconds that something took, each with the moment when it began."""

    began: "array[float]" = field(default_factory=lambda: array("d"))
    taken: "array[float]" = field(default_factory=lambda: array("d"))

    def add(self, began: float, taken: float) -> None:
        self.began.append(began)
        self.taken.append(taken)

    def outside(self, spans: list[tuple[float, float]]) -> Numbers:
        """Those that did not touch any of the spans."""
        began, taken = np.array(self.began), np.array(self.taken)
        good = np.ones(len(began), bool)
        for start, end in spans:
            good &= (began + taken < start) | (began > end)
        found: Numbers = taken[good]
        return found

    def latest(self, first: int) -> Numbers:
        """Those from a place on."""
        return np.array(self.taken[first:])

    def copy(self) -> "Times":
        return Times(self.began[:], self.taken[:])


def milliseconds(times: Numbers) -> dict[str, float]:
    """Count, percentiles and the longest."""
    if not len(times):
        return {"count": 0}
    p50, p99, p999 = np.percentile(times, [50, 99, 99.9])
    named = {"p50": p50, "p99": p99, "p99.9": p999, "most": times.max()}
    return {"count": len(times)} | {name: round(1e3 * value, 2) for name, value in named.items()}


@dataclass(slots=True)
class Sample:
    """Memory at a moment."""

    at: float
    life: int
    """Which start of the server it belongs to."""
    server: int
    workers: int
    tables: int
    """That the server has in memory; -1 where it did not say."""


@dataclass(slots=True)
class Figures:
    """Everything that a run has shown so far. Moments are those of `time.perf_counter`."""

    began: float = field(default_factory=time.perf_counter)
    answers: Times = field(default_factory=Times)
    """From a command to its own answer."""
    others: Times = field(default_factory=Times)
    """From a command to the moment when another person at the table has its event."""
    health: Times = field(default_factory=Times)
    """From asking for `/health` to the answer, over a new connection."""
    lag: Times = field(default_factory=Times)
    """By how much the generator itself came late to what it wanted to do."""
    memory: list[Sample] = field(default_factory=list)
    lives: list[float] = field(default_factory=list)
    """When the server was ready, each time it was started."""
    restarts: list[tuple[str, float, float]] = field(default_factory=list)
    """What happened, from when, and until when nobody is measured."""
    counts: Counter[str] = field(default_factory=Counter)
    """What people did, and what they were told."""
    wrong: Counter[str] = field(default_factory=Counter)
    """What must never be, by its kind."""
    details: list[str] = field(default_factory=list)
    """The first of them, in words."""

    def blame(self, kind: str, words: str) -> None:
        self.wrong[kind] += 1
        if len(self.details) < 50:
            self.details.append(f"{self.minute:.2f} min, {kind}: {words}")

    @property
    def minute(self) -> float:
        return (time.perf_counter() - self.began) / 60

    @property
    def disturbed(self) -> bool:
        """Whether a restart is going on, or has just been."""
        return bool(self.restarts) and time.perf_counter() < self.restarts[-1][2]

    def spans(self) -> list[tuple[float, float]]:
        return [(start, end) for _, start, end in self.restarts]

    def grown(self) -> dict[str, Any]:
        """The longest life of the server: memory early in it, and at its end."""
        lives = Counter(each.life for each in self.memory)
        if not lives:
            return {}
        life = lives.most_common(1)[0][0]
        samples = [each for each in self.memory if each.life == life]
        first, last = self.lives[life], samples[-1].at
        minutes = (last - first) / 60
        # After five minutes, averaged over two; a shorter life is only shown, not judged.
        middle, half = (5.0, 1.0) if minutes >= 15 else (minutes / 4, minutes / 16)

        def mean(begin: float, end: float, what: str) -> float | None:
            found = [getattr(s, what) for s in samples if begin <= (s.at - first) / 60 <= end]
            return round(float(np.mean(found)) / 2**20, 1) if found else None

        shown: dict[str, Any] = {"minutes": round(minutes, 1), "judged": minutes >= 15}
        for what in ("server", "workers"):
            early = mean(middle - half, middle + half, what)
            late = mean(minutes - 2 * half, minutes, what)
            most = max(getattr(each, what) for each in samples) / 2**20
            shown[what] = {"early": early, "end": late, "most": round(most, 1)}
            if early and late:
                shown[what]["ratio"] = round(late / early, 3)
        return shown
