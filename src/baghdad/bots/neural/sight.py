"""What a network looks at and what it answers: memory that lies between it and compiled players.

A player fills rows with what seats see and may do, the network fills in what it thinks of them, and
the player goes on. So the same player works with any machine that can run the network.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from baghdad.rules.engine.actions import ACTION_COUNT, ROWS, Action
from baghdad.rules.engine.dealer import Rng, next_number
from baghdad.rules.engine.exponentials import exp
from baghdad.rules.engine.legality import Rows, legal_mask, legal_rows
from baghdad.rules.engine.observation import OBSERVATION_SIZE, observe
from baghdad.rules.engine.state import State, States
from baghdad.rules.engine.views import ViewFields
from baghdad.rules.engine.visibility import determinize

from .compiled import compiled

Array = npt.NDArray[Any]

OUTCOMES = 5
"""Who wins: the observer, the others in the order of play, nobody."""
RANDOM_RANGE = 1 << 32
"""`next_number` is below this."""

TIE = 1e-4
"""Logits that are closer are equal. Palaces at which the same things stand have the same logit, but
for its last places, in which one machine's sums differ from another's."""


class Sight(NamedTuple):
    """Positions that the network looks at together."""

    observations: Array
    """[n, OBSERVATION_SIZE], int8: by the seat to move."""
    masks: Array
    """[n, ACTION_COUNT], bool: what is legal for it."""
    logits: Array
    """[n, ACTION_COUNT], float32: the network's answer."""
    outcomes: Array
    """[n, OUTCOMES], float32: its other answer."""
    rows: Rows


def new_sight(rows: int) -> Sight:
    """Memory for this many positions."""
    return Sight(
        np.zeros((rows, OBSERVATION_SIZE), np.int8),
        np.zeros((rows, ACTION_COUNT), np.bool_),
        np.zeros((rows, ACTION_COUNT), np.float32),
        np.zeros((rows, OUTCOMES), np.float32),
        np.zeros(ROWS, np.int64),
    )


@compiled
def see(state: State, row: int, sight: Sight) -> None:
    """Fill a row with what the seat to move sees and may do."""
    observe(state, state.seat, sight.observations[row])
    legal_rows(state, sight.rows)
    legal_mask(sight.rows, sight.masks[row])


@compiled
def sample_action(logits: Array, mask: Array, temperature: float, rng: Rng) -> Action:
    """The first of the largest logits at temperature 0, else a sample of the policy.

    Of `logits` [ACTION_COUNT] those count that `mask` has; the temperature divides them. Takes one
    number of the generator if it is above 0.
    """
    best = -1
    for action in range(len(logits)):
        if mask[action] and (best < 0 or logits[action] > logits[best]):
            best = action
    if temperature <= 0:
        for action in range(best):
            if mask[action] and logits[action] > logits[best] - TIE:
                return action
        return best
    total, largest = 0.0, logits[best]
    for action in range(len(logits)):
        if mask[action]:
            total += exp((logits[action] - largest) / temperature)
    left = next_number(rng) / RANDOM_RANGE * total
    for action in range(len(logits)):
        if mask[action]:
            left -= exp((logits[action] - largest) / temperature)
            if left < 0:
                return action
    return best


@compiled
def see_view(view: ViewFields, rng: Rng, states: States, sight: Sight) -> None:
    """Fill the first row with what the view's seat sees, in `states` [1]."""
    # The others' cards are determinized only because a state has a place for them.
    determinize(view, rng, states[0])
    see(states[0], 0, sight)


@compiled
def sample_first(temperature: float, rng: Rng, sight: Sight) -> Action:
    """What to play by the first row."""
    return sample_action(sight.logits[0], sight.masks[0], temperature, rng)


@compiled
def see_deals(view: ViewFields, most: int, rng: Rng, states: States, sight: Sight) -> int:
    """Fill rows with what the seat to move may see, so far as the viewer knows; returns how many.

    A viewer whose turn it is knows all that the network may know. Another seat's hand has to be
    determinized with `rng`, and the mean over `most` such deals counts.
    """
    deals = 1 if view.seat == view.viewer else most
    for deal in range(deals):
        determinize(view, rng, states[0])
        see(states[0], deal, sight)
    return deals


@compiled
def mean_chance(view: ViewFields, deals: int, sight: Sight) -> float:
    """How likely the viewer is to win, on average over these rows."""
    players = view.players
    place = (view.viewer - view.seat + players) % players
    total = 0.0
    for deal in range(deals):
        total += sight.outcomes[deal, place]
    return total / deals
