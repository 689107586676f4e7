"""What a position is worth to a seat: a sum over palaces, looked up in a table.

A palace's worth to a player depends on a few small numbers: own thieves, chests left, own and
foreign guards, cards of it in the hand. So it is a table, filled once from seventeen parameters
most of which self-play has tuned, and a position is worth the sum of six look-ups for each player.

Only what the seat may know goes in: the table on view, and its own hand. Nothing here is random.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from baghdad.rules.engine.exponentials import exp, power
from baghdad.rules.engine.legality import guards_at
from baghdad.rules.engine.material import (
    CARDS_OF_A_PALACE,
    DANCER,
    Palace,
    Seat,
)
from baghdad.rules.engine.state import State

from .compiled import compiled

ValueTable: TypeAlias = npt.NDArray[Any]
"""[VALUE_TABLE_SIZE], float32: the worth of a palace by `_index`, then of dancers, then single
parameters."""

THIEVES, CHESTS, GUARDS, FOREIGN, CARDS = 8, 5, 5, 5, 8
"""How far each number is told apart: seven or more thieves, or cards, are one entry."""
DANCERS_AT = THIEVES * CHESTS * GUARDS * FOREIGN * CARDS
RIVALS_AT = DANCERS_AT + 9
STOCK_AT = RIVALS_AT + 5
HOARD_AT = STOCK_AT + 1
VALUE_TABLE_SIZE = HOARD_AT + 1
LARGE_HAND = 14
RIVAL_CARDS = 2
"""Cards of each palace that a rival is taken to hold."""
WON = 1000.0
"""Worth of winning: more than anything else together."""


class EvalParams(NamedTuple):
    """What a value table is made of. A chest in the bag is worth 1."""

    progress: float = 0.8192
    """Thieves in a courtyard, as a part of those that the chest needs..."""
    exponent: float = 1.4228
    """...to this power: over 1, the last ones count more."""
    ready: float = 0.2488
    """All is there that the robbery needs but the turn..."""
    decay: float = 0.377
    """...and so much less for every card that is missing."""
    no_alibi: float = 2.2405
    """Price of a thief where no foreign guard stands."""
    no_guard: float = 0.781
    """Price of a thief where no own guard stands, on top of the foreign guards."""
    full: float = 0.908
    """And more where no own guard can come either."""
    card: float = 0.0742
    """First card of a palace in the hand..."""
    fade: float = 0.8192
    """...and so much less for each further one."""
    useful: float = 1.2367
    """A card counts this many times where an own guard stands."""
    guard: float = 0.0063
    """An own guard in front of a palace with chests..."""
    extra_guard: float = -0.0222
    """...and each further one."""
    stranded: float = 0.1381
    """A thief where no chest is left."""
    dancer: float = 0.1694
    """A dancer in the hand, fading as cards do."""
    rivals: float = 1.0
    """What a palace is worth to the rivals, on average, counts against it this many times."""
    stock: float = 0.0749
    """A thief in stock, up to three."""
    hoard: float = 0.05
    """Taken off for every card above `LARGE_HAND`: a collector must act some day."""


def make_value_table(params: EvalParams) -> ValueTable:
    """The table of these parameters, [VALUE_TABLE_SIZE]."""
    table = np.zeros(VALUE_TABLE_SIZE, np.float32)
    fill_value_table(table, EvalParams(*map(float, params)))
    return table


@compiled
def _index(thieves: int, chests: int, guards: int, foreign: int, cards: int) -> int:
    place = int(min(thieves, THIEVES - 1)) * CHESTS + int(chests)
    place = (place * GUARDS + int(guards)) * FOREIGN + int(foreign)
    return place * CARDS + int(min(cards, CARDS - 1))


@compiled
def palace_worth(
    thieves: int, chests: int, guards: int, foreign: int, cards: int, table: ValueTable
) -> float:
    """What a palace is worth to a player with these numbers of thieves, guards and cards there."""
    return table[_index(thieves, chests, guards, foreign, cards)]


@compiled
def fill_value_table(table: ValueTable, params: EvalParams) -> None:
    for thieves in range(THIEVES):
        for chests in range(CHESTS):
            for guards in range(GUARDS):
                for foreign in range(FOREIGN):
                    for cards in range(CARDS):
                        at = _index(thieves, chests, guards, foreign, cards)
                        table[at] = _worth(params, thieves, chests, guards, foreign, cards)
    for dancers in range(9):
        table[DANCERS_AT + dancers] = params.dancer * _faded(params.fade, dancers)
    for players in range(2, 5):
        table[RIVALS_AT + players] = params.rivals / (players - 1)
    table[STOCK_AT] = params.stock
    table[HOARD_AT] = params.hoard


@compiled
def _faded(fade: float, number: int) -> float:
    """1 + fade + fade² + …, this many terms."""
    total, term = 0.0, 1.0
    for _ in range(number):
        total += term
        term *= fade
    return total


@compiled
def _worth(
    params: EvalParams, thieves: int, chests: int, guards: int, foreign: int, cards: int
) -> float:
    """What a palace is worth to a player, computed rather than looked up."""
    worth = params.card * _faded(params.fade, cards)
    if guards > 0:
        worth *= params.useful
    if chests == 0:
        return worth + params.stranded * thieves
    number = 8 - chests
    price = float(foreign)
    if guards == 0:
        price = max(price, 1.0) + params.no_guard
        if foreign >= 4:
            price += params.full
    elif foreign == 0:
        price = params.no_alibi
    missing = max(max(number - thieves, 1) * price - cards, 0.0)
    worth += params.progress * power(min(thieves, number) / number, params.exponent)
    worth += params.ready * exp(-params.decay * missing)
    if guards > 0:
        worth += params.guard + params.extra_guard * (guards - 1)
    return worth


@compiled
def own_palace_value(
    state: State, seat: Seat, palace: Palace, guards: int, cards: int, table: ValueTable
) -> float:
    """What a palace with this many guards is worth to a seat with this many cards of it."""
    own = state.guards[palace, seat]
    thieves, chests = state.thieves[palace, seat], state.chests[palace]
    return palace_worth(thieves, chests, own, guards - own, cards, table)


@compiled
def rivals_worth(
    state: State, seat: Seat, palace: Palace, guards: int, chests: int, table: ValueTable
) -> float:
    """What a palace with this many guards and chests is worth to the others together."""
    worth = 0.0
    for rival in range(state.players):
        if rival != seat:
            thieves, own = state.thieves[palace, rival], state.guards[palace, rival]
            worth += palace_worth(thieves, chests, own, guards - own, RIVAL_CARDS, table)
    return worth


@compiled
def palace_value(state: State, seat: Seat, palace: Palace, table: ValueTable) -> float:
    """What a palace is worth to a seat, what the rivals have there taken off."""
    guards = guards_at(state, palace)
    value = own_palace_value(state, seat, palace, guards, state.hands[seat, palace], table)
    theirs = rivals_worth(state, seat, palace, guards, state.chests[palace], table)
    return value - table[RIVALS_AT + int(state.players)] * theirs


@compiled
def cards_held(state: State, seat: Seat) -> int:
    """Cards in a hand, dancers included."""
    cards = 0
    for card in range(7):
        cards += int(state.hands[seat, card])
    return cards


@compiled
def hand_worth(loot: int, dancers: int, stock: int, cards: int, table: ValueTable) -> float:
    """What belongs to no palace: chests, dancers, thieves at home; a hoard of cards taken off."""
    value = float(loot) + table[DANCERS_AT + int(dancers)]
    value += table[STOCK_AT] * min(stock, 3)
    return value - table[HOARD_AT] * max(cards - LARGE_HAND, 0)


@compiled
def own_value(state: State, seat: Seat, table: ValueTable) -> float:
    """What belongs to a seat and to no palace, and winning."""
    loot, dancers = state.loot[seat], state.hands[seat, DANCER]
    value = hand_worth(loot, dancers, state.stock[seat], cards_held(state, seat), table)
    return value + WON if state.winner == seat else value


@compiled
def hand_value(state: State, seat: Seat, table: ValueTable) -> float:
    """The same, with rivals' loot taken off."""
    return less_rivals_loot(state, seat, own_value(state, seat, table), table)


