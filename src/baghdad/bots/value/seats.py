"""From a network's outcomes, which count from the observer on, to the chances of seats."""

from typing import Any

import numpy as np
import numpy.typing as npt

from baghdad.bots.neural.network import NOBODY
from baghdad.bots.neural.sight import OUTCOMES
from baghdad.jit.compiler import compiler
from baghdad.rules.engine.material import OVER, Seat
from baghdad.rules.engine.state import State, States

from . import SOURCES

compiled = compiler(SOURCES)

Chances = npt.NDArray[np.float64]
"""[..., OUTCOMES]: how likely each of four seats is to win, 0 where nobody sits, and nobody."""


@compiled
def by_seat(state: State, observer: Seat, outcomes: Any, chances: Chances) -> None:
    """Write the chances [OUTCOMES] of a position: by the outcomes that a network has found for its
    observer, or what came true where it is over. They sum to one, as exactly as can be."""
    players, total = state.players, 0.0
    for place in range(OUTCOMES):
        total += float(outcomes[place])
    for seat in range(OUTCOMES):
        place = seat - observer
        if place < 0:
            place += players
        if seat == NOBODY:
            chances[seat] = float(outcomes[NOBODY]) / total
        else:
            chances[seat] = float(outcomes[place]) / total if seat < players else 0.0
        if state.phase == OVER:
            won = state.winner if state.winner >= 0 else NOBODY
            chances[seat] = 1.0 if seat == won else 0.0


@compiled
def _all_by_seat(states: States, observers: Any, outcomes: Any, chances: Chances) -> None:
    for place in range(len(states)):
        by_seat(states[place], observers[place], outcomes[place], chances[place])


def chances_by_seat(
    states: States, observers: npt.NDArray[Any], outcomes: npt.NDArray[np.float32]
) -> Chances:
    """[n, OUTCOMES]: the same of many positions."""
    chances = np.empty((len(states), OUTCOMES))
    _all_by_seat(states, np.asarray(observers, np.int64), outcomes, chances)
    return chances
