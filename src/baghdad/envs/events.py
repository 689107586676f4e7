"""A game as OpenSpiel keeps it: a number for every decision and for every card that was drawn.

A decision is its action. A card comes after those, by card and by the seat that drew it.
"""

from array import array
from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from baghdad.rules.engine.actions import ACTION_COUNT, ACTIONS, END, NAME, PASS, TOKENS
from baghdad.rules.engine.material import CARD_LETTERS, CARDS_OF_A_PALACE, Card, Seat

Event: TypeAlias = int

UNSEEN_CARD = 6
"""What is known of a card that another seat drew."""


def drawn(card: Card, seat: Seat) -> Event:
    return ACTION_COUNT + 4 * card + seat


EVENT_COUNT = drawn(UNSEEN_CARD, 3) + 1


def no_events() -> "array[int]":
    """An array, since OpenSpiel copies and pickles it with each state: a list takes far longer."""
    return array("h")


def _event_seen_by(viewer: Seat, event: Event) -> Event:
    seat = (event - ACTION_COUNT) % 4
    return event if event < ACTION_COUNT or seat == viewer else drawn(UNSEEN_CARD, seat)


def _token(event: Event) -> str:
    if event < ACTION_COUNT:
        return TOKENS[event]
    card, seat = divmod(event - ACTION_COUNT, 4)
    return f"{seat + 1}={'?' if card == UNSEEN_CARD else CARD_LETTERS[card]}"


_SEEN: npt.NDArray[np.int16] = np.array(
    [[_event_seen_by(viewer, event) for event in range(EVENT_COUNT)] for viewer in range(4)],
    np.int16,
)
"""[viewer, event]: the event as the viewer sees it."""
_TOKENS = [_token(event) for event in range(EVENT_COUNT)]
_TOKENS_SEEN = [[_TOKENS[event] for event in seen] for seen in _SEEN.tolist()]


def seen_by(viewer: Seat, events: "array[int]") -> npt.NDArray[np.int16]:
    """The events, with others' cards face down."""
    return _SEEN[viewer].take(np.frombuffer(events, np.int16) if events else [])


def told(events: Iterable[Event]) -> str:
    """Events as tokens of the record, a card at a time, with the seat that drew it.

    >>> told([0, drawn(2, 1), drawn(UNSEEN_CARD, 0)])
    '@R 2=W 1=?'
    """
    return " ".join([_TOKENS[event] for event in events])


def told_to(viewer: Seat, events: Iterable[Event]) -> str:
    """Events as tokens, with others' cards face down.

    >>> told_to(0, [0, drawn(2, 1), drawn(2, 0)])
    '@R 2=? 1=W'
    """
    tokens = _TOKENS_SEEN[viewer]
    return " ".join([tokens[event] for event in events])


_PAID: list[list[Card]] = [
    [action.palace] * action.pays + [action.to] * action.pays_to for action in ACTIONS
]
"""[action]: the palace cards that it costs."""
_ENDS_TURN = [action.kind in (END, PASS, NAME) for action in ACTIONS]
_NAMES = [action.palace if action.kind == NAME else -1 for action in ACTIONS]


class _Draw(NamedTuple):
    """A card that the viewer has not seen."""

    event: int
    """Where in the history it was drawn."""
    stack: int
    """From which stack, counted by how often it was made anew (R24)."""
    named: Card
    """The card that was asked for (R23), or -1."""
    card: Card
    """What it was in truth, for `as_drawn` alone."""


class _Payment(NamedTuple):
    """A card that another seat has paid, and must have drawn before."""

    card: Card
    seat: Seat
    before: int
    """How many of the seat's draws came before."""


class Recollection:
    """What a seat can tell of the others' cards from all that it has seen.

    Every stack is known when it is made: first all cards, then what was in the discard pile. What
    the viewer drew of it is known, too; the rest is what others have drawn, or may still be there.
    And others must have had what they paid.
    """

    def __init__(self, players: int, viewer: Seat, events: Sequence[Event]) -> None:
        self.draws: list[list[_Draw]] = [[] for _ in range(players)]
        self.payments: list[_Payment] = []
        self.stacks = [[CARDS_OF_A_PALACE] * 6]
        discard, size, turn, named = [0] * 6, 6 * CARDS_OF_A_PALACE, 0, -1
        for place, event in enumerate(events):
            if event < ACTION_COUNT:
                for card in _PAID[event]:
                    discard[card] += 1
                    if turn != viewer:
                        self.payments.append(_Payment(card, turn, len(self.draws[turn])))
                if _ENDS_TURN[event]:
                    turn, named = (turn + 1) % players, _NAMES[event]
                continue
            if size == 0:  # neither had a card when the last one was drawn
                size, discard = self._new_stack(discard)
            card, seat = divmod(event - ACTION_COUNT, 4)
            if seat == viewer:
                self.stacks[-1][card] -= 1
            else:
                self.draws[seat].append(_Draw(place, len(self.stacks) - 1, named, card))
            size, named = size - 1, -1
            if size == 0:
                size, discard = self._new_stack(discard)

    def _new_stack(self, discard: list[int]) -> tuple[int, list[int]]:
        self.stacks.append(discard)
        return sum(discard), [0] * 6

    def other_cards(
        self, random: Random, *, oldest: bool = True, as_drawn: bool = False
    ) -> dict[int, Card] | None:
        """Cards that the others can have drawn, by their place in the history.

        Every card that was paid is given to a draw before it, and what is left of a stack goes to
        its other draws at random. That can lead to nothing, and to `None`: less often if a payment
        takes from the `oldest` stack that it can, and never if cards that were paid, and those
        that came for a named one, stay `as_drawn`: the latter may still be hidden in a hand.
        """
        hands = _Hands(self, oldest)
        if as_drawn:
            hands.keep(self.payments)
            return hands.fill(random)
        hands.take_named()
        waiting = self.payments[::-1]
        steps = 4 * len(waiting) + 50
        while waiting:
            payment, steps = waiting.pop(), steps - 1
            if hands.give(payment, random):
                continue
            evicted = hands.make_room(payment, random)
            if evicted is None or steps < 0:
                return None
            waiting += [evicted, payment]
        return hands.fill(random)


