"""A record as one seat knows it, step by step: the others' cards stay hidden.

The rules themselves follow it, over a state that has of the others' palace cards, and of the stack,
only how many they are. So nothing that comes of it can depend on what the seat does not see.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from baghdad.rules.engine.legality import empty_rows, is_legal, legal_rows
from baghdad.rules.engine.material import (
    CARD_LETTERS,
    CARDS_OF_A_PALACE,
    DANCER,
    Card,
    Palace,
    Seat,
)
from baghdad.rules.engine.state import Counts, States
from baghdad.rules.engine.steps import draw, play
from baghdad.rules.errors import IllegalMoveError, MoveError, NotAMoveError, RecordError
from baghdad.rules.game import Game
from baghdad.rules.notation import Token, read_records, read_token
from baghdad.rules.refusals import refusal, wrong_moment
from baghdad.rules.setup import new_states

from .compiled import compiled

UNSEEN: Card = -1
"""A palace card that the seat has not seen."""
NUMBERS_AT: Palace = 0
"""Where a state that has only the numbers of cards has them: as if all were of this palace."""


class Step(NamedTuple):
    """A decision, or cards that come; or neither, where the record ends."""

    at: int
    """Tokens of the record before it."""
    before: States
    """[1]: the table before it, with the numbers alone of cards that the seat does not see."""
    action: int = -1
    cards: tuple[Card, ...] = ()


def known_steps(game: Game | str, seat: Seat) -> Iterator[Step]:
    """All steps of a game, or of a record, as a seat knows them, and its end.

    Raises `RecordError` where a step can't have been, whatever the hidden cards are.
    """
    record = read_records(game.record(seat=seat) if isinstance(game, Game) else game)[0]
    players = record.options.players
    if isinstance(seat, bool) or seat not in range(players):
        raise ValueError(f"seat: 0 to {players - 1}, not {seat!r}")
    states = new_states(record.options)
    _keep_numbers(states, seat)
    for at, token in enumerate(record.tokens):
        before = states.copy()
        try:
            step = _read(at, token, before, seat)
        except MoveError as error:
            raise RecordError(token.line, token.column, token.text, error) from error
        yield step
        if step.action < 0:
            shown = [NUMBERS_AT if card == UNSEEN else card for card in step.cards]
            _draw(states, np.array(shown, np.int64), seat)
        else:
            _play(states, step.action, seat)
    yield Step(len(record.tokens), states)


def _read(at: int, token: Token, before: States, seat: Seat) -> Step:
    """A step, if it can have been."""
    state = before[0]
    if token.text.startswith("="):
        if error := wrong_moment(state, None):
            raise error
        letters = token.text[1:]
        if len(letters) != state.due:
            raise IllegalMoveError("cards_due", "R22", n=int(state.due), given=len(letters))
        if state.seat != seat:
            return Step(at, before, cards=(UNSEEN,) * len(letters))
        if not set(letters) <= set(CARD_LETTERS[:DANCER]):
            raise NotAMoveError("unseen_cards", token=token.text)
        return Step(at, before, cards=tuple(map(CARD_LETTERS.index, letters)))
    action = read_token(token.text)
    assert not isinstance(action, tuple)
    rows, trial = empty_rows(), before.copy()
    if state.seat != seat:  # it may have had whatever it paid
        trial[0].hands[state.seat, :DANCER] = CARDS_OF_A_PALACE
    legal_rows(trial[0], rows)
    if not is_legal(rows, action):
        raise refusal(trial[0], action)
    return Step(at, before, action)


@compiled
def _play(states: States, action: int, viewer: Seat) -> None:
    play(states[0], action)
    _keep_numbers(states, viewer)


@compiled
def _draw(states: States, cards: npt.NDArray[np.int64], viewer: Seat) -> None:
    draw(states[0], cards)
    _keep_numbers(states, viewer)


@compiled
def _keep_numbers(states: States, viewer: Seat) -> None:
    """Of cards that the viewer does not see keep the numbers alone."""
    state = states[0]
    for seat in range(4):
        if seat != viewer:
            _gather(state.hands[seat])
    _gather(state.deck)


@compiled
def _gather(counts: Counts) -> None:
    total = 0
    for card in range(6):
        total += counts[card]
        counts[card] = 0
    counts[NUMBERS_AT] = total
