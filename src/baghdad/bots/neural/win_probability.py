"""How likely a seat is to win, by the network's own expectation."""

import numpy as np

from baghdad.bots.heuristic.win_probability import DETERMINIZATIONS
from baghdad.rules.engine.dealer import Rng
from baghdad.rules.engine.state import STATE
from baghdad.rules.views import View

from .network import Network
from .sight import mean_chance, new_sight, see_deals


def chance_of_view(network: Network, view: View, rng: Rng) -> float:
    """How likely the viewer is to win, as it looks to the seat whose turn it is."""
    assert view.viewer is not None, "a spectator has no chance"
    sight = new_sight(DETERMINIZATIONS)
    deals = see_deals(view.fields, DETERMINIZATIONS, rng, np.zeros(1, STATE), sight)
    network.look(sight, deals)
    return float(mean_chance(view.fields, deals, sight))
