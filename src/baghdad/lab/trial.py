"""Many games under one condition, in compiled code: what the laboratory runs."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from baghdad.bots.heuristic.beam import new_beam
from baghdad.bots.heuristic.evaluation import make_value_table
from baghdad.bots.heuristic.match import GAME_RESULT, Planners, play_games
from baghdad.bots.neural.batch_games import GameBatch, Games, play_batch
from baghdad.bots.neural.weights_file import load_network
from baghdad.bots.playing import MAX_TURNS
from baghdad.rules.engine.dealer import Rng, new_rng
from baghdad.rules.options import Options
from baghdad.rules.setup import new_states

from .players import HeuristicPlayer, NetworkPlayer, Player

Tick: TypeAlias = Callable[[int], object]
"""Hears how many games are done."""
PlayBatch: TypeAlias = Callable[[GameBatch, int, Tick], Games]
"""Plays all games of a batch up to a limit of turns."""

CHUNK = 50
"""Deals between two looks at an interrupt: a fraction of a second."""
BATCH = 256
"""Games of the network between two: it is slow one by one, and about as fast with more."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Who plays and by which options; every deal is one game."""

    options: Options
    seats: tuple[Player, ...]
    deals: int
    redraw: int = 0
    """With another number the same hands are dealt, and then other cards drawn."""


def play_deals(trial: Trial, seed: str, deals: range) -> Games:
    """The games of some deals. A deal has the same chance in every trial with the same seed."""
    if any(isinstance(player, NetworkPlayer) for player in trial.seats):
        return play_batch(batch_of([trial], seed, deals), load_network(), MAX_TURNS)
    seats = [player for player in trial.seats if isinstance(player, HeuristicPlayer)]
    start = new_states(trial.options)
    games = np.zeros(len(deals), GAME_RESULT)
    dealers = _generators(seed, deals, 0)
    drawers = _generators(seed, deals, trial.redraw) if trial.redraw else dealers
    play_games(
        start,
        start.copy(),
        Planners(
            np.stack([make_value_table(player.params) for player in seats]),
            np.array([player.width for player in seats]),
            np.array([player.patience for player in seats]),
        ),
        dealers,
        drawers,
        new_beam(),
        MAX_TURNS,
        games,
    )
    return games


def batch_of(trials: Sequence[Trial], seed: str, deals: range | None = None) -> GameBatch:
    """Trials of the network as one batch, trial by trial; all their deals, or some."""
    places = [range(1, trial.deals + 1) if deals is None else deals for trial in trials]
    most = deals or range(1, max(map(len, places), default=0) + 1)
    redraws = 1 + max((trial.redraw for trial in trials), default=0)
    temperatures = np.zeros((len(trials), 4))
    for row, trial in zip(temperatures, trials, strict=True):
        for seat, player in enumerate(trial.seats):
            if not isinstance(player, NetworkPlayer):
                raise TypeError(f"a network and {player} don't sit at one table")
            row[seat] = player.temperature
    return GameBatch(
        np.concatenate([new_states(trial.options) for trial in trials]),
        temperatures,
        np.array([trial.redraw for trial in trials]),
        np.stack([_generators(seed, most, redraw) for redraw in range(redraws)]),
        np.stack([_generators(f"{seed} dice", most, redraw) for redraw in range(redraws)]),
        np.repeat(np.arange(len(trials)), [len(each) for each in places]),
        np.concatenate([np.arange(len(each)) for each in places]),
    )


def _generators(seed: str, deals: range, redraw: int) -> Rng:
    """[deals, 4]: generators."""
    more = f" fate {redraw}" if redraw else ""
    return np.stack([new_rng(f"{seed} {deal}{more}") for deal in deals])


def play_trials(
    trials: Iterable[Trial],
    seed: str,
    jobs: int = 1,
    tick: Tick = bool,
    batch_player: PlayBatch | None = None,
) -> dict[Trial, Games]:
    """The games of all deals of each trial, in `jobs` threads; `tick` is given the number done.

    Compiled code needs no interpreter, so that threads do as well as processes. What the network
    plays is left to `batch_player`, where it is given: to a GPU.
    """
    played = {trial: np.zeros(trial.deals, GAME_RESULT) for trial in trials}
    apart = [
        trial for trial in played if batch_player and isinstance(trial.seats[0], NetworkPlayer)
    ]
    if batch_player and apart:
        games = batch_player(batch_of(apart, seed), MAX_TURNS, tick)
        ends = np.cumsum([trial.deals for trial in apart])
        played |= dict(zip(apart, np.split(games, ends[:-1]), strict=True))
    chunks = [
        (trial, range(first, min(first + size, trial.deals)))
        for trial in played
        if trial not in apart
        for size in [BATCH if isinstance(trial.seats[0], NetworkPlayer) else CHUNK]
        for first in range(0, trial.deals, size)
    ]

    def work(chunk: tuple[Trial, range]) -> int:
        trial, places = chunk
        deals = range(places.start + 1, places.stop + 1)  # counted from 1, as in the arena
        played[trial][places.start : places.stop] = play_deals(trial, seed, deals)
        return len(deals)

    pool = ThreadPoolExecutor(jobs)
    try:
        for done in pool.map(work, chunks):
            tick(done)
    finally:
        pool.shutdown(cancel_futures=True)
    return played
