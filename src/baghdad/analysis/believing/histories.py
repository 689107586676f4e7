"""Ways in which all hidden cards may have come and gone, as far as a seat knows: many side by side.

Every card of the stack has a place, in the order in which they are drawn; who drew it, and when,
everybody has seen. A history says of which palace the card at each place is, and in which turn it
was paid. What the seat knows binds it: the own cards, the cards that others have paid, and what the
discard pile held when it became the stack (R24), so that a stack that was shuffled is known well.

`shuffle` walks from one history to others that fit as well, by exchanging cards, and in the end
each of them is as likely (Metropolis et al. 1953). So cards lie where nobody's actions tell
anything: where everybody pays with any cards of the hand.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from baghdad.rules.engine.dealer import below
from baghdad.rules.engine.material import Card, Seat

from .compiled import compiled, noinline

Array = npt.NDArray[Any]

STACK: Seat = -1
"""Who holds a card that nobody has drawn."""
KEPT = (1 << 15) - 1
"""In place of the turn in which a card was paid: it was not."""
DEALT = -1
"""In place of the turn after which a card was drawn: it was dealt."""
HIDDEN, ASKED_FOR, SEEN = range(3)
"""What is known of the card at a place."""


class Histories(NamedTuple):
    """Memory for `n` histories, with a place for every card of all stacks so far."""

    cards: Array
    """[n, places], int8: of which palace."""
    paid: Array
    """[n, places], int16: in which turn, or `KEPT`."""
    holder: Array
    """[places], int8: who has drawn it, or `STACK`."""
    drawn: Array
    """[places], int16: after which turn, or `DEALT`."""
    stack: Array
    """[places], int16: how often the stack had been shuffled."""
    known: Array
    """[places], int8: one of the next. Only what is hidden is exchanged by `shuffle`."""
    rngs: Array
    """[n, 4]"""


def new_histories(count: int, places: int) -> Histories:
    """Memory, with nothing in it."""
    return Histories(
        np.zeros((count, places), np.int8),
        np.full((count, places), KEPT, np.int16),
        np.full(places, STACK, np.int8),
        np.full(places, DEALT, np.int16),
        np.zeros(places, np.int16),
        np.zeros(places, np.int8),
        np.zeros((count, 4), np.int64),
    )


@compiled
def add_stack(counts: Array, first: int, histories: Histories) -> None:
    """A stack of so many cards of each palace lies from a place on, shuffled."""
    for number in range(len(histories.cards)):
        cards, rng = histories.cards[number], histories.rngs[number]
        place = first
        for card in range(6):
            for _ in range(counts[card]):
                other = first + below(rng, place - first + 1)
                cards[place] = cards[other]
                cards[other] = card
                place += 1


@compiled
def see(place: int, card: Card, histories: Histories) -> None:
    """The seat draws the card at a place, and sees it: in every history it is this one."""
    for number in range(len(histories.cards)):
        if histories.cards[number, place] != card:
            _bring(card, place, place + 1, number, histories, histories.holder[place])
    histories.known[place] = SEEN


@compiled
def ask_for(place: int, card: Card, histories: Histories) -> None:
    """A card of a palace is asked for (R23), and lies at a place if the stack has one."""
    for number in range(len(histories.cards)):
        cards, rng = histories.cards[number], histories.rngs[number]
        found, chosen = 0, -1
        for other in range(place, len(cards)):
            if cards[other] == card:
                found += 1
                if below(rng, found) == 0:
                    chosen = other
        if chosen >= 0:
            cards[chosen], cards[place] = cards[place], card
    histories.known[place] = ASKED_FOR


@compiled
def pay(seat: Seat, card: Card, turn: int, histories: Histories) -> None:
    """A seat pays a card: in every history it has one."""
    for number in range(len(histories.cards)):
        chosen = _held(seat, card, number, histories)
        if chosen < 0:
            chosen = _bring(card, 0, len(histories.holder), number, histories, seat)
        histories.paid[number, chosen] = turn


@compiled
def hands_at(seat: Seat, turn: int, histories: Histories, hands: Array) -> None:
    """Fill `hands` [n, 6] with what a seat had when a turn began."""
    for number in range(len(histories.cards)):
        for card in range(6):
            hands[number, card] = 0
        for place in range(len(histories.holder)):
            if (
                histories.holder[place] == seat
                and histories.drawn[place] < turn
                and histories.paid[number, place] >= turn
            ):
                hands[number, histories.cards[number, place]] += 1


@compiled
def count(seat: Seat, histories: Histories, counts: Array) -> None:
    """Count in `counts` [6, numbers] how many cards of each palace a seat has, or the stack."""
    held = np.zeros(6, np.int64)
    for number in range(len(histories.cards)):
        for card in range(6):
            held[card] = 0
        for place in range(len(histories.holder)):
            if histories.holder[place] == seat and histories.paid[number, place] == KEPT:
                held[histories.cards[number, place]] += 1
        for card in range(6):
            counts[card, held[card]] += 1


@compiled
def shuffle(places: Array, steps: int, histories: Histories) -> None:
    """Walk so many steps from every history; only `places` change."""
    for number in range(len(histories.cards)):
        for _ in range(steps):
            _step(places, histories.cards[number], histories.paid[number], number, histories)


@compiled
def _step(places: Array, cards: Array, paid: Array, number: int, histories: Histories) -> None:
    """Exchange the cards at two places, if they can be: each way is as likely as back."""
    rng, drawn = histories.rngs[number], histories.drawn
    one, other = places[below(rng, len(places))], places[below(rng, len(places))]
    holder, same_stack = histories.holder[one], histories.stack[one] == histories.stack[other]
    if holder == histories.holder[other]:
        # Also when they were paid, if each was there before the other was paid.
        fit = (same_stack or cards[one] == cards[other]) and (
            paid[one] > drawn[other] and paid[other] > drawn[one]
        )
    else:
        fit = same_stack and paid[one] == KEPT and paid[other] == KEPT
    if fit:
        cards[one], cards[other] = cards[other], cards[one]
        paid[one], paid[other] = paid[other], paid[one]


@noinline
def _held(seat: Seat, card: Card, number: int, histories: Histories) -> int:
    """The place of a card of a palace in a seat's hand, any of them; -1 where it has none."""
    found, chosen = 0, -1
    for place in range(len(histories.holder)):
        if (
            histories.holder[place] == seat
            and histories.cards[number, place] == card
            and histories.paid[number, place] == KEPT
        ):
            found += 1
            if below(histories.rngs[number], found) == 0:
                chosen = place
    return chosen


@noinline
def _bring(card: Card, first: int, last: int, number: int, histories: Histories, seat: Seat) -> int:
    """Exchange one of a seat's cards, at places from `first` to before `last`, for one of a palace
    that another seat or the stack has; returns where it is now.

    Both are of the same stack, unless a history that went another way has none there.
    """
    cards, paid, rng = histories.cards[number], histories.paid[number], histories.rngs[number]
    found, chosen, given, near = 0, -1, -1, False
    for other in range(len(histories.holder)):
        if (
            cards[other] == card
            and paid[other] == KEPT
            and histories.holder[other] != seat
            and histories.known[other] != SEEN
        ):
            for place in range(first, last):
                if histories.holder[place] == seat and paid[place] == KEPT:
                    same_stack = histories.stack[place] == histories.stack[other]
                    if same_stack and not near:
                        near, found = True, 0
                    if same_stack == near:
                        found += 1
                        if below(rng, found) == 0:
                            chosen, given = place, other
    if chosen >= 0:
        cards[chosen], cards[given] = cards[given], cards[chosen]
    return chosen
