"""A match from the first deal to what it has shown: played, resumed, stopped when it is clear."""

from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO, TypeAlias

from baghdad.bots import BUILTIN_BOTS
from baghdad.machine import describe_machine

from .cluster import ClusterError, connected, play_on_ray
from .fingerprint import players_fingerprint
from .local import play_deals
from .match import Match, Played, bot_named
from .results import Results, open_results, score, write_deal
from .statistics import Sprt
from .summary import summarize

GAMES = 200
SPRT_MOST_DEALS = 100_000
"""Where two bots are as good as equal the test could go on for ever."""


@dataclass
class Outcome:
    """What has come of a match, or what there is of it so far."""

    results: Results
    about: dict[str, str]
    """The machine, and the cluster where there is one."""
    test: Sprt | None = None
    interrupted: bool = False
    """Whether somebody pressed Ctrl-C: what was played until then is here."""

    def summary(self) -> dict[str, Any]:
        """All that was found, for programs; there must be a deal."""
        return summarize(self.results, self.test) | self.about


class MatchError(Exception):
    """A match that could not go on; its cause says why, and `outcome` has what was played."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(f"the match ended after {len(outcome.results.deals)} deals")
        self.outcome = outcome


Progress: TypeAlias = Callable[[Outcome, int, int], object]
"""Hears after each deal what there is so far, how many deals are done, and how many at most."""


def run(
    match: Match,
    *,
    games: int | None = None,
    deals: range | None = None,
    jobs: int = 1,
    ray: str | None = None,
    output: Path | None = None,
    sprt: tuple[float, float] | None = None,
    progress: Progress | None = None,
) -> Outcome:
    """Play a match.

    This many `games` (200 unless given), rounded up to whole deals; or the `deals` with these
    numbers, which count from 1. With `sprt`, two differences in Elo, it stops when it is clear by
    which of the two the first bot is stronger than the second.

    The deals are played by `jobs` processes, or on the Ray cluster at the address `ray`;
    the result is the same. A file `output` gets every deal as it is done, and where it has some of
    this match already they are not played again.

    Ctrl-C ends a match early, with what there is. A bot or process that fails is a `MatchError`,
    which has it, too. `ResultError` is for a file of another match, `FingerprintError` for one of
    other bots of these names, `ClusterError` for a cluster that can't be used.

    >>> from baghdad.arena import Match, run
    >>> outcome = run(Match(("heuristic", "random"), seed="1"), games=6)
    >>> outcome.results.share("heuristic", "random").value
    1.0
    >>> outcome.summary()["games"]
    6
    """
    if len(set(match.bots)) < 2 or len(set(match.bots)) != len(match.bots):
        raise ValueError(f"two bots or more that differ, not {', '.join(match.bots)}")
    test = Sprt(*sprt) if sprt else None
    if test and (match.options.players != 2 or len(match.bots) != 2 or test.elo0 >= test.elo1):
        raise ValueError("sprt: two bots, two players, and the smaller rating first")
    if deals is None:
        most = -(-(games or GAMES) // len(match.seatings()))
        deals = range(1, 1 + (SPRT_MOST_DEALS if test and games is None else most))
    if jobs > 1 or ray:
        for name in match.bots:
            if name in BUILTIN_BOTS:
                bot_named(name)  # what it compiles is compiled once, and not by every process
    about = {"machine": describe_machine()}
    with connected(ray) if ray else nullcontext() as cluster:
        if cluster:
            about["cluster"] = cluster
        file = None
        if output:
            results, file = open_results(output, match, about)
        else:
            results = Results(match, players=players_fingerprint(match.bots), about=about)
        known = set(results.deals)
        left = (deal for deal in deals if deal not in known)
        playing = play_on_ray(match, left) if cluster else play_deals(match, left, jobs)
        outcome = Outcome(results, about, test)
        with file or nullcontext(), closing(playing):
            _play(outcome, deals, playing, file, progress)
    return outcome


def _play(
    outcome: Outcome,
    deals: range,
    playing: Iterator[list[Played]],
    file: TextIO | None,
    progress: Progress | None,
) -> None:
    """Deal after deal; those on file need not be played, but the test sees them in their place."""
    results, test = outcome.results, outcome.test
    one, other = results.match.bots[:2]
    try:
        for done, deal in enumerate(deals, 1):
            if deal not in results.deals:
                results.deals[deal] = _next(outcome, playing)
                if file:
                    write_deal(file, results.deals[deal])
            if progress:
                progress(outcome, done, len(deals))
            if test:
                test.add(score(results.deals[deal], one, other))
                if test.verdict is not None:
                    break
    except KeyboardInterrupt:
        outcome.interrupted = True


def _next(outcome: Outcome, playing: Iterator[list[Played]]) -> list[Played]:
    try:
        return next(playing)
    except ClusterError as error:
        if not outcome.results.deals:
            raise  # there never was a match
        raise MatchError(outcome) from error
    except Exception as error:
        raise MatchError(outcome) from error
