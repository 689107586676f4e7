"""Games as they begin: what is laid out before the first guard is placed (R1 to R8)."""

import numpy as np

from baghdad.rules.engine.material import (
    CARDS_OF_A_PALACE,
    CHESTS,
    DANCERS,
    DEALING,
    GUARDS_OF_A_PLAYER,
    NEUTRAL,
    NEUTRALS_TO_PLACE,
    PLACING,
    THIEVES,
)
from baghdad.rules.engine.state import STATE, States

from .options import Options


def new_states(options: Options, count: int = 1) -> States:
    """`count` games as they begin (R1 to R8), before any guard is placed.

    >>> states = new_states(Options(players=3), 2)
    >>> states[0].deck.tolist(), states[0].unplaced[:3, 0].tolist()
    ([17, 17, 17, 17, 17, 17], [3, 3, 3])
    >>> STATE.itemsize <= 160
    True
    """
    states = np.zeros(count, STATE)
    standard, hidden = options.variant == "standard", options.hands == "hidden"
    seats = slice(0, options.players)
    states["guards"][:, :, NEUTRAL] = standard
    states["chests"] = CHESTS
    states["deck"] = CARDS_OF_A_PALACE
    states["dancers"] = DANCERS
    states["stock"][:, seats] = THIEVES
    states["unplaced"][:, seats, 0] = GUARDS_OF_A_PLAYER[options.players]
    states["unplaced"][:, seats, 1] = 0 if standard else NEUTRALS_TO_PLACE
    states["players"] = options.players
    states["variant"] = not standard
    states["rob"] = options.rob != "arrival"
    states["seen"] = not hidden
    states["spare"] = options.spare != "stack"
    states["first_hands"][:, seats] = options.deal
    states["phase"] = PLACING if hidden else DEALING
    states["due"] = 0 if hidden else options.deal[0]
    states["named"] = -1
    states["winner"] = -1
    return states
