"""Facts of a position that may be why one turn is better than another, and how to take each away.

A fact is found by rules, and is true. Whether it matters is another question: `analyst` asks it of
the same position without the fact.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from baghdad.rules.engine.actions import (
    CARRY,
    END_TURN,
    KIND,
    MEANING,
    MOVE,
    MOVE_NEUTRAL,
    NAME,
    PALACE,
    PASS,
    PASS_WITH_DANCER,
    SMUGGLE,
    TO,
)
from baghdad.rules.engine.material import (
    CARDS_OF_A_PALACE,
    CHESTS,
    CHESTS_TO_WIN,
    GUARD_FIELDS,
    HEAVIEST_CHEST,
    NEUTRAL,
    OWNERS,
    TURN,
    Palace,
)
from baghdad.rules.engine.views import ViewFields

from .compiled import compiled, noinline
from .turns import ROBBED_AT, Scratch, new_scratch, robberies

Array = npt.NDArray[Any]

NEAR = 2
"""Thieves that a rival may lack for a chest and still take it in a turn, as a rule."""
FEW_LEFT = 3
"""Cards of a palace that may still come, at most, where hardly one is to be hoped for."""

KINDS = ("win", "ready", "threat", "dear", "cheap", "dancer", "gone", "hand")
"""The turn takes the chest that wins; few thieves are missing for one; a rival is near one; a
neutral guard makes a palace dearer; a palace is cheap; a dancer can be taken; hardly a card of a
palace can come any more; the hand pays for little."""
_WIN, _READY, _THREAT, _DEAR, _CHEAP, _DANCER, _GONE, _HAND = range(len(KINDS))
NOBODY = -1
"""Where a fact is about no palace, or no seat."""

_FIELDS = [
    ("kind", "i1"),  # a place in `KINDS`
    ("palace", "i1"),  # or `NOBODY`
    ("seat", "i1"),  # of a rival, or `NOBODY`
    ("n", "i1"),  # thieves that are missing, cards that can still come, or cards in the hand
    ("number", "i1"),  # on the chest
    ("margin", "f8"),  # points by which the turn is ahead, with the fact
    ("loses", "f8"),  # how many of these are gone without it
    ("changes", "f8"),  # points by which the chance to win after the turn is another without it
]
REASON = np.dtype((np.record, np.dtype(_FIELDS, align=True)))
"""A fact, and what it is worth to an advice."""
MAX_FACTS = 48
"""More than there can be: one that wins, a dancer, a hand; for a palace one of each other kind, and
three threats."""


class Deeds(NamedTuple):
    """What a turn does; palaces are bits."""

    robbed: int
    chests: int
    """That it takes."""
    touched: int
    """Where it does something."""
    sent_off: int
    """From where neutral guards go."""
    smuggled: int
    arrives: int
    """Where a thief or an own guard arrives."""
    leaves: int
    """From where it moves an own guard away."""
    passes: bool
    """Nothing is done."""
    dancer: bool
    """It takes one from the supply."""


class FactMemory(NamedTuple):
    """Memory to find facts in."""

    robs: Array
    """[actions]: of one turn."""
    scratch: Scratch


def new_fact_memory(longest: int) -> FactMemory:
    """Memory for turns of so many actions."""
    return FactMemory(np.zeros(longest, np.int8), new_scratch())


@noinline
def find_facts(
    view: ViewFields, best: Array, other: Array, found: Array, memory: FactMemory
) -> int:
    """Write what speaks for the best turn and not for the other; returns how many facts."""
    count, seat = 0, view.viewer
    if view.phase != TURN:
        return 0
    mine, theirs = _deeds(view, best, memory), _deeds(view, other, memory)
    robbed = mine.robbed & ~theirs.robbed
    if view.loot[seat] + mine.chests >= CHESTS_TO_WIN[view.players]:
        count = _add(_WIN, NOBODY, NOBODY, 0, 0, count, found)
    for palace in range(6):
        own, number = view.thieves[palace, seat], _top_chest(view, palace)
        if robbed >> palace & 1 and own > 0:
            count = _add(_READY, palace, NOBODY, number - own, number, count, found)
    touched = robbed | (mine.touched & ~theirs.touched)
    for palace in range(6):
        if touched >> palace & 1 and view.chests[palace] > 0:
            number = _top_chest(view, palace)
            for rival in range(view.players):
                there = view.thieves[palace, rival]
                if rival != seat and there > 0 and number - there <= NEAR:
                    count = _add(_THREAT, palace, rival, number - there, number, count, found)
    for palace in range(6):
        if (mine.sent_off & ~theirs.sent_off) >> palace & 1:
            count = _add(_DEAR, palace, NOBODY, 0, 0, count, found)
    for palace in range(6):
        if (mine.smuggled & ~theirs.smuggled) >> palace & 1 and _is_cheap(view, palace):
            count = _add(_CHEAP, palace, NOBODY, 0, 0, count, found)
    if mine.dancer and not theirs.dancer:
        count = _add(_DANCER, NOBODY, NOBODY, 0, 0, count, found)
    wanting = (theirs.arrives & ~mine.arrives) | mine.leaves
    for palace in range(6):
        left = _unseen(view, palace)
        if wanting >> palace & 1 and left <= FEW_LEFT and view.discard[palace] > 0:
            count = _add(_GONE, palace, NOBODY, left, 0, count, found)
    if mine.passes and not theirs.passes:
        cards = 0
        for card in range(7):
            cards += view.hand[card]
        count = _add(_HAND, NOBODY, NOBODY, cards, 0, count, found)
    return count


@noinline
def take_away(fact: Any, view: ViewFields) -> None:
    """Make the view that of the same position, but for the fact."""
    seat, palace = view.viewer, fact.palace
    if fact.kind == _WIN:
        view.loot[seat] -= 1
        for place in range(6):  # where it came from: there a chest more changes but the count
            if view.chests[place] < CHESTS and view.thieves[place, seat] == 0:
                view.chests[place] += 1
                break
    elif fact.kind == _READY or fact.kind == _THREAT:
        owner = seat if fact.kind == _READY else fact.seat
        view.stock[owner] += view.thieves[palace, owner]
        view.thieves[palace, owner] = 0
    elif fact.kind == _DEAR:
        view.guards[palace, NEUTRAL] -= 1
    elif fact.kind == _CHEAP:
        view.guards[palace, NEUTRAL] += 1
    elif fact.kind == _DANCER:
        view.dancers = 0
    elif fact.kind == _GONE:
        view.deck_size += view.discard[palace]
        view.discard[palace] = 0
    else:
        for place in range(6):
            if _unseen(view, place) > 0 and view.deck_size > 0:
                view.hand[place] += 1
                view.hand_sizes[seat] += 1
                view.deck_size -= 1


@compiled
def _add(
    kind: int, palace: Palace, seat: int, n: int, number: int, count: int, found: Array
) -> int:
    fact = found[count]
    fact.kind, fact.palace, fact.seat, fact.n, fact.number = kind, palace, seat, n, number
    fact.margin = fact.loses = fact.changes = 0.0
    return count + 1


@noinline
def _deeds(view: ViewFields, turn: Array, memory: FactMemory) -> Deeds:
    chests = robberies(view, turn, memory.robs, memory.scratch)
    robbed = touched = sent_off = smuggled = arrives = leaves = 0
    passes, dancer = True, False
    for number in range(len(turn)):
        action = turn[number]
        if action < 0:
            continue
        kind, here, there = MEANING[action, KIND], MEANING[action, PALACE], MEANING[action, TO]
        bit, bit_there = 1 << here, 1 << there
        if memory.robs[number] >= 0:
            robbed |= 1 << memory.robs[number] // ROBBED_AT
        dancer |= action == PASS_WITH_DANCER
        if kind in (PASS, NAME):
            continue
        passes = False
        if action == END_TURN:
            continue
        touched |= bit | bit_there
        if kind == MOVE_NEUTRAL:
            sent_off |= bit
        elif here != there:
            leaves |= bit
        if kind == SMUGGLE:
            smuggled |= bit
        if kind in (SMUGGLE, MOVE, CARRY):
            arrives |= bit_there
    return Deeds(robbed, chests, touched, sent_off, smuggled, arrives, leaves, passes, dancer)


@compiled
def _top_chest(view: ViewFields, palace: Palace) -> int:
    """The number on the chest that lies on top; 8 where none is left."""
    return HEAVIEST_CHEST + 1 - view.chests[palace]


@compiled
def _unseen(view: ViewFields, palace: Palace) -> int:
    """Cards of a palace that are in the stack or in the others' hands."""
    return CARDS_OF_A_PALACE - view.discard[palace] - view.hand[palace]


@compiled
def _is_cheap(view: ViewFields, palace: Palace) -> bool:
    """A thief costs one card (R12), and a guard more would have room."""
    guards = 0
    for owner in range(OWNERS):
        guards += view.guards[palace, owner]
    own = view.guards[palace, view.viewer]
    return own > 0 and guards - own == 1 and guards < GUARD_FIELDS
