"""Who plays for the laboratory: crews of players of one kind and of different strength."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeAlias

from baghdad.bots.heuristic.bot import PATIENCE, WIDTH
from baghdad.bots.heuristic.evaluation import EvalParams
from baghdad.rules.engine.material import BALANCED, FIRST_HANDS, Deal
from baghdad.rules.options import Options, first_hands


@dataclass(frozen=True, slots=True)
class Player:
    """A heuristic, by its settings."""

    width: int = WIDTH
    patience: int = PATIENCE
    params: EvalParams = field(default_factory=EvalParams)


@dataclass(frozen=True, slots=True)
class Mind:
    """The shipped network: at temperature 0 the bot `neural`, above it the freer the weaker."""

    temperature: float = 0.0


Anyone: TypeAlias = Player | Mind


class Crew(NamedTuple):
    """Players of one kind, best first, by a letter each."""

    players: Mapping[str, Anyone]
    usual: str
    """Who plays where nothing else is said."""
    weaker: str
    """Whom the usual one meets to show whether a condition rewards the better player."""
    compared: tuple[str, ...]
    """By whose strength the seats are looked at."""
    parted: tuple[str, ...]
    """Pairs for whom the causes of winning are told apart, from equals to worlds apart."""


CREWS = {
    "heuristic": Crew(
        {
            "A": Player(width=16),
            "B": Player(),
            "C": Player(width=1),
            "D": Player(width=1, params=EvalParams(rivals=0.5)),
            "E": Player(width=1, params=EvalParams(rivals=0.0)),
        },
        usual="B",
        weaker="C",
        compared=("A", "B", "C", "E"),
        parted=("BB", "AB", "BC", "AC", "AE"),
    ),
    "neural": Crew(
        {
            "P": Mind(),
            "Q": Mind(2.0),
            "R": Mind(3.5),
            "S": Mind(5.0),
            "T": Mind(7.0),
        },
        usual="P",
        weaker="R",
        compared=("P", "Q", "R", "T"),
        parted=("PP", "PQ", "PR", "PS", "PT"),
    ),
}
"""Heuristics have so many plans in mind, and then less and less of an eye for the rivals."""

NEIGHBOURS: dict[int, tuple[Deal, ...]] = {
    2: ((3, 5), (4, 6), (5, 7), (6, 9), (7, 8), (7, 9), (7, 10), (8, 10)),
    3: ((4, 5, 7), (5, 6, 8), (6, 8, 9), (7, 7, 9), (7, 8, 9), (7, 8, 10)),
    4: ((6, 5, 6, 7), (7, 6, 7, 8), (7, 7, 8, 9), (8, 8, 8, 9), (8, 8, 9, 9), (8, 8, 9, 10)),
}
"""First hands that might be fair, besides R7's and the balanced ones."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a question is asked for."""

    table: Options
    """What is agreed on, where the question is not about that very thing."""
    games: int
    """Under each condition."""
    crew: str = "heuristic"
    deals: tuple[Deal, ...] = ()
    """First hands that are to be compared; else those around the balanced ones."""

    def __post_init__(self) -> None:
        players = self.players
        compared = self.deals or (FIRST_HANDS[:players], BALANCED[players], *NEIGHBOURS[players])
        deals = dict.fromkeys(first_hands(players, deal) for deal in compared)
        object.__setattr__(self, "deals", tuple(deals))

    @property
    def players(self) -> int:
        return self.table.players

    def player(self, name: str = "") -> Anyone:
        """A player of the crew; the usual one unless another is named."""
        crew = CREWS[self.crew]
        return crew.players[name or crew.usual]

    def options(self, **others: Any) -> Options:
        """The table, with some options that differ."""
        return replace(self.table, rulebook=None, **others)
