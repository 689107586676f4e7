"""Finished turns judged by what their seat could know: what was given up, what was better, and why.

>>> from baghdad.analysis import Review, mark
>>> mark(5.5, 9.0)
'inaccuracy'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .believing.beliefs import Belief, Beliefs, beliefs
    from .finished import UnfinishedGameError
    from .hints import Hint, hint
    from .ledgers import Draw, Ledger, Part, luck
    from .marks import mark
    from .moments import Moment, TurningPoint, WinChances, win_chances
    from .puzzling import Puzzle, puzzles
    from .reviewing import Review, TurnReview, review, review_turns

# They load when they are first asked for: a program that asks for nothing waits for nothing.
_HOMES = {
    "Belief": "believing.beliefs",
    "Beliefs": "believing.beliefs",
    "Draw": "ledgers",
    "Hint": "hints",
    "Ledger": "ledgers",
    "Moment": "moments",
    "Part": "ledgers",
    "Puzzle": "puzzling",
    "Review": "reviewing",
    "TurnReview": "reviewing",
    "TurningPoint": "moments",
    "UnfinishedGameError": "finished",
    "WinChances": "moments",
    "beliefs": "believing.beliefs",
    "hint": "hints",
    "luck": "ledgers",
    "mark": "marks",
    "puzzles": "puzzling",
    "review": "reviewing",
    "review_turns": "reviewing",
    "win_chances": "moments",
}

__all__ = [
    "Belief",
    "Beliefs",
    "Draw",
    "Hint",
    "Ledger",
    "Moment",
    "Part",
    "Puzzle",
    "Review",
    "TurnReview",
    "TurningPoint",
    "UnfinishedGameError",
    "WinChances",
    "beliefs",
    "hint",
    "luck",
    "mark",
    "puzzles",
    "review",
    "review_turns",
    "win_chances",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
