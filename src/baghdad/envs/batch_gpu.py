"""`batch` on an NVIDIA GPU: one thread, one lane. Arrays are in its memory, of any library."""

from typing import Any

from numba import int8, int32, int64

from baghdad.rules.engine.actions import ACTION_COUNT, ROWS
from baghdad.rules.engine.dealer import deal_all
from baghdad.rules.engine.gpu import THREADS, blocks_for, cuda
from baghdad.rules.engine.legality import is_legal, legal_rows
from baghdad.rules.engine.observation import OBSERVATION_SIZE, observe
from baghdad.rules.engine.state import STATE
from baghdad.rules.engine.steps import play
from baghdad.rules.engine.views import VIEW
from baghdad.rules.engine.visibility import determinize, fill_view

from .batch import STATE_WORDS


@cuda.jit  # type: ignore[untyped-decorator]
def _apply_actions(words: Any, actions: Any, dealt: bool, rngs: Any) -> None:
    lane = cuda.grid(1)
    if lane < words.shape[0]:
        mine = cuda.local.array(STATE_WORDS, int32)
        rng = cuda.local.array(4, int64)
        for word in range(STATE_WORDS):
            mine[word] = words[lane, word]
        state = mine.view(STATE)
        if actions[lane] >= 0:
            play(state[0], actions[lane])
        if dealt:
            for number in range(4):
                rng[number] = rngs[lane, number]
            deal_all(state[0], rng)
            for number in range(4):
                rngs[lane, number] = rng[number]
        for word in range(STATE_WORDS):
            words[lane, word] = mine[word]


@cuda.jit  # type: ignore[untyped-decorator]
def _determinize_states(words: Any, seats: Any, rngs: Any) -> None:
    lane = cuda.grid(1)
    if lane < words.shape[0]:
        mine = cuda.local.array(STATE_WORDS, int32)
        view = cuda.local.array(1, VIEW)
        rng = cuda.local.array(4, int64)
        for word in range(STATE_WORDS):
            mine[word] = words[lane, word]
        for number in range(4):
            rng[number] = rngs[lane, number]
        state = mine.view(STATE)
        fill_view(state[0], seats[lane], view[0])
        determinize(view[0], rng, state[0])
        for number in range(4):
            rngs[lane, number] = rng[number]
        for word in range(STATE_WORDS):
            words[lane, word] = mine[word]


@cuda.jit  # type: ignore[untyped-decorator]
def _observe_states(words: Any, observations: Any, masks: Any) -> None:
    lane = cuda.grid(1)
    if lane < words.shape[0]:
        mine = cuda.local.array(STATE_WORDS, int32)
        rows = cuda.local.array(ROWS, int64)
        seen = cuda.local.array(OBSERVATION_SIZE, int8)
        for word in range(STATE_WORDS):
            mine[word] = words[lane, word]
        state = mine.view(STATE)
        observe(state[0], state[0].seat, seen)
        for place in range(OBSERVATION_SIZE):
            observations[lane, place] = seen[place]
        legal_rows(state[0], rows)
        for action in range(ACTION_COUNT):
            masks[lane, action] = is_legal(rows, action)


def apply_actions(words: Any, actions: Any, dealt: bool, rngs: Any, stream: Any = 0) -> None:
    """As `batch.apply_actions`; unless cards are `dealt`, the generators are not used."""
    _apply_actions[blocks_for(words.shape[0]), THREADS, stream](words, actions, dealt, rngs)


def determinize_states(words: Any, seats: Any, rngs: Any, stream: Any = 0) -> None:
    """As `batch.determinize_states`."""
    _determinize_states[blocks_for(words.shape[0]), THREADS, stream](words, seats, rngs)


def observe_states(words: Any, observations: Any, masks: Any, stream: Any = 0) -> None:
    """As `batch.observe_states`, into the last two."""
    _observe_states[blocks_for(words.shape[0]), THREADS, stream](words, observations, masks)
