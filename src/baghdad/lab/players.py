"""Who plays for the laboratory: players of one kind and of different strength, by a letter each."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from baghdad.bots.heuristic.bot import PATIENCE, WIDTH
from baghdad.bots.heuristic.evaluation import EvalParams


@dataclass(frozen=True, slots=True)
class HeuristicPlayer:
    """A heuristic, by its settings."""

    width: int = WIDTH
    patience: int = PATIENCE
    params: EvalParams = field(default_factory=EvalParams)


@dataclass(frozen=True, slots=True)
class NetworkPlayer:
    """The shipped network: at temperature 0 the bot `neural`, above it the freer the weaker."""

    temperature: float = 0.0


Player: TypeAlias = HeuristicPlayer | NetworkPlayer


class Roster(NamedTuple):
    """Players of one kind, best first, by a letter each."""

    players: Mapping[str, Player]
    usual: str
    """The player that plays where none is named."""
    weaker: str
    """Whom the usual one meets to show whether a condition rewards the better player."""
    compared: tuple[str, ...]
    """By whose strength the seats are looked at."""
    parted: tuple[str, ...]
    """Pairs for whom the causes of winning are told apart, from equals to worlds apart."""


ROSTERS = {
    "heuristic": Roster(
        {
            "A": HeuristicPlayer(width=16),
            "B": HeuristicPlayer(),
            "C": HeuristicPlayer(width=1),
            "D": HeuristicPlayer(width=1, params=EvalParams(rivals=0.5)),
            "E": HeuristicPlayer(width=1, params=EvalParams(rivals=0.0)),
        },
        usual="B",
        weaker="C",
        compared=("A", "B", "C", "E"),
        parted=("BB", "AB", "BC", "AC", "AE"),
    ),
    "neural": Roster(
        {
            "P": NetworkPlayer(),
            "Q": NetworkPlayer(2.0),
            "R": NetworkPlayer(3.5),
            "S": NetworkPlayer(5.0),
            "T": NetworkPlayer(7.0),
        },
        usual="P",
        weaker="R",
        compared=("P", "Q", "R", "T"),
        parted=("PP", "PQ", "PR", "PS", "PT"),
    ),
}
"""Heuristics have this many plans in mind, and then less and less of an eye for the rivals."""
