"""How likely every seat was to win, at every moment of a finished game, and where that turned."""

import hashlib
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from baghdad.bots.neural.network import NOBODY
from baghdad.bots.value.chances import open_chances, seen_chances
from baghdad.bots.value.network import load_eyes, load_open
from baghdad.bots.value.seats import Chances
from baghdad.rules.engine.dealer import Rng, new_rng
from baghdad.rules.engine.material import DEALING, DRAWING, PLACING, Seat
from baghdad.rules.engine.state import STATE, State, States
from baghdad.rules.game import Game

from .engine.draws import SPREAD, until_all_have_cards
from .engine.ledger import (
    DECIDED,
    DRAWN,
    ENDED,
    MOST_TURNING_POINTS,
    STEP,
    find_turning_points,
    write_steps,
)
from .finished import finished

BATCH = 1024
"""Positions that a network looks at together."""


class Moment(Struct, frozen=True):
    """A moment of a game, and who was going to win."""

    at: int
    """Tokens of the record before it."""
    open: tuple[float, ...]
    """With all hands open: a chance by seat, 0 where nobody sits, and that nobody wins."""
    eyes: tuple[float, ...]
    """By seat: its chance as it saw it."""


class TurningPoint(Struct, frozen=True):
    """One draw, or what a seat decided between two draws, after which a chance was another."""

    at: int
    """Tokens before it."""
    until: int
    """Tokens after it; the same where a game was ended without a move."""
    number: int
    """The turn by which the table counts, from 1; 0 while guards are placed and hands are dealt."""
    drawn: bool
    """Whether cards came; else somebody decided."""
    seat: int
    """Whose cards or turn; -1 where a game was ended by nobody alone."""
    change: tuple[float, ...]
    """By seat, and of nobody."""


class WinChances(Struct, frozen=True):
    """The chances of all seats over a whole game."""

    moments: tuple[Moment, ...]
    """Before each token, and at the end."""
    turning_points: tuple[TurningPoint, ...]
    """Where some chance changed by ten points and more: five at most, the largest first."""


class Told(NamedTuple):
    """A finished game, taken apart for compiled code."""

    states: States
    """[moments]; the last one is as the game ended."""
    kinds: npt.NDArray[np.int8]
    """By token, and an end without a move: `DECIDED`, `DRAWN`, `ENDED`."""
    seats: npt.NDArray[np.int8]


def win_chances(game: Game | str) -> WinChances:
    """The chances of all seats in a finished game, or in a record of one: with open hands, and as
    each seat saw its own.

    Raises `UnfinishedGameError` while others may still play the game.

    >>> game = Game(players=2, seed=7)
    >>> game.resign(1)
    >>> win_chances(game).moments[-1].open
    (1.0, 0.0, 0.0, 0.0, 0.0)
    """
    game = finished(game)
    told, tokens = taken_apart(game), len(game.tokens)
    values, seen = looked_at(told.states), seen_by_each(told.states)
    # Of a game that no move has ended the end comes in place of the moment before.
    places = [*range(tokens), len(values) - 1]
    moments = tuple(
        Moment(at, tuple(values[place].tolist()), tuple(seen[place].tolist()))
        for at, place in enumerate(places)
    )
    return WinChances(moments, turned(told, values))


def taken_apart(game: Game) -> Told:
    """The moments of a game. One that no move has ended has one more: an end after the last."""
    again, tokens = Game.with_options(game.options), game.tokens
    ended = game.termination is not None
    states, kinds = np.empty(len(tokens) + 1 + ended, STATE), np.zeros(len(tokens) + ended, np.int8)
    for token, text in enumerate(tokens):
        states[token] = again.states()[0]
        again.play(text)
    states[len(tokens)] = again.states()[0]
    states[-1] = game.states()[0]
    before = states[:-1]
    kinds[:] = np.where(np.isin(before["phase"], (DEALING, DRAWING)), DRAWN, DECIDED)
    seats = before["seat"].copy()
    if ended:
        kinds[-1], seats[-1] = ENDED, _who_ended(game)
    return Told(states, kinds, seats)


def _who_ended(game: Game) -> Seat:
    """Who gave up last and so ended the game, or -1."""
    if game.termination != "resigned":
        return -1
    return max(game.resigned, key=lambda seat: (game.resigned[seat], seat))


def looked_at(states: States) -> Chances:
    """[n, 5]: the chances with open hands."""
    network = load_open()
    return _looked_at(states, lambda part: open_chances(network, part))


def seen_by_each(states: States) -> Chances:
    """[n, 4]: each seat's own chance, as it sees it; 0 where nobody sits."""
    network, players = load_eyes(), int(states["players"][0])
    found = np.zeros((len(states), NOBODY))

    def seen_by(seat: Seat, part: States) -> Chances:
        return seen_chances(network, part, np.full(len(part), seat))

    for seat in range(players):
        found[:, seat] = _looked_at(states, partial(seen_by, seat))[:, seat]
    return found


def _looked_at(states: States, look: Callable[[States], Chances]) -> Chances:
    """What a network says; where only some seats have their first hands, on average over deals."""
    parts = [states[at : at + BATCH] for at in range(0, len(states), BATCH)]
    chances = np.concatenate([look(part) for part in parts])
    for at in np.flatnonzero((states["phase"] == DEALING) & (states["seat"] > 0)).tolist():
        after, weights = np.zeros(SPREAD, STATE), np.zeros(SPREAD)
        count = until_all_have_cards(states[at], rng_of(states[at]), after, weights)
        chances[at] = weights[:count] @ look(after[:count])
    return chances


def rng_of(state: State) -> Rng:
    """The chance of what follows a position: always the same."""
    return new_rng(f"luck {hashlib.sha256(state.tobytes()).hexdigest()}")


def steps_of(told: Told, values: Chances) -> Any:
    """[n], dtype `STEP`: draws, what seats decided between them, and an end without a move."""
    steps = np.zeros(len(told.kinds), STEP)
    return steps[: write_steps(values.ravel(), told.kinds, told.seats, len(told.kinds), steps)]


def turned(told: Told, values: Chances) -> tuple[TurningPoint, ...]:
    steps, found = steps_of(told, values), np.zeros(MOST_TURNING_POINTS, np.int32)
    tokens = len(told.kinds) - int(ENDED in told.kinds)
    return tuple(
        TurningPoint(
            at=int(step.at),
            until=min(int(step.until), tokens),
            number=_number(told.states[step.at]),
            drawn=bool(step.kind == DRAWN),
            seat=int(step.seat),
            change=tuple(step.worth.tolist()),
        )
        for step in steps[found[: find_turning_points(steps, len(steps), found)]]
    )


def _number(state: State) -> int:
    return 0 if state.phase in (PLACING, DEALING) else int(state.turn) + 1
