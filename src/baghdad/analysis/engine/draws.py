"""All that may come of the cards that come next, and how likely it is.

A draw of a turn has few outcomes: cards of a palace are alike, so that four cards come in 126 ways
at most. They are counted out. So is a deal of as few cards; of others, samples are dealt.
"""

import numpy as np
import numpy.typing as npt

from baghdad.rules.engine.dealer import Rng, deal_all
from baghdad.rules.engine.material import CARDS_AFTER_NONE, DEALING, DRAWING
from baghdad.rules.engine.state import State, States
from baghdad.rules.engine.steps import named_card, refill, settle, take

from .compiled import compiled, noinline

Weights = npt.NDArray[np.float64]

MOST_COUNTED = CARDS_AFTER_NONE
"""Random cards, whose ways are counted out."""
WAYS = 126
"""Ways in which so many cards come, at most, of six palaces."""
SAMPLES = 96
"""Deals, where they are not counted out."""
SPREAD = WAYS + 1
"""Room that `spread` needs: one is for itself."""


@noinline
def spread(state: State, rng: Rng, after: States, weights: Weights) -> int:
    """Write into `after` [SPREAD] what may come of a position in which cards come next, up to the
    next decision, and how likely each is; returns how many. `rng` is for samples."""
    if state.phase == DRAWING or state.seat == state.players - 1:
        after[WAYS] = state
        size = _take_what_must_come(after[WAYS])
        if after[WAYS].due <= MOST_COUNTED:
            return _count_out(size, after, weights)
    for number in range(SAMPLES):
        after[number] = state
        deal_all(after[number], rng)
        weights[number] = 1.0 / SAMPLES
    return SAMPLES


@compiled
def _take_what_must_come(state: State) -> int:
    """Take the named card (R23), and the whole stack where it is too small (R24); returns how many
    cards the stack has then. Only then chance begins."""
    size = refill(state)
    named = named_card(state)
    if named >= 0 and state.due > 0:
        take(state, named)
        size -= 1
    if size == 0:
        size = refill(state)
    while state.due > 0 and size <= state.due:
        for card in range(6):
            while state.deck[card] > 0:
                take(state, card)
        size = refill(state)
    return size


@compiled
def _count_out(size: int, after: States, weights: Weights) -> int:
    """All ways in which the cards that are due come from a stack of so many."""
    base, count = after[WAYS], 0
    due = int(base.due)
    for number in range((due + 1) ** 5):  # five digits: cards of each palace but the last
        left, digits, fits, weight = due, number, True, 1.0
        for card in range(6):
            cards = digits % (due + 1) if card < 5 else left
            digits //= due + 1
            left -= cards
            fits = fits and left >= 0 and 0 <= cards <= base.deck[card]
            if fits:
                for each in range(cards):
                    weight *= (base.deck[card] - each) / (each + 1.0)
        if fits:
            for each in range(due):
                weight *= (each + 1.0) / (size - each)
            after[count] = base
            _come(after[count], number, due)
            weights[count] = weight
            count += 1
    return count


@compiled
def _come(state: State, number: int, due: int) -> None:
    """Let the cards of these digits come."""
    left = due
    for card in range(6):
        cards = number % (due + 1) if card < 5 else left
        number //= due + 1
        left -= cards
        for _ in range(cards):
            take(state, card)
    refill(state)
    settle(state)


@noinline
def until_all_have_cards(state: State, rng: Rng, after: States, weights: Weights) -> int:
    """Write into `after` [SPREAD] the position itself; or, where hands are dealt to some seats and
    not yet to others, what may come of it: networks have learned nothing of such positions."""
    if state.phase == DEALING and state.seat > 0:
        return spread(state, rng, after, weights)
    after[0], weights[0] = state, 1.0
    return 1
