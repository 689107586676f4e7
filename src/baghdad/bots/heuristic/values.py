"""What a position is worth to a seat: a sum over palaces, looked up in a table.

A palace's worth to a player depends on a few small numbers: own thieves, chests left, own and
foreign guards, cards of it in the hand. So it is a table, filled once from a dozen weights that
self-play has tuned, and a position is worth the sum of six look-ups for each player.

Only what the seat may know goes in: the table on view, and its own hand.
"""

from dataclasses import astuple, dataclass, fields
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from baghdad.bots.compiled import fast
from baghdad.rules.engine.legality import guards_at
from baghdad.rules.engine.material import (
    CARDS_OF_A_PALACE,
    DANCER,
    OVER,
    Palace,
    Seat,
)
from baghdad.rules.engine.state import State

Table: TypeAlias = npt.NDArray[Any]
"""[TABLE_SIZE], float32: the worth of a palace by index, then of dancers, then single weights."""

THIEVES, CHESTS, GUARDS, FOREIGN, CARDS = 8, 5, 5, 5, 8
"""How far each number is told apart: seven or more thieves, or cards, are one entry."""
DANCERS_AT = THIEVES * CHESTS * GUARDS * FOREIGN * CARDS
RIVALS_AT = DANCERS_AT + 9
STOCK_AT = RIVALS_AT + 5
HOARD_AT = STOCK_AT + 1
TABLE_SIZE = HOARD_AT + 1
LARGE_HAND = 14
RIVAL_CARDS = 2
"""Cards of each palace that a rival is taken to hold."""
WON = 1000.0
"""Worth of winning: more than anything else together."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What the tables are made of. A chest in the bag is worth 1."""

    progress: float = 0.8192
    """Thieves in a courtyard, as a part of those that the chest needs..."""
    bend: float = 1.4228
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
    """A card counts so many times where an own guard stands."""
    guard: float = 0.0063
    """An own guard in front of a palace with chests..."""
    crowd: float = -0.0222
    """...and each further one."""
    stranded: float = 0.1381
    """A thief where no chest is left."""
    dancer: float = 0.1694
    """A dancer in the hand, fading as cards do."""
    rivals: float = 1.0
    """What a palace is worth to the rivals, on average, counts against it so many times."""
    stock: float = 0.0749
    """A thief in stock, up to three."""
    hoard: float = 0.05
    """Taken off for every card above `LARGE_HAND`: who only ever collects must act some day."""


WEIGHT_NAMES = tuple(field.name for field in fields(Weights))


def make_table(weights: Weights) -> Table:
    """The table of these weights."""
    table = np.zeros(TABLE_SIZE, np.float32)
    _fill(table, np.array(astuple(weights), np.float64))
    return table


@fast
def _index(thieves: int, chests: int, guards: int, foreign: int, cards: int) -> int:
    thieves = min(thieves, THIEVES - 1)
    cards = min(cards, CARDS - 1)
    return (((thieves * CHESTS + chests) * GUARDS + guards) * FOREIGN + foreign) * CARDS + cards


@fast
def palace_worth(
    thieves: int, chests: int, guards: int, foreign: int, cards: int, table: Table
) -> float:
    """What a palace is worth to whom has so many thieves, guards and cards there."""
    return table[_index(thieves, chests, guards, foreign, cards)]


@fast
def _fill(table: Table, weights: Table) -> None:
    for thieves in range(THIEVES):
        for chests in range(CHESTS):
            for guards in range(GUARDS):
                for foreign in range(FOREIGN):
                    for cards in range(CARDS):
                        at = _index(thieves, chests, guards, foreign, cards)
                        table[at] = _worth(weights, thieves, chests, guards, foreign, cards)
    for dancers in range(9):
        table[DANCERS_AT + dancers] = weights[13] * _faded(weights[8], dancers)
    for players in range(2, 5):
        table[RIVALS_AT + players] = weights[14] / (players - 1)
    table[STOCK_AT] = weights[15]
    table[HOARD_AT] = weights[16]


@fast
def _faded(fade: float, number: int) -> float:
    """1 + fade + fade² + …, so many terms."""
    total, term = 0.0, 1.0
    for _ in range(number):
        total += term
        term *= fade
    return total


@fast
def _worth(w: Table, thieves: int, chests: int, guards: int, foreign: int, cards: int) -> float:
    """What a palace is worth to a player; `w` is in the order of `Weights`."""
    worth = w[7] * _faded(w[8], cards)
    if guards > 0:
        worth *= w[9]
    if chests == 0:
        return worth + w[12] * thieves
    number = 8 - chests
    price = float(foreign)
    if guards == 0:
        price = max(price, 1.0) + w[5]
        if foreign >= 4:
            price += w[6]
    elif foreign == 0:
        price = w[4]
    missing = max(max(number - thieves, 1) * price - cards, 0.0)
    worth += w[0] * (min(thieves, number) / number) ** w[1]
    worth += w[2] * np.exp(-w[3] * missing)
    if guards > 0:
        worth += w[10] + w[11] * (guards - 1)
    return worth


