"""How likely a seat is to win, by the network's own expectation."""

import numpy as np

from baghdad.bots.heuristic.win_probability import DETERMINIZATIONS
from baghdad.rules.engine.dealer import Rng
from baghdad.rules.engine.state import STATE
from baghdad.rules.views import View

from .batch import observe_batch
from .network import Network


def chance_of_view(network: Network, view: View, rng: Rng) -> float:
    """How likely the viewer is to win, as it looks to the seat whose turn it is.

    A viewer whose turn it is knows all that the network may know. Another seat's hand has to be
    determinized with `rng`, and the mean over many such deals counts.
    """
    assert view.viewer is not None, "a spectator has no chance"
    to_move, players = int(view.fields.seat), int(view.fields.players)
    deals = 1 if to_move == view.viewer else DETERMINIZATIONS
    states = np.zeros(deals, STATE)
    for deal in range(deals):
        states[deal] = view.determinize(rng)
    observations, _ = observe_batch(states)
    _, outcomes = network(observations)
    return float(outcomes[:, (view.viewer - to_move) % players].mean())
