"""From a state to what a seat may know of it, and back to a state that it could be.

The list of what a view holds is in `views`: what is not copied here stays hidden.
"""

from .compiled import rule
from .dealer import Rng, below, card_at
from .material import CARDS_OF_A_PALACE, DANCER, Seat
from .state import Public, State
from .views import ViewFields


@rule
def fill_view(state: State, viewer: Seat, view: ViewFields) -> None:
    """Fill `view` with what `viewer`, or a spectator (-1), may know (R7, R26)."""
    _copy_public(state, view)
    view.viewer = viewer
    view.deck_size = 0
    for card in range(6):
        view.deck_size += state.deck[card]
    for card in range(7):
        view.hand[card] = state.hands[viewer, card] if viewer >= 0 else 0
    for seat in range(4):
        view.hand_dancers[seat] = state.hands[seat, DANCER]
        view.hand_sizes[seat] = 0
        for card in range(7):
            view.hand_sizes[seat] += state.hands[seat, card]


@rule
def determinize(view: ViewFields, rng: Rng, state: State) -> None:
    """Fill `state` with a position that `view` can't tell from the true one.

    The palace cards that the viewer does not see go at random to the other hands and the stack.
    """
    _copy_public(view, state)
    for card in range(6):
        state.deck[card] = CARDS_OF_A_PALACE - view.discard[card] - view.hand[card]
    for seat in range(4):
        for card in range(7):
            state.hands[seat, card] = view.hand[card] if seat == view.viewer else 0
    unseen = 0
    for card in range(6):
        unseen += state.deck[card]
    for seat in range(view.players):
        if seat != view.viewer:
            state.hands[seat, DANCER] = view.hand_dancers[seat]
            for _ in range(view.hand_sizes[seat] - view.hand_dancers[seat]):
                card = card_at(state.deck, below(rng, unseen))
                state.deck[card] -= 1
                state.hands[seat, card] += 1
                unseen -= 1


@rule
def _copy_public(source: Public, target: Public) -> None:
    """Copy the fields that are on the table for everybody to see: `views.PUBLIC`."""
    for palace in range(6):
        for owner in range(5):
            target.guards[palace, owner] = source.guards[palace, owner]
        for seat in range(4):
            target.thieves[palace, seat] = source.thieves[palace, seat]
        target.chests[palace] = source.chests[palace]
        target.discard[palace] = source.discard[palace]
    for seat in range(4):
        target.stock[seat] = source.stock[seat]
        target.loot[seat] = source.loot[seat]
        target.first_hands[seat] = source.first_hands[seat]
        target.unplaced[seat, 0] = source.unplaced[seat, 0]
        target.unplaced[seat, 1] = source.unplaced[seat, 1]
    target.dancers = source.dancers
    target.players = source.players
    target.variant = source.variant
    target.rob = source.rob
    target.seen = source.seen
    target.spare = source.spare
    target.phase = source.phase
    target.seat = source.seat
    target.acted = source.acted
    target.thief_actions = source.thief_actions
    target.due = source.due
    target.named = source.named
    target.idle = source.idle
    target.winner = source.winner
    target.turn = source.turn
