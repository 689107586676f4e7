"""What value networks are given: a row of small numbers for every position.

From one seat's eyes it is that seat's observation, whoever's turn it is. With open hands it is the
observation of the seat whose turn it is (or who is dealt to), and after it what that seat can't
see: for each palace, its cards in the others' hands, in the order of play, and in the stack.
"""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from baghdad.jit.compiler import compiler
from baghdad.rules.engine.material import CARDS_OF_A_PALACE
from baghdad.rules.engine.observation import HIGH, OBSERVATION_SIZE, Row, observe
from baghdad.rules.engine.state import State, States

from . import SOURCES

compiled = compiler(SOURCES)

ROWS: TypeAlias = npt.NDArray[np.int8]

HIDDEN_OF_A_PALACE = 4
OPEN_SIZE = OBSERVATION_SIZE + 6 * HIDDEN_OF_A_PALACE
OPEN_HIGH: npt.NDArray[np.int8] = np.concatenate(
    [HIGH, np.full(6 * HIDDEN_OF_A_PALACE, CARDS_OF_A_PALACE, np.int8)]
)
"""[OPEN_SIZE]: the most that each number can be."""


@compiled
def observe_openly(state: State, row: Row) -> None:
    """Write all of `state` into `row` [OPEN_SIZE], from the chair of the seat whose turn it is."""
    players, at = state.players, OBSERVATION_SIZE
    observe(state, state.seat, row)
    for palace in range(6):
        for place in range(1, 4):
            seat = state.seat + place
            seat -= players if seat >= players else 0
            row[at] = state.hands[seat, palace] if place < players else 0
            at += 1
        row[at] = state.deck[palace]
        at += 1


@compiled
def _observe_all(states: States, seats: Any, rows: ROWS) -> None:
    for place in range(len(states)):
        observe(states[place], seats[place], rows[place])


@compiled
def _observe_all_openly(states: States, rows: ROWS) -> None:
    for place in range(len(states)):
        observe_openly(states[place], rows[place])


def seen_rows(states: States, seats: npt.NDArray[Any]) -> ROWS:
    """[n, OBSERVATION_SIZE]: what each of `seats` [n] sees in its one of `states` [n]."""
    rows = np.empty((len(states), OBSERVATION_SIZE), np.int8)
    _observe_all(states, np.asarray(seats, np.int64), rows)
    return rows


def open_rows(states: States) -> ROWS:
    """[n, OPEN_SIZE]: all of each of `states` [n]."""
    rows = np.empty((len(states), OPEN_SIZE), np.int8)
    _observe_all_openly(states, rows)
    return rows