class _Hands:
    """Which draw brought which card, as far as it is settled."""

    def __init__(self, recollection: Recollection, oldest: bool) -> None:
        self.draws = recollection.draws
        self.oldest = oldest
        self.left = [stack[:] for stack in recollection.stacks]
        self.cards: dict[int, Card] = {}
        self.paid: dict[tuple[Seat, int], _Payment] = {}
        """By seat and number of the draw: what the card was spent on."""
        self.named: list[tuple[Seat, int]] = []
        self.free: list[list[list[int]]] = [[[] for _ in self.left] for _ in self.draws]
        """[seat, stack]: the numbers of draws whose card is open, in ascending order."""
        for seat, draws in enumerate(self.draws):
            for number, draw in enumerate(draws):
                self.free[seat][draw.stack].append(number)

    def take_named(self) -> None:
        """Cards that were asked for have come, where they can have."""
        for seat, draws in enumerate(self.draws):
            for number, draw in enumerate(draws):
                if draw.named >= 0 and self.left[draw.stack][draw.named]:
                    self.named.append((seat, number))
                    self._settle(seat, number, draw.named)

    def keep(self, payments: Sequence[_Payment]) -> None:
        """Cards that were paid, and what came for named ones, are those that were drawn."""
        kept = {
            (seat, number)
            for seat, draws in enumerate(self.draws)
            for number, draw in enumerate(draws)
            if draw.named >= 0
        }
        paid = set()
        for payment in payments:
            draws = self.draws[payment.seat]
            number = next(
                number
                for number, draw in enumerate(draws)
                if draw.card == payment.card and (payment.seat, number) not in paid
            )
            paid.add((payment.seat, number))
        for seat, number in kept | paid:
            self._settle(seat, number, self.draws[seat][number].card)

    def _settle(self, seat: Seat, number: int, card: Card) -> None:
        draw = self.draws[seat][number]
        self.free[seat][draw.stack].remove(number)
        self.left[draw.stack][card] -= 1
        self.cards[draw.event] = card

    def give(self, payment: _Payment, random: Random) -> bool:
        """Find a draw for a card that was paid, if one is open."""
        card, seat, before = payment
        for held, number in self.named:
            if held == seat and number < before and (seat, number) not in self.paid:
                draw = self.draws[seat][number]
                if draw.named == card:
                    self.paid[seat, number] = payment
                    return True
        stacks = [
            stack
            for stack, numbers in enumerate(self.free[seat])
            if numbers and numbers[0] < before and self.left[stack][card]
        ]
        if not stacks:
            return False
        # With one other seat the oldest cards are surely its own, and say nothing of later ones.
        stack = stacks[0] if self.oldest or len(self.draws) == 2 else random.choice(stacks)
        numbers = self.free[seat][stack]
        number = numbers[random.randrange(bisect_left(numbers, before))]
        self._settle(seat, number, card)
        self.paid[seat, number] = payment
        return True

    def make_room(self, payment: _Payment, random: Random) -> _Payment | None:
        """Take another payment's card back that stands in the way, and return that payment."""
        card, seat, before = payment
        in_the_way = []
        for (its_seat, number), other in self.paid.items():
            if (its_seat, number) in self.named:
                continue
            stack = self.draws[its_seat][number].stack
            has_the_draw = its_seat == seat and number < before
            has_the_card = other.card == card
            draw_is_free = bool(self.free[seat][stack]) and self.free[seat][stack][0] < before
            card_is_left = self.left[stack][card] > 0
            if (has_the_draw or draw_is_free) and (has_the_card or card_is_left):
                in_the_way.append((its_seat, number))
        if not in_the_way:
            return None
        its_seat, number = random.choice(in_the_way)
        draw = self.draws[its_seat][number]
        other = self.paid.pop((its_seat, number))
        self.left[draw.stack][self.cards.pop(draw.event)] += 1
        insort(self.free[its_seat][draw.stack], number)
        return other

    def fill(self, random: Random) -> dict[int, Card]:
        """Give the cards that are left to the draws that are still open."""
        for stack, counts in enumerate(self.left):
            cards = [card for card, count in enumerate(counts) for _ in range(count)]
            random.shuffle(cards)
            for seat, draws in enumerate(self.draws):
                for number in self.free[seat][stack]:
                    self.cards[draws[number].event] = cards.pop()
        return self.cards
