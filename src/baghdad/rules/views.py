"""What a seat may know of a game, for callers in Python; `engine.views` lists what that is."""

from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from baghdad.jit.lazy import LazyModule
from baghdad.rules.engine.material import (
    CARDS_OF_A_PALACE,
    HANDS,
    ROBS,
    SPARES,
    VARIANTS,
    Card,
    Palace,
    Seat,
)
from baghdad.rules.engine.state import STATE, Public, State
from baghdad.rules.engine.views import SPECTATOR, VIEW, ViewFields, to_move

from .options import Options

if TYPE_CHECKING:
    from baghdad.rules.engine.dealer import Rng

    from .engine import visibility

else:
    visibility = LazyModule("baghdad.rules.engine.visibility")


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A position as one seat sees it, or a spectator. It can't be changed.

    >>> from baghdad import Game
    >>> view = Game(players=2, seed=1, hands="seen").view(0)
    >>> view.hand, view.hand_sizes, view.deck_size
    ((0, 1, 0, 2, 2, 1, 0), (6, 7), 89)

    `fields` has everything, and `baghdad.rules.engine.state.FIELDS` says what each field counts:

    >>> view.fields.chests.tolist()
    [4, 4, 4, 4, 4, 4]
    >>> view.fields.thieves[:, view.viewer].tolist()
    [0, 0, 0, 0, 0, 0]
    """

    fields: ViewFields
    """All fields, read-only, named as in `engine.views.VIEW`: for compiled bots and networks."""

    @property
    def viewer(self) -> Seat | None:
        """The seat that looks; None for a spectator."""
        return None if self.fields.viewer == SPECTATOR else int(self.fields.viewer)

    @property
    def options(self) -> Options:
        return options_of(self.fields)

    @property
    def to_move(self) -> Seat | None:
        """The seat that decides, `CHANCE`, or None when the game is over."""
        return to_move(self.fields)

    @property
    def hand(self) -> tuple[int, ...]:
        """The viewer's cards by palace, dancers last."""
        return tuple(self.fields.hand.tolist())

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """By seat: cards in the hand, dancers included."""
        return tuple(self.fields.hand_sizes[: self.fields.players].tolist())

    @property
    def hand_dancers(self) -> tuple[int, ...]:
        """By seat: dancers in the hand."""
        return tuple(self.fields.hand_dancers[: self.fields.players].tolist())

    @property
    def deck_size(self) -> int:
        return int(self.fields.deck_size)

    def unseen(self, palace: Card) -> int:
        """Cards of a palace that are in the stack or in the others' hands."""
        return CARDS_OF_A_PALACE - int(self.fields.discard[palace]) - int(self.fields.hand[palace])

    def price(self, palace: Palace) -> int | None:
        """Cards that the viewer pays to smuggle a thief in (R12); None where guards don't let it.

        >>> from baghdad import Game
        >>> game = Game(players=2)
        >>> for token in ["@R", "@R", "@G"]: game.play(token)
        >>> [game.view(0).price(palace) for palace in (0, 1, 2)]
        [2, 1, None]
        """
        guards = self.fields.guards[palace].tolist()
        own = 0 if self.viewer is None else guards[self.viewer]
        foreign = sum(guards) - own
        return foreign if own and foreign else None

    def determinize(self, rng: "Rng") -> State:
        """A full state that this view can't tell from the true one; unseen cards at random."""
        states = np.zeros(1, STATE)
        state: State = states[0]
        visibility.determinize(self.fields, rng, state)
        return state

    def __bytes__(self) -> bytes:
        return self.fields.tobytes()

    def __reduce__(self) -> tuple[Any, ...]:
        return view_from_bytes, (bytes(self),)

    def __copy__(self) -> "View":
        return self

    def __deepcopy__(self, memo: object) -> "View":
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and bytes(self) == bytes(other)

    def __hash__(self) -> int:
        return hash(bytes(self))


def options_of(record: Public) -> Options:
    players = int(record.players)
    return Options(
        players,
        VARIANTS[record.variant],
        ROBS[record.rob],
        HANDS[record.seen],
        SPARES[record.spare],
        tuple(record.first_hands[:players].tolist()),
    )


def view_of(state: State, viewer: Seat | None) -> View:
    """What `viewer` may know of a state; nobody's own cards for a spectator (None).

    >>> from baghdad.rules.setup import new_states
    >>> view_of(new_states(Options(players=2))[0], 3)
    Traceback (most recent call last):
    ValueError: seat: 0 to 1, or None to look on, not 3
    """
    players = int(state["players"])
    if viewer is not None and (isinstance(viewer, bool) or viewer not in range(players)):
        raise ValueError(f"seat: 0 to {players - 1}, or None to look on, not {viewer!r}")
    views = np.zeros(1, VIEW)
    visibility.fill_view(state, SPECTATOR if viewer is None else index(viewer), views[0])
    views.flags.writeable = False
    return View(views[0])


def view_from_bytes(data: bytes) -> View:
    """The view that `bytes(view)` was."""
    return View(np.frombuffer(data, VIEW)[0])
