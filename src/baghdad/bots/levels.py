"""Opponents for people: characters of the Nights, weakest first, each with a style.

A level is data: the kind of player that it is, and the numbers that this kind is made with. So
whoever builds the players anew, for another machine, finds here all that there is to know. Nothing
is imported for it; `players` makes a bot of a level.

Weaker is who sees less far or knows less: nobody but the first plays worse by chance. Neighbours
are to be 120 to 250 Elo points apart with two players; `benchmarks/ladder.py` measures it.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["dreamer", "heuristic", "search", "neural", "expert"]

NOTHING: Mapping[str, Any] = MappingProxyType({})


class Level(NamedTuple):
    """An opponent."""

    rating: int
    """On a scale on which the first has 1000 and a difference is one in Elo points with two
    players: what `benchmarks/ladder.py` has found."""
    kind: Kind
    numbers: Mapping[str, Any] = NOTHING
    """What its kind is made with, where it differs from the kind's own defaults."""
    params: Mapping[str, float] = NOTHING
    """Of a dreamer or a heuristic: what of `EvalParams` differs from the tuned numbers."""


TABLE: Mapping[str, Level] = {
    # Kind-hearted: has good ideas, forgets half of them, and minds nobody else's business. So
    # forgetful that a beginner wins two games of three or more (`benchmarks/beginner.py`).
    "maruf": Level(
        1000,
        "dreamer",
        {"width": 1, "patience": 0, "forgets": 50},
        {"rivals": 0.0, "card": 0.03, "dancer": 0.1},
    ),
    # A porter: begins a long turn, and sets his load down after two actions of it.
    "hindbad": Level(
        1245,
        "heuristic",
        {"width": 1, "patience": 0, "most_actions": 2},
        {"rivals": 0.25, "card": 0.05, "dancer": 0.13},
    ),
    # Counts riches that he does not have yet: two actions are enough for him, too, but they are
    # good ones, and his guards do not wander.
    "alnaschar": Level(
        1378,
        "dreamer",
        {"width": 1, "patience": 0, "forgets": 0},
        {"rivals": 0.25, "card": 0.05, "dancer": 0.13},
    ),
    # A fisherman: three casts of his net, and never a look at the others, or at what is ready.
    "khalifa": Level(
        1548,
        "heuristic",
        {"width": 1, "patience": 0, "most_actions": 3},
        {"rivals": 0.0, "card": 0.03, "dancer": 0.1, "ready": 0.0},
    ),
    # Greedy: does what gains something at once, up to three actions, and stops when nothing does.
    "kasim": Level(
        1746, "heuristic", {"width": 1, "patience": 0, "most_actions": 3}, {"rivals": 0.4}
    ),
    # An opportunist: weighs two plans for a turn of any length, and looks at the others a little.
    "ali": Level(1978, "heuristic", {"width": 2, "patience": 0}, {"rivals": 0.4}),
    # A lady of Baghdad: takes steps that gain nothing yet for the sake of a later one.
    "zubaida": Level(2220, "heuristic", {"width": 1, "patience": 2}, {"rivals": 0.65}),
    # Watchful: weighs many plans to their ends, and what the others could take counts in full.
    "morgiana": Level(2412, "heuristic", {"width": 32, "patience": 4}),
    # A vizier: has learned from playing against himself, but takes everybody to hold six palace
    # cards and to have five thieves at home, and thieves that wait somewhere to be alone.
    "jafar": Level(
        2754,
        "neural",
        {
            "limits": {
                "cards in hand": (6, 6),
                "dancers in hand": (0, 0),
                "thieves": (0, 1),
                "thieves in stock": (5, 5),
            }
        },
    ),
    # A schemer: has learned as he did, and guesses what the others hold.
    "dalila": Level(
        2996, "neural", {"limits": {"cards in hand": (6, 6), "dancers in hand": (0, 0)}}
    ),
    # A sage: sees all that there is to see, and plays what the network likes best.
    "duban": Level(3271, "neural"),
    # Patient: tries out all that the same long training suggests, for as long as she is given.
    "scheherazade": Level(3431, "expert"),
}
"""By name, the weakest first."""
LEVELS = tuple(TABLE)
"""Opponents for people, the weakest first."""
SPREAD: Mapping[int, float] = {2: 1.0, 3: 0.78, 4: 0.63}
"""By number of players: how much of a difference in rating is left with so many."""
