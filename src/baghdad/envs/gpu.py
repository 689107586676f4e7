"""Hundreds of thousands of games at once on an NVIDIA GPU; what is seen stays in its memory.

The arrays of a step have the CUDA array interface, so that PyTorch and others read them in place.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import int32, int64

from baghdad.rules.engine.actions import (
    ACTION_COUNT,
    MOVE_ROW,
    NAME_ROW,
    ROW_START,
    ROWS,
    SMUGGLE_ROW,
)
from baghdad.rules.engine.dealer import below, deal_all
from baghdad.rules.engine.gpu import THREADS, blocks_for, cuda
from baghdad.rules.engine.legality import count_legal, legal_rows, nth_legal
from baghdad.rules.engine.observation import OBSERVATION_SIZE, observe
from baghdad.rules.engine.state import STATE, States
from baghdad.rules.options import Options

from .batch import STATE_WORDS
from .stepping import (
    RUNNING,
    TERMINATED,
    TRUNCATED,
    may_play,
    play_step,
    reward,
    turn_limit,
)
from .vector import new_rngs, seed_or_random, start_states

SMUGGLE_START, MOVE_START = int(ROW_START[SMUGGLE_ROW]), int(ROW_START[MOVE_ROW])
PAIRS = int(ROW_START[MOVE_ROW + 1]) - MOVE_START
"""Actions in each row from `MOVE_ROW` on, but for the last, which has fewer."""
assert MOVE_ROW + (int(ROW_START[NAME_ROW]) - MOVE_START) // PAIRS == NAME_ROW
# Memory is slow where neighbouring threads touch places that lie apart, and byte by byte. So states
# and generators lie in words, by word and then by game, and the observations of a block, which end
# between two words but for the last, leave it together as words.
TILE_WORDS = THREADS * OBSERVATION_SIZE // 4
assert TILE_WORDS * 4 == THREADS * OBSERVATION_SIZE
MASK_BLOCKS = 4
"""Blocks that write masks, for each that plays."""


@cuda.jit  # type: ignore[untyped-decorator]
def _step(
    begin: bool,
    states: Any,
    start: Any,
    rngs: Any,
    rows: Any,
    actions: Any,
    max_turns: int,
    observations: Any,
    to_move: Any,
    rewards: Any,
    terminated: Any,
    truncated: Any,
    illegal: Any,
) -> None:
    """One thread plays one game; a block writes its observations together, side by side.

    As `stepping.step_games`, which says why it takes every array by itself; with `begin` as
    `stepping.reset_games`.
    """
    game = cuda.grid(1)
    thread = cuda.threadIdx.x
    tile = cuda.shared.array(TILE_WORDS, int32)
    seen = tile.view(np.int8)
    if game < states.shape[1]:
        words = cuda.local.array(STATE_WORDS, int32)
        mine = cuda.local.array(ROWS, int64)
        rng = cuda.local.array(4, int64)
        for word in range(STATE_WORDS):
            words[word] = states[word, game]
        for number in range(4):
            rng[number] = rngs[number, game]
        state = words.view(STATE)
        status = TERMINATED
        if not begin:
            status = RUNNING
            for row in range(ROWS):
                mine[row] = rows[row, game]
            if may_play(mine, actions[game]):
                status = play_step(state[0], rng, actions[game], max_turns)
            else:
                illegal[game] += 1
            for seat in range(4):
                rewards[game, seat] = reward(state[0], seat)
            terminated[game] = status == TERMINATED
            truncated[game] = status == TRUNCATED
        if status != RUNNING:
            for word in range(STATE_WORDS):
                words[word] = start[word, game % start.shape[1]]
            deal_all(state[0], rng)
        legal_rows(state[0], mine)
        for row in range(ROWS):
            rows[row, game] = mine[row]
        to_move[game] = state[0].seat
        at = thread * OBSERVATION_SIZE
        observe(state[0], state[0].seat, seen[at : at + OBSERVATION_SIZE])
        for number in range(4):
            rngs[number, game] = rng[number]
        for word in range(STATE_WORDS):
            states[word, game] = words[word]
    cuda.syncthreads()
    first = cuda.blockIdx.x * TILE_WORDS
    for place in range(thread, TILE_WORDS, THREADS):
        observations[first + place] = tile[place]


@cuda.jit  # type: ignore[untyped-decorator]
def _write_masks(rows: Any, masks: Any) -> None:
    """Threads that are neighbours write places that are neighbours, again and again."""
    for at in range(cuda.grid(1), masks.size, cuda.gridsize(1)):
        game, action = at // ACTION_COUNT, at % ACTION_COUNT
        if action < SMUGGLE_START:
            row, place = 0, action
        elif action < MOVE_START:
            row, place = SMUGGLE_ROW, action - SMUGGLE_START
        else:
            row, place = MOVE_ROW + (action - MOVE_START) // PAIRS, (action - MOVE_START) % PAIRS
        masks[at] = (rows[row, game] >> place) & 1 == 1


@cuda.jit  # type: ignore[untyped-decorator]
def _sample(rows: Any, rngs: Any, actions: Any) -> None:
    game = cuda.grid(1)
    if game < actions.shape[0]:
        mine = cuda.local.array(ROWS, int64)
        rng = cuda.local.array(4, int64)
        for row in range(ROWS):
            mine[row] = rows[row, game]
        for number in range(4):
            rng[number] = rngs[number, game]
        actions[game] = nth_legal(mine, below(rng, count_legal(mine)))
        for number in range(4):
            rngs[number, game] = rng[number]


def _by_word(numbers: npt.NDArray[Any]) -> Any:
    """[games, numbers], on the GPU the other way round."""
    return cuda.to_device(np.ascontiguousarray(numbers.T))


class GpuStep(NamedTuple):
    """As `vector.Step`, in the memory of the GPU. The next step writes over these very arrays."""

    observations: Any
    masks: Any
    to_move: Any
    rewards: Any
    terminated: Any
    truncated: Any


class GpuVectorEnv:
    """As `VectorEnv`, but nothing leaves the GPU, and nothing waits for it.

    All work goes to `stream`, the number of a CUDA stream (PyTorch:
    `torch.cuda.current_stream().cuda_stream`), or to the default one. An illegal action can't
    raise there: it is not played, the game stays as it is, and `illegal` counts it.
    """

    def __init__(
        self,
        options: Options | Sequence[Options] = Options(),  # noqa: B008 (it can't be changed)
        games: int = 65_536,
        *,
        seed: int | str | None = 0,
        max_turns: int | None = None,
        stream: int | None = None,
    ) -> None:
        self.games = games
        self._blocks = blocks_for(games)
        self.max_turns = turn_limit(max_turns)
        self._stream = cuda.external_stream(stream) if stream else 0
        self._start = _by_word(start_states(options).view(np.int32).reshape(-1, STATE_WORDS))
        seed = seed_or_random(seed)
        self._rngs = _by_word(new_rngs(seed, games))
        self._sampling = _by_word(new_rngs(f"{seed} sampling", games))
        self._states = cuda.to_device(np.zeros((STATE_WORDS, games), np.int32))
        self._rows = cuda.to_device(np.zeros((ROWS, games), np.int64))
        self._illegal = cuda.to_device(np.zeros(games, np.int64))
        self._actions = cuda.to_device(np.zeros(games, np.int16))
        self._flat = cuda.to_device(np.zeros(self._blocks * TILE_WORDS, np.int32))
        self._flat_masks = cuda.to_device(np.zeros(games * ACTION_COUNT, np.bool_))
        self.now = GpuStep(
            self._flat.view(np.int8)[: games * OBSERVATION_SIZE].reshape(games, OBSERVATION_SIZE),
            self._flat_masks.reshape(games, ACTION_COUNT),
            cuda.to_device(np.zeros(games, np.int8)),
            cuda.to_device(np.zeros((games, 4), np.float32)),
            cuda.to_device(np.zeros(games, np.bool_)),
            cuda.to_device(np.zeros(games, np.bool_)),
        )
        """What every game looks like now."""
        self.reset()

    @property
    def states(self) -> States:
        """A copy of all states in the computer's own memory, hidden cards and all."""
        self.wait()
        by_game = np.ascontiguousarray(self._states.copy_to_host().T)
        return by_game.view(STATE).reshape(self.games)

    @property
    def state_words(self) -> Any:
        """[STATE_WORDS, games]: the states themselves, not a copy, as plain numbers."""
        return self._states

    @property
    def illegal(self) -> int:
        """How many actions were refused; asking waits for the GPU."""
        self.wait()
        return int(self._illegal.copy_to_host().sum())

    def reset(self) -> GpuStep:
        """Begin every game anew; the generators go on where they were."""
        for brought in (self.now.rewards, self.now.terminated, self.now.truncated):
            brought.copy_to_device(np.zeros(brought.shape, brought.dtype), stream=self._stream)
        self._launch(True, self._actions)
        return self.now

    def step(self, actions: Any) -> GpuStep:
        """Play an action in every game: whole numbers [games] in the memory of the GPU."""
        if tuple(actions.shape) != (self.games,):
            raise ValueError(f"actions: {self.games} of them, not {tuple(actions.shape)}")
        self._launch(False, actions)  # numba takes others' arrays as they are
        return self.now

    def sample(self) -> Any:
        """[games]: a random legal action for every game, written over by the next `sample`."""
        _sample[self._blocks, THREADS, self._stream](self._rows, self._sampling, self._actions)
        return self._actions

    def wait(self) -> None:
        """Until the arrays are written, for libraries that don't work on the same stream: JAX."""
        cuda.synchronize()

    def _launch(self, begin: bool, actions: Any) -> None:
        _step[self._blocks, THREADS, self._stream](
            begin, self._states, self._start, self._rngs, self._rows, actions, self.max_turns,
            self._flat, *self.now[2:], self._illegal,
        )  # fmt: skip
        _write_masks[MASK_BLOCKS * self._blocks, THREADS, self._stream](
            self._rows, self._flat_masks
        )
