"""The analyst: whole turns judged by what their seat can know, in slices of some milliseconds."""

from typing import Annotated, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from baghdad.analysis.engine import turns
from baghdad.analysis.engine.analyst import JUDGEMENT, MOST_REASONS
from baghdad.analysis.engine.facts import REASON
from baghdad.bots.expert.machine import MAX_ACTIONS
from baghdad.wasm.minds import analyst
from baghdad.wasm.minds.mind import find

from .export import Cells, Record, Records, export
from .layouts import RngAt, ViewAt
from .minds import MindAt

TurnAt: TypeAlias = Annotated[npt.NDArray[Any], Cells("Turn", np.int16, MAX_ACTIONS)]
PlayedAt: TypeAlias = Annotated[npt.NDArray[Any], Cells("Played", np.int16, "count")]
RobsAt: TypeAlias = Annotated[npt.NDArray[Any], Cells("Robs", np.int8, "count")]
JudgementAt: TypeAlias = Annotated[Any, Record("Judgement", JUDGEMENT)]
ReasonsAt: TypeAlias = Annotated[Any, Records(Record("Reason", REASON), MOST_REASONS)]


@export
def begin_judgement(
    mind: MindAt, view: ViewAt, played: TurnAt, samples: int, budget: int, rng: RngAt
) -> None:
    """Start to judge a turn of the view's seat, with its end and -1 after it, or to look for the
    best one where there is none. The policy is asked for so many turns, and simulations are limited
    by the budget. All that is given is copied; the network of the mind has to be set."""
    analyst.begin_judgement(view, played, samples, budget, rng, mind)


@export
def begin_explanation(mind: MindAt, view: ViewAt, best: TurnAt, other: TurnAt, rng: RngAt) -> None:
    """Start to weigh the facts that speak for the best turn and not for the other; one without
    actions does no more."""
    analyst.begin_explanation(view, best, other, rng, mind)


@export
def advance_analysis(mind: MindAt) -> int:
    """Go on for some milliseconds with what was begun; returns 1 as long as there is more to do,
    then 0."""
    return analyst.advance(mind)


@export
def judgement(mind: MindAt, told: JudgementAt) -> None:
    """Write what was judged."""
    analyst.tell_judgement(told, mind)


@export
def nudge(mind: MindAt, best: TurnAt) -> int:
    """What draws attention to the best turn without giving it away, after a judgement: a place in
    `NUDGES`."""
    return analyst.nudge(best, mind)


@export
def reasons(mind: MindAt, told: ReasonsAt) -> int:
    """Write the facts on which most of what was explained hangs, the strongest first; returns how
    many."""
    return analyst.tell_reasons(told, mind)


@export
def robberies(mind: MindAt, view: ViewAt, played: PlayedAt, count: int, robs: RobsAt) -> int:
    """Write what each action of a turn carries off: 8 times the palace and the number on its chest,
    or -1; returns how many chests it takes."""
    scratch = find(mind).analyst.facts.scratch
    return turns.robberies(view, played, robs, scratch)
