"""How likely every seat is to win, and what of a game was luck."""

from typing import Annotated, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from baghdad.analysis.engine import ledger
from baghdad.analysis.engine.ledger import MOST_TURNING_POINTS, STEP
from baghdad.bots.neural.trunk import take_in
from baghdad.bots.neural.twin import MOST_NUMBERS
from baghdad.bots.value.seats import Chances
from baghdad.bots.value.twin import EYES, NUMBERS, OPEN
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
def set_oracle_network(
    oracle: OracleAt, kind: int, halves: HalvesAt, count: int, starts: StartsAt, version: int
) -> bool:
    """Give an oracle one of its networks, as `set_network` does: 0 sees what one seat does, 1 all
    hands, 2 is that of a mind. Where an array begins that the network does not have is not read.
    Returns whether they fit."""
    found = oracles.find(oracle)
    if kind <= OPEN:
        if kind < EYES or count != NUMBERS[kind]:
            return False
        networks = found.networks
        take_in(halves, starts, networks.open if kind == OPEN else networks.eyes)
        return True
    if count > MOST_NUMBERS or version < 1 or version > 2:
        return False
    take_in(halves, starts, found.policy.trunk)
    found.policy.version[0] = version
    return True


@export
def look_at(oracle: OracleAt, state: StateAt, rng: RngAt, told: ToldAt) -> None:
    """Write who wins from a position: by seat and nobody, with all hands open, then each seat's own
    chance as it sees it. Chance is needed where some seats have their first hands already."""
    oracles.look_at(state, rng, told, oracle)


@export
def begin_draw(oracle: OracleAt, before: StateAt, came: StateAt, rng: RngAt) -> None:
    """Start to look at cards: the position before they came, and after."""
    oracles.begin_draw(before, came, rng, oracle)


@export
def advance_draw(oracle: OracleAt) -> int:
    """Go on for some milliseconds; returns 1 as long as there is more to do, then 0."""
    return oracles.advance(oracle)


@export
def draw_worth(oracle: OracleAt, told: ToldAt) -> None:
    """Write what the position was worth before the cards came, by seat and nobody; and after."""
    oracles.tell_draw(told, oracle)


@export
def write_steps(
    values: ValuesAt, numbers: int, kinds: KindsAt, seats: KindsAt, count: int, steps: StepsAt
) -> int:
    """Write what each draw, and each seat's decisions in between, were worth: `values` has five
    numbers a moment, of one moment more than there are tokens; a kind is 0 for a decision, 1 for
    cards, 2 for an end without a move. Returns how many steps there are."""
    return ledger.write_steps(values, kinds, seats, count, steps)


@export
def find_turning_points(steps: StepsAt, count: int, points: PointsAt) -> int:
    """Write which steps are turning points, the largest first; returns how many."""
    return ledger.find_turning_points(steps, count, points)
