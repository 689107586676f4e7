"""A player that has learned from itself alone: it follows its network's policy, without search."""

from collections.abc import Sequence

import numpy as np

from baghdad.bots.api import Budget
from baghdad.rules.engine.actions import Action
from baghdad.rules.engine.dealer import Rng
from baghdad.rules.engine.state import STATE
from baghdad.rules.views import View

from .batch import observe_batch, sample_actions
from .network import Network
from .weights_file import load_network
from .win_probability import chance_of_view


class NeuralBot:
    """Plays the action with the largest logit; with a temperature, samples from the policy."""

    def __init__(self, network: Network | None = None, *, temperature: float = 0.0) -> None:
        self.network = network or load_network()
        self._temperatures = np.array([temperature])
        self._states = np.zeros(1, STATE)
        self._actions = np.zeros(1, np.int64)

    def choose(self, view: View, legal: Sequence[Action], budget: Budget, rng: Rng) -> Action:
        # The others' cards are determinized only because a state has a place for them.
        self._states[0] = view.determinize(rng)
        observations, masks = observe_batch(self._states)
        logits, _ = self.network(observations)
        sample_actions(logits, masks, self._temperatures, rng[None], self._actions)
        return int(self._actions[0])

    def chance(self, view: View, rng: Rng) -> float:
        """How likely it thinks that it is to win."""
        return chance_of_view(self.network, view, rng)
