"""Chances to win by seat, for games, positions and views: the numbers of a row, in their places.

What all of them return has five numbers for a position: a chance for each of four seats, 0 where
nobody sits, and the chance that nobody wins. They sum to one. Of a game that is over they say what
came true.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from baghdad.rules.engine.dealer import new_rng
from baghdad.rules.engine.state import STATE, States
from baghdad.rules.game import Game
from baghdad.rules.views import View

from .network import ValueNetwork
from .rows import open_rows, seen_rows
from .seats import Chances, chances_by_seat


def open_chances(network: ValueNetwork, states: States) -> Chances:
    """[n, 5]: who wins from `states` [n] with all hands open, as the network sees it."""
    assert network.shape.sees == "open", "this network sees what one seat does"
    return chances_by_seat(states, states["seat"], network(open_rows(states)))


def seen_chances(network: ValueNetwork, states: States, seats: npt.NDArray[Any]) -> Chances:
    """[n, 5]: who wins from `states` [n], as it looks from each of `seats` [n].

    What that seat can't see of a state changes nothing.
    """
    assert network.shape.sees == "eyes", "this network sees all hands"
    return chances_by_seat(states, seats, network(seen_rows(states, seats)))


def chances_of_game(network: ValueNetwork, game: Game) -> Chances:
    """[5]: who wins a game, with all hands open."""
    return open_chances(network, game.states())[0]


def chances_of_views(network: ValueNetwork, views: Sequence[View]) -> Chances:
    """[n, 5]: who wins, each as its viewer sees it."""
    states, seats = np.zeros(len(views), STATE), np.zeros(len(views), np.int64)
    for place, view in enumerate(views):
        assert view.viewer is not None, "a spectator has no eyes of its own"
        # Hidden cards are dealt only because a state has a place for them.
        states[place], seats[place] = view.determinize(new_rng(0)), view.viewer
    return seen_chances(network, states, seats)


def chances_of_view(network: ValueNetwork, view: View) -> Chances:
    """[5]: who wins, as the viewer sees it."""
    return chances_of_views(network, [view])[0]
