"""`bots.value.rows` on an NVIDIA GPU: one thread, one position. Arrays are in its memory."""

from typing import Any

from numba import int8, int32

from baghdad.bots.value.rows import OPEN_SIZE, observe_openly
from baghdad.envs.batch import STATE_WORDS
from baghdad.rules.engine.gpu import THREADS, blocks_for, cuda
from baghdad.rules.engine.observation import OBSERVATION_SIZE, observe
from baghdad.rules.engine.state import STATE


@cuda.jit  # type: ignore[untyped-decorator]
def _observe_all(words: Any, seats: Any, rows: Any) -> None:
    lane = cuda.grid(1)
    if lane < words.shape[0]:
        mine = cuda.local.array(STATE_WORDS, int32)
        seen = cuda.local.array(OBSERVATION_SIZE, int8)
        for word in range(STATE_WORDS):
            mine[word] = words[lane, word]
        state = mine.view(STATE)
        observe(state[0], seats[lane], seen)
        for place in range(OBSERVATION_SIZE):
            rows[lane, place] = seen[place]


@cuda.jit  # type: ignore[untyped-decorator]
def _observe_all_openly(words: Any, rows: Any) -> None:
    lane = cuda.grid(1)
    if lane < words.shape[0]:
        mine = cuda.local.array(STATE_WORDS, int32)
        seen = cuda.local.array(OPEN_SIZE, int8)
        for word in range(STATE_WORDS):
            mine[word] = words[lane, word]
        state = mine.view(STATE)
        observe_openly(state[0], seen)
        for place in range(OPEN_SIZE):
            rows[lane, place] = seen[place]


def seen_rows(words: Any, seats: Any, rows: Any, stream: Any = 0) -> None:
    """What each of `seats` [n] sees of its position [n, STATE_WORDS], into `rows`."""
    _observe_all[blocks_for(words.shape[0]), THREADS, stream](words, seats, rows)


def open_rows(words: Any, rows: Any, stream: Any = 0) -> None:
    """All of each position, into `rows` [n, OPEN_SIZE]."""
    _observe_all_openly[blocks_for(words.shape[0]), THREADS, stream](words, rows)
