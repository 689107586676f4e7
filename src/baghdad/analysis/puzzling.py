"""Puzzles: turns of real games in which one whole turn is surely better than every other.

Asked is what the seat whose turn it is should do, by what it knew, as in a review. A turn is a
puzzle only where its best turn is ahead of each of the others by `AHEAD` points at 99 %, in deals
of their own, and where a search with `TWENTY` times the budget finds the same turn, as far ahead.
So whoever finds another turn is wrong, and not just of another opinion.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event, local
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from baghdad.bots import LEVELS, Bot, Budget, make_bot
from baghdad.bots.api import decide
from baghdad.rules.engine.actions import Action
from baghdad.rules.engine.dealer import new_rng
from baghdad.rules.engine.material import TURN
from baghdad.rules.game import Game
from baghdad.rules.notation import option_headers
from baghdad.rules.position import view_from_shown
from baghdad.rules.views import View

from .engine.marks import SIDE
from .finished import UnfinishedGameError
from .judge import Best, Estimate, Judge
from .lines import name_of_game
from .reasons import Reason, reasons
from .turns import robberies, tokens_of, turns_of

FORMAT = 1
"""Changes when another turn would be a puzzle, or when one is told in another way."""
DEFAULT_BUDGET = 2000
"""Simulations for a turn: with `TWENTY` times as many, a puzzle takes some seconds."""
TWENTY = 20
AHEAD = 10.0
"""Points by which the best turn is surely ahead of every other."""
SURE = 2.576
"""Standard errors on either side of an interval of 99 %."""
GLANCE = 400
"""Simulations after which most turns are known to be no puzzle."""
FIRST_DEALS, MOST_DEALS = 256, 4096
"""In which the best turn meets each of the others: four times as many until it is settled."""
TRIES, FOUND = 5, 4
"""How often a level tries its hand, and how often it has to find the turn to have solved it."""
THINKING = Budget(simulations=1000)
"""What those levels may use that think for as long as they are given."""


class Puzzle(Struct, frozen=True):
    """A position as a seat saw it, and the one turn that is best. It names no player."""

    id: str
    """The same for the same position, whoever played it."""
    options: dict[str, str]
    """What the table had agreed on, by the names of a record's headers."""
    seat: int
    """Whose turn it is, from 0."""
    shown: dict[str, Any]
    """What everybody saw (R26)."""
    hand: tuple[int, ...]
    """What this seat held, by palace, dancers last."""
    turn: tuple[str, ...]
    """The best turn."""
    robs: tuple[str, ...]
    """By action: the palace that it robs and the number on the chest, such as `R4`, or nothing."""
    chance: float
    """To win after it."""
    next: tuple[str, ...]
    """The next best one."""
    ahead: float
    """Points by which the best turn is ahead of that."""
    low: float
    """The bounds in which this lies 99 times in 100."""
    high: float
    solved_by: tuple[str, ...]
    """The opponents who find it, the weakest first: who they are is how hard it is."""
    reasons: tuple[Reason, ...] = ()
    game: str = ""
    """A hash of the game that it comes from: where its people take back that it may be used, the
    puzzle goes, too."""

    def view(self) -> View:
        """What the seat knew."""
        return view_from_shown(self.shown, self.seat, self.hand)


def puzzles(
    games: Iterable[Game | str],
    *,
    budget: int = DEFAULT_BUDGET,
    seed: str = "puzzles",
    jobs: int | None = None,
) -> Iterator[Puzzle]:
    """All puzzles of some finished games, or of records of them, each position once.

    `budget`: simulations for a turn, and `TWENTY` times as many for one that may be a puzzle.
    `jobs`: threads, one for each processor unless it is said. The same games, weights, budget and
    seed give the same puzzles. Raises `UnfinishedGameError` for a game that still goes on. Whether
    the people who played have agreed is for the caller to know: `consent.may_be_used`.
    """
    known = set[str]()
    with PuzzleMaker(budget, seed, jobs) as maker:
        for each in games:
            game = Game.from_record(each) if isinstance(each, str) else each
            if not game.over:
                raise UnfinishedGameError(
                    "only finished games have puzzles: this one still goes on"
                )
            for found in maker.puzzles_of(list(positions_of(game)), name_of_game(game)):
                if found is not None and found.id not in known:
                    known.add(found.id)
                    yield found


class PuzzleMaker:
    """Makes puzzles of positions in several threads."""

    def __init__(
        self, budget: int = DEFAULT_BUDGET, seed: str = "puzzles", jobs: int | None = None
    ) -> None:
        self._budget, self._seed = budget, seed
        self._stop, self._own = Event(), local()
        self._pool = ThreadPoolExecutor(jobs or os.cpu_count())

    def __enter__(self) -> "PuzzleMaker":
        return self

    def __exit__(self, *error: object) -> None:
        self._stop.set()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def puzzles_of(self, views: Sequence[View], game: str = "") -> Iterator[Puzzle | None]:
        """The puzzle of each position, or None, in their order. `game`: the name of theirs."""
        for found in self._all(views):
            yield None if found is None else replace(found, game=game)

    def _all(self, views: Sequence[View]) -> Iterator[Puzzle | None]:
        pending: list[Future[Puzzle | None]] = []
        for place, view in enumerate(views):
            if place == 0:  # here, and not in a thread: what it compiles is compiled once
                yield self._make(view)
            else:
                pending.append(self._pool.submit(self._make, view))
        for each in pending:
            yield each.result()

    def _make(self, view: View) -> Puzzle | None:
        if not hasattr(self._own, "smith"):
            self._own.smith = Smith(self._budget, self._seed, self._stop)
        made: Puzzle | None = self._own.smith.make(view)
        return made


