"""Opponents: each decides in slices of some milliseconds, between which others have their turn."""

from typing import Annotated, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from baghdad.bots.neural.trunk import NAMES, take_in
from baghdad.bots.neural.twin import MOST_NUMBERS
from baghdad.bots.search.tactician import MAX_DEPTH
from baghdad.wasm.minds import mind as minds
from baghdad.wasm.minds.block import Block
from baghdad.wasm.minds.level import LEVEL

from .export import Cells, Record, export
from .layouts import RngAt, ViewAt

MindAt: TypeAlias = Annotated[Block, Cells("Mind", np.uint8, minds.SIZE)]
LevelAt: TypeAlias = Annotated[Any, Record("Level", LEVEL)]
ActionsAt: TypeAlias = Annotated[npt.NDArray[Any], Cells("Actions", np.int16, MAX_DEPTH)]
HalvesAt: TypeAlias = Annotated[npt.NDArray[Any], Cells("Halves", np.uint16, "count")]
StartsAt: TypeAlias = Annotated[npt.NDArray[Any], Cells("Starts", np.int32, len(NAMES))]


@export
def set_network(mind: MindAt, halves: HalvesAt, count: int, starts: StartsAt, version: int) -> bool:
    """Give a mind its network: numbers of half precision, as `neural.bin` has them after its first
    line, where each array of `ARRAYS` begins among them, and the version of the observation that it
    reads. Returns whether they fit."""
    network = minds.find(mind).network
    if count > MOST_NUMBERS or version < 1 or version > 2:
        return False
    take_in(halves, starts, network.trunk)
    network.version[0] = version
    return True


@export
def begin_decision(
    mind: MindAt, view: ViewAt, level: LevelAt, seconds: float, simulations: int, rng: RngAt
) -> None:
    """Start to decide for the view's seat; time or simulations under 0 are not limited.

    The view stays as it is until the decision is there; `rng` is its only chance.
    """
    minds.begin(view, level, seconds, simulations, rng, mind)


@export
def begin_chance(mind: MindAt, view: ViewAt, level: LevelAt, rng: RngAt) -> None:
    """Start to ask how likely the view's seat thinks that it is to win, whoever's turn it is."""
    minds.begin_chance(view, level, rng, mind)


@export
def advance(mind: MindAt, view: ViewAt, level: LevelAt, now: float, rng: RngAt) -> int:
    """Go on for some milliseconds with what was begun `now` seconds ago; returns 1 as long as there
    is more to do, then 0."""
    return minds.advance(view, level, now, rng, mind)


@export
def decision(mind: MindAt, actions: ActionsAt) -> int:
    """Write the actions that were decided on, to be played one after another; returns how many."""
    return minds.decision(mind, actions)


@export
def chance(mind: MindAt) -> float:
    """How likely the seat thinks that it is to win. A bot agrees to end a game below 0.03 (R28)."""
    found: float = minds.find(mind).stand[0].chance
    return found
