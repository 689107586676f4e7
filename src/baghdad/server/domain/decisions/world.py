"""What a decision needs besides the table, and what it comes to."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from baghdad.rules.game import Game
from baghdad.server.domain.events import AnyEvent
from baghdad.server.domain.limits import Limits

Outcome: TypeAlias = tuple[AnyEvent, Game | None]
"""The event, and the game after it where it was played already."""


@dataclass(frozen=True, slots=True)
class World:
    """What is not the table's own: chance, secrets, the bots that exist, and limits."""

    new_seed: Callable[[], str]
    pick: Callable[[int], int]
    """A fair number below a bound, for the start player."""
    levels: Callable[[], list[str]]
    limits: Limits = field(default_factory=Limits)
    charge: Callable[[str | None, int, int], bool] = lambda *_: True
    """Count tables and strong bots for a creator; False, and nothing counted, where they are too
    many."""
