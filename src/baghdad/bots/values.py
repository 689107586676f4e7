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

from ..rules.material import DANCER, OWNERS, Palace, Seat
from ..rules.state import State
from .compiled import fast

Table: TypeAlias = npt.NDArray[Any]
"""[TABLE_SIZE], float64: the worth of a palace by index, then of dancers, then single weights."""

THIEVES, CHESTS, GUARDS, FOREIGN, CARDS = 8, 5, 5, 5, 8
"""How far each number is told apart: seven or more thieves, or cards, are one entry."""
DANCERS_AT = THIEVES * CHESTS * GUARDS * FOREIGN * CARDS
RIVALS_AT = DANCERS_AT + 9
STOCK_AT = RIVALS_AT + 1
TABLE_SIZE = STOCK_AT + 1
RIVAL_CARDS = 2
"""Cards of each palace that a rival is taken to hold."""
WON = 1000.0
"""Worth of winning: more than anything else together."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What the tables are made of. A chest in the bag is worth 1."""

    progress: float = 0.8
    """Thieves in a courtyard, as a part of those that the chest needs..."""
    bend: float = 1.3
    """...to this power: over 1, the last ones count more."""
    ready: float = 0.3
    """All is there that the robbery needs but the turn..."""
    decay: float = 0.35
    """...and so much less for every card that is missing."""
    no_alibi: float = 1.5
    """Price of a thief where no foreign guard stands."""
    no_guard: float = 1.0
    """Price of a thief where no own guard stands, on top of the foreign guards."""
    full: float = 1.0
    """And more where no own guard can come either."""
    card: float = 0.05
    """First card of a palace in the hand..."""
    fade: float = 0.85
    """...and so much less for each further one."""
    useful: float = 1.3
    """A card counts so many times where an own guard stands."""
    guard: float = 0.05
    """An own guard in front of a palace with chests..."""
    crowd: float = -0.05
    """...and each further one."""
    stranded: float = 0.1
    """A thief where no chest is left."""
    dancer: float = 0.12
    """A dancer in the hand, fading as cards do."""
    rivals: float = 0.3
    """What a palace is worth to a rival counts against it so many times."""
    stock: float = 0.0
    """A thief in stock, up to three."""


WEIGHT_NAMES = tuple(field.name for field in fields(Weights))


def make_table(weights: Weights) -> Table:
    """The table of these weights."""
    table = np.zeros(TABLE_SIZE, np.float64)
    _fill(table, np.array(astuple(weights), np.float64))
    return table


@fast
def _index(thieves: int, chests: int, guards: int, foreign: int, cards: int) -> int:
    thieves = min(thieves, THIEVES - 1)
    cards = min(cards, CARDS - 1)
    return (((thieves * CHESTS + chests) * GUARDS + guards) * FOREIGN + foreign) * CARDS + cards


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
    table[RIVALS_AT] = weights[14]
    table[STOCK_AT] = weights[15]


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
def palace_value(state: State, seat: Seat, palace: Palace, table: Table) -> float:
    """What a palace is worth to a seat, rivals' hopes there taken off."""
    guards = 0
    for owner in range(OWNERS):
        guards += state.guards[palace, owner]
    chests = state.chests[palace]
    own = state.guards[palace, seat]
    cards = state.hands[seat, palace]
    value = table[_index(state.thieves[palace, seat], chests, own, guards - own, cards)]
    rivals = 0.0
    for rival in range(state.players):
        if rival != seat:
            own = state.guards[palace, rival]
            at = _index(state.thieves[palace, rival], chests, own, guards - own, RIVAL_CARDS)
            rivals += table[at]
    return value - table[RIVALS_AT] * rivals


@fast
def hand_value(state: State, seat: Seat, table: Table) -> float:
    """What belongs to no palace: loot, dancers, thieves at home; and winning."""
    value = float(state.loot[seat]) + table[DANCERS_AT + state.hands[seat, DANCER]]
    value += table[STOCK_AT] * min(state.stock[seat], 3)
    for rival in range(state.players):
        if rival != seat:
            value -= table[RIVALS_AT] * state.loot[rival]
    return value + WON if state.winner == seat else value


@fast
def card_worth(state: State, seat: Seat, table: Table) -> float:
    """What one more card is worth on average, each palace as likely."""
    worth = 0.0
    for palace in range(6):
        guards = 0
        for owner in range(OWNERS):
            guards += state.guards[palace, owner]
        own, cards = state.guards[palace, seat], state.hands[seat, palace]
        at = _index(state.thieves[palace, seat], state.chests[palace], own, guards - own, cards)
        if cards < CARDS - 1:
            worth += table[at + 1] - table[at]
    return worth / 6
