"""Why a move is refused: the rule that it breaks, for every action that is not legal."""

from collections.abc import Sequence

from baghdad.rules.engine.actions import (
    ACTIONS,
    CARRY,
    END,
    MOVE,
    MOVE_NEUTRAL,
    NAME,
    PASS,
    PLACE,
    PLACE_NEUTRAL,
    SMUGGLE,
    Action,
    Meaning,
)
from baghdad.rules.engine.material import (
    CARDS_AFTER_ACTIONS,
    DANCER,
    DEALING,
    DRAWING,
    GUARD_FIELDS,
    NEUTRAL,
    OVER,
    PALACE_LETTERS,
    PLACING,
    THIEF_ACTIONS,
    TURN,
    Card,
)
from baghdad.rules.engine.state import State

from .errors import IllegalMoveError, MoveError, OutOfTurnError

RULE_OF = {SMUGGLE: "R12", MOVE: "R13", CARRY: "R14", MOVE_NEUTRAL: "R15"}


def wrong_moment(state: State, kind: int | None) -> OutOfTurnError | None:
    """Why an action of a kind, or a draw (None), can't come now, whatever its details."""
    if state.phase == OVER:
        if state.winner >= 0:
            return OutOfTurnError("over_won", "R21", seat=int(state.winner) + 1)
        dead = state.rob == 1 and state.stock.sum() == 0
        return OutOfTurnError("over_dead" if dead else "over_stalemate", "R27")
    if kind is None:
        if state.phase in (DEALING, DRAWING):
            return None
        return OutOfTurnError("no_draw_due", "R6" if state.phase == PLACING else "R9")
    if state.phase == DEALING:
        return OutOfTurnError("deal_first", "R7", seat=int(state.seat) + 1)
    if state.phase == DRAWING:
        return OutOfTurnError("draw_first", "R22" if state.acted else "R23")
    placement = kind in (PLACE, PLACE_NEUTRAL)
    if state.phase == PLACING and not placement:
        return OutOfTurnError("place_first", "R6")
    if state.phase == TURN and placement:
        return OutOfTurnError("all_placed", "R6")
    return None


def refusal(state: State, action: Action) -> MoveError:
    """Why an action that is not legal is refused."""
    meaning = ACTIONS[action]
    error = wrong_moment(state, meaning.kind)
    if error:
        return error
    if meaning.kind in (PLACE, PLACE_NEUTRAL):
        return _placement(state, meaning)
    if meaning.kind == END:
        return IllegalMoveError("nothing_done", "R23")
    if meaning.kind == NAME:
        return _naming(state)
    if meaning.kind == PASS:
        return IllegalMoveError(
            *(("something_done", "R22") if state.acted else ("supply_empty", "R23"))
        )
    return _turn_action(state, meaning)


def _naming(state: State) -> MoveError:
    if state.spare == 0:
        return IllegalMoveError("name_by_stack", "R23")
    if state.acted:
        return IllegalMoveError("something_done", "R22")
    return IllegalMoveError("name_with_dancers" if state.dancers else "nothing_to_name", "R23")


def _placement(state: State, placing: Meaning) -> MoveError:
    neutral = placing.kind == PLACE_NEUTRAL
    if neutral and state.variant == 0:
        return IllegalMoveError("standard_variant", "R8")
    if state.unplaced[state.seat, int(neutral)] == 0:
        return IllegalMoveError("no_neutral_left" if neutral else "no_own_left", "R8")
    return IllegalMoveError("full", "R6", palace=PALACE_LETTERS[placing.palace])


def _turn_action(state: State, action: Meaning) -> MoveError:
    rule, seat = RULE_OF[action.kind], state.seat
    here, there = PALACE_LETTERS[action.palace], PALACE_LETTERS[action.to]
    own = state.guards[action.palace, seat]
    guards = int(state.guards[action.palace].sum())
    if action.kind in (SMUGGLE, CARRY) and state.thief_actions >= THIEF_ACTIONS:
        return IllegalMoveError("three_thief_actions", "R11")
    if action.kind == MOVE_NEUTRAL:
        if state.guards[action.palace, NEUTRAL] == 0:
            return IllegalMoveError("no_neutral_guard", rule, palace=here)
    elif own == 0:
        return IllegalMoveError("no_own_guard", rule, palace=here)
    if action.kind == SMUGGLE:
        foreign = guards - int(own)
        if foreign == 0:
            return IllegalMoveError("no_foreign_guard", rule, palace=here)
        if state.stock[seat] == 0:
            return IllegalMoveError("no_thief_at_home", rule)
        if action.pays + action.pays_dancers != foreign:
            return IllegalMoveError("smuggle_cost", rule, palace=here, n=foreign)
    else:
        if action.kind == CARRY and state.thieves[action.palace, seat] == 0:
            return IllegalMoveError("no_own_thief", rule, palace=here)
        if state.guards[action.to].sum() >= GUARD_FIELDS:
            return IllegalMoveError("full", rule, palace=there)
    return _payment(state, action, rule)


def _payment(state: State, action: Meaning, rule: str) -> MoveError:
    hand = state.hands[state.seat]
    for palace, cards in ((action.palace, action.pays), (action.to, action.pays_to)):
        if hand[palace] < cards:
            return IllegalMoveError("too_few_cards", rule, palace=PALACE_LETTERS[palace], n=cards)
    return IllegalMoveError("too_few_dancers", "R17", n=action.pays_dancers)


def draw_refusal(state: State, cards: Sequence[Card], promised: int | None) -> MoveError:
    """Why these cards, which can't come in this order now, are refused.

    `promised` says how many a full stack would have brought, where that is known.
    """
    error = wrong_moment(state, None)
    if error:
        return error
    if DANCER in cards:
        return IllegalMoveError("dancer_drawn", "R2")
    due = int(state.due)
    if len(cards) != due:
        return IllegalMoveError("cards_due", _draw_rule(state, promised), n=due, given=len(cards))
    stack, discard = state.deck.tolist(), state.discard.tolist()
    named = int(state.named)
    for card in cards:
        if not any(stack):
            stack, discard = discard, stack
        if named >= 0 and stack[named] and card != named:
            return IllegalMoveError("named_first", "R23", palace=PALACE_LETTERS[named])
        named = -1
        if stack[card] == 0:
            return IllegalMoveError("not_in_stack", "R24", palace=PALACE_LETTERS[card])
        stack[card] -= 1
    raise AssertionError("these cards can come")


def _draw_rule(state: State, promised: int | None) -> str:
    """The rule that says how many cards come now."""
    if state.phase == DEALING:
        return "R7"
    if state.due < (CARDS_AFTER_ACTIONS if promised is None else promised):
        return "R25"
    return "R22" if state.acted else "R23"
