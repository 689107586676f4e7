"""Whether a bot still hopes to win: what it thinks of its own chance, from its own view (R28)."""

from typing import Any

import numpy as np
import numpy.typing as npt

from baghdad.bots.heuristic.values import (
    Table,
    Weights,
    chance_to_win,
    make_table,
)
from baghdad.bots.neural.minds import look_all
from baghdad.bots.neural.network import Network
from baghdad.rules.engine.actions import ACTION_COUNT
from baghdad.rules.engine.dealer import Rng
from baghdad.rules.engine.legality import empty_rows
from baghdad.rules.engine.observation import OBSERVATION_SIZE
from baghdad.rules.engine.state import STATE, States
from baghdad.rules.engine.views import ViewFields
from baghdad.rules.engine.visibility import determinize
from baghdad.rules.views import View

from . import Bot
from .compiled import fast

HOPELESS = 0.03
"""A bot agrees to end a game without a winner when it gives itself less than this (R28)."""
DEALS = 64
"""Deals that are imagined: what is not seen must not decide."""


def agrees(bot: Bot, view: View, rng: Rng) -> bool:
    """Whether a bot agrees to end the game without a winner."""
    return chance_of(bot, view, rng) < HOPELESS


def chance_of(bot: Bot, view: View, rng: Rng) -> float:
    """How likely a bot thinks that it is to win, whoever is on turn.

    A bot may say so itself, in a method `chance(view, rng)`; one with a network asks it, and any
    other goes by what the positions are worth.
    """
    own = getattr(bot, "chance", None)
    if own is not None:
        return float(own(view, rng))
    network = getattr(bot, "network", None)
    if isinstance(network, Network):
        return by_network(network, view, rng)
    return by_worth(view, rng)


def by_network(network: Network, view: View, rng: Rng) -> float:
    """What the network expects for the viewer, as it looks to the seat on turn."""
    on_turn, players = int(view.fields.seat), int(view.fields.players)
    # The own view tells all that the network may know; another's hand has to be imagined.
    deals = 1 if on_turn == view.viewer else DEALS
    states = np.zeros(deals, STATE)
    for deal in range(deals):
        states[deal] = view.determinize(rng)
    observations = np.zeros((deals, OBSERVATION_SIZE), np.int8)
    masks = np.zeros((deals, ACTION_COUNT), np.bool_)
    look_all(states, empty_rows(), observations, masks)
    _, outcomes = network(observations)
    return float(outcomes[:, (_seat_of(view) - on_turn) % players].mean())


def by_worth(view: View, rng: Rng) -> float:
    """The worth of all seats' positions, over the deals that could be the true one."""
    table = make_table(Weights())
    return float(_mean_chance(view.fields, _seat_of(view), table, rng, np.zeros(1, STATE)))


def _seat_of(view: View) -> int:
    assert view.viewer is not None, "who only looks on has no chance"
    return view.viewer


@fast
def _mean_chance(
    view: ViewFields, seat: int, table: Table, rng: npt.NDArray[Any], states: States
) -> float:
    total = 0.0
    for _ in range(DEALS):
        determinize(view, rng, states[0])
        total += chance_to_win(states[0], seat, table)
    return total / DEALS
