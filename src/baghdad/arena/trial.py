"""Many games of the heuristic under one condition, in compiled code: what the laboratory runs."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ..bots.beam import new_beam
from ..bots.heuristic import PATIENCE, WIDTH
from ..bots.match import GAME, play_series
from ..bots.values import Weights, make_table
from ..rules.dealer import new_rng
from ..rules.material import FIRST_HANDS
from ..rules.options import Options
from ..rules.state import new_states
from .match import MAX_TURNS

Games: TypeAlias = npt.NDArray[Any]
"""[deal], dtype `GAME`: how the game of each deal went."""

CHUNK = 50
"""Deals between two looks at an interrupt: a fraction of a second."""


@dataclass(frozen=True, slots=True)
class Player:
    """A heuristic, by its settings."""

    width: int = WIDTH
    patience: int = PATIENCE
    weights: Weights = field(default_factory=Weights)


@dataclass(frozen=True, slots=True)
class Trial:
    """Who plays, by which options, with how many cards at first; every deal is one game."""

    options: Options
    seats: tuple[Player, ...]
    deals: int
    hands: tuple[int, ...] = FIRST_HANDS
    fate: int = 0
    """With another fate the same cards are dealt, and then others drawn."""


def play_deals(trial: Trial, seed: str, deals: range) -> Games:
    """The games of some deals. A deal has the same chance in every trial with the same seed."""
    players = trial.options.players
    start = new_states(trial.options)
    games = np.zeros(len(deals), GAME)
    dealers = drawers = np.stack([new_rng(f"{seed} {deal}") for deal in deals])
    if trial.fate:
        drawers = np.stack([new_rng(f"{seed} {deal} fate {trial.fate}") for deal in deals])
    play_series(
        start,
        start.copy(),
        np.array(trial.hands[:players]),
        np.stack([make_table(player.weights) for player in trial.seats]),
        np.array([player.width for player in trial.seats]),
        np.array([player.patience for player in trial.seats]),
        dealers,
        drawers,
        new_beam(),
        MAX_TURNS,
        games,
    )
    return games


def play_trials(
    trials: Iterable[Trial], seed: str, jobs: int = 1, tick: Callable[[int], object] = bool
) -> dict[Trial, Games]:
    """The games of all deals of each trial, in so many threads; `tick` hears how many are done.

    Compiled code needs no interpreter, so that threads do as well as processes.
    """
    played = {trial: np.zeros(trial.deals, GAME) for trial in trials}
    chunks = [
        (trial, range(first, min(first + CHUNK, trial.deals)))
        for trial in played
        for first in range(0, trial.deals, CHUNK)
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
