"""What one action does to the value of a position, found without playing it.

An action touches the hand and one or two palaces, and a palace only in a few ways: a guard leaves
or comes, alone or with a thief, and some cards of the palace are paid. So each such effect is
valued once for a position, and the value after an action is a sum of what stands there.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

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

from .compiled import compiled
from .evaluation import (
    RIVALS_AT,
    WON,
    ValueTable,
    cards_held,
    hand_worth,
    less_rivals_loot,
    palace_worth,
    rivals_worth,
)

GUARD_LEAVES, GUARD_COMES, NEUTRAL_LEAVES, NEUTRAL_COMES = 0, 2, 4, 6
THIEF_LEAVES, THIEF_COMES, SMUGGLED = 8, 10, 12
"""Effects on a palace; to each the cards of it that are paid are added."""
NUM_EFFECTS = 16

EffectValues = npt.NDArray[Any]
"""[6, NUM_EFFECTS]: what each palace would be worth after each effect."""


def _effects_of() -> npt.NDArray[np.int8]:
    pairs = {CARRY: (THIEF_LEAVES, THIEF_COMES), MOVE_NEUTRAL: (NEUTRAL_LEAVES, NEUTRAL_COMES)}
    table = np.zeros((len(ACTIONS), 2), np.int8)
    for number, action in enumerate(ACTIONS):
        if action.kind == SMUGGLE:
            table[number] = SMUGGLED + action.pays
        else:
            leaves, comes = pairs.get(action.kind, (GUARD_LEAVES, GUARD_COMES))
            table[number] = leaves + action.pays, comes + action.pays_to
    return table


EFFECTS_OF = _effects_of()
"""[action, 2]: its effect on the palace it starts from, and on the one it goes to."""


@compiled
def robs(state: State, palace: Palace, smuggled: bool) -> bool:
    """Whether one more thief of the seat whose turn it is would rob a palace (R19)."""
    enough = state.thieves[palace, state.seat] + 1 >= chest_number(state, palace)
    return enough and (smuggled or state.rob == 0)


@compiled
def value_effects(state: State, seat: Seat, table: ValueTable, effects: EffectValues) -> None:
    """Fill `effects` [6, NUM_EFFECTS] with every palace's value after every effect on it.

    What is not possible stays as it was.
    """
    weight = table[RIVALS_AT + int(state.players)]
    for palace in range(6):
        guards, own = guards_at(state, palace), state.guards[palace, seat]
        foreign, cards = guards - own, state.hands[seat, palace]
        thieves, chests = state.thieves[palace, seat], state.chests[palace]
        fewer = weight * rivals_worth(state, seat, palace, guards - 1, chests, table)
        for paid in range(2):
            left = max(cards - paid, 0)
            if own > 0:
                worth = palace_worth(thieves, chests, own - 1, foreign, left, table)
                effects[palace, GUARD_LEAVES + paid] = worth - fewer
                if thieves > 0:
                    worth = palace_worth(thieves - 1, chests, own - 1, foreign, left, table)
                    effects[palace, THIEF_LEAVES + paid] = worth - fewer
            if state.guards[palace, NEUTRAL] > 0:
                worth = palace_worth(thieves, chests, own, foreign - 1, left, table)
                effects[palace, NEUTRAL_LEAVES + paid] = worth - fewer
        if guards < GUARD_FIELDS:
            more = weight * rivals_worth(state, seat, palace, guards + 1, chests, table)
            after, chests_after, rivals_after = thieves + 1, chests, more
            if robs(state, palace, False):
                after, chests_after = after - chest_number(state, palace), chests - 1
                rivals_after = weight * rivals_worth(
                    state, seat, palace, guards + 1, chests_after, table
                )
            for paid in range(2):
                left = max(cards - paid, 0)
                worth = palace_worth(thieves, chests, own + 1, foreign, left, table)
                effects[palace, GUARD_COMES + paid] = worth - more
                worth = palace_worth(thieves, chests, own, foreign + 1, left, table)
                effects[palace, NEUTRAL_COMES + paid] = worth - more
                worth = palace_worth(after, chests_after, own + 1, foreign, left, table)
                effects[palace, THIEF_COMES + paid] = worth - rivals_after
        if own > 0:
            after, chests_after = thieves + 1, chests
            if robs(state, palace, True):
                after, chests_after = after - chest_number(state, palace), chests - 1
            same = weight * rivals_worth(state, seat, palace, guards, chests_after, table)
            for paid in range(min(foreign, cards) + 1):
                worth = palace_worth(after, chests_after, own, foreign, cards - paid, table)
                effects[palace, SMUGGLED + paid] = worth - same


@compiled
def hand_after(state: State, seat: Seat, action: Action, chest: bool, table: ValueTable) -> float:
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
