"""Many games at once under the network's policy: looking, choosing, playing on, all compiled."""

import math
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from baghdad.bots.compiled import fast
from baghdad.rules.engine.dealer import (
    Rng,
    deal,
    next_number,
    spawn,
)
from baghdad.rules.engine.legality import Rows, legal_mask, legal_rows
from baghdad.rules.engine.material import (
    DEALING,
    DRAWING,
    OVER,
    Seat,
)
from baghdad.rules.engine.observation import observe
from baghdad.rules.engine.state import States
from baghdad.rules.engine.steps import play
from baghdad.rules.engine.views import ViewFields
from baghdad.rules.engine.visibility import determinize

Numbers: TypeAlias = npt.NDArray[Any]

ALL = 1 << 32
"""`next_number` is below this."""


@fast
def look_all(states: States, rows: Rows, observations: Numbers, masks: Numbers) -> None:
    """Write what the seat to move sees of each game, and what it may do."""
    for game in range(len(states)):
        observe(states[game], states[game].seat, observations[game])
        legal_rows(states[game], rows)
        legal_mask(rows, masks[game])


@fast
def choose_all(
    liked: Numbers, masks: Numbers, temperatures: Numbers, rngs: Numbers, actions: Numbers
) -> None:
    """Choose an action for each game: the best liked at temperature 0, else by likelihood."""
    for game in range(len(liked)):
        best = -1
        for action in range(liked.shape[1]):
            if masks[game, action] and (best < 0 or liked[game, action] > liked[game, best]):
                best = action
        actions[game] = best
        temperature = temperatures[game]
        if temperature <= 0:
            continue
        total, most = 0.0, liked[game, best]
        for action in range(liked.shape[1]):
            if masks[game, action]:
                total += math.exp((liked[game, action] - most) / temperature)
        lot = next_number(rngs[game]) / ALL * total
        for action in range(liked.shape[1]):
            if masks[game, action]:
                lot -= math.exp((liked[game, action] - most) / temperature)
                if lot < 0:
                    actions[game] = action
                    break


@fast
def play_all(states: States, actions: Numbers) -> None:
    """Play an action in each game; cards are left to come."""
    for game in range(len(states)):
        play(states[game], actions[game])


@fast
def deal_until(states: States, seat: Seat, rngs: Numbers, waiting: Numbers) -> None:
    """Let cards come; say which games wait for another seat than this one."""
    for game in range(len(states)):
        while states[game].phase == DEALING or states[game].phase == DRAWING:
            deal(states[game], rngs[game])
        waiting[game] = states[game].phase != OVER and states[game].seat != seat


@fast
def try_turns(
    view: ViewFields, turns: Numbers, alive: Numbers, rngs: Numbers, states: States, luck: Numbers
) -> None:
    """Play every turn in every deal: `states` and `luck`, a generator each, deal by deal.

    All turns of a deal go on with the same generator, so that luck decides little between them.
    """
    for number in range(len(rngs)):
        first = number * len(alive)
        determinize(view, rngs[number], states[first])
        for place in range(1, len(alive)):
            states[first + place] = states[first]
        for place in range(len(alive)):
            for part in range(4):
                luck[first + place, part] = rngs[number, part]
            for action in turns[alive[place]]:
                if action >= 0:
                    play(states[first + place], action)


def new_generators(rng: Rng, count: int) -> npt.NDArray[np.int64]:
    rngs = np.zeros((count, 4), np.int64)
    spawn(rng, rngs)
    return rngs
