"""A player that has learned from itself alone: it plays what its network wants, and never looks
ahead."""

from collections.abc import Sequence

import numpy as np

from baghdad.bots import Budget
from baghdad.rules.engine.actions import ACTION_COUNT, Action
from baghdad.rules.engine.dealer import Rng
from baghdad.rules.engine.legality import empty_rows
from baghdad.rules.engine.observation import OBSERVATION_SIZE
from baghdad.rules.engine.state import STATE
from baghdad.rules.views import View

from .minds import choose_all, look_all
from .network import Network
from .weights_file import load_network


class NeuralBot:
    """Plays the action that its network likes best; with a temperature, others as well."""

    def __init__(self, network: Network | None = None, *, temperature: float = 0.0) -> None:
        self.network = network or load_network()
        self._temperatures = np.array([temperature])
        self._states = np.zeros(1, STATE)
        self._observations = np.zeros((1, OBSERVATION_SIZE), np.int8)
        self._masks = np.zeros((1, ACTION_COUNT), np.bool_)
        self._actions = np.zeros(1, np.int64)
        self._rows = empty_rows()

    def choose(self, view: View, legal: Sequence[Action], budget: Budget, rng: Rng) -> Action:
        # The others' cards are imagined only because a state has a place for them.
        self._states[0] = view.determinize(rng)
        look_all(self._states, self._rows, self._observations, self._masks)
        liked, _ = self.network(self._observations)
        choose_all(liked, self._masks, self._temperatures, rng[None], self._actions)
        return int(self._actions[0])
