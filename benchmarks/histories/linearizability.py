"""Whether a history is linearizable: could all that was seen have happened one after another?

The algorithm of Wing and Gong ("Testing and verifying concurrent objects", 1993), with the
memoization and the list of Lowe ("Testing for linearizability", 2017): take any operation that was
called before the first answer that is still open, let the model do it, and go back where the model
says that it can't have been. Whatever has a set of operations and a state behind it already is not
tried again.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Generic, TypeVar

State = TypeVar("State", bound=Hashable)
What = TypeVar("What")
OPEN = inf
"""The moment of an answer that never came."""


@dataclass(frozen=True, slots=True)
class Operation(Generic[What]):
    """What somebody asked for and was told, and when. Without an answer it need not have been."""

    called: float
    answered: float
    what: What


@dataclass(frozen=True, slots=True)
class Verdict(Generic[What]):
    """An order in which it can have happened, or, where there is none, the longest beginning."""

    linearizable: bool
    order: tuple[Operation[What], ...]
    stuck: Operation[What] | None = None
    """The answer that fits nowhere after that beginning."""


def check(
    operations: Sequence[Operation[What]],
    state: State,
    step: Callable[[State, What], State | None],
) -> Verdict[What]:
    """`step` is the model: the state after an operation, or None where it can't have been so."""
    # A ring of calls and answers by time: entry 2i+1 is the call of operation i, 2i+2 its answer,
    # 0 the head. What comes at the same moment overlaps, so calls stand before answers.
    entries = sorted(
        (at, isanswer, 2 * place + 1 + isanswer)
        for place, each in enumerate(operations)
        for at, isanswer in ((each.called, 0), (each.answered, 1))
        if at < OPEN
    )
    ring = [0, *(entry for _, _, entry in entries)]
    after, before = [0] * (2 * len(operations) + 1), [0] * (2 * len(operations) + 1)
    for place, entry in enumerate(ring):
        after[entry], before[entry] = ring[(place + 1) % len(ring)], ring[place - 1]

    def lift(entry: int) -> None:
        after[before[entry]], before[after[entry]] = after[entry], before[entry]

    def put_back(entry: int) -> None:
        after[before[entry]] = before[after[entry]] = entry

    answers = sum(each.answered < OPEN for each in operations)
    done = 0  # a bit for each operation
    known: set[tuple[int, State]] = set()
    path: list[tuple[int, int, State]] = []  # calls that were taken, and what was before them
    longest: list[int] = []
    stuck = 0
    entry = after[0]
    while answers:
        if entry % 2:  # a call
            place = entry // 2
            found = step(state, operations[place].what)
            if found is not None and (key := (done | 1 << place, found)) not in known:
                known.add(key)
                path.append((entry, done, state))
                done, state = key
                lift(entry)
                if operations[place].answered < OPEN:
                    lift(entry + 1)
                    answers -= 1
                entry = after[0]
            else:
                entry = after[entry]
            continue
        # An answer, and nothing that was called before it fits.
        if len(path) > len(longest) or not stuck:
            longest, stuck = [each[0] // 2 for each in path], entry
        if not path:
            order = tuple(operations[place] for place in longest)
            return Verdict(False, order, operations[stuck // 2 - 1])
        entry, done, state = path.pop()
        if operations[entry // 2].answered < OPEN:
            put_back(entry + 1)
            answers += 1
        put_back(entry)
        entry = after[entry]
    return Verdict(True, tuple(operations[each[0] // 2] for each in path))
