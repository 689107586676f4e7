"""Opponents for people: characters of the Nights, weakest first, each with a style.

A level is data: the kind of player that it is, and the numbers that this kind is made with. So
whoever builds the players anew, for another machine, finds here all that there is to know. Nothing
is imported for it; `players` makes a bot of a level.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["dreamer", "heuristic", "search", "neural", "expert"]

NOTHING: Mapping[str, Any] = MappingProxyType({})


class Level(NamedTuple):
    """An opponent."""

    kind: Kind
    numbers: Mapping[str, Any] = NOTHING
    """What its kind is made with, where it differs from the kind's own defaults."""
    params: Mapping[str, float] = NOTHING
    """Of a dreamer or a heuristic: what of `EvalParams` differs from the tuned numbers."""


TABLE: Mapping[str, Level] = {
    # Kind-hearted: has good ideas, forgets half of them, and minds nobody else's business. So
    # forgetful that a beginner wins two games of three or more (`benchmarks/beginner.py`).
    "maruf": Level(
        "dreamer",
        {"width": 1, "patience": 0, "forgets": 50},
        {"rivals": 0.0, "card": 0.03, "dancer": 0.1},
    ),
    # Greedy: does what gains something at once, and stops when nothing does.
    "kasim": Level("heuristic", {"width": 1, "patience": 0}, {"rivals": 0.5}),
    # An opportunist: collects dancers for whatever may come, and weighs four plans.
    "ali": Level("heuristic", {"width": 4, "patience": 2}, {"rivals": 0.8, "dancer": 0.27}),
    # Watchful: looks at what the others may do after each of her turns; as far as she can see,
    # however much time she is given.
    "morgiana": Level("search", {"max_simulations": 1000}),
    # A schemer: has learned from playing against herself, and seldom plays the same twice.
    "dalila": Level("neural", {"temperature": 3.5}),
    # Patient: tries out all that the same long training suggests, for as long as she is given.
    "scheherazade": Level("expert"),
}
"""By name, the weakest first."""
LEVELS = tuple(TABLE)
"""Opponents for people, the weakest first."""
