"""Baghdad: the board game Thief of Baghdad / 12 Thieves, to play, to program and to study."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from baghdad.rules.engine.actions import (
        ACTION_COUNT,
        ACTION_TABLE_VERSION,
        ACTIONS,
        TOKENS,
        Action,
    )
    from baghdad.rules.engine.dealer import new_rng
    from baghdad.rules.engine.material import Card, Palace, Seat
    from baghdad.rules.engine.views import CHANCE, SPECTATOR, VIEW_VERSION
    from baghdad.rules.errors import (
        CutRecordError,
        IllegalMoveError,
        MoveError,
        NotAMoveError,
        OutOfTurnError,
        PositionError,
        RecordError,
    )
    from baghdad.rules.game import Game
    from baghdad.rules.options import Options
    from baghdad.rules.views import View

__version__ = "0.1.0"

# Where each public name lives. They load when they are first asked for: `import baghdad` and the
# command line's help stay instant.
_HOMES = {
    "ACTIONS": "engine.actions",
    "ACTION_COUNT": "engine.actions",
    "ACTION_TABLE_VERSION": "engine.actions",
    "Action": "engine.actions",
    "CHANCE": "engine.views",
    "Card": "engine.material",
    "CutRecordError": "errors",
    "Game": "game",
    "IllegalMoveError": "errors",
    "MoveError": "errors",
    "NotAMoveError": "errors",
    "Options": "options",
    "OutOfTurnError": "errors",
    "Palace": "engine.material",
    "PositionError": "errors",
    "RecordError": "errors",
    "SPECTATOR": "engine.views",
    "Seat": "engine.material",
    "TOKENS": "engine.actions",
    "VIEW_VERSION": "engine.views",
    "View": "views",
    "new_rng": "engine.dealer",
}

__all__ = [
    "ACTIONS",
    "ACTION_COUNT",
    "ACTION_TABLE_VERSION",
    "CHANCE",
    "SPECTATOR",
    "TOKENS",
    "VIEW_VERSION",
    "Action",
    "Card",
    "CutRecordError",
    "Game",
    "IllegalMoveError",
    "MoveError",
    "NotAMoveError",
    "Options",
    "OutOfTurnError",
    "Palace",
    "PositionError",
    "RecordError",
    "Seat",
    "View",
    "new_rng",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.rules.{home}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
