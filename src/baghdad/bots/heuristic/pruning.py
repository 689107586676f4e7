"""Actions that a planner need not consider, left out of the legal ones."""

from baghdad.rules.engine.actions import (
    CARRY_ROW,
    MOVE_ROW,
    NAME_ROW,
    NEUTRAL_ROW,
    SETUP_ROW,
    SMUGGLE_ROW,
)
from baghdad.rules.engine.legality import Rows

from .compiled import compiled


@compiled
def drop_wasteful_payments(rows: Rows) -> None:
    """Leave out what ends the turn, and paying with dancers where a palace card would do."""
    rows[SETUP_ROW] = rows[NAME_ROW] = 0
    rows[SMUGGLE_ROW] &= ~(rows[SMUGGLE_ROW] << 6)
    for row in (MOVE_ROW, CARRY_ROW):
        rows[row + 2] &= ~(rows[row] | rows[row + 1])
    cards = rows[NEUTRAL_ROW]
    one = rows[NEUTRAL_ROW + 1] | rows[NEUTRAL_ROW + 2]
    rows[NEUTRAL_ROW + 1] &= ~cards
    rows[NEUTRAL_ROW + 2] &= ~cards
    rows[NEUTRAL_ROW + 3] &= ~(cards | one)
