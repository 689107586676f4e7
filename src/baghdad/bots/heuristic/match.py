"""Whole games between beams in compiled code, for tuning, for measuring and for the laboratory."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from baghdad.rules.engine.dealer import Rng, deal_all
from baghdad.rules.engine.material import DEALING, OVER
from baghdad.rules.engine.state import State, States

from .beam import Beam, play_turn
from .compiled import compiled


class Planners(NamedTuple):
    """How each of several players plans its turns."""

    tables: npt.NDArray[Any]
    """[players, VALUE_TABLE_SIZE]"""
    widths: npt.NDArray[Any]
    """[players], of the beam."""
    patiences: npt.NDArray[Any]
    """[players]"""


@compiled
def play_game(state: State, planners: Planners, rng: Rng, beam: Beam, max_turns: int) -> None:
    """Play a game to its end, or to the limit of turns; cards are drawn with `rng`."""
    deal_all(state, rng)
    while state.phase != OVER and state.turn < max_turns:
        _play_turn(state, planners, beam)
        deal_all(state, rng)


@compiled
def _play_turn(state: State, planners: Planners, beam: Beam) -> None:
    seat = state.seat
    play_turn(state, planners.tables[seat], planners.widths[seat], planners.patiences[seat], beam)


@compiled
def play_deals(
    start: States,
    pair: Planners,
    rngs: npt.NDArray[Any],
    beam: Beam,
    max_turns: int,
    wins: npt.NDArray[Any],
) -> int:
    """Planner 0 against copies of planner 1, every deal in all seats with the same generator.

    Games begin as `start` [1]. `rngs` [deals, 4] stay as they are. Adds to `wins` [deals] how often
    planner 0 has won each deal; returns how many games nobody won.
    """
    states, players = start.copy(), start[0].players
    seats = Planners(
        np.empty((players, pair.tables.shape[1]), pair.tables.dtype),
        np.empty(players, np.int64),
        np.empty(players, np.int64),
    )
    nobody = 0
    for number in range(len(rngs)):
        for place in range(players):
            for seat in range(players):
                who = 0 if seat == place else 1
                seats.tables[seat] = pair.tables[who]
                seats.widths[seat] = pair.widths[who]
                seats.patiences[seat] = pair.patiences[who]
            states[0] = start[0]
            rng: Rng = rngs[number].copy()
            play_game(states[0], seats, rng, beam, max_turns)
            if states[0].winner == place:
                wins[number] += 1
            elif states[0].winner < 0:
                nobody += 1
    return nobody


GAME_RESULT = np.dtype(
    [
        ("winner", "i1"),  # a seat, or -1
        ("first", "i1"),  # the seat that took the first chest, or -1
        ("behind", "i1"),  # chests that the winner once lay behind the leader, at the end of a turn
        ("loot", "i1", (4,)),  # [seat]: chests taken
        ("turns", "i2"),  # begun, the winning one included
    ]
)
"""How one game went."""


@compiled
def play_games(
    start: States,
    states: States,
    planners: Planners,
    dealers: npt.NDArray[Any],
    drawers: npt.NDArray[Any],
    beam: Beam,
    max_turns: int,
    results: npt.NDArray[Any],
) -> None:
    """Play a game for each of `dealers` [games, 4], and fill `results` [games], of `GAME_RESULT`.

    Games begin as `start` [1] and are played in `states` [1]. First hands are dealt with `dealers`
    and later cards drawn with `drawers`, which may be the same generators or fresh ones; both are
    used up.
    """
    players = start[0].players
    behind = np.zeros(4, np.int64)
    for number in range(len(dealers)):
        states[0] = start[0]
        state, first = states[0], -1
        behind[:] = 0
        # One chain of chance steps is all dealing or all drawing.
        deal_all(state, dealers[number] if state.phase == DEALING else drawers[number])
        while state.phase != OVER and state.turn < max_turns:
            seat = state.seat
            _play_turn(state, planners, beam)
            if first < 0 and state.loot[seat] > 0:
                first = seat
            for other in range(players):
                behind[other] = max(behind[other], state.loot[seat] - state.loot[other])
            deal_all(state, dealers[number] if state.phase == DEALING else drawers[number])
        result = results[number]
        result.winner, result.first, result.turns = state.winner, first, state.turn
        if state.winner >= 0:
            result.behind = behind[state.winner]
            result.turns += 1
        for seat in range(4):
            result.loot[seat] = state.loot[seat]