def positions_of(game: Game) -> Iterator[View]:
    """What each seat knew before each of its turns."""
    for seat in range(game.options.players):
        for turn in turns_of(game, seat):
            if turn.view.fields.phase == TURN:
                yield turn.view


class Smith:
    """Makes a puzzle of a position, if it is one."""

    def __init__(self, budget: int, seed: str, stop: Event | None = None) -> None:
        self._seed = seed
        self._glance, self._judge, self._deep = (
            Judge(budget=each, stop=stop) for each in (GLANCE, budget, TWENTY * budget)
        )
        self._levels: dict[str, Bot] = {}

    def make(self, view: View) -> Puzzle | None:
        """The puzzle of a position in which the viewer's turn begins, or None."""
        known = identity(view)
        seed = f"{self._seed} {known}"
        if self._best(self._glance, view, f"{seed} glance", sure=False) is None:
            return None
        first = self._best(self._judge, view, seed)
        if first is None or not self._beats_all(view, first.turn, self._judge.tried(), seed):
            return None
        second = self._best(self._deep, view, f"{seed} deep")
        if second is None or end_of(view, second.turn) != end_of(view, first.turn):
            return None
        turn, other, chance, ahead = second
        game = Game.from_state(view.determinize(new_rng(known)))
        return Puzzle(
            id=known,
            options=option_headers(game.options),
            seat=int(view.fields.viewer),
            shown=game.shown(),
            hand=tuple(int(count) for count in view.hand),
            turn=tokens_of(turn),
            robs=robberies(view, turn),
            chance=round(chance.mean, 4),
            next=tokens_of(other),
            ahead=round(ahead.mean, 2),
            low=round(ahead.low, 2),
            high=round(ahead.high, 2),
            solved_by=tuple(level for level in LEVELS if self._solves(level, view, turn)),
            reasons=reasons(self._judge, view, turn, other, f"{seed} why"),
        )

    def _best(self, judge: Judge, view: View, seed: str, *, sure: bool = True) -> Best | None:
        """The best turn, and how far it is ahead at 99 %; None where that is too little."""
        found = judge.judge(view, (), new_rng(seed))
        best = found.best._replace(ahead=at_99(found.best.ahead))
        enough = (best.ahead.low if sure else best.ahead.high) >= AHEAD
        return best if found.deals and enough else None

    def _beats_all(
        self, view: View, best: Sequence[Action], tried: Sequence[Sequence[Action]], seed: str
    ) -> bool:
        """Whether a turn is far enough ahead of every other that was tried."""
        end = end_of(view, best)
        return all(
            self._beats(view, best, other, f"{seed} {number}")
            for number, other in enumerate(tried)
            if end_of(view, other) != end
        )

    def _beats(
        self, view: View, best: Sequence[Action], other: Sequence[Action], seed: str
    ) -> bool:
        deals = FIRST_DEALS
        while deals <= MOST_DEALS:
            met = self._judge.compare(view, other, best, deals, new_rng(f"{seed} {deals}"))
            ahead = at_99(met.gain)
            if ahead.low >= AHEAD or ahead.high < AHEAD:
                return ahead.low >= AHEAD
            deals *= 4
        return False

    def _solves(self, level: str, view: View, turn: Sequence[Action]) -> bool:
        """Whether a level finds a turn, or one that leads to the same position, nearly always."""
        if level not in self._levels:
            self._levels[level] = make_bot(level)
        bot, end, found = self._levels[level], end_of(view, turn), 0
        for attempt in range(TRIES):
            found += end_of(view, turn_of(bot, view, f"{level} {attempt}")) == end
            if found + TRIES - attempt - 1 < FOUND:
                return False
        return found >= FOUND


def at_99(estimate: Estimate) -> Estimate:
    """An estimate with the bounds in which it lies 99 times in 100."""
    mean, wider = estimate.mean, SURE / SIDE
    return Estimate(
        mean, mean - wider * (mean - estimate.low), mean + wider * (estimate.high - mean)
    )


def identity(view: View) -> str:
    """The same for the same position, as far as its seat knows it."""
    return hashlib.sha256(bytes(view)).hexdigest()[:16]


def end_of(view: View, turn: Sequence[Action]) -> bytes:
    """The position that a whole turn leads to, in one deal."""
    game = Game.from_state(view.determinize(new_rng("end")))
    for action in turn:
        game.play(action)
    return game.states().tobytes()


def turn_of(bot: Bot, view: View, seed: str) -> tuple[Action, ...]:
    """What a bot plays until its turn is over."""
    game = Game.from_state(view.determinize(new_rng("end")))
    rng, turn, seat = new_rng(seed), list[Action](), game.to_move
    while seat is not None and game.to_move == seat:
        for action in decide(bot, game.view(seat), game.legal(), THINKING, rng):
            game.play(action)
            turn.append(action)
    return tuple(turn)
