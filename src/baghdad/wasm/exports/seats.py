"""What a seat may know of a game."""

from baghdad.rules.engine import observation, visibility

from .export import export
from .layouts import MaskAt, ObservationAt, RngAt, RowsAt, StateAt, ViewAt


@export
def fill_view(state: StateAt, viewer: int, view: ViewAt) -> None:
    """Write what a seat may know, or a spectator (-1)."""
    visibility.fill_view(state, viewer, view)


@export
def determinize(view: ViewAt, rng: RngAt, state: StateAt) -> None:
    """Write a state that the view can't tell from the true one; unseen cards are random."""
    visibility.determinize(view, rng, state)


@export
def observe(state: StateAt, observer: int, row: ObservationAt) -> None:
    """Write what a seat may know as a row of small numbers, for a network."""
    observation.observe(state, observer, row)


@export
def write_mask(state: StateAt, observer: int, rows: RowsAt, mask: MaskAt) -> None:
    """Write what a seat may do now; nothing where it is not its turn."""
    observation.write_mask(state, observer, rows, mask)
