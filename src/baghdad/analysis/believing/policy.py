"""How likely a seat would have played its turn as it did, had it held this hand or that one.

The network's policy says so for every decision of the turn, its end included. That of cards which
might as well have been paid by chance (`histories`) is taken out.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from baghdad.bots.neural.network import Network
from baghdad.bots.neural.sight import Sight, new_sight
from baghdad.bots.neural.sight import see as see_state
from baghdad.rules.engine.actions import MEANING, PALACE, PAYS, PAYS_TO, TO, Action
from baghdad.rules.engine.exponentials import exp, log
from baghdad.rules.engine.material import Seat
from baghdad.rules.engine.state import States

from .compiled import compiled

Array = npt.NDArray[Any]

SLIPS = 0.02
"""The share of decisions that are made by chance, whatever the cards."""
ROWS = 1024
"""Positions that the network looks at together."""


class Manner(NamedTuple):
    """How much is made of what somebody has done."""

    turns: int
    """The last turns of every seat that are looked at."""
    weight: float
    """The power to which the likelihood of a turn is raised: others don't play as the network."""
    doubt: float
    """The share of turns that tell nothing."""
    temperature: float
    """Of the policy."""


class PlayedTurn(NamedTuple):
    """A turn of another seat, as everybody has seen it."""

    seat: Seat
    number: int
    decisions: tuple[tuple[States, Action], ...]
    """Each with the table before it, of which the seat's palace cards are not true."""


def payment(action: Action) -> npt.NDArray[np.int64]:
    """[6]: palace cards that an action costs."""
    cards = np.zeros(6, np.int64)
    cards[MEANING[action, PALACE]] += MEANING[action, PAYS]
    cards[MEANING[action, TO]] += MEANING[action, PAYS_TO]
    return cards


class Reader:
    """Reads turns of others by a network's policy."""

    def __init__(self, network: Network, manner: Manner) -> None:
        self.network = network
        self.manner = manner
        self._sight = new_sight(ROWS)

    def weights(self, turn: PlayedTurn, hands: Array) -> npt.NDArray[np.float64]:
        """[n]: how likely the turn is with each of `hands` [n, 6], as they were when it began; 1 on
        average."""
        different, which = np.unique(hands, axis=0, return_inverse=True)
        logs, paid = np.zeros(len(different)), np.zeros(6, np.int64)
        for before, action in turn.decisions:
            for first in range(0, len(different), ROWS):
                some = slice(first, first + ROWS)
                asked = different[some]
                see_hands(before.copy(), turn.seat, asked, paid, self._sight)
                self.network.look(self._sight, len(asked))
                add_policy(action, self.manner.temperature, self._sight, logs[some])
            paid += payment(action)
        take_out_chance(different, paid, logs)
        weights = np.exp(self.manner.weight * (logs - logs.max()))[which.reshape(-1)]
        whole: npt.NDArray[np.float64] = weights / weights.mean() * (1 - self.manner.doubt)
        return whole + self.manner.doubt


@compiled
def see_hands(before: States, seat: Seat, hands: Array, paid: Array, sight: Sight) -> None:
    """Show what the seat to move sees with each of `hands` [n, 6], less what it has paid."""
    state = before[0]
    for number in range(len(hands)):
        for card in range(6):
            state.hands[seat, card] = hands[number, card] - paid[card]
        see_state(state, number, sight)


@compiled
def add_policy(action: Action, temperature: float, sight: Sight, logs: Array) -> None:
    """Add to each of `logs` [n] the logarithm of how likely it is to decide on the action."""
    for row in range(len(logs)):
        logits, mask, largest, legal, total = sight.logits[row], sight.masks[row], -1e9, 0, 0.0
        for other in range(len(logits)):
            if mask[other]:
                largest = max(largest, float(logits[other]))
                legal += 1
        for other in range(len(logits)):
            if mask[other]:
                total += exp((logits[other] - largest) / temperature)
        chance = exp((logits[action] - largest) / temperature) / total
        logs[row] += log((1.0 - SLIPS) * chance + SLIPS / legal)


@compiled
def take_out_chance(hands: Array, paid: Array, logs: Array) -> None:
    """Take from `logs` [n] how likely the same cards are paid by chance."""
    for number in range(len(hands)):
        for card in range(6):
            for left in range(hands[number, card] - paid[card], hands[number, card]):
                logs[number] -= log(left + 1.0)
