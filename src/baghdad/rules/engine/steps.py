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
    NAME,
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
    elif kind == NAME:
        _pass(state, 0)
        state.named = palace
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
            state.due = state.first_hands[0]


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
    if smuggled and state.rob == 1 and state.stock[seat] == 0 and _no_thief_at_home(state):
        state.phase = OVER


@rule
def _no_thief_at_home(state: State) -> bool:
    """R27: where only a smuggled thief robs, nobody will ever rob again."""
    thieves = 0
    for seat in range(4):
        thieves += state.stock[seat]
    return thieves == 0


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
    """R22, R25: this number of cards is drawn, or all that there are."""
    state.due = min(cards, cards_there(state))
    state.idle = 0 if state.acted else state.idle
    state.phase = DRAWING


@rule
def cards_there(state: State) -> int:
    """Cards in the stack and in the discard pile."""
    there = 0
    for card in range(6):
        there += state.deck[card] + state.discard[card]
    return there


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
    """One card of the pending chance step comes from the stack into the hand (R7, R22, R23).

    The last of the stack brings a new one at once (R24).
    """
    take(state, card)
    refill(state)


@rule
def take(state: State, card: Card) -> None:
    """As `reveal`, for callers who count the stack and see to R24 themselves."""
    state.deck[card] -= 1
    state.hands[state.seat, card] += 1
    state.due -= 1
    state.named = -1  # only the first card of a draw is named


@rule
def named_card(state: State) -> Card:
    """The card that must come next since it was named and the stack holds it (R23), or -1."""
    named = state.named
    return named if named >= 0 and state.deck[named] > 0 else -1


@rule
def draw(state: State, cards: npt.NDArray[np.int64]) -> None:
    """Carry out the pending chance step: these cards come, in this order."""
    refill(state)
    for card in cards:
        reveal(state, card)
    settle(state)


@rule
def settle(state: State) -> None:
    """The chance step is complete: the next seat is dealt to, or places, or takes its turn."""
    state.seat = next_seat(state)
    if state.phase == DEALING:
        if state.seat > 0:
            state.due = state.first_hands[state.seat]
        else:
            state.phase = PLACING if state.seen else TURN
    else:
        state.acted = 0
        state.thief_actions = 0
        state.turn += 1
        state.phase = OVER if state.idle >= state.players else TURN  # R27