@fast
def own_palace_value(
    state: State, seat: Seat, palace: Palace, guards: int, cards: int, table: Table
) -> float:
    """What a palace with so many guards is worth to a seat that has so many cards of it."""
    own = state.guards[palace, seat]
    thieves, chests = state.thieves[palace, seat], state.chests[palace]
    return palace_worth(thieves, chests, own, guards - own, cards, table)


@fast
def rivals_hopes(
    state: State, seat: Seat, palace: Palace, guards: int, chests: int, table: Table
) -> float:
    """What a palace with so many guards and chests is worth to the others together."""
    hopes = 0.0
    for rival in range(state.players):
        if rival != seat:
            thieves, own = state.thieves[palace, rival], state.guards[palace, rival]
            hopes += palace_worth(thieves, chests, own, guards - own, RIVAL_CARDS, table)
    return hopes


@fast
def palace_value(state: State, seat: Seat, palace: Palace, table: Table) -> float:
    """What a palace is worth to a seat, rivals' hopes there taken off."""
    guards = guards_at(state, palace)
    value = own_palace_value(state, seat, palace, guards, state.hands[seat, palace], table)
    hopes = rivals_hopes(state, seat, palace, guards, state.chests[palace], table)
    return value - table[RIVALS_AT + state.players] * hopes


@fast
def cards_held(state: State, seat: Seat) -> int:
    """Cards in a hand, dancers included."""
    cards = 0
    for card in range(7):
        cards += state.hands[seat, card]
    return cards


@fast
def hand_worth(loot: int, dancers: int, stock: int, cards: int, table: Table) -> float:
    """What belongs to no palace: chests, dancers, thieves at home; a hoard of cards taken off."""
    value = float(loot) + table[DANCERS_AT + dancers]
    value += table[STOCK_AT] * min(stock, 3)
    return value - table[HOARD_AT] * max(cards - LARGE_HAND, 0)


@fast
def own_value(state: State, seat: Seat, table: Table) -> float:
    """What belongs to a seat and to no palace, and winning."""
    loot, dancers = state.loot[seat], state.hands[seat, DANCER]
    value = hand_worth(loot, dancers, state.stock[seat], cards_held(state, seat), table)
    return value + WON if state.winner == seat else value


@fast
def hand_value(state: State, seat: Seat, table: Table) -> float:
    """The same, with rivals' loot taken off."""
    return less_rivals_loot(state, seat, own_value(state, seat, table), table)


@fast
def less_rivals_loot(state: State, seat: Seat, value: float, table: Table) -> float:
    for rival in range(state.players):
        if rival != seat:
            value -= table[RIVALS_AT + state.players] * state.loot[rival]
    return value


@fast
def worth_to(state: State, seat: Seat, table: Table) -> float:
    """What a position is worth to a seat whose hand is known, whatever it is to the others."""
    worth = own_value(state, seat, table)
    for palace in range(6):
        cards = state.hands[seat, palace]
        worth += own_palace_value(state, seat, palace, guards_at(state, palace), cards, table)
    return worth


@fast
def chance_to_win(state: State, seat: Seat, table: Table) -> float:
    """How likely a seat is to win, all hands known: its worth among all (softmax).

    Means something only when a turn has just begun, or the game is over.
    """
    if state.phase == OVER:
        return 1.0 if state.winner == seat else 0.0
    total, mine, own = 0.0, 0.0, worth_to(state, seat, table)
    for other in range(state.players):
        worth = STEEPNESS[state.players] * (worth_to(state, other, table) - own)
        if other == state.seat:
            worth += TEMPO
        odds = np.exp(min(worth, 30.0))
        total += odds
        if other == seat:
            mine = odds
    return mine / total


STEEPNESS = (0.0, 0.0, 2.4, 2.6, 2.9)
TEMPO = 0.6
"""Fitted to games of the heuristic against itself by `tools/fit_chances.py`."""


@fast
def card_worth(state: State, seat: Seat, table: Table) -> float:
    """What one more card is worth on average, each palace as likely."""
    worth = 0.0
    for palace in range(6):
        cards, guards = state.hands[seat, palace], guards_at(state, palace)
        worth += own_palace_value(state, seat, palace, guards, cards + 1, table)
        worth -= own_palace_value(state, seat, palace, guards, cards, table)
    return worth / 6


@fast
def named_worth(state: State, seat: Seat, palace: Palace, card: float, table: Table) -> float:
    """What the card is worth that comes when a palace is named (R23): one of it where the stack
    has one, as far as the seat can know; else any, which is worth `card`."""
    cards, guards = state.hands[seat, palace], guards_at(state, palace)
    worth = own_palace_value(state, seat, palace, guards, cards + 1, table)
    worth -= own_palace_value(state, seat, palace, guards, cards, table)
    held = _in_the_stack(state, seat, palace)
    return held * worth + (1 - held) * card


@fast
def _in_the_stack(state: State, seat: Seat, palace: Palace) -> float:
    """How likely the stack is to hold a card of a palace, for who sees one hand and the discards.

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
