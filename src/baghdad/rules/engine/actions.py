"""The action table: every decision of the game has a number, and everything speaks in it.

The numbers are grouped in rows of up to 54, so that the legal actions of a position are 13
integers used as sets of bits. A row of guard moves has 30 places, one for each pair of palaces.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from .material import (
    CARD_LETTERS,
    DANCER,
    PALACE_LETTERS,
    PALACES,
    Palace,
)

ACTION_TABLE_VERSION = 2
"""Changes when a number changes its meaning: what was made for another version must not load."""

Action: TypeAlias = int

PLACE, PLACE_NEUTRAL, END, PASS, SMUGGLE, MOVE, CARRY, MOVE_NEUTRAL, NAME = range(9)

# Rows. A move is paid with a card of the palace it leaves, of the one it goes to, or a dancer; a
# neutral guard's with both cards, or a dancer for the first, for the second, or for both.
# The passes with a named card came last, so that older numbers keep their meaning.
SETUP_ROW, SMUGGLE_ROW, MOVE_ROW, CARRY_ROW, NEUTRAL_ROW, NAME_ROW, ROWS = 0, 1, 2, 5, 8, 12, 13
END_PLACE, PASS_PLACE, PASS_DANCER_PLACE = 12, 13, 14
SMUGGLE_PLACE = (0, 0, 12, 30)
"""Where in its row smuggling at a cost of 1, 2 or 3 cards begins; then 6 for each dancer paid."""


class Meaning(NamedTuple):
    """What an action does."""

    kind: int
    palace: Palace
    to: Palace
    pays: int = 0
    """Cards of `palace` that it costs."""
    pays_to: int = 0
    """Cards of `to` that it costs."""
    pays_dancers: int = 0
    takes_dancer: int = 0


def pair_place(palace: Palace, to: Palace) -> int:
    """Where in a row of 30 the way from one palace to another stands.

    >>> [pair_place(0, 1), pair_place(0, 5), pair_place(1, 0), pair_place(5, 4)]
    [0, 4, 5, 29]
    """
    return 5 * palace + to - (to > palace)


def _rows() -> list[list[Meaning]]:
    pairs = [(palace, to) for palace in PALACES for to in PALACES if to != palace]
    setup = [Meaning(PLACE, palace, palace) for palace in PALACES]
    setup += [Meaning(PLACE_NEUTRAL, palace, palace) for palace in PALACES]
    setup += [Meaning(END, 0, 0), Meaning(PASS, 0, 0), Meaning(PASS, 0, 0, takes_dancer=1)]
    smuggle = [
        Meaning(SMUGGLE, palace, palace, cost - dancers, 0, dancers)
        for cost in (1, 2, 3)
        for dancers in range(cost + 1)
        for palace in PALACES
    ]
    single = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    double = [(1, 1, 0), (0, 1, 1), (1, 0, 1), (0, 0, 2)]
    return [
        setup,
        smuggle,
        *([Meaning(MOVE, *pair, *price) for pair in pairs] for price in single),
        *([Meaning(CARRY, *pair, *price) for pair in pairs] for price in single),
        *([Meaning(MOVE_NEUTRAL, *pair, *price) for pair in pairs] for price in double),
        [Meaning(NAME, palace, palace) for palace in PALACES],
    ]


def _payment(action: Meaning) -> str:
    here, there = PALACE_LETTERS[action.palace], PALACE_LETTERS[action.to]
    star = CARD_LETTERS[DANCER]
    if action.kind == MOVE_NEUTRAL:
        return (here if action.pays else star) + (there if action.pays_to else star)
    return here * action.pays + there * action.pays_to + star * action.pays_dancers


def _token(action: Meaning) -> str:
    here, there = PALACE_LETTERS[action.palace], PALACE_LETTERS[action.to]
    paid = f"({_payment(action)})"
    if action.kind == PLACE:
        return f"@{here}"
    if action.kind == PLACE_NEUTRAL:
        return f"@n{here}"
    if action.kind == END:
        return "."
    if action.kind == PASS:
        return f"-{CARD_LETTERS[DANCER]}" if action.takes_dancer else "-"
    if action.kind == NAME:
        return f"-{here}"
    if action.kind == SMUGGLE:
        return f"+{here}{paid}"
    if action.kind == MOVE_NEUTRAL:
        return f"n{here}>{there}{paid}"
    return f"{here}{'>' if action.kind == MOVE else '>>'}{there}{paid}"


_TABLE = _rows()

ACTIONS: tuple[Meaning, ...] = tuple(action for row in _TABLE for action in row)
ACTION_COUNT = len(ACTIONS)
TOKENS: tuple[str, ...] = tuple(_token(action) for action in ACTIONS)
PAYMENTS: tuple[str, ...] = tuple(_payment(action) for action in ACTIONS)
"""By action: the letters of the cards that it costs."""
ACTION_OF: dict[str, Action] = {token: action for action, token in enumerate(TOKENS)}

KIND, PALACE, TO, PAYS, PAYS_TO, PAYS_DANCERS, TAKES_DANCER = range(7)
"""Columns of `MEANING`."""
MEANING: npt.NDArray[np.int8] = np.array(ACTIONS, np.int8)
ROW_START: npt.NDArray[np.int16] = np.cumsum([0] + [len(row) for row in _TABLE]).astype(np.int16)

LEAVING: npt.NDArray[np.int64] = np.array(
    [sum(1 << pair_place(palace, to) for to in PALACES if to != palace) for palace in PALACES],
    np.int64,
)
"""[palace]: the ways that leave it, as bits of a row."""
ENTERING: npt.NDArray[np.int64] = np.array(
    [sum(1 << pair_place(palace, to) for palace in PALACES if to != palace) for to in PALACES],
    np.int64,
)
"""[palace]: the ways that go to it, as bits of a row."""

END_TURN = ACTION_OF["."]
PASS_CARDS = ACTION_OF["-"]
PASS_WITH_DANCER = ACTION_OF["-*"]
PASSES_BY_NAME: tuple[Action, ...] = tuple(ACTION_OF[f"-{letter}"] for letter in PALACE_LETTERS)
"""[palace]: a card of it is asked for (R23, `spare`)."""
PASSES: tuple[Action, ...] = (PASS_CARDS, PASS_WITH_DANCER, *PASSES_BY_NAME)
"""All ends of a turn without action."""
