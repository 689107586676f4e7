"""A game: laid out, what is legal, played, why not, ended."""

import numpy as np

from baghdad.rules.engine import beginning, legality, refusals, simulate, soundness, steps
from baghdad.rules.engine.material import OVER
from baghdad.rules.engine.state import STATE

from .export import export
from .layouts import AnswerAt, HandsAt, IdsAt, MaskAt, OneState, RngAt, RowsAt, StateAt

_EMPTY = np.zeros(1, STATE)


@export
def new_game(
    state: OneState,
    players: int,
    variant: int,
    rob: int,
    seen: int,
    spare: int,
    first_hands: HandsAt,
) -> None:
    """Lay out a game, before any guard is placed. Whatever the state was is forgotten.

    The options are numbers, as the state keeps them; `first_hands` by seat.
    """
    state[0] = _EMPTY[0]
    beginning.lay_out(state[0], players, variant, rob, seen, spare, first_hands)


@export
def copy_state(source: OneState, target: OneState) -> None:
    """Make the target the same game as the source."""
    target[0] = source[0]


@export
def legal_rows(state: StateAt, rows: RowsAt) -> None:
    """Write the legal actions as bits, for the next five functions."""
    legality.legal_rows(state, rows)


@export
def count_legal(rows: RowsAt) -> int:
    """How many actions are legal."""
    return legality.count_legal(rows)


@export
def nth_legal(rows: RowsAt, n: int) -> int:
    """The legal action with `n` others before it; `n` must be under their count."""
    return legality.nth_legal(rows, n)


@export
def is_legal(rows: RowsAt, action: int) -> bool:
    """Whether an action of the table is legal."""
    return legality.is_legal(rows, action)


@export
def legal_ids(rows: RowsAt, ids: IdsAt) -> int:
    """Write the legal actions in ascending order; returns how many."""
    return legality.legal_ids(rows, ids)


@export
def legal_mask(rows: RowsAt, mask: MaskAt) -> None:
    """Write 1 for each action that is legal, 0 for the others."""
    legality.legal_mask(rows, mask)


@export
def play(state: StateAt, action: int) -> None:
    """Carry out a legal action: nothing here asks whether it is."""
    steps.play(state, action)


@export
def refusal(state: StateAt, action: int, answer: AnswerAt) -> int:
    """Why an action that is not legal is refused: the number of a reason.

    A palace and a number go into `answer`, -1 where there is none.
    """
    reason, palace, number = refusals.refusal(state, action)
    answer[0], answer[1] = palace, number
    return reason


@export
def wrong_moment(state: StateAt, kind: int, answer: AnswerAt) -> int:
    """Why an action of a kind, or cards (-1), can't come now, whatever its details; else -1.

    A number goes into the second place of `answer`.
    """
    reason, number = refusals.wrong_moment(state, kind)
    answer[0], answer[1] = -1, number
    return reason


@export
def seat_in_turn(state: StateAt) -> int:
    """Whose turn it is in a position that is brought, or who is dealt to; -1 if nobody can be."""
    return soundness.seat_in_turn(state)


@export
def wrong_part(state: StateAt) -> int:
    """Which part of a position that is brought is wrong, as a place in `PARTS`; -1 if none is."""
    return soundness.wrong_part(state)


@export
def end_game(state: StateAt, winner: int) -> None:
    """End a game without a move (R28). The winner is a seat, or -1."""
    state.phase = OVER
    state.winner = winner


@export
def random_steps(state: OneState, start: OneState, rng: RngAt, rows: RowsAt, steps: int) -> int:
    """Play random steps, again from `start` after each end; returns how many games ended."""
    return simulate.random_steps(state, start, rng, rows, steps)
