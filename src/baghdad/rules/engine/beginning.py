"""A game as it begins (R1 to R8)."""

from .compiled import rule
from .material import (
    CARDS_OF_A_PALACE,
    CHESTS,
    DANCERS,
    DEALING,
    GUARDS_OF_A_PLAYER,
    NEUTRAL,
    NEUTRALS_TO_PLACE,
    PLACING,
    THIEVES,
)
from .state import Counts, State


@rule
def lay_out(
    state: State, players: int, variant: int, rob: int, seen: int, spare: int, first_hands: Counts
) -> None:
    """Lay everything out, before any guard is placed, in a state that is all zeros.

    Options are their places in `VARIANTS`, `ROBS`, `HANDS` and `SPARES`; `first_hands` [players].
    """
    for palace in range(6):
        state.guards[palace, NEUTRAL] = 1 - variant
        state.chests[palace] = CHESTS
        state.deck[palace] = CARDS_OF_A_PALACE
    state.dancers = DANCERS
    for seat in range(players):
        state.stock[seat] = THIEVES
        state.unplaced[seat, 0] = GUARDS_OF_A_PLAYER[players]
        state.unplaced[seat, 1] = NEUTRALS_TO_PLACE if variant else 0
        state.first_hands[seat] = first_hands[seat]
    state.players = players
    state.variant = variant
    state.rob = rob
    state.seen = seen
    state.spare = spare
    state.phase = DEALING if seen else PLACING
    state.due = first_hands[0] if seen else 0
    state.named = -1
    state.winner = -1
