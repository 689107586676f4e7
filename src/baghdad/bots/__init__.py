"""Players that are programs. A bot is given what its seat may know, never the state.

`api` defines what a bot is; each folder has one kind of player with all its parts; `levels` says
which of them, with which numbers, are the opponents for people, `players` makes those, and
`registry` lists all by name.
"""

from .api import Bot, Budget, decide
from .levels import LEVELS
from .registry import (
    BUILTIN_BOTS,
    ENTRY_POINT_GROUP,
    LESSON,
    bot_names,
    make_bot,
    warm_up,
)

__all__ = [
    "BUILTIN_BOTS",
    "ENTRY_POINT_GROUP",
    "LESSON",
    "LEVELS",
    "Bot",
    "Budget",
    "bot_names",
    "decide",
    "make_bot",
    "warm_up",
]
