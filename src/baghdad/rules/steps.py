"""What a decision and a chance step do to a position (R6 to R8, R12 to R15, R18 to R27).

Nothing here asks whether a step is legal: `legality` does.
"""

import numpy as np
import numpy.typing as npt

from .actions import (
    CARRY,
    END,
    KIND,
    MEANING,
    MOVE_NEUTRAL,
    PALACE,
    PASS,
    PAYS,
    PAYS_DANCERS,
    PAYS_TO,
    PLACE,
    PLACE_NEUTRAL,
    SMUGGLE,
    TAKES_DANCER,
    TO,
    Action,
)
from .compiled import rule
from .material import (
    CARDS_AFTER_ACTIONS,
    CARDS_AFTER_NONE,
    CHESTS_TO_WIN,
    DANCER,
    DEALING,
    DRAWING,
    FIRST_HAND,
    HEAVIEST_CHEST,
    NEUTRAL,
    OVER,
    PLACING,
    TURN,
    Card,
    Palace,
)
from .state import State


@rule
def play(state: State, action: Action) -> None:
    """Carry out a legal decision."""
    kind = MEANING[action, KIND]
    palace = MEANING[action, PALACE]
    if kind == PLACE:
        _place(state, palace, state.seat, 0)
    elif kind == PLACE_NEUTRAL:
        _place(state, palace, NEUTRAL, 1)
    elif kind == END:
        _end_turn(state, CARDS_AFTER_ACTIONS)
    elif kind == PASS:
        _pass(state, MEANING[action, TAKES_DANCER])
    else:
        seat, to = state.seat, MEANING[action, TO]
        state.acted = 1
        _pay(state, palace, MEANING[action, PAYS])
        _pay(state, to, MEANING[action, PAYS_TO])
        _pay_dancers(state, MEANING[action, PAYS_DANCERS])
        if kind == SMUGGLE:  # R12
            state.stock[seat] -= 1
            _arrive(state, palace, True)
        else:  # R13 to R15
            owner = NEUTRAL if kind == MOVE_NEUTRAL else seat
            state.guards[palace, owner] -= 1
            state.guards[to, owner] += 1
            if kind == CARRY:
                state.thieves[palace, seat] -= 1
                _arrive(state, to, False)


@rule
def next_seat(state: State) -> int:
    """R5: clockwise."""
    seat = state.seat + 1
    return seat if seat < state.players else 0


@rule
def _place(state: State, palace: Palace, owner: int, which: int) -> None:
    """R6, R8: one guard, then the next seat; when all stand, the deal or the first turn."""
    state.guards[palace, owner] += 1
    state.unplaced[state.seat, which] -= 1
    state.seat = next_seat(state)
    if state.unplaced[state.seat, 0] + state.unplaced[state.seat, 1] == 0:
        if state.seen:
            state.phase = TURN
        else:
            state.phase = DEALING
            state.due = FIRST_HAND


@rule
def _pay(state: State, palace: Palace, cards: int) -> None:
    """R18: palace cards go to the discard pile."""
    state.hands[state.seat, palace] -= cards
    state.discard[palace] += cards


@rule
def _pay_dancers(state: State, dancers: int) -> None:
    """R18: dancers go back to the open supply."""
    state.hands[state.seat, DANCER] -= dancers
    state.dancers += dancers


@rule
def chest_number(state: State, palace: Palace) -> int:
    """Thieves that the top chest needs (R1); more than there are where no chest is left."""
    chests = state.chests[palace]
    return HEAVIEST_CHEST + 1 - chests if chests > 0 else 127


@rule
def _arrive(state: State, palace: Palace, smuggled: bool) -> None:
    """R19 to R21: a thief comes into a courtyard, and robs if there are enough."""
    seat = state.seat
    state.thief_actions += 1
    state.thieves[palace, seat] += 1
    needed = chest_number(state, palace)
    if state.thieves[palace, seat] >= needed and (smuggled or state.rob == 0):
        state.thieves[palace, seat] -= needed
        state.stock[seat] += needed
        state.chests[palace] -= 1
        state.loot[seat] += 1
        if state.loot[seat] >= CHESTS_TO_WIN[state.players]:
            state.winner = seat
            state.phase = OVER


@rule
def _pass(state: State, dancers: int) -> None:
    """R23: no action; the dancer, if chosen, comes at once. R27 counts turns that gain nothing."""
    _pay_dancers(state, -dancers)
    _end_turn(state, CARDS_AFTER_NONE - dancers)
    if state.due + dancers == 0:
        state.idle += 1
    else:
        state.idle = 0


@rule
def _end_turn(state: State, cards: int) -> None:
    """R22, R25: so many cards are drawn, or what there is."""
    there = 0
    for card in range(6):
        there += state.deck[card] + state.discard[card]
    state.due = min(cards, there)
    state.idle = 0 if state.acted else state.idle
    state.phase = DRAWING


@rule
def refill(state: State) -> int:
    """R24: an empty stack is made anew of the discard pile. Says how many cards it has then."""
    size = 0
    for card in range(6):
        size += state.deck[card]
    if size == 0:
        for card in range(6):
            size += state.discard[card]
            state.deck[card] = state.discard[card]
            state.discard[card] = 0
    return size


@rule
def reveal(state: State, card: Card) -> None:
    """One card of the pending chance step comes from the stack into the hand (R7, R22, R23)."""
    state.deck[card] -= 1
    state.hands[state.seat, card] += 1
    state.due -= 1


@rule
def draw(state: State, cards: npt.NDArray[np.int64]) -> None:
    """Carry out the pending chance step: these cards come, in this order."""
    for card in cards:
        refill(state)
        reveal(state, card)
    settle(state)


@rule
def settle(state: State) -> None:
    """The chance step is complete: the next seat is dealt to, or places, or takes its turn."""
    state.seat = next_seat(state)
    if state.phase == DEALING:
        if state.seat > 0:
            state.due = FIRST_HAND + state.seat
        else:
            state.phase = PLACING if state.seen else TURN
    else:
        state.acted = 0
        state.thief_actions = 0
        state.turn += 1
        state.phase = OVER if state.idle >= state.players else TURN  # R27
