"""Levels as records of numbers: every number that their kind is made with, defaults included."""

from inspect import Parameter, signature
from typing import Any

import numpy as np
import numpy.typing as npt

from baghdad.bots.expert.bot import ExpertBot
from baghdad.bots.heuristic.bot import HeuristicBot
from baghdad.bots.heuristic.dreamer import DreamerBot
from baghdad.bots.heuristic.evaluation import EvalParams
from baghdad.bots.levels import TABLE, Level
from baghdad.bots.neural.bot import NeuralBot
from baghdad.bots.neural.limits import new_limits
from baghdad.bots.search.bot import SearchBot

from .level import FLOATS, INTEGERS, KINDS, LEVEL, UNLIMITED

CLASSES: dict[str, tuple[type, ...]] = {
    "heuristic": (HeuristicBot,),
    "dreamer": (HeuristicBot, DreamerBot),
    "search": (SearchBot,),
    "neural": (NeuralBot,),
    "expert": (ExpertBot,),
}
NO_NUMBERS = {"params", "network", "planner", "threads"}
"""What a bot is made with that is no number of a level."""


def level_record(level: Level) -> npt.NDArray[Any]:
    """[1], dtype `LEVEL`."""
    numbers: dict[str, Any] = {}
    for kind in CLASSES[level.kind]:
        for name, given in signature(kind).parameters.items():
            if name not in NO_NUMBERS and given.default is not Parameter.empty:
                numbers[name] = given.default
    record = np.zeros(1, LEVEL)
    record["kind"] = KINDS.index(level.kind)
    record["params"] = EvalParams(**level.params)
    numbers |= level.numbers
    limits = new_limits(numbers.pop("limits", None) or {})
    record["num_limits"], record["limits"][0, : len(limits)] = len(limits), limits
    for name, number in numbers.items():
        if name not in INTEGERS + FLOATS:
            raise ValueError(f"the module knows no {name} of a {level.kind}")
        record[name] = UNLIMITED if number is None else number
    return record


def levels() -> dict[str, npt.NDArray[Any]]:
    """All opponents for people."""
    return {name: level_record(level) for name, level in TABLE.items()}
