"""All turns of a seat, judged by what it could know when it played them."""

import hashlib
import os
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event, local

from msgspec import Struct

from baghdad.bots.expert.machine import MAX_ACTIONS
from baghdad.bots.neural import WEIGHTS_FILE
from baghdad.rules.engine.dealer import new_rng
from baghdad.rules.engine.material import Seat
from baghdad.rules.game import Game

from .finished import finished
from .judge import DEFAULT_BUDGET, Judge
from .marks import Mark
from .reasons import Reason, reasons
from .turns import Turn, robberies, tokens_of, turns_of

FORMAT = 2
"""Changes when a turn would be judged in another way, or told in one."""


class TurnReview(Struct, frozen=True):
    """A turn, and what would have been better."""

    at: int
    """Tokens of the record before it."""
    number: int
    """By which the table counts: turns of all seats, from 1; 0 while guards are placed."""
    played: tuple[str, ...]
    best: tuple[str, ...]
    """The best turn that was found; the played one where nothing is known to be better."""
    played_robs: tuple[str, ...]
    """By action: the palace that it robs and the number on the chest, such as `R4`, or nothing."""
    best_robs: tuple[str, ...]
    given_up: float
    """Points that the played turn gave up, as far as is known; never under 0."""
    low: float
    """The bounds in which this lies 19 times in 20."""
    high: float
    mark: Mark
    real: bool
    """Whether there was a choice: turns whose ends lie more than two points apart."""
    chance: float
    """To win, after the played turn."""
    best_chance: float
    """After the best one."""
    candidates: int
    """Turns with different ends that were tried."""
    deals: int
    """In which the last two have met."""
    reasons: tuple[Reason, ...] = ()
    """Why the best one is better, where a fact that is known explains it."""


class Review(Struct, frozen=True):
    """All turns of a seat."""

    seat: int
    """From 0."""
    budget: int
    seed: str
    turns: tuple[TurnReview, ...]

    @property
    def choices(self) -> tuple[TurnReview, ...]:
        """The turns that count: those with a real choice."""
        return tuple(turn for turn in self.turns if turn.real)

    @property
    def given_up(self) -> float:
        """Points that those that surely gave up some have given up together."""
        return sum(turn.given_up for turn in self.choices if turn.mark not in ("best", "unclear"))


def review(
    game: Game | str,
    seat: Seat,
    *,
    budget: int = DEFAULT_BUDGET,
    seed: str = "review",
    jobs: int | None = None,
) -> Review:
    """Judge every turn of a seat in a finished game, or in a record of one.

    `budget`: simulations for a turn, at most. `jobs`: threads, one for each processor unless it is
    said. Given record, weights, budget and seed the answer is the same, whatever the others held.

    Raises `UnfinishedGameError` while others may still play the game, and `ValueError` where there
    is no such seat.
    """
    if isinstance(game, str):
        game = Game.from_record(game)
    reviewed = review_turns(game, seat, budget=budget, seed=seed, jobs=jobs)
    return Review(int(seat), budget, seed, tuple(sorted(reviewed, key=lambda turn: turn.at)))


def review_turns(
    game: Game,
    seat: Seat,
    *,
    budget: int = DEFAULT_BUDGET,
    seed: str = "review",
    jobs: int | None = None,
    known: Mapping[int, TurnReview] | None = None,
    running: bool = False,
) -> Iterator[TurnReview]:
    """As `review`, a turn at a time as they are done; `known` ones, by `at`, are not done again.

    `running`: a game that is not finished will do, since only bots play it with the seat.
    """
    players = game.options.players
    if isinstance(seat, bool) or seat not in range(players):
        raise ValueError(f"seat: 0 to {players - 1}, not {seat!r}")
    if not running:
        finished(game)
    known = known or {}
    turns = list(turns_of(game, seat))
    yield from (known[turn.at] for turn in turns if turn.at in known)
    left = [turn for turn in turns if turn.at not in known]
    judges, stop = local(), Event()

    def judge(turn: Turn) -> TurnReview:
        if not hasattr(judges, "judge"):
            judges.judge = Judge(budget=budget, stop=stop)
        reviewed: TurnReview = review_turn(judges.judge, turn, seed)
        return reviewed

    if left:  # here, and not in a thread: what it compiles is compiled once, and Ctrl-C stops it
        yield judge(left.pop(0))
    pool = ThreadPoolExecutor(jobs or os.cpu_count())
    try:
        pending: list[Future[TurnReview]] = [pool.submit(judge, turn) for turn in left]
        for each in pending:
            yield each.result()
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)


def review_turn(judge: Judge, turn: Turn, seed: str, *, explain: bool = True) -> TurnReview:
    """Judge one turn. Its deals follow from the seed, and from what the seat knew."""
    known = hashlib.sha256(bytes(turn.view)).hexdigest()
    if len(turn.actions) > MAX_ACTIONS:  # it is longer than any that could be tried beside it
        return _unjudged(turn)
    found = judge.judge(turn.view, turn.actions, new_rng(f"{seed} {known}"))
    if found.deals == 0:
        return _unjudged(turn, "best")
    best = found.rival if found.better else turn.actions
    why: tuple[Reason, ...] = ()
    if explain and found.mark not in ("best", "unclear"):
        why = reasons(judge, turn.view, best, turn.actions, f"{seed} {known} why")
    return TurnReview(
        at=turn.at,
        number=turn.number,
        played=turn.tokens,
        best=tokens_of(best),
        played_robs=robberies(turn.view, turn.actions),
        best_robs=robberies(turn.view, best),
        given_up=round(max(found.gain.mean, 0.0), 2),
        low=round(max(found.gain.low, 0.0), 2),
        high=round(max(found.gain.high, 0.0), 2),
        mark=found.mark,
        real=found.real,
        chance=round(found.asked_chance.mean, 4),
        best_chance=round((found.rival_chance if found.better else found.asked_chance).mean, 4),
        candidates=found.candidates,
        deals=found.deals,
        reasons=why,
    )


def _unjudged(turn: Turn, how: Mark = "unclear") -> TurnReview:
    """A turn that was not tried out: there was no other, or it is too long."""
    robs = robberies(turn.view, turn.actions)
    return TurnReview(
        at=turn.at,
        number=turn.number,
        played=turn.tokens,
        best=turn.tokens,
        played_robs=robs,
        best_robs=robs,
        given_up=0.0,
        low=0.0,
        high=0.0,
        mark=how,
        real=False,
        chance=0.0,
        best_chance=0.0,
        candidates=1,
        deals=0,
    )


def weights_hash() -> str:
    """Which weights judge here."""
    return hashlib.sha256(WEIGHTS_FILE.read_bytes()).hexdigest()[:12]
