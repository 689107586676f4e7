"""Why a move is refused: the rule that it breaks, for every action that is not legal.

A reason is a number. What is said of it is in the catalogues, under its key.
"""

from typing import Any, NamedTuple

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
    TO,
    Action,
)
from .compiled import rule
from .legality import guards_at
from .material import (
    CARDS_AFTER_ACTIONS,
    DANCER,
    DEALING,
    DRAWING,
    GUARD_FIELDS,
    NEUTRAL,
    OVER,
    PLACING,
    THIEF_ACTIONS,
    TURN,
)
from .state import State
from .steps import named_card, refill, reveal, settle


class Reason(NamedTuple):
    """Why a move is refused: the key of its words, the rule, and what they name."""

    key: str
    rule: str
    names: tuple[str, ...] = ()
    """What its words name: `palace`; `seat` or `n`, the number; how many cards were `given`."""
    out_of_turn: bool = False
    """The moment is wrong, whatever the details."""


_REASONS: list[Reason] = []


def _reason(key: str, rule_: str, *names: str, out_of_turn: bool = False) -> int:
    _REASONS.append(Reason(key, rule_, names, out_of_turn))
    return len(_REASONS) - 1


NONE = -1
"""Nothing speaks against it."""
NO_NUMBER = NO_PALACE = -1

OVER_WON = _reason("over_won", "R21", "seat", out_of_turn=True)
OVER_DEAD = _reason("over_dead", "R27", out_of_turn=True)
OVER_STALEMATE = _reason("over_stalemate", "R27", out_of_turn=True)
NO_DRAW_WHILE_PLACING = _reason("no_draw_due", "R6", out_of_turn=True)
NO_DRAW_DUE = _reason("no_draw_due", "R9", out_of_turn=True)
DEAL_FIRST = _reason("deal_first", "R7", "seat", out_of_turn=True)
DRAW_AFTER_ACTIONS = _reason("draw_first", "R22", out_of_turn=True)
DRAW_AFTER_NONE = _reason("draw_first", "R23", out_of_turn=True)
PLACE_FIRST = _reason("place_first", "R6", out_of_turn=True)
ALL_PLACED = _reason("all_placed", "R6", out_of_turn=True)

NOTHING_DONE = _reason("nothing_done", "R23")
SOMETHING_DONE = _reason("something_done", "R22")
SUPPLY_EMPTY = _reason("supply_empty", "R23")
NAME_BY_STACK = _reason("name_by_stack", "R23")
NAME_WITH_DANCERS = _reason("name_with_dancers", "R23")
NOTHING_TO_NAME = _reason("nothing_to_name", "R23")

STANDARD_VARIANT = _reason("standard_variant", "R8")
NO_NEUTRAL_LEFT = _reason("no_neutral_left", "R8")
NO_OWN_LEFT = _reason("no_own_left", "R8")
NO_FREE_FIELD = _reason("full", "R6", "palace")

THREE_THIEF_ACTIONS = _reason("three_thief_actions", "R11")
NO_NEUTRAL_GUARD = _reason("no_neutral_guard", "R15", "palace")
NO_FOREIGN_GUARD = _reason("no_foreign_guard", "R12", "palace")
NO_THIEF_AT_HOME = _reason("no_thief_at_home", "R12")
SMUGGLE_COST = _reason("smuggle_cost", "R12", "palace", "n")
NO_OWN_THIEF = _reason("no_own_thief", "R14", "palace")
TOO_FEW_DANCERS = _reason("too_few_dancers", "R17", "n")
# One for each kind of action, from R12 on: those of the first come first.
NO_OWN_GUARD = _reason("no_own_guard", "R12", "palace")
_reason("no_own_guard", "R13", "palace")
_reason("no_own_guard", "R14", "palace")
FULL_FROM_R13 = _reason("full", "R13", "palace")
_reason("full", "R14", "palace")
_reason("full", "R15", "palace")
TOO_FEW_CARDS = _reason("too_few_cards", "R12", "palace", "n")
_reason("too_few_cards", "R13", "palace", "n")
_reason("too_few_cards", "R14", "palace", "n")
_reason("too_few_cards", "R15", "palace", "n")

DANCER_DRAWN = _reason("dancer_drawn", "R2")
CARDS_DEALT = _reason("cards_due", "R7", "n", "given")
CARDS_RUN_OUT = _reason("cards_due", "R25", "n", "given")
CARDS_AFTER_AN_ACTION = _reason("cards_due", "R22", "n", "given")
CARDS_AFTER_A_PASS = _reason("cards_due", "R23", "n", "given")
NAMED_FIRST = _reason("named_first", "R23", "palace")
NOT_IN_STACK = _reason("not_in_stack", "R24", "palace")

REASONS: tuple[Reason, ...] = tuple(_REASONS)
"""By number: why a move can be refused."""

DRAW = -1
"""In place of an action's kind: cards come."""


@rule
def wrong_moment(state: State, kind: int) -> tuple[int, int]:
    """Why an action of a kind, or `DRAW`, can't come now, whatever its details; and a seat from 1.

    `NONE` where it can.
    """
    if state.phase == OVER:
        return _over(state)
    if kind == DRAW:
        if state.phase == DEALING or state.phase == DRAWING:
            return NONE, NO_NUMBER
        return NO_DRAW_WHILE_PLACING if state.phase == PLACING else NO_DRAW_DUE, NO_NUMBER
    if state.phase == DEALING:
        return DEAL_FIRST, state.seat + 1
    if state.phase == DRAWING:
        return DRAW_AFTER_ACTIONS if state.acted else DRAW_AFTER_NONE, NO_NUMBER
    placement = kind in (PLACE, PLACE_NEUTRAL)
    if state.phase == PLACING and not placement:
        return PLACE_FIRST, NO_NUMBER
    if state.phase == TURN and placement:
        return ALL_PLACED, NO_NUMBER
    return NONE, NO_NUMBER


