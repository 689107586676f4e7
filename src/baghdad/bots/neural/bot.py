"""A player that has learned from itself alone: it follows its network's policy, without search."""

from collections.abc import Mapping, Sequence

import numpy as np

from baghdad.bots.api import Budget
from baghdad.rules.engine.actions import Action
from baghdad.rules.engine.dealer import Rng
from baghdad.rules.engine.state import STATE
from baghdad.rules.views import View

from .limits import limit_observations, new_limits
from .network import Network
from .sight import new_sight, sample_first, see_view
from .weights_file import load_network
from .win_probability import chance_of_view


class NeuralBot:
    """Plays the action with the largest logit; with a temperature, samples from the policy.

    Of the rivals its network may be shown some numbers only within `limits`.
    """

    def __init__(
        self,
        network: Network | None = None,
        *,
        temperature: float = 0.0,
        limits: Mapping[str, tuple[int, int]] | None = None,
    ) -> None:
        self.network = network or load_network()
        self.limits = new_limits(limits or {})
        self.temperature = float(temperature)
        self._states = np.zeros(1, STATE)
        self._sight = new_sight(1)

    def choose(self, view: View, legal: Sequence[Action], budget: Budget, rng: Rng) -> Action:
        see_view(view.fields, rng, self._states, self._sight)
        limit_observations(self._sight.observations, self.limits)
        self.network.look(self._sight, 1)
        return int(sample_first(self.temperature, rng, self._sight))

    def chance(self, view: View, rng: Rng) -> float:
        """How likely it thinks that it is to win."""
        return chance_of_view(self.network, view, rng)