@compiled
def less_rivals_loot(state: State, seat: Seat, value: float, table: ValueTable) -> float:
    """A value with rivals' loot taken off."""
    for rival in range(state.players):
        if rival != seat:
            value -= table[RIVALS_AT + int(state.players)] * state.loot[rival]
    return value


@compiled
def worth_to(state: State, seat: Seat, table: ValueTable) -> float:
    """What a position is worth to a seat whose hand is known, whatever it is to the others."""
    worth = own_value(state, seat, table)
    for palace in range(6):
        cards = state.hands[seat, palace]
        worth += own_palace_value(state, seat, palace, guards_at(state, palace), cards, table)
    return worth


@compiled
def card_worth(state: State, seat: Seat, table: ValueTable) -> float:
    """What one more card is worth on average, each palace as likely."""
    worth = 0.0
    for palace in range(6):
        cards, guards = state.hands[seat, palace], guards_at(state, palace)
        worth += own_palace_value(state, seat, palace, guards, cards + 1, table)
        worth -= own_palace_value(state, seat, palace, guards, cards, table)
    return worth / 6


@compiled
def named_worth(state: State, seat: Seat, palace: Palace, card: float, table: ValueTable) -> float:
    """What the card is worth that comes when a palace is named (R23): one of it where the stack
    has one, as far as the seat can know; else any, which is worth `card`."""
    cards, guards = state.hands[seat, palace], guards_at(state, palace)
    worth = own_palace_value(state, seat, palace, guards, cards + 1, table)
    worth -= own_palace_value(state, seat, palace, guards, cards, table)
    held = _in_the_stack(state, seat, palace)
    return held * worth + (1 - held) * card


@compiled
def _in_the_stack(state: State, seat: Seat, palace: Palace) -> float:
    """How likely the stack is to hold a card of a palace, given one hand and the discards.

    An empty stack is about to be made of the discard pile (R24).
    """
    stack, unseen = 0, 0
    for card in range(6):
        stack += state.deck[card]
        unseen += CARDS_OF_A_PALACE - state.discard[card] - state.hands[seat, card]
    if stack == 0:
        return 1.0 if state.discard[palace] > 0 else 0.0
    elsewhere, missing = float(unseen - stack), 1.0
    for number in range(CARDS_OF_A_PALACE - state.discard[palace] - state.hands[seat, palace]):
        missing *= max(elsewhere - number, 0.0) / (unseen - number)
    return 1 - missing