@rule
def _over(state: State) -> tuple[int, int]:
    if state.winner >= 0:
        return OVER_WON, state.winner + 1
    thieves = 0
    for seat in range(4):
        thieves += state.stock[seat]
    return OVER_DEAD if state.rob == 1 and thieves == 0 else OVER_STALEMATE, NO_NUMBER


@rule
def refusal(state: State, action: Action) -> tuple[int, int, int]:
    """Why an action that is not legal is refused: the reason, a palace, a number."""
    kind, palace = MEANING[action, KIND], MEANING[action, PALACE]
    reason, number = wrong_moment(state, kind)
    if reason != NONE:
        return reason, NO_PALACE, number
    if kind in (PLACE, PLACE_NEUTRAL):
        return _placement(state, kind == PLACE_NEUTRAL), palace, NO_NUMBER
    if kind == END:
        return NOTHING_DONE, NO_PALACE, NO_NUMBER
    if kind == NAME:
        return _naming(state), NO_PALACE, NO_NUMBER
    if kind == PASS:
        return SOMETHING_DONE if state.acted else SUPPLY_EMPTY, NO_PALACE, NO_NUMBER
    return _turn_action(state, action)


@rule
def _placement(state: State, neutral: bool) -> int:
    if neutral and state.variant == 0:
        return STANDARD_VARIANT
    if state.unplaced[state.seat, 1 if neutral else 0] == 0:
        return NO_NEUTRAL_LEFT if neutral else NO_OWN_LEFT
    return NO_FREE_FIELD


@rule
def _naming(state: State) -> int:
    if state.spare == 0:
        return NAME_BY_STACK
    if state.acted:
        return SOMETHING_DONE
    return NAME_WITH_DANCERS if state.dancers > 0 else NOTHING_TO_NAME


@rule
def _turn_action(state: State, action: Action) -> tuple[int, int, int]:
    kind, seat = MEANING[action, KIND], state.seat
    here, there = MEANING[action, PALACE], MEANING[action, TO]
    own, guards = state.guards[here, seat], guards_at(state, here)
    if kind in (SMUGGLE, CARRY) and state.thief_actions >= THIEF_ACTIONS:
        return THREE_THIEF_ACTIONS, NO_PALACE, NO_NUMBER
    if kind == MOVE_NEUTRAL:
        if state.guards[here, NEUTRAL] == 0:
            return NO_NEUTRAL_GUARD, here, NO_NUMBER
    elif own == 0:
        return NO_OWN_GUARD + kind - SMUGGLE, here, NO_NUMBER
    if kind == SMUGGLE:
        foreign = guards - own
        if foreign == 0:
            return NO_FOREIGN_GUARD, here, NO_NUMBER
        if state.stock[seat] == 0:
            return NO_THIEF_AT_HOME, NO_PALACE, NO_NUMBER
        if MEANING[action, PAYS] + MEANING[action, PAYS_DANCERS] != foreign:
            return SMUGGLE_COST, here, foreign
    else:
        if kind == CARRY and state.thieves[here, seat] == 0:
            return NO_OWN_THIEF, here, NO_NUMBER
        if guards_at(state, there) >= GUARD_FIELDS:
            return FULL_FROM_R13 + kind - SMUGGLE - 1, there, NO_NUMBER
    if state.hands[seat, here] < MEANING[action, PAYS]:
        return TOO_FEW_CARDS + kind - SMUGGLE, here, MEANING[action, PAYS]
    if state.hands[seat, there] < MEANING[action, PAYS_TO]:
        return TOO_FEW_CARDS + kind - SMUGGLE, there, MEANING[action, PAYS_TO]
    return TOO_FEW_DANCERS, NO_PALACE, MEANING[action, PAYS_DANCERS]


@rule
def try_draw(state: State, cards: npt.NDArray[Any], promised: int) -> tuple[int, int, int]:
    """Carry out the pending chance step with these cards; `NONE` where they could come.

    Otherwise why not, as `refusal` says it, and the state is left in the middle of it. `promised`
    is how many cards a full stack would have brought, -1 where that is not known.
    """
    reason, number = wrong_moment(state, DRAW)
    if reason != NONE:
        return reason, NO_PALACE, number
    for card in cards:
        if card == DANCER:
            return DANCER_DRAWN, NO_PALACE, NO_NUMBER
    if len(cards) != state.due:
        return _cards_due(state, promised), NO_PALACE, state.due
    refill(state)
    for card in cards:
        named = named_card(state)
        if named >= 0 and card != named:
            return NAMED_FIRST, named, NO_NUMBER
        if state.deck[card] == 0:
            return NOT_IN_STACK, card, NO_NUMBER
        reveal(state, card)
    settle(state)
    return NONE, NO_PALACE, NO_NUMBER


@rule
def _cards_due(state: State, promised: int) -> int:
    """Which rule says how many cards come now."""
    if state.phase == DEALING:
        return CARDS_DEALT
    if state.due < (CARDS_AFTER_ACTIONS if promised < 0 else promised):
        return CARDS_RUN_OUT
    return CARDS_AFTER_AN_ACTION if state.acted else CARDS_AFTER_A_PASS
