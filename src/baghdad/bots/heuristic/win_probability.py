"""How likely a seat is to win, by what the position is worth to all seats.

The winner is taken to be drawn by a softmax over the seats' worths (a multinomial logit model),
fitted to games of the heuristic against itself by `tools/fit_chances.py`.
"""

import numpy as np

from baghdad.rules.engine.dealer import Rng
from baghdad.rules.engine.exponentials import exp
from baghdad.rules.engine.material import OVER, Seat
from baghdad.rules.engine.state import STATE, State, States
from baghdad.rules.engine.views import ViewFields
from baghdad.rules.engine.visibility import determinize
from baghdad.rules.views import View

from .compiled import compiled
from .evaluation import EvalParams, ValueTable, make_value_table, worth_to

STEEPNESS = (0.0, 0.0, 2.4, 2.6, 2.9)
"""By number of players: how much a unit of worth matters."""
TEMPO = 0.6
"""How much it helps that it is a seat's turn."""
DETERMINIZATIONS = 64
"""Deals over which a view's chance is averaged: what is not seen must not decide."""


@compiled
def win_probability(state: State, seat: Seat, table: ValueTable) -> float:
    """How likely a seat is to win, all hands known.

    Means something only when a turn has just begun, or the game is over.
    """
    if state.phase == OVER:
        return 1.0 if state.winner == seat else 0.0
    total, mine, own = 0.0, 0.0, worth_to(state, seat, table)
    for other in range(state.players):
        worth = STEEPNESS[state.players] * (worth_to(state, other, table) - own)
        if other == state.seat:
            worth += TEMPO
        odds = exp(min(worth, 30.0))
        total += odds
        if other == seat:
            mine = odds
    return mine / total


def chance_of_view(view: View, rng: Rng) -> float:
    """How likely the viewer is to win, over deals that could be the true one, drawn with `rng`."""
    assert view.viewer is not None, "a spectator has no chance"
    table = make_value_table(EvalParams())
    return float(mean_win_probability(view.fields, view.viewer, table, rng, np.zeros(1, STATE)))


@compiled
def mean_win_probability(
    view: ViewFields, seat: Seat, table: ValueTable, rng: Rng, states: States
) -> float:
    """The mean over deals that could be the true one. `states` [1] is room for one."""
    total = 0.0
    for _ in range(DETERMINIZATIONS):
        determinize(view, rng, states[0])
        total += win_probability(states[0], seat, table)
    return total / DETERMINIZATIONS
