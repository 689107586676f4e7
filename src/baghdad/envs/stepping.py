"""A step of an environment, the same for one game, for thousands and on a GPU.

A step is one decision and all the cards that are drawn after it, up to the next decision or the
end of the game.

The compiled loops over many games take every array as a parameter of its own. Each has one caller,
which passes the arrays of `vector.Step` in their order.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from baghdad.rules.engine.actions import ACTION_COUNT, ROWS, Action
from baghdad.rules.engine.dealer import Rng, below, deal_all
from baghdad.rules.engine.legality import (
    Rows,
    count_legal,
    is_legal,
    legal_ids,
    legal_rows,
    nth_legal,
)
from baghdad.rules.engine.material import DEALING, DRAWING, OVER, Seat
from baghdad.rules.engine.observation import Row, observe, write_mask
from baghdad.rules.engine.state import State, States
from baghdad.rules.engine.steps import named_card, play, refill, reveal, settle
from baghdad.rules.errors import MoveError, NotAMoveError
from baghdad.rules.refusals import refusal

from .compiled import compiled

ILLEGAL, RUNNING, TERMINATED, TRUNCATED = range(-1, 3)
"""The status of a game after a step: unchanged since the action was illegal, going on, at its end,
or at the limit of turns."""
NO_LIMIT = 0

CHANCE, NOBODY = -2, -3
"""To move where cards are steps of their own: chance draws one, or the game is over."""


def turn_limit(max_turns: int | None) -> int:
    """A limit of turns as `play_step` takes it.

    >>> turn_limit(None), turn_limit(400)
    (0, 400)
    >>> turn_limit(0)
    Traceback (most recent call last):
    ValueError: max_turns: 1 or more, or None for no limit, not 0
    """
    if max_turns is None:
        return NO_LIMIT
    if max_turns < 1:
        raise ValueError(f"max_turns: 1 or more, or None for no limit, not {max_turns!r}")
    return max_turns


@compiled
def may_play(rows: Rows, action: Action) -> bool:
    """Whether an action is among the legal ones; it may be any number."""
    return 0 <= action < ACTION_COUNT and is_legal(rows, action)


def why_not(state: State, action: Action) -> MoveError:
    """The error that says what is wrong with an action that may not be played."""
    if 0 <= action < ACTION_COUNT:
        return refusal(state, action)
    return NotAMoveError("no_action", number=action, last=ACTION_COUNT - 1)


@compiled
def play_step(state: State, rng: Rng, action: Action, max_turns: int) -> int:
    """Play a legal action and draw the cards after it; returns the status. Advances the
    generator."""
    play(state, action)
    deal_all(state, rng)
    if state.phase == OVER:
        return TERMINATED
    return TRUNCATED if NO_LIMIT < max_turns <= state.turn else RUNNING


@compiled
def reward(state: State, seat: Seat) -> float:
    """The reward of a seat: 1 if it has won; the losers share -1; 0 while nobody has won."""
    if state.winner < 0 or seat >= state.players:
        return 0.0
    return 1.0 if seat == state.winner else -1.0 / (state.players - 1)


@compiled
def observe_and_mask(
    states: States, game: int, observer: Seat, rows: Rows, row: Row, mask: Row
) -> None:
    """Write what a seat of one game sees into `row`, and what it may do into `rows` and `mask`."""
    observe(states[game], observer, row)
    write_mask(states[game], observer, rows, mask)


@compiled
def reset_one(states: States, start: States, rng: Rng, rows: Rows) -> int:
    """Make `states[0]` a new game from `start[0]`, and fill `rows` with what is legal.

    Returns the seat to move. The generator advances.
    """
    states[0] = start[0]
    deal_all(states[0], rng)
    legal_rows(states[0], rows)
    return states[0].seat


@compiled
def step_one(states: States, rng: Rng, rows: Rows, action: Action, max_turns: int) -> Any:
    """Play an action in `states[0]`, if `rows` allow it, and fill them with what is legal then.

    Returns the status and the seat to move. The generator advances.
    """
    if not may_play(rows, action):
        return ILLEGAL, states[0].seat
    status = play_step(states[0], rng, action, max_turns)
    legal_rows(states[0], rows)
    return status, states[0].seat


def empty_choices() -> npt.NDArray[Any]:
    return np.zeros(ACTION_COUNT + ROWS, np.int64)


@compiled
def fill_choices(states: States, choices: npt.NDArray[Any], max_turns: int) -> Any:
    """Write what can be done in `states[0]`, where every card is a step.

    That is the legal actions in ascending order or, at a card, how often each can come; at the end
    are the rows that `may_play` takes. Returns who is to move, the seat that is meant, and the
    number of legal actions.
    """
    state = states[0]
    rows = choices[ACTION_COUNT:]
    if state.phase == OVER or state.turn >= max_turns:
        return NOBODY, state.seat, 0
    if state.phase == DEALING or state.phase == DRAWING:
        named = named_card(state)
        for card in range(6):
            choices[card] = state.deck[card] if named < 0 or card == named else 0
        return CHANCE, state.seat, 0
    legal_rows(state, rows)
    return state.seat, state.seat, legal_ids(rows, choices)


@compiled
def step_event(
    states: States,
    choices: npt.NDArray[Any],
    to_move: int,
    action: int,
    max_turns: int,
) -> Any:
    """Play a decision or draw one card in `states[0]`, if `choices` allow it; returns what
    `fill_choices` does, or `ILLEGAL` for who is to move."""
    state = states[0]
    if to_move == CHANCE:
        if not (0 <= action < 6 and choices[action] > 0):
            return ILLEGAL, state.seat, 0
        reveal(state, action)
    elif to_move != NOBODY and may_play(choices[ACTION_COUNT:], action):
        play(state, action)
    else:
        return ILLEGAL, state.seat, 0
    while state.phase == DEALING or state.phase == DRAWING:
        if state.due > 0:
            refill(state)
            break
        settle(state)
    return fill_choices(states, choices, max_turns)


@compiled
def first_illegal(rows: npt.NDArray[Any], actions: npt.NDArray[Any]) -> int:
    """The first game whose action is not legal; -1 where all are."""
    for game in range(len(rows)):
        if not may_play(rows[game], actions[game]):
            return game
    return -1


@compiled
def step_games(
    states: States,
    start: States,
    rngs: npt.NDArray[Any],
    rows: npt.NDArray[Any],
    actions: npt.NDArray[Any],
    max_turns: int,
    observations: npt.NDArray[np.int8],
    masks: npt.NDArray[np.bool_],
    to_move: npt.NDArray[np.int8],
    rewards: npt.NDArray[np.float32],
    terminated: npt.NDArray[np.bool_],
    truncated: npt.NDArray[np.bool_],
) -> None:
    """Play a legal action in every game, begin a new one where that ends it, and observe.

    Everything is by game; the generators advance. Written are `rows` and all that comes after
    `max_turns`.
    """
    for game in range(len(states)):
        status = play_step(states[game], rngs[game], actions[game], max_turns)
        for seat in range(4):
            rewards[game, seat] = reward(states[game], seat)
        terminated[game] = status == TERMINATED
        truncated[game] = status == TRUNCATED
        if status != RUNNING:
            states[game] = start[game % len(start)]
            deal_all(states[game], rngs[game])
        seat = states[game].seat
        to_move[game] = seat
        observe_and_mask(states, game, seat, rows[game], observations[game], masks[game])


@compiled
def reset_games(
    states: States,
    start: States,
    rngs: npt.NDArray[Any],
    rows: npt.NDArray[Any],
    observations: npt.NDArray[np.int8],
    masks: npt.NDArray[np.bool_],
    to_move: npt.NDArray[np.int8],
) -> None:
    """Begin every game anew and observe it; the generators advance."""
    for game in range(len(states)):
        states[game] = start[game % len(start)]
        deal_all(states[game], rngs[game])
        seat = states[game].seat
        to_move[game] = seat
        observe_and_mask(states, game, seat, rows[game], observations[game], masks[game])


@compiled
def sample_games(rows: npt.NDArray[Any], rngs: npt.NDArray[Any], actions: npt.NDArray[Any]) -> None:
    """Sample an action for every game, each legal one as likely as any other; the generators
    advance."""
    for game in range(len(rows)):
        actions[game] = nth_legal(rows[game], below(rngs[game], count_legal(rows[game])))
