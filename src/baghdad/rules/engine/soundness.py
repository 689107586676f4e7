"""Whether a position that somebody brings is one that a game can go on from."""

from .compiled import rule
from .material import (
    CARDS_AFTER_NONE,
    CARDS_OF_A_PALACE,
    CHESTS,
    CHESTS_TO_WIN,
    DANCER,
    DANCERS,
    DEALING,
    DRAWING,
    GUARD_FIELDS,
    GUARDS_OF_A_PLAYER,
    NEUTRAL,
    NEUTRALS_TO_PLACE,
    OVER,
    OWNERS,
    PLACING,
    THIEVES,
    TURN,
    Seat,
)
from .state import State
from .steps import cards_there

PARTS = (
    "hands",
    "dancers",
    "guards",
    "thieves",
    "unplaced",
    "chests",
    "loot",
    "winner",
    "to_move",
    "turn",
    "acted",
    "due",
    "named",
)
"""What can be wrong with a position, by number."""
(
    HANDS_WRONG,
    DANCERS_WRONG,
    GUARDS_WRONG,
    THIEVES_WRONG,
    UNPLACED_WRONG,
    CHESTS_WRONG,
    LOOT_WRONG,
    WINNER_WRONG,
    TO_MOVE_WRONG,
    TURN_WRONG,
    ACTED_WRONG,
    DUE_WRONG,
    NAMED_WRONG,
) = range(len(PARTS))
SOUND = -1


@rule
def seat_in_turn(state: State) -> Seat:
    """The seat whose turn it is (R5), or the first one without cards while they are dealt; or -1.

    Guards are placed in turn, too, but by whom is not to be seen.
    """
    if state.phase != DEALING:
        return state.turn % state.players
    for seat in range(state.players):
        cards = 0
        for card in range(7):
            cards += state.hands[seat, card]
        if cards == 0:
            return seat
    return -1


@rule
def wrong_part(state: State) -> int:
    """Which part of a position is wrong, `SOUND` where none is. No number is under 0.

    Counts may be as large as their fields: sums are made of Python's own numbers.
    """
    part = _wrong_cards(state)
    if part == SOUND:
        part = _wrong_pieces(state)
    if part == SOUND and state.phase != OVER:  # it may have ended in the middle of anything
        part = _wrong_moment(state)
    return part


@rule
def _wrong_cards(state: State) -> int:
    """Every card is somewhere, once (R2, R3)."""
    for card in range(6):
        cards = int(state.deck[card]) + int(state.discard[card])
        for seat in range(4):
            cards += int(state.hands[seat, card])
        if cards != CARDS_OF_A_PALACE:
            return HANDS_WRONG
    dancers = int(state.dancers)
    for seat in range(4):
        dancers += int(state.hands[seat, DANCER])
    return SOUND if dancers == DANCERS else DANCERS_WRONG


@rule
def _wrong_pieces(state: State) -> int:
    """Every guard, thief and chest is somewhere, once (R1, R8)."""
    for palace in range(6):
        guards = 0
        for owner in range(OWNERS):
            guards += int(state.guards[palace, owner])
        if guards > GUARD_FIELDS:
            return GUARDS_WRONG
    for seat in range(state.players, 4):
        for palace in range(6):
            if state.guards[palace, seat] != 0 or state.thieves[palace, seat] != 0:
                return GUARDS_WRONG
    neutrals = 0
    for seat in range(state.players):
        guards, thieves = int(state.unplaced[seat, 0]), int(state.stock[seat])
        for palace in range(6):
            guards += int(state.guards[palace, seat])
            thieves += int(state.thieves[palace, seat])
        if thieves != THIEVES or state.stock[seat] < 0:
            return THIEVES_WRONG
        if guards != GUARDS_OF_A_PLAYER[state.players]:
            return UNPLACED_WRONG
        neutrals += int(state.unplaced[seat, 1])
    for palace in range(6):
        neutrals += int(state.guards[palace, NEUTRAL])
    if neutrals != (NEUTRALS_TO_PLACE * state.players if state.variant else 6):
        return UNPLACED_WRONG
    return _wrong_chests(state)


@rule
def _wrong_chests(state: State) -> int:
    chests = 0
    for palace in range(6):
        if state.chests[palace] > CHESTS:
            return CHESTS_WRONG
        chests += int(state.chests[palace])
    for seat in range(4):
        chests += int(state.loot[seat])
        if state.loot[seat] > CHESTS_TO_WIN[state.players]:
            return LOOT_WRONG
    return SOUND if chests == 6 * CHESTS else LOOT_WRONG


@rule
def _wrong_moment(state: State) -> int:
    """What is under way can go on."""
    begun = state.phase in (TURN, DRAWING)
    if state.winner >= 0:
        return WINNER_WRONG
    part = _wrong_placing(state)
    if part != SOUND:
        return part
    if not begun and state.turn > 0:
        return TURN_WRONG
    if not begun and (state.acted or state.thief_actions > 0):
        return ACTED_WRONG
    least, most, cards = 0, 0, int(cards_there(state))
    if state.phase == DEALING:
        least = most = int(state.first_hands[state.seat])
    elif state.phase == DRAWING:
        least, most = min(1, cards), CARDS_AFTER_NONE
    if not least <= state.due <= min(most, cards):
        return DUE_WRONG
    return NAMED_WRONG if state.phase != DRAWING and state.named >= 0 else SOUND


@rule
def _wrong_placing(state: State) -> int:
    """Guards are placed one by one, from the first seat on, and by all before the first turn."""
    full = GUARDS_OF_A_PLAYER[state.players] + (NEUTRALS_TO_PLACE if state.variant else 0)
    most = 0
    for seat in range(state.players):
        left = int(state.unplaced[seat, 0]) + int(state.unplaced[seat, 1])
        most = max(most, left)
        # Hands that are seen while guards are placed are dealt before that, others after it (R7).
        if state.phase == DEALING and left != (full if state.seen else 0):
            return UNPLACED_WRONG
    if state.phase != DEALING and (most > 0) != (state.phase == PLACING):
        return UNPLACED_WRONG
    if state.phase == PLACING:
        for seat in range(state.players):
            left = int(state.unplaced[seat, 0]) + int(state.unplaced[seat, 1])
            if left != most - (1 if seat < state.seat else 0):
                return TO_MOVE_WRONG
    return SOUND
