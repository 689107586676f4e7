"""Games as they begin, by the options that were agreed on."""

from typing import TYPE_CHECKING

import numpy as np

from baghdad.jit.lazy import LazyModule
from baghdad.rules.engine.material import HANDS, ROBS, SPARES, VARIANTS
from baghdad.rules.engine.state import STATE, States

from .options import Options

if TYPE_CHECKING:
    from .engine import entry
else:
    entry = LazyModule("baghdad.rules.engine.entry")


def new_states(options: Options, count: int = 1) -> States:
    """`count` games as they begin (R1 to R8), before any guard is placed.

    >>> states = new_states(Options(players=3), 2)
    >>> states[0].deck.tolist(), states[0].unplaced[:3, 0].tolist()
    ([17, 17, 17, 17, 17, 17], [3, 3, 3])
    >>> STATE.itemsize <= 160
    True
    """
    states = np.zeros(1, STATE)
    entry.lay_out(states, *choices_of(options), np.array(options.deal, np.int8))
    return states.repeat(count)


def choices_of(options: Options) -> tuple[int, int, int, int, int]:
    """Players, variant, rob, hands and spare as numbers, as a state keeps them."""
    return (
        options.players,
        VARIANTS.index(options.variant),
        ROBS.index(options.rob),
        HANDS.index(options.hands),
        SPARES.index(options.spare),
    )
