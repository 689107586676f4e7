"""Entry points to the compiled rules for Python, which holds a game as an array of one state.

To hand a record to compiled code takes ten times as long as an array, and far longer than most
rules themselves.
"""

import numpy as np
import numpy.typing as npt

from . import beginning, legality, refusals, steps
from .actions import Action
from .compiled import rule
from .dealer import Rng, card_at, draw_card
from .legality import Rows
from .material import Card
from .state import Counts, States


@rule
def legal_rows(states: States, rows: Rows) -> None:
    legality.legal_rows(states[0], rows)


@rule
def play(states: States, action: Action) -> None:
    steps.play(states[0], action)


@rule
def refill(states: States) -> int:
    return steps.refill(states[0])


@rule
def reveal_at(states: States, n: int) -> Card:
    """The named card comes, or the one with `n` others before it in the sorted stack; returns it.

    The stack must be there: `refill` comes before the first card.
    """
    named = steps.named_card(states[0])
    card = named if named >= 0 else card_at(states[0].deck, n)
    steps.reveal(states[0], card)
    return card


@rule
def reveal_any(states: States, rng: Rng) -> Card:
    """A random card comes; returns it."""
    card = draw_card(states[0], rng)
    steps.reveal(states[0], card)
    return card


@rule
def lay_out(
    states: States, players: int, variant: int, rob: int, seen: int, spare: int, first_hands: Counts
) -> None:
    beginning.lay_out(states[0], players, variant, rob, seen, spare, first_hands)


@rule
def try_draw(states: States, cards: npt.NDArray[np.int64], promised: int) -> tuple[int, int, int]:
    return refusals.try_draw(states[0], cards, promised)


@rule
def settle(states: States) -> None:
    steps.settle(states[0])
