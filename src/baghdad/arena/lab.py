"""The laboratory: what designers and players argue about, answered by games of the heuristic.

A question plans trials and concludes from their games. All trials of a run have the same deals, so
that conditions are compared deal by deal.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ..rules.material import CHESTS_TO_WIN, HANDS, ROBS, VARIANTS
from ..rules.options import Options
from . import luck
from .statistics import Interval, bootstrap, mean, quantile
from .trial import Games, Player, Trial, play_trials

Rows: TypeAlias = dict[str, dict[str, Interval]]
"""By condition or pair: figures by name."""
Plan: TypeAlias = Callable[[int, int], dict[str, Trial]]
Conclude: TypeAlias = Callable[[int, Mapping[str, Games]], Rows]

EVEN, STEEP = (7, 7, 7, 7), (6, 8, 10, 12)
"""Hands that the rules might have had: the same for all, and two cards more from seat to seat."""
STRONG, WEAK = luck.LADDER["B"], luck.LADDER["C"]
"""Who shows whether a condition rewards the better player."""
FAR_BEHIND = 2
"""Chests: who catches up that much has had a comeback."""


class Question(NamedTuple):
    """What is played for a number of players and of games, and what follows from it."""

    plan: Plan
    conclude: Conclude


@dataclass(frozen=True)
class Answer:
    """What was found."""

    question: str
    players: int
    games: int
    """Under each condition."""
    rows: Rows
    turns: dict[int, int] = field(default_factory=dict)
    """Games by their number of turns, where the question is how long they are."""

    def as_json(self) -> dict[str, Any]:
        rows = {
            row: {name: [value.value, value.low, value.high] for name, value in figures.items()}
            for row, figures in self.rows.items()
        }
        return asdict(self) | {"rows": rows}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Answer":
        rows = {
            row: {name: Interval(*value) for name, value in figures.items()}
            for row, figures in data["rows"].items()
        }
        turns = {int(number): games for number, games in data["turns"].items()}
        return cls(data["question"], data["players"], data["games"], rows, turns)


def ask(
    questions: Iterable[str],
    players: int,
    games: int,
    seed: str,
    jobs: int = 1,
    tick: Callable[[int], object] = bool,
) -> list[Answer]:
    """Answer questions with so many games under each condition. `tick` hears of games done."""
    plans = {question: QUESTIONS[question].plan(players, games) for question in questions}
    played = play_trials(
        (trial for plan in plans.values() for trial in plan.values()), seed, jobs, tick
    )
    answers = []
    for question, plan in plans.items():
        results = {name: played[trial] for name, trial in plan.items()}
        rows = QUESTIONS[question].conclude(players, results)
        turns = _by_length(results["rules"]) if question == "length" else {}
        answers.append(Answer(question, players, games, rows, turns))
    return answers


def games_to_play(questions: Iterable[str], players: int, games: int) -> int:
    """How many games these questions need; a trial that two of them share is played once."""
    plans = (QUESTIONS[question].plan(players, games).values() for question in questions)
    return sum(trial.deals for trial in {trial for plan in plans for trial in plan})


def _alike(
    player: Player, options: Options, games: int, hands: tuple[int, ...] | None = None
) -> Trial:
    """The same player in all seats."""
    seats = (player,) * options.players
    return Trial(options, seats, games) if hands is None else Trial(options, seats, games, hands)


def _by_length(games: Games) -> dict[int, int]:
    turns, counts = np.unique(games["turns"], return_counts=True)
    return dict(zip(turns.tolist(), counts.tolist(), strict=True))


def _seats(players: int, games: Games) -> dict[str, Interval]:
    """How often each seat wins."""
    return {f"seat {seat + 1}": bootstrap(games["winner"] == seat) for seat in range(players)}


def _plan_start(players: int, games: int) -> dict[str, Trial]:
    options = Options(players)
    return {
        "even": _alike(STRONG, options, games, EVEN),
        "rules": _alike(STRONG, options, games),
        "steep": _alike(STRONG, options, games, STEEP),
    }


def _plan_strength(players: int, games: int) -> dict[str, Trial]:
    options = Options(players)
    return {name: _alike(luck.LADDER[name], options, games) for name in ("A", "B", "C", "E")}


def _plan_rules(players: int, games: int) -> dict[str, Trial]:
    return {"rules": _alike(STRONG, Options(players), games)}


def _start(players: int, played: Mapping[str, Games]) -> Rows:
    return {name: _seats(players, games) for name, games in played.items()}


def _length(players: int, played: Mapping[str, Games]) -> Rows:
    games = played["rules"]
    turns = games["turns"]
    return {
        "rules": {
            "turns": mean(turns),
            "of_a_player": mean(turns / players),
            "shortest": quantile(turns, 0.05),
            "quarter": quantile(turns, 0.25),
            "half": quantile(turns, 0.5),
            "three_quarters": quantile(turns, 0.75),
            "longest": quantile(turns, 0.95),
            "nobody": bootstrap(games["winner"] < 0),
        }
    }


def _race(players: int, played: Mapping[str, Games]) -> Rows:
    games = played["rules"]
    won = games["winner"] >= 0
    return {
        "rules": {
            "close": bootstrap(_close(players, games)),
            "first": bootstrap(won & (games["first"] == games["winner"])),
            "comeback": bootstrap(won & (games["behind"] >= FAR_BEHIND)),
        }
    }


def _close(players: int, games: Games) -> Games:
    """Where a rival of the winner needed only one more chest."""
    second: Games = np.sort(games["loot"], axis=1)[:, -2]
    return (games["winner"] >= 0) & (second >= CHESTS_TO_WIN[players] - 1)


def _option(name: str, values: tuple[str, ...]) -> Question:
    """A question about an option of the table: what its second value changes."""

    def plan(players: int, games: int) -> dict[str, Trial]:
        trials = {}
        for value in values:
            options = Options(players, **{name: value})  # type: ignore[arg-type]
            trials[value] = _alike(STRONG, options, games)
            for alone in range(players):
                seats = tuple(STRONG if seat == alone else WEAK for seat in range(players))
                trials[f"{value} {alone}"] = Trial(options, seats, -(-games // players))
        return trials

    def conclude(players: int, played: Mapping[str, Games]) -> Rows:
        before, after = (_by_deal(value, players, played) for value in values)
        rows: Rows = {
            value: {
                figure: mean(numbers) if figure == "turns" else bootstrap(numbers)
                for figure, numbers in figures.items()
            }
            for value, figures in zip(values, (before, after), strict=True)
        }
        rows["change"] = {
            figure: mean(np.subtract(after[figure], before[figure], dtype=np.float64))
            for figure in before
        }
        return rows

    return Question(plan, conclude)


def _by_deal(value: str, players: int, played: Mapping[str, Games]) -> dict[str, Games]:
    """What an option is judged by, deal by deal."""
    games = played[value]
    alone = [played[f"{value} {seat}"]["winner"] == seat for seat in range(players)]
    return {
        "turns": games["turns"],
        **{f"seat {seat + 1}": games["winner"] == seat for seat in range(players)},
        "close": _close(players, games),
        "stronger": np.mean(alone, axis=0),
        "nobody": games["winner"] < 0,
    }


QUESTIONS = {
    "start": Question(_plan_start, _start),
    "strength": Question(_plan_strength, _start),
    "length": Question(_plan_rules, _length),
    "race": Question(_plan_rules, _race),
    "variant": _option("variant", VARIANTS),
    "rob": _option("rob", ROBS),
    "hands": _option("hands", HANDS),
    "luck": Question(luck.plan_shares, luck.shares),
    "causes": Question(luck.plan_parts, luck.parts),
}
"""By name, in the order in which they are answered."""
