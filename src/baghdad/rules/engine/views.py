"""The record of what a seat may know (R7, R26): a list of what is allowed, all else is hidden."""

from typing import TYPE_CHECKING

import numpy as np

from .material import DEALING, DRAWING, OVER, Seat
from .state import FIELDS, Counts, Public

if TYPE_CHECKING:

    class ViewFields(Public):
        """One element of an array of dtype `VIEW`, for the type checker."""

        viewer: Seat
        hand: Counts
        hand_sizes: Counts
        hand_dancers: Counts
        deck_size: int
else:
    ViewFields = np.record

VIEW_VERSION = 2
"""Changes when a field changes its meaning."""

PUBLIC = (
    "guards", "thieves", "chests", "discard", "dancers", "stock", "loot", "unplaced",
    "players", "variant", "rob", "seen", "spare", "first_hands",
    "phase", "seat", "acted", "thief_actions", "due", "named", "idle", "winner", "turn",
)  # fmt: skip
"""Fields of the state that everybody at the table sees. The discard pile was played openly."""

VIEW = np.dtype(
    (
        np.record,
        np.dtype(
            [field for field in FIELDS if field[0] in PUBLIC]
            + [
                ("viewer", "i1"),  # the seat that looks, or SPECTATOR
                ("hand", "i1", (7,)),  # [card]: the viewer's own; nothing for a spectator
                ("hand_sizes", "i1", (4,)),  # [seat]: all cards, dancers included (R26)
                ("hand_dancers", "i1", (4,)),  # [seat]: dancers among them (R26)
                ("deck_size", "i1"),
            ],
            align=True,
        ),
    )
)

SPECTATOR: Seat = -1
CHANCE: Seat = 4
"""Who moves when cards are dealt or drawn: after the four seats, so that no list has it."""


def to_move(record: Public) -> Seat | None:
    """The seat that decides, `CHANCE`, or None when the game is over."""
    phase = record["phase"]  # far faster than as an attribute, outside compiled code
    if phase == OVER:
        return None
    return CHANCE if phase in (DEALING, DRAWING) else int(record["seat"])
