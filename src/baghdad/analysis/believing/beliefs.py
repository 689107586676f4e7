"""What a seat could think the others held, at each of its turns.

Histories in which cards were paid by chance are followed through the record. Where the seat is to
have a belief they are weighed by what the others did in their last turns: turn by turn, the oldest
first, histories are drawn again by how likely they make it (sampling, importance resampling: Rubin
1987; Gordon, Salmond and Smith 1993). What the seat to move had then is kept from there on, and all
else, such as what it has drawn since, is shuffled again.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from baghdad.bots.neural.sight import RANDOM_RANGE
from baghdad.bots.neural.weights_file import load_network
from baghdad.rules.engine.actions import END_TURN, PASSES
from baghdad.rules.engine.dealer import Rng, new_rng, next_number, spawn
from baghdad.rules.engine.material import CARDS_OF_A_PALACE, DANCER, DRAWING, PALACES, TURN, Seat
from baghdad.rules.engine.state import Counts, State, States
from baghdad.rules.game import Game

from .even import even
from .histories import (
    DEALT,
    HIDDEN,
    STACK,
    Histories,
    add_stack,
    ask_for,
    count,
    hands_at,
    new_histories,
    pay,
    see,
    shuffle,
)
from .known import UNSEEN, Step, known_steps
from .policy import Manner, PlayedTurn, Reader, payment

MANNER = Manner(turns=3, weight=0.4, doubt=0.1, temperature=1.0)
"""Tuned on games of other seeds than those that `benchmarks/beliefs.py` measures."""
HISTORIES = 2048
"""That are followed side by side."""
SHUFFLES = 2
"""Steps for every card that is exchanged."""
LOOKS = 4
"""How often each history is counted, with new cards for all that is not kept."""


class Belief(Struct, frozen=True):
    """What one holder's palace cards may be."""

    holder: Seat
    """A seat from 0, or `STACK`."""
    size: int
    """Palace cards that it has, as everybody knows."""
    chances: tuple[tuple[float, ...], ...]
    """[palace][n]: how likely it has n cards of a palace."""

    def mean(self, palace: int) -> float:
        """How many cards of a palace it has, on average."""
        return sum(n * chance for n, chance in enumerate(self.chances[palace]))

    def at_least(self, palace: int, n: int) -> float:
        """How likely it has so many cards of a palace."""
        return sum(self.chances[palace][n:])


class Beliefs(Struct, frozen=True):
    """What a seat could think at one moment."""

    at: int
    """Tokens of the record before it."""
    number: int
    """Of the turn that begins, by which the table counts: turns of all seats, from 1."""
    of: tuple[Belief, ...]
    """The other seats in order, then the stack."""
    effective: float
    """Histories that the others' last turns have left, of those that were followed: as many as
    would say as much if each counted the same. The smallest number over these turns."""


def beliefs(
    game: Game | str,
    seat: Seat,
    *,
    manner: Manner = MANNER,
    histories: int = HISTORIES,
    seed: str = "beliefs",
) -> tuple[Beliefs, ...]:
    """What a seat could think the others held, at the start of each of its turns.

    `game`: a game, or a record of it, in which cards that the seat has not seen may be `?`. Only
    what the seat knows is looked at, and at each moment only what it knew by then. The same record,
    weights, seed and number of histories give the same beliefs.

    Raises `RecordError` where a record can't be true, and `ValueError` where there is no such seat.
    """
    reader = Reader(load_network(), manner)
    return tuple(believe(game, seat, reader, histories=histories, seed=seed))


def believe(
    game: Game | str,
    seat: Seat,
    reader: Reader | None = None,
    *,
    histories: int = HISTORIES,
    seed: str = "beliefs",
) -> Iterator[Beliefs]:
    """As `beliefs`, a moment at a time as they are done."""
    reader = reader or Reader(load_network(), MANNER)
    follower = Follower(seat, reader, histories, seed)
    for step in known_steps(game, seat):
        state = step.before[0]
        if state.phase == TURN and state.seat == seat and not state.acted:
            yield follower.beliefs(step)
        follower.take(step)


