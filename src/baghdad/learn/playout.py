"""Whole turns sampled and played out in many lanes at once, on the CPU or a GPU.

What `bots.expert` does for one position: for `turn_search` and for `benchmarks/expert.py`.
States are [lanes, STATE_WORDS]. How actions are chosen is a function that is passed in, and all
randomness is its own but for the cards.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from baghdad.bots.expert.machine import MAX_ACTIONS
from baghdad.rules.engine.material import OVER

from .batch_engine import BatchEngine, state_field

ChooseFn = Callable[[int, Tensor, Tensor], Tensor]
"""Given the number of the step, lanes [n] and their states [n, STATE_WORDS], returns an action for
each [n]."""


def play_turns(engine: BatchEngine, states: Tensor, choose: ChooseFn) -> Tensor:
    """Play every lane on to the end of its turn, in place; draws after it stay pending.

    Returns the actions [lanes, MAX_ACTIONS], -1 after the last. A turn that is longer than that is
    cut off.
    """
    turns = torch.full((len(states), MAX_ACTIONS), -1, device=states.device)
    seats, phases = state_field(states, "seat").clone(), state_field(states, "phase").clone()
    active = torch.arange(len(states), device=states.device)
    for step in range(MAX_ACTIONS):
        now = states[active]
        actions = choose(step, active, now)
        turns[active, step] = actions
        engine.apply(now, actions, None)
        states[active] = now
        same_phase = state_field(now, "phase") == phases[active]
        active = active[same_phase & (state_field(now, "seat") == seats[active])]
        if len(active) == 0:
            break
    return turns


def play_until_turn(
    engine: BatchEngine, states: Tensor, seats: Tensor, rngs: Tensor, choose: ChooseFn
) -> None:
    """Play every lane on until its seat [lanes] is to move or the game is over, in place.

    Cards are drawn with `rngs` [lanes, 4], which advance; pending draws come first.
    """
    lanes = torch.arange(len(states), device=states.device)
    engine.apply(states, torch.full_like(lanes, -1), rngs)
    active = lanes[_others_turn(states, seats)]
    step = 0
    while len(active):
        now, now_rngs = states[active], rngs[active]
        engine.apply(now, choose(step, active, now), now_rngs)
        states[active], rngs[active] = now, now_rngs
        active = active[_others_turn(now, seats[active])]
        step += 1


def _others_turn(states: Tensor, seats: Tensor) -> Tensor:
    return (state_field(states, "phase") != OVER) & (state_field(states, "seat") != seats)
