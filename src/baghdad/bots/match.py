"""Whole matches between beams in compiled code, for tuning and for measuring."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ..rules.dealer import Rng
from ..rules.state import States
from .beam import Beam, play_game
from .compiled import fast


@fast
def play_deals(
    start: States,
    states: States,
    tables: npt.NDArray[Any],
    widths: npt.NDArray[Any],
    patience: int,
    rngs: npt.NDArray[Any],
    beam: Beam,
    max_turns: int,
    wins: npt.NDArray[Any],
) -> int:
    """Table 0 against copies of table 1, every deal in all seats with the same generator.

    `rngs` [deals, 4] stay as they are. Adds to `wins` [deal] how often table 0 has won that deal;
    returns how many games nobody won.
    """
    players = start[0].players
    seats = np.empty((players, tables.shape[1]), tables.dtype)
    seat_widths = np.empty(players, np.int64)
    nobody = 0
    for number in range(len(rngs)):
        for place in range(players):
            for seat in range(players):
                who = 0 if seat == place else 1
                seats[seat] = tables[who]
                seat_widths[seat] = widths[who]
            states[0] = start[0]
            rng: Rng = rngs[number].copy()
            play_game(states[0], seats, seat_widths, patience, rng, beam, max_turns)
            if states[0].winner == place:
                wins[number] += 1
            elif states[0].winner < 0:
                nobody += 1
    return nobody
