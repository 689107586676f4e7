"""How likely every seat is to win, and what of a game was luck."""

from typing import Annotated, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from baghdad.analysis.engine import ledger
from baghdad.analysis.engine.ledger import MOST_TURNING_POINTS, STEP
from baghdad.bots.neural.sight import OUTCOMES
from baghdad.bots.neural.trunk import take_in
from baghdad.bots.value.seats import Chances
from baghdad.bots.value.twin import NUMBERS, OPEN
from baghdad.wasm.minds import oracle as oracles
from baghdad.wasm.minds.block import Block

from .export import Cells, Record, Records, export
from .layouts import RngAt, StateAt
from .minds import HalvesAt, StartsAt

OracleAt: TypeAlias = Annotated[Block, Cells("Oracle", np.uint8, oracles.SIZE)]
ToldAt: TypeAlias = Annotated[Chances, Cells("Told", np.float64, oracles.TOLD)]
ValuesAt: TypeAlias = Annotated[Chances, Cells("Values", np.float64, "numbers")]
KindsAt: TypeAlias = Annotated[npt.NDArray[Any], Cells("Kinds", np.int8, "count")]
StepsAt: TypeAlias = Annotated[Any, Records(Record("Step", STEP), "count")]
PointsAt: TypeAlias = Annotated[npt.NDArray[Any], Cells("Points", np.int32, MOST_TURNING_POINTS)]


@export
def set_value_network(
    oracle: OracleAt, kind: int, halves: HalvesAt, count: int, starts: StartsAt
) -> bool:
    """Give an oracle one of its networks, as `set_network` does: 0 sees what one seat does, 1 all
    hands. An array that such networks don't have begins anywhere. Returns whether they fit."""
    if kind < 0 or kind > OPEN or count != NUMBERS[kind]:
        return False
    networks = oracles.find(oracle).networks
    take_in(halves, starts, networks.open if kind == OPEN else networks.eyes)
    return True


@export
def look_at(oracle: OracleAt, state: StateAt, told: ToldAt) -> None:
    """Write who wins from a position: by seat and nobody, with all hands open, then each seat's own
    chance as it sees it."""
    oracles.look_at(state, told, oracle)


@export
def begin_mean(oracle: OracleAt, state: StateAt, rng: RngAt) -> None:
    """Start to ask for the mean of what may come of a position in which cards come next."""
    oracles.begin_mean(state, rng, oracle)


@export
def advance_mean(oracle: OracleAt) -> int:
    """Go on for some milliseconds; returns 1 as long as there is more to do, then 0."""
    return oracles.advance(oracle)


@export
def mean(oracle: OracleAt, told: ToldAt) -> None:
    """Write the mean: by seat and nobody, with all hands open."""
    oracles.tell_mean(told, oracle)


@export
def write_steps(
    values: ValuesAt, numbers: int, kinds: KindsAt, seats: KindsAt, count: int, steps: StepsAt
) -> int:
    """Write what each draw, and each seat's decisions in between, were worth: `values` has five
    numbers a moment, of one moment more than there are tokens; a kind is 0 for a decision, 1 for cards, 2 for an
    end without a move. Returns how many steps there are."""
    found: int = ledger.write_steps(
        values.reshape(numbers // OUTCOMES, OUTCOMES), kinds, seats, count, steps
    )
    return found


@export
def find_turning_points(steps: StepsAt, count: int, points: PointsAt) -> int:
    """Write which steps are turning points, the largest first; returns how many."""
    return ledger.find_turning_points(steps, count, points)
