"""The laboratory: what designers and players argue about, answered by games of bots.

A question plans trials and concludes from their games. All trials of a run have the same deals, so
that conditions are compared deal by deal.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from baghdad.arena.statistics import (
    Interval,
    bootstrap,
    mean,
    quantile,
    within,
)
from baghdad.bots.neural.batch_games import Games
from baghdad.bots.playing import MAX_TURNS
from baghdad.rules.engine.material import (
    BALANCED,
    CHESTS_TO_WIN,
    HANDS,
    ROBS,
    SPARES,
    VARIANTS,
    Deal,
)
from baghdad.rules.options import Options, written_deal

from . import skill
from .players import ROSTERS, Player
from .setup import Setup
from .trial import (
    PlayBatch,
    Tick,
    Trial,
    play_trials,
)

Rows: TypeAlias = dict[str, dict[str, Interval]]
"""By condition or pair: figures by name."""
Plan: TypeAlias = Callable[[Setup], dict[str, Trial]]
Conclude: TypeAlias = Callable[[Setup, Mapping[str, Games]], Rows]

EVEN = (7, 7, 7, 7)
"""Hands that the rules might have had: the same for all."""
FAR_BEHIND = 2
"""Chests: a winner who catches up that much has had a comeback."""
RESAMPLES = 2000
OPTIONS = {"variant": VARIANTS, "rob": ROBS, "hands": HANDS, "spare": SPARES}
"""Of the table, with their values, the usual one first."""


ON_FILE = {"roster": "crew"}
"""Attributes of an answer that have another name in JSON."""


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
    roster: str = "heuristic"
    deal: str = ""
    """First hands, where the question is not about them; empty for R7's."""
    table: str = ""
    """Other options than the usual, by their values, such as `neutral seen`."""

    def as_json(self) -> dict[str, Any]:
        rows = {
            row: {name: [value.value, value.low, value.high] for name, value in figures.items()}
            for row, figures in self.rows.items()
        }
        data = asdict(self) | {"rows": rows}
        return {ON_FILE.get(name, name): value for name, value in data.items()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Answer":
        rows = {
            row: {name: Interval(*value) for name, value in figures.items()}
            for row, figures in data["rows"].items()
        }
        turns = {int(number): games for number, games in data["turns"].items()}
        names = {name: attribute for attribute, name in ON_FILE.items()}
        read = {names.get(name, name): value for name, value in data.items()}
        return cls(**{**read, "rows": rows, "turns": turns})


def ask(
    questions: Iterable[str],
    setup: Setup,
    seed: str,
    jobs: int = 1,
    tick: Tick = bool,
    batch_player: PlayBatch | None = None,
) -> list[Answer]:
    """Answer questions, by games that are the same wherever they are played.

    `tick` hears of games done. `batch_player` may play what the network plays: on a GPU it is
    `baghdad.learn.batch_games.BatchPlayer("cuda").play`.

    >>> (answer,) = ask(["length"], Setup(Options(players=2), games=20), seed="1")
    >>> answer.rows["rules"]["nobody"].value
    0.0
    """
    plans = {question: QUESTIONS[question].plan(setup) for question in questions}
    trials = (trial for plan in plans.values() for trial in plan.values())
    played = play_trials(trials, seed, jobs, tick, batch_player)
    table = setup.options()
    deal = "" if table.usual_deal else written_deal(table.deal)
    chosen = {**table.chosen(), "players": "", "deal": ""}
    other = " ".join(value for value in chosen.values() if value)
    answers = []
    for question, plan in plans.items():
        results = {name: played[trial] for name, trial in plan.items()}
        rows = QUESTIONS[question].conclude(setup, results)
        turns = _by_length(results["rules"]) if question == "length" else {}
        answers.append(
            Answer(question, setup.players, setup.games, rows, turns, setup.roster, deal, other)
        )
    return answers


def games_to_play(questions: Iterable[str], setup: Setup) -> int:
    """How many games these questions need; a trial that two of them share is played once."""
    plans = (QUESTIONS[question].plan(setup).values() for question in questions)
    return sum(trial.deals for trial in {trial for plan in plans for trial in plan})


def _alike(player: Player, options: Options, games: int) -> Trial:
    """The same player in all seats."""
    return Trial(options, (player,) * options.players, games)


def _dealt(setup: Setup, deal: Deal = ()) -> Trial:
    """The usual player with these first hands; with R7's unless given."""
    return _alike(setup.player(), setup.options(deal=deal), setup.games)


def _by_length(games: Games) -> dict[int, int]:
    turns, counts = np.unique(games["turns"], return_counts=True)
    return dict(zip(turns.tolist(), counts.tolist(), strict=True))


def _seats(players: int, games: Games) -> dict[str, Interval]:
    """How often each seat wins."""
    return {f"seat {seat + 1}": bootstrap(games["winner"] == seat) for seat in range(players)}


def _plan_start(setup: Setup) -> dict[str, Trial]:
    return {
        "even": _dealt(setup, EVEN[: setup.players]),
        "rules": _dealt(setup),
        "balanced": _dealt(setup, BALANCED[setup.players]),
    }


def _plan_deals(setup: Setup) -> dict[str, Trial]:
    return {written_deal(deal): _dealt(setup, deal) for deal in setup.deals}


def _plan_balance(setup: Setup) -> dict[str, Trial]:
    """Every option alone, with the balanced hands; with others where they are given."""
    deal = BALANCED[setup.players] if setup.base.usual_deal else setup.base.deal
    changes: dict[str, dict[str, str]] = {"standard": {}}
    changes |= {values[1]: {name: values[1]} for name, values in OPTIONS.items()}
    return {
        row: _alike(setup.player(), setup.options(deal=deal, **change), setup.games)
        for row, change in changes.items()
    }


def _plan_strength(setup: Setup) -> dict[str, Trial]:
    names = ROSTERS[setup.roster].compared
    return {name: _alike(setup.player(name), setup.options(), setup.games) for name in names}


def _plan_rules(setup: Setup) -> dict[str, Trial]:
    return {"rules": _alike(setup.player(), setup.options(), setup.games)}


def _start(setup: Setup, played: Mapping[str, Games]) -> Rows:
    return {name: _seats(setup.players, games) for name, games in played.items()}


def _deals(setup: Setup, played: Mapping[str, Games]) -> Rows:
    return {
        name: _seats(setup.players, games) | {"spread": _spread(setup.players, games)}
        for name, games in played.items()
    }


def _spread(players: int, games: Games) -> Interval:
    """How much more often the best seat wins than the worst. Where all are alike chance alone
    makes it more than nothing."""
    winners = games["winner"]
    shares = np.array([np.mean(winners == seat) for seat in range(players)])
    chances = [*shares, max(0.0, 1 - shares.sum())]
    samples = np.random.default_rng(1).multinomial(len(games), chances, RESAMPLES)[:, :players]
    return within(float(np.ptp(shares)), np.ptp(samples, axis=1) / len(games))


def _length(setup: Setup, played: Mapping[str, Games]) -> Rows:
    games = played["rules"]
    turns = games["turns"]
    return {
        "rules": {
            "turns": mean(turns),
            "of_a_player": mean(turns / setup.players),
            "shortest": quantile(turns, 0.05),
            "quarter": quantile(turns, 0.25),
            "half": quantile(turns, 0.5),
            "three_quarters": quantile(turns, 0.75),
            "longest": quantile(turns, 0.95),
            "nobody": bootstrap(games["winner"] < 0),
            "limit": bootstrap(_cut_off(games)),
        }
    }


def _cut_off(games: Games) -> Games:
    """Where nobody had won at the limit of turns."""
    truncated: Games = (games["winner"] < 0) & (games["turns"] >= MAX_TURNS)
    return truncated


def _race(setup: Setup, played: Mapping[str, Games]) -> Rows:
    games = played["rules"]
    won = games["winner"] >= 0
    return {
        "rules": {
            "close": bootstrap(_close(setup.players, games)),
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

    def plan(setup: Setup) -> dict[str, Trial]:
        trials, players = {}, setup.players
        strong, weak = setup.player(), setup.player(ROSTERS[setup.roster].weaker)
        for value in values:
            options = setup.options(**{name: value})
            trials[value] = _alike(strong, options, setup.games)
            for alone in range(players):
                seats = tuple(strong if seat == alone else weak for seat in range(players))
                trials[f"{value} {alone}"] = Trial(options, seats, -(-setup.games // players))
        return trials

    def conclude(setup: Setup, played: Mapping[str, Games]) -> Rows:
        before, after = (_by_deal(value, setup.players, played) for value in values)
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
        "limit": _cut_off(games),
    }


QUESTIONS = {
    "start": Question(_plan_start, _start),
    "deals": Question(_plan_deals, _deals),
    "balance": Question(_plan_balance, _deals),
    "strength": Question(_plan_strength, _start),
    "length": Question(_plan_rules, _length),
    "race": Question(_plan_rules, _race),
    **{name: _option(name, values) for name, values in OPTIONS.items()},
    "luck": Question(skill.plan_luck, skill.conclude_luck),
    "causes": Question(skill.plan_causes, skill.conclude_causes),
}
"""By name, in the order in which they are answered."""
