"""What of a game's result was luck: what every draw was worth, and every turn."""

import numpy as np
from msgspec import Struct

from baghdad.bots.neural.weights_file import load_network
from baghdad.bots.value.network import load_open
from baghdad.bots.value.seats import Chances
from baghdad.rules.engine.material import Seat
from baghdad.rules.engine.state import States
from baghdad.rules.game import Game

from .engine import ahead
from .engine.ahead import new_ahead_memory
from .engine.ledger import DRAWN, ENDED
from .finished import finished
from .moments import Told, looked_at, rng_of, steps_of, taken_apart


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

    One network, which sees all hands, judges throughout, and draws are played on to the next turn
    of whoever drew, by the network that plays. Chance follows from the positions: the same game has
    always the same ledger, but for the last places of sums.

    Raises `UnfinishedGameError` while others may still play the game.

    >>> game = Game(players=2, seed=7)
    >>> game.resign(1)
    >>> ledger = luck(game)
    >>> ledger.result, round(ledger.adjusted(0), 9)
    ((1.0, 0.0, 0.0, 0.0, 0.0), 1.0)
    """
    told = taken_apart(finished(game))
    values = values_of(told)
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


def values_of(told: Told) -> Chances:
    """[n, 5]: what every moment is worth, with open hands. Before and after cards that came it is
    what can be made of them, so far as it is known at the end of their seat's next turn."""
    values, look = looked_at(told.states), Lookahead()
    for at in np.flatnonzero(told.kinds == DRAWN).tolist():
        before, after = look(told.states, at)
        if at > 0 and told.kinds[at - 1] == DRAWN:
            # Of hands dealt one after another the next goes on from where the last has led.
            values[at + 1] = values[at] + (after - before)
        else:
            values[at], values[at + 1] = before, after
    return values


class Lookahead:
    """Plays draws on, one after another."""

    def __init__(self) -> None:
        self._policy, self._open = load_network(), load_open()
        self._memory = new_ahead_memory()

    def __call__(self, states: States, at: int) -> Chances:
        """[2, 5]: what the position before a draw was worth, and the one after it."""
        memory = self._memory
        ahead.begin(states[at], states[at + 1], rng_of(states[at]), memory)
        while (rows := ahead.advance(memory)) != ahead.DONE:
            if rows > 0:
                self._policy.look(memory.sight, rows)
            else:
                memory.outcomes[:-rows] = self._open(memory.rows[:-rows])
        return memory.told.copy()
