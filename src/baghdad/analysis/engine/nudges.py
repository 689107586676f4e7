"""Nudges: what the first step of a hint draws attention to, without giving the answer away."""

from typing import Any

import numpy as np
import numpy.typing as npt

from baghdad.rules.engine.actions import (
    CARRY,
    KIND,
    MEANING,
    MOVE,
    MOVE_NEUTRAL,
    NAME,
    PALACE,
    PASS,
    PLACE,
    PLACE_NEUTRAL,
    SMUGGLE,
)
from baghdad.rules.engine.material import CHESTS_TO_WIN, OWNERS
from baghdad.rules.engine.views import ViewFields

from .compiled import compiled, noinline
from .facts import FactMemory
from .turns import robberies

Array = npt.NDArray[Any]

NUDGES = (
    "win", "rob", "hand", "carry", "neutral", "guard", "smuggle",
    "place_mine", "place_crowded", "place_empty", "look",
)  # fmt: skip
"""What the first step draws attention to, the strongest first."""
_WIN, _ROB, _HAND, _CARRY, _NEUTRAL, _GUARD, _SMUGGLE, _MINE, _CROWDED, _EMPTY, _LOOK = range(
    len(NUDGES)
)
_OF_A_KIND: npt.NDArray[np.int64] = np.array(
    [0, 0, 1 << PASS | 1 << NAME, 1 << CARRY, 1 << MOVE_NEUTRAL, 1 << MOVE, 1 << SMUGGLE]
)
"""[nudge]: the kinds of actions that each of these is about, as bits."""
_PLACING = 1 << PLACE | 1 << PLACE_NEUTRAL
CROWDED = 2
"""Guards of others, from which on a palace is crowded."""


@compiled
def nudge_number(
    view: ViewFields, best: Array, tried: Array, count: int, memory: FactMemory
) -> int:
    """The strongest nudge that fits the best turn and does not give it away: others of the first
    `count` turns of `tried` [turns, actions] fit it as well, unless it is that the turn wins or
    robs, which leaves open where and how."""
    for nudge in range(_LOOK):
        if fits(nudge, view, best, memory):
            fitting = 0
            if nudge not in (_WIN, _ROB):
                for turn in range(count):
                    fitting += fits(nudge, view, tried[turn], memory)
            if nudge in (_WIN, _ROB) or fitting > 1:
                return nudge
    return _LOOK


@noinline
def fits(nudge: int, view: ViewFields, turn: Array, memory: FactMemory) -> bool:
    """Whether somebody who was nudged so could think of this turn."""
    kinds = 0
    for number in range(len(turn)):
        if turn[number] >= 0:
            kinds |= 1 << int(MEANING[turn[number], KIND])
    if nudge in (_WIN, _ROB):
        if kinds & _PLACING:
            return False
        chests = robberies(view, turn, memory.robs, memory.scratch)
        need = CHESTS_TO_WIN[view.players] - view.loot[view.viewer] if nudge == _WIN else 1
        return chests >= need
    if nudge < len(_OF_A_KIND):
        return kinds & _OF_A_KIND[nudge] != 0
    if nudge < _LOOK:
        return kinds & _PLACING != 0 and _place_fits(nudge, view, turn[0])
    return True


@compiled
def _place_fits(nudge: int, view: ViewFields, action: int) -> bool:
    palace, foreign = MEANING[action, PALACE], 0
    mine = view.guards[palace, view.viewer]
    for owner in range(OWNERS):
        foreign += view.guards[palace, owner]
    foreign -= mine
    if nudge == _MINE:
        return mine > 0
    return foreign >= CROWDED if nudge == _CROWDED else foreign < CROWDED
