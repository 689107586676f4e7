"""Facts of a position that may be why one turn is better than another, and how to take each away.

A fact is found by rules, and is true. Whether it matters is another question: `reasons` asks it of
the same position without the fact.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from baghdad.rules.engine.actions import Action
from baghdad.rules.engine.material import PALACE_LETTERS
from baghdad.rules.engine.views import VIEW
from baghdad.rules.views import View

from .engine import facts as engine
from .engine.facts import KINDS, MAX_FACTS, NOBODY, REASON, new_fact_memory
from .engine.turns import fitted as engine_fitted
from .engine.turns import new_scratch
from .turns import array_of, turn_of


class Fact(Struct, frozen=True):
    """Something that is so in a position."""

    kind: str
    """One of `KINDS`."""
    palace: str = ""
    """Its letter, where it is about one."""
    seat: int = NOBODY
    """Of a rival, from 0, where it is about one."""
    n: int = 0
    """Thieves that are missing, cards that can still come, or cards in the hand."""
    number: int = 0
    """On the chest."""


def facts(view: View, best: Sequence[Action], other: Sequence[Action]) -> Iterator[Fact]:
    """What speaks for the best turn and not for the other."""
    found, memory = np.zeros(MAX_FACTS, REASON), new_fact_memory(max(len(best), len(other)))
    count = engine.find_facts(view.fields, array_of(best), array_of(other), found, memory)
    yield from map(fact_of, found[:count])


def without(view: View, fact: Fact) -> View:
    """The same position, but for the fact."""
    views = np.zeros(1, VIEW)
    views[0] = view.fields
    engine.take_away(record_of(fact), views[0])
    views.flags.writeable = False
    return View(views[0])


def fitted(view: View, turn: Sequence[Action]) -> tuple[Action, ...]:
    """A turn as far as it can be played in another position, with an end."""
    out = np.full(len(turn) + 1, -1, np.int16)
    engine_fitted(view.fields, array_of(turn), out, new_scratch())
    return turn_of(out)


def fact_of(record: Any) -> Fact:
    """A fact by its record, of dtype `REASON`."""
    palace = "" if record.palace == NOBODY else PALACE_LETTERS[record.palace]
    return Fact(KINDS[record.kind], palace, int(record.seat), int(record.n), int(record.number))


def record_of(fact: Fact) -> Any:
    """The record of a fact, of dtype `REASON`."""
    records = np.zeros(1, REASON)
    palace = PALACE_LETTERS.index(fact.palace) if fact.palace else NOBODY
    records[0] = (KINDS.index(fact.kind), palace, fact.seat, fact.n, fact.number, 0.0, 0.0, 0.0)
    return records[0]
