"""Thousands of games at once on the CPU, in compiled code and in arrays that are used again."""

from collections.abc import Sequence
from secrets import randbits
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from baghdad.rules.engine.actions import ACTION_COUNT, ROWS
from baghdad.rules.engine.dealer import new_rng
from baghdad.rules.engine.observation import OBSERVATION_SIZE
from baghdad.rules.engine.state import States
from baghdad.rules.options import Options
from baghdad.rules.setup import new_states

from .stepping import (
    first_illegal,
    reset_games,
    sample_games,
    step_games,
    turn_limit,
    why_not,
)


class Step(NamedTuple):
    """What every game looks like after a step. The next step writes over these very arrays."""

    observations: npt.NDArray[np.int8]
    """[games, OBSERVATION_SIZE]: what the seat to move sees."""
    masks: npt.NDArray[np.bool_]
    """[games, ACTION_COUNT]: what it may do."""
    to_move: npt.NDArray[np.int8]
    """[games]: the seat."""
    rewards: npt.NDArray[np.float32]
    """[games, 4]: by seat, what the step has brought."""
    terminated: npt.NDArray[np.bool_]
    """[games]: the game was won or ended in a stalemate; what is observed is already the next
    game's start."""
    truncated: npt.NDArray[np.bool_]
    """[games]: likewise, at the limit of turns; nobody has won."""


def start_states(options: Options | Sequence[Options]) -> States:
    """[tables]: the state before anything is placed or dealt, for each of the options."""
    tables = [options] if isinstance(options, Options) else list(options)
    if not tables:
        raise ValueError("options: at least one table")
    return np.concatenate([new_states(table) for table in tables])


def seed_or_random(seed: int | str | None) -> int | str:
    """The seed, or a random one for `None`."""
    return randbits(128) if seed is None else seed


def new_rngs(seed: int | str, games: int) -> npt.NDArray[np.int64]:
    """[games, 4]: a generator for each game, decided by the seed."""
    if games < 1:
        raise ValueError(f"games: 1 or more, not {games}")
    return np.stack([new_rng(seed, game) for game in range(games)])


class VectorEnv:
    """Many games that are played a step at a time, and begin anew when they end.

    With several options (`[Options(2), Options(3), Options(4)]`) the games take them in turn.

    >>> env = VectorEnv(Options(players=3), games=100, seed=1)
    >>> step = env.reset()
    >>> for _ in range(50):
    ...     step = env.step(env.sample())
    >>> step.observations.shape, step.masks.shape, step.rewards.shape
    ((100, 155), (100, 375), (100, 4))
    """

    def __init__(
        self,
        options: Options | Sequence[Options] = Options(),  # noqa: B008 (it can't be changed)
        games: int = 1024,
        *,
        seed: int | str | None = 0,
        max_turns: int | None = None,
    ) -> None:
        self.games = games
        self.max_turns = turn_limit(max_turns)
        seed = seed_or_random(seed)
        self._rngs = new_rngs(seed, games)
        self._sampling = new_rngs(f"{seed} sampling", games)
        self._start = start_states(options)
        self._states = np.zeros(games, self._start.dtype)
        self._rows = np.zeros((games, ROWS), np.int64)
        self._actions = np.zeros(games, np.int64)
        self.now = Step(
            np.zeros((games, OBSERVATION_SIZE), np.int8),
            np.zeros((games, ACTION_COUNT), np.bool_),
            np.zeros(games, np.int8),
            np.zeros((games, 4), np.float32),
            np.zeros(games, np.bool_),
            np.zeros(games, np.bool_),
        )
        """What every game looks like now."""
        self.reset()

    @property
    def states(self) -> States:
        """A copy of all states, hidden cards and all."""
        return self._states.copy()

    @property
    def state_words(self) -> npt.NDArray[np.int32]:
        """[games, STATE_WORDS]: the states themselves, not a copy, as plain numbers."""
        return self._states.view(np.int32).reshape(self.games, -1)

    def reset(self) -> Step:
        """Begin every game anew; the generators go on where they were."""
        now = self.now
        looks = now.observations, now.masks, now.to_move
        reset_games(self._states, self._start, self._rngs, self._rows, *looks)
        for brought in (now.rewards, now.terminated, now.truncated):
            brought[:] = 0
        return now

    def step(self, actions: npt.NDArray[Any]) -> Step:
        """Play an action in every game.

        Raises `MoveError` where one is not legal, and plays none then.
        """
        if np.shape(actions) != (self.games,):
            raise ValueError(f"actions: {self.games} of them, not {np.shape(actions)}")
        np.copyto(self._actions, actions)
        game = first_illegal(self._rows, self._actions)
        if game >= 0:
            action = int(self._actions[game])
            error = why_not(self._states[game], action)
            error.add_note(f"action {action} in game {game}")
            raise error
        step_games(
            self._states, self._start, self._rngs, self._rows, self._actions, self.max_turns,
            *self.now,
        )  # fmt: skip
        return self.now

    def sample(self) -> npt.NDArray[np.int16]:
        """[games]: a random legal action for every game, from generators of its own."""
        actions = np.empty(self.games, np.int16)
        sample_games(self._rows, self._sampling, actions)
        return actions