class Follower:
    """Follows a record, step by step, with many histories."""

    def __init__(self, seat: Seat, reader: Reader, histories: int, seed: str) -> None:
        self._seat, self._reader, self._seed = seat, reader, seed
        self._histories = new_histories(histories, 0)
        spawn(new_rng(seed), self._histories.rngs)
        self._next = self._shuffled = 0
        self._decisions: list[tuple[States, int]] = []
        self._turns: dict[Seat, list[PlayedTurn]] = {}

    def take(self, step: Step) -> None:
        """One more step of the record."""
        state = step.before[0]
        if step.action < 0:
            if step.cards:
                self._draw(state, step.cards)
        elif state.phase == TURN and state.seat != self._seat:
            self._pay(step)

    def _pay(self, step: Step) -> None:
        """Another seat acts in its turn, or ends it."""
        state = step.before[0]
        seat, turn = int(state.seat), int(state.turn)
        self._decisions.append((step.before, step.action))
        for card, number in enumerate(payment(step.action)):
            for _ in range(number):
                pay(seat, card, turn, self._histories)
        if step.action == END_TURN or step.action in PASSES:
            played = PlayedTurn(seat, turn, tuple(self._decisions))
            self._turns.setdefault(seat, []).append(played)
            self._decisions = []

    def _draw(self, state: State, cards: tuple[int, ...]) -> None:
        """Cards come, to whomever."""
        seat, left, discard = int(state.seat), int(state.deck.sum()), state.discard.copy()
        if not self._shuffled:
            self._add_stack(np.full(len(PALACES), CARDS_OF_A_PALACE))
        for number, card in enumerate(cards):
            if left == 0:
                self._add_stack(discard)
                left, discard[:] = int(discard.sum()), 0
            place, known = self._next, self._histories
            known.holder[place] = seat
            known.drawn[place] = state.turn if state.phase == DRAWING else DEALT
            self._next, left = place + 1, left - 1
            if card != UNSEEN:
                see(place, card, known)
            elif state.named >= 0 and number == 0:
                ask_for(place, int(state.named), known)
        if left == 0 and discard.any():
            self._add_stack(discard)
        places = self._hidden()
        shuffle(places, SHUFFLES * len(places), self._histories)

    def _add_stack(self, counts: Counts) -> None:
        """The first stack, or the discard pile as the next one (R24)."""
        before = self._histories
        first = len(before.holder)
        self._histories = new_histories(len(before.rngs), first + int(counts.sum()))
        for old, new in zip(before[:-1], self._histories[:-1], strict=True):
            new[..., :first] = old
        self._histories.rngs[:] = before.rngs
        self._histories.stack[first:] = self._shuffled
        add_stack(counts.astype(np.int64), first, self._histories)
        self._shuffled += 1

    def _hidden(self) -> npt.NDArray[np.int64]:
        """Places of which it matters what lies there: of this stack and of the one before."""
        known = self._histories
        recent = known.stack >= self._shuffled - 2
        return np.flatnonzero((known.known == HIDDEN) & recent)

    def beliefs(self, step: Step) -> Beliefs:
        """What the seat could think before a step."""
        state, rng = step.before[0], new_rng(f"{self._seed} {step.at}")
        now = Histories(*(array.copy() for array in self._histories))
        spawn(rng, now.rngs)
        free, effective = self._hidden(), float(len(now.rngs))
        for turn in self._last_turns():
            hands = np.zeros((len(now.rngs), len(PALACES)), np.int64)
            hands_at(turn.seat, turn.number, now, hands)
            chosen, left = drawn_again(self._reader.weights(turn, hands), rng)
            now.cards[:], now.paid[:] = now.cards[chosen], now.paid[chosen]
            effective = min(effective, left)
            had = (now.holder[free] == turn.seat) & (now.drawn[free] < turn.number)
            free = free[~had]
            shuffle(free, SHUFFLES * len(free), now)
        holders = [seat for seat in range(state.players) if seat != self._seat] + [STACK]
        counts = np.zeros((len(holders), len(PALACES), CARDS_OF_A_PALACE + 1))
        for _ in range(LOOKS):
            shuffle(free, SHUFFLES * len(free), now)
            for place, holder in enumerate(holders):
                count(holder, now, counts[place])
        unseen = CARDS_OF_A_PALACE - state.discard - state.hands[self._seat, :DANCER]
        of = []
        for place, holder in enumerate(holders):
            size = int((state.deck if holder == STACK else state.hands[holder, :DANCER]).sum())
            found = counts[place] / (LOOKS * len(now.rngs))
            # As if one more history had been seen in which the cards lie evenly.
            mixed = (effective * found + even(unseen.astype(np.int64), size)) / (effective + 1)
            of.append(Belief(holder, size, tuple(map(tuple, mixed.tolist()))))
        return Beliefs(step.at, int(state.turn) + 1, tuple(of), effective)

    def _last_turns(self) -> list[PlayedTurn]:
        """Of every other seat, the oldest first."""
        most = self._reader.manner.turns
        turns = [turn for each in self._turns.values() for turn in each[-most:] if most]
        return sorted(turns, key=lambda turn: turn.number)


def drawn_again(weights: npt.NDArray[np.float64], rng: Rng) -> tuple[npt.NDArray[np.int64], float]:
    """Which of the histories with these weights [n] are drawn again, n of them, and how many would
    say as much if each weighed the same (Kish 1965).

    >>> drawn_again(np.array([0.0, 3.0, 3.0, 0.0]), new_rng("doc"))
    (array([1, 1, 2, 2]), 2.0)
    """
    shares = weights / weights.sum()
    steps = (np.arange(len(shares)) + next_number(rng) / RANDOM_RANGE) / len(shares)
    chosen = np.searchsorted(np.cumsum(shares), steps)
    return np.minimum(chosen, len(shares) - 1), float(1 / np.square(shares).sum())
