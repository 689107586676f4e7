"""What of a game's result was luck: what every draw was worth, and every turn."""

import hashlib

import numpy as np
from msgspec import Struct

from baghdad.bots.neural.sight import OUTCOMES
from baghdad.bots.value.network import load_open
from baghdad.bots.value.rows import open_rows
from baghdad.bots.value.seats import Chances
from baghdad.rules.engine.dealer import awaits_chance, new_rng
from baghdad.rules.engine.material import Seat
from baghdad.rules.engine.state import STATE, States
from baghdad.rules.game import Game

from .engine.draws import SPREAD, add_up, spread
from .engine.ledger import DRAWN, ENDED
from .finished import finished
from .moments import looked_at, steps_of, taken_apart

NEXT_TO_EACH_OTHER = 8
"""Draws whose ways the network looks at together."""


class Draw(Struct, frozen=True):
    """Cards that came, dealt or drawn."""

    at: int
    """Tokens of the record before them."""
    seat: int
    """Who got them."""
    worth: tuple[float, ...]
    """To each seat, and to nobody: how far the chances moved from the mean of all that could have
    come."""


class Part(Struct, frozen=True):
    """What one seat decided between two draws."""

    at: int
    """Tokens before its first decision."""
    until: int
    """Tokens after its last one; the same where somebody gave up, or all ended the game."""
    seat: int
    """-1 where a game was ended by nobody alone."""
    worth: tuple[float, ...]


class Ledger(Struct, frozen=True):
    """The chances at the start, the draws and the turns: they add up to the result, for every seat
    and for nobody."""

    start: tuple[float, ...]
    draws: tuple[Draw, ...]
    turns: tuple[Part, ...]
    result: tuple[float, ...]

    def cards(self, seat: Seat) -> float:
        """What all draws were worth to a seat, the others' and the deal included."""
        return sum(draw.worth[seat] for draw in self.draws)

    def own_turns(self, seat: Seat) -> float:
        """What its own decisions were worth to it."""
        return sum(turn.worth[seat] for turn in self.turns if turn.seat == seat)

    def other_turns(self, seat: Seat) -> float:
        """What the others' decisions were worth to it."""
        return sum(turn.worth[seat] for turn in self.turns if turn.seat != seat)

    def adjusted(self, seat: Seat) -> float:
        """Its result without the luck of the cards. It may be under 0 or over 1."""
        return self.result[seat] - self.cards(seat)


def luck(game: Game | str) -> Ledger:
    """What the cards and the turns of a finished game, or of a record of one, were worth.

    One network, which sees all hands, judges throughout. Where more than a turn's cards come, as in
    the deal, the mean is that of samples, whose chance follows from the position.

    Raises `UnfinishedGameError` while others may still play the game.

    >>> game = Game(players=2, seed=7)
    >>> game.resign(1)
    >>> ledger = luck(game)
    >>> ledger.result, round(ledger.adjusted(0), 9)
    ((1.0, 0.0, 0.0, 0.0, 0.0), 1.0)
    """
    told = taken_apart(finished(game))
    values = values_of(told.states)
    steps = steps_of(told, values)
    ended = int(ENDED in told.kinds)
    tokens = len(told.kinds) - ended
    return Ledger(
        start=tuple(values[0].tolist()),
        draws=tuple(
            Draw(int(step.at), int(step.seat), tuple(step.worth.tolist()))
            for step in steps[steps["kind"] == DRAWN]
        ),
        turns=tuple(
            Part(
                int(step.at),
                min(int(step.until), tokens),
                int(step.seat),
                tuple(step.worth.tolist()),
            )
            for step in steps[steps["kind"] != DRAWN]
        ),
        result=tuple(values[-1].tolist()),
    )


def values_of(states: States) -> Chances:
    """[n, 5]: the chances with open hands; where cards come next, the mean of what may come."""
    values = looked_at(states)
    waiting = [place for place in range(len(states)) if awaits_chance(states[place])]
    for first in range(0, len(waiting), NEXT_TO_EACH_OTHER):
        some = waiting[first : first + NEXT_TO_EACH_OTHER]
        values[some] = averages(states[some])
    return values


def averages(states: States) -> Chances:
    """[n, 5]: the means of what may come in positions in which cards come next."""
    after, weights = np.zeros((len(states), SPREAD), STATE), np.zeros((len(states), SPREAD))
    counts = [
        spread(states[place], rng_of(states, place), after[place], weights[place])
        for place in range(len(states))
    ]
    rows = [open_rows(after[place, :count]) for place, count in enumerate(counts)]
    outcomes = load_open()(np.concatenate(rows))
    means, one, at = np.zeros((len(states), OUTCOMES)), np.zeros(OUTCOMES), 0
    for place, count in enumerate(counts):
        part = outcomes[at : at + count]
        add_up(after[place], 0, count, part, weights[place], one, means[place])
        at += count
    return means


def rng_of(states: States, place: int) -> np.ndarray:
    """The chance of the samples in a position: always the same."""
    return new_rng(f"luck {hashlib.sha256(states[place].tobytes()).hexdigest()}")
