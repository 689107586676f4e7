"""Whole matches between beams in compiled code, for tuning and for measuring."""

from typing import Any

import numpy as np
import numpy.typing as npt

from baghdad.bots.compiled import fast
from baghdad.rules.engine.dealer import Rng, deal
from baghdad.rules.engine.material import DEALING, DRAWING, OVER
from baghdad.rules.engine.state import States

from .beam import Beam, play_game, play_turn


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


GAME = np.dtype(
    [
        ("winner", "i1"),  # a seat, or -1
        ("first", "i1"),  # the seat that took the first chest, or -1
        ("behind", "i1"),  # chests that the winner once lay behind the leader, at the end of a turn
        ("loot", "i1", (4,)),  # [seat]: chests taken
        ("turns", "i2"),  # begun, the winning one included
    ]
)
"""How one game of a series went."""


@fast
def play_series(
    start: States,
    states: States,
    tables: npt.NDArray[Any],
    widths: npt.NDArray[Any],
    patiences: npt.NDArray[Any],
    dealers: npt.NDArray[Any],
    drawers: npt.NDArray[Any],
    beam: Beam,
    max_turns: int,
    games: npt.NDArray[Any],
) -> None:
    """Play a game for each of `dealers` [games, 4], and fill `games` with `GAME`s.

    Seats differ by table, width and patience. Cards are dealt with `dealers` and then drawn with
    `drawers`, which may be the same generators or fresh ones; both are used up.
    """
    players = start[0].players
    behind = np.zeros(4, np.int64)
    for number in range(len(dealers)):
        states[0] = start[0]
        state, first = states[0], -1
        behind[:] = 0
        while state.phase != OVER and state.turn < max_turns:
            seat = state.seat
            if state.phase == DEALING:
                deal(state, dealers[number])
            elif state.phase == DRAWING:
                deal(state, drawers[number])
            else:
                play_turn(state, tables[seat], widths[seat], patiences[seat], beam)
                if first < 0 and state.loot[seat] > 0:
                    first = seat
                for other in range(players):
                    behind[other] = max(behind[other], state.loot[seat] - state.loot[other])
        game = games[number]
        game.winner, game.first, game.turns = state.winner, first, state.turn
        if state.winner >= 0:
            game.behind = behind[state.winner]
            game.turns += 1
        for seat in range(4):
            game.loot[seat] = state.loot[seat]
