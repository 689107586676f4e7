"""The analyst in a mind's memory: what opponents think with thinks for it, too.

`begin_judgement` or `begin_explanation` starts; `advance` goes on for some milliseconds, again and
again until it returns `DONE`.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from baghdad.analysis.engine import analyst
from baghdad.rules.engine.dealer import Rng
from baghdad.rules.engine.views import ViewFields

from .block import Block
from .compiled import compiled
from .mind import DEFAULT_PARAMS, DONE, GO_ON, Mind, fill_table, find, look_on

Turn = npt.NDArray[np.int16]


@compiled
def begin_judgement(
    view: ViewFields, played: Turn, samples: int, budget: int, rng: Rng, block: Block
) -> None:
    """Start to judge a turn, or to look for the best one."""
    mind = find(block)
    _begin(mind)
    analyst.begin_judgement(view, played, samples, budget, rng, mind.analyst)


@compiled
def begin_explanation(view: ViewFields, best: Turn, other: Turn, rng: Rng, block: Block) -> None:
    """Start to weigh what speaks for one turn and not for the other."""
    mind = find(block)
    _begin(mind)
    analyst.begin_explanation(view, best, other, rng, mind.analyst)


@compiled
def advance(block: Block) -> int:
    """Go on for some milliseconds; returns `DONE` or `GO_ON`."""
    mind = find(block)
    if look_on(mind):
        return GO_ON
    rows = analyst.advance(mind.analyst)
    stand = mind.stand[0]
    stand.rows, stand.seen = max(rows, 0), 0
    return DONE if rows == DONE else GO_ON


@compiled
def tell_judgement(told: Any, block: Block) -> None:
    """Write what was judged."""
    analyst.tell_judgement(told, find(block).analyst)


@compiled
def tell_reasons(told: Any, block: Block) -> int:
    """Write the facts on which most hangs; returns how many."""
    return analyst.tell_reasons(told, find(block).analyst)


@compiled
def nudge(best: Turn, block: Block) -> int:
    """What draws attention to the best turn."""
    return analyst.nudge(best, find(block).analyst)


@compiled
def _begin(mind: Mind) -> None:
    """Nothing is to be looked at yet, and the search plans as it does by itself."""
    fill_table(mind, DEFAULT_PARAMS)
    mind.stand[0].rows = mind.stand[0].seen = 0
