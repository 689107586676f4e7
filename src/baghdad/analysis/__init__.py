"""Finished turns judged by what their seat could know: what was given up, what was better, and why.

>>> from baghdad.analysis import Review, mark
>>> mark(5.5, 9.0)
'inaccuracy'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .believing.beliefs import Belief, Beliefs, beliefs
    from .hints import Hint, hint
    from .marks import mark
    from .puzzling import Puzzle, puzzles
    from .reviewing import Review, TurnReview, UnfinishedGameError, review, review_turns

# They load when they are first asked for: a program that asks for nothing waits for nothing.
_HOMES = {
    "Belief": "believing.beliefs",
    "Beliefs": "believing.beliefs",
    "Hint": "hints",
    "Puzzle": "puzzling",
    "Review": "reviewing",
    "TurnReview": "reviewing",
    "UnfinishedGameError": "reviewing",
    "beliefs": "believing.beliefs",
    "hint": "hints",
    "mark": "marks",
    "puzzles": "puzzling",
    "review": "reviewing",
    "review_turns": "reviewing",
}

__all__ = [
    "Belief",
    "Beliefs",
    "Hint",
    "Puzzle",
    "Review",
    "TurnReview",
    "UnfinishedGameError",
    "beliefs",
    "hint",
    "mark",
    "puzzles",
    "review",
    "review_turns",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
