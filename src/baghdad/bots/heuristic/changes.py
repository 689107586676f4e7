"""What one action does to the value of a position, found without playing it.

An action touches the hand and one or two palaces, and a palace only in a few ways: a guard leaves
or comes, alone or with a thief, and some cards of the palace are paid. So each way is valued once
for a position, and an action is worth a sum of what stands there.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from baghdad.bots.compiled import fast
from baghdad.rules.engine.actions import (
    ACTIONS,
    CARRY,
    KIND,
    MEANING,
    MOVE_NEUTRAL,
    PAYS,
    PAYS_DANCERS,
    PAYS_TO,
    SMUGGLE,
    Action,
)
from baghdad.rules.engine.legality import guards_at
from baghdad.rules.engine.material import (
    CHESTS_TO_WIN,
    DANCER,
    GUARD_FIELDS,
    NEUTRAL,
    Palace,
    Seat,
)
from baghdad.rules.engine.state import State
from baghdad.rules.engine.steps import chest_number

from .values import (
    RIVALS_AT,
    WON,
    Table,
    cards_held,
    hand_worth,
    less_rivals_loot,
    palace_worth,
    rivals_hopes,
)

GUARD_LEAVES, GUARD_COMES, NEUTRAL_LEAVES, NEUTRAL_COMES = 0, 2, 4, 6
THIEF_LEAVES, THIEF_COMES, SMUGGLED = 8, 10, 12
"""Ways to touch a palace, each counted on by the cards of it that are paid."""
WAYS = 16

Ways = npt.NDArray[Any]
"""[6, WAYS]: what each palace would be worth."""


def _ways() -> npt.NDArray[np.int8]:
    pairs = {CARRY: (THIEF_LEAVES, THIEF_COMES), MOVE_NEUTRAL: (NEUTRAL_LEAVES, NEUTRAL_COMES)}
    table = np.zeros((len(ACTIONS), 2), np.int8)
    for number, action in enumerate(ACTIONS):
        if action.kind == SMUGGLE:
            table[number] = SMUGGLED + action.pays
        else:
            leaves, comes = pairs.get(action.kind, (GUARD_LEAVES, GUARD_COMES))
            table[number] = leaves + action.pays, comes + action.pays_to
    return table


WAY = _ways()
"""[action, 2]: how it touches the palace it starts from, and the one it goes to."""


@fast
def robs(state: State, palace: Palace, smuggled: bool) -> bool:
    """Whether one more thief of the seat on turn would rob a palace (R19)."""
    enough = state.thieves[palace, state.seat] + 1 >= chest_number(state, palace)
    return enough and (smuggled or state.rob == 0)


@fast
def value_ways(state: State, seat: Seat, table: Table, ways: Ways) -> None:
    """Value every palace for every way to touch it. What is not possible stays as it was."""
    weight = table[RIVALS_AT + state.players]
    for palace in range(6):
        guards, own = guards_at(state, palace), state.guards[palace, seat]
        foreign, cards = guards - own, state.hands[seat, palace]
        thieves, chests = state.thieves[palace, seat], state.chests[palace]
        fewer = weight * rivals_hopes(state, seat, palace, guards - 1, chests, table)
        for paid in range(2):
            left = max(cards - paid, 0)
            if own > 0:
                worth = palace_worth(thieves, chests, own - 1, foreign, left, table)
                ways[palace, GUARD_LEAVES + paid] = worth - fewer
                if thieves > 0:
                    worth = palace_worth(thieves - 1, chests, own - 1, foreign, left, table)
                    ways[palace, THIEF_LEAVES + paid] = worth - fewer
            if state.guards[palace, NEUTRAL] > 0:
                worth = palace_worth(thieves, chests, own, foreign - 1, left, table)
                ways[palace, NEUTRAL_LEAVES + paid] = worth - fewer
        if guards < GUARD_FIELDS:
            more = weight * rivals_hopes(state, seat, palace, guards + 1, chests, table)
            after, chests_after, rivals_after = thieves + 1, chests, more
            if robs(state, palace, False):
                after, chests_after = after - chest_number(state, palace), chests - 1
                rivals_after = weight * rivals_hopes(
                    state, seat, palace, guards + 1, chests_after, table
                )
            for paid in range(2):
                left = max(cards - paid, 0)
                worth = palace_worth(thieves, chests, own + 1, foreign, left, table)
                ways[palace, GUARD_COMES + paid] = worth - more
                worth = palace_worth(thieves, chests, own, foreign + 1, left, table)
                ways[palace, NEUTRAL_COMES + paid] = worth - more
                worth = palace_worth(after, chests_after, own + 1, foreign, left, table)
                ways[palace, THIEF_COMES + paid] = worth - rivals_after
        if own > 0:
            after, chests_after = thieves + 1, chests
            if robs(state, palace, True):
                after, chests_after = after - chest_number(state, palace), chests - 1
            same = weight * rivals_hopes(state, seat, palace, guards, chests_after, table)
            for paid in range(min(foreign, cards) + 1):
                worth = palace_worth(after, chests_after, own, foreign, cards - paid, table)
                ways[palace, SMUGGLED + paid] = worth - same


@fast
def hand_after(state: State, seat: Seat, action: Action, chest: bool, table: Table) -> float:
    """`hand_value` after an action that takes a chest, or none."""
    dancers = MEANING[action, PAYS_DANCERS]
    paid = MEANING[action, PAYS] + MEANING[action, PAYS_TO] + dancers
    loot, stock = state.loot[seat], state.stock[seat]
    if MEANING[action, KIND] == SMUGGLE:
        stock -= 1
    if chest:
        loot, stock = loot + 1, 3  # more come home than count
    left = state.hands[seat, DANCER] - dancers
    value = hand_worth(loot, left, stock, cards_held(state, seat) - paid, table)
    if loot >= CHESTS_TO_WIN[state.players]:
        value += WON
    return less_rivals_loot(state, seat, value, table)
