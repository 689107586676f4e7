"""What questions are asked for: the options, how many games, and who plays them."""

from dataclasses import dataclass, replace
from typing import Any

from baghdad.rules.engine.material import BALANCED, FIRST_HANDS, Deal
from baghdad.rules.options import Options, first_hands

from .players import ROSTERS, Player

NEIGHBOURS: dict[int, tuple[Deal, ...]] = {
    2: ((3, 5), (4, 6), (5, 7), (6, 9), (7, 8), (7, 9), (7, 10), (8, 10)),
    3: ((4, 5, 7), (5, 6, 8), (6, 8, 9), (7, 7, 9), (7, 8, 9), (7, 8, 10)),
    4: ((6, 5, 6, 7), (7, 6, 7, 8), (7, 7, 8, 9), (8, 8, 8, 9), (8, 8, 9, 9), (8, 8, 9, 10)),
}
"""First hands that might be fair, besides R7's and the balanced ones."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a question is asked for."""

    base: Options
    """What is agreed on, where the question is not about that very thing."""
    games: int
    """Under each condition."""
    roster: str = "heuristic"
    deals: tuple[Deal, ...] = ()
    """First hands that are to be compared; else those around the balanced ones."""

    def __post_init__(self) -> None:
        players = self.players
        compared = self.deals or (FIRST_HANDS[:players], BALANCED[players], *NEIGHBOURS[players])
        deals = dict.fromkeys(first_hands(players, deal) for deal in compared)
        object.__setattr__(self, "deals", tuple(deals))

    @property
    def players(self) -> int:
        return self.base.players

    def player(self, name: str = "") -> Player:
        """A player of the roster; the usual one unless another is named."""
        roster = ROSTERS[self.roster]
        return roster.players[name or roster.usual]

    def options(self, **others: Any) -> Options:
        """What is agreed on, with some options that differ."""
        return replace(self.base, rulebook=None, **others)
