"""The engine for batches of positions as tensors, on the CPU or a GPU.

Positions are states as plain numbers, [lanes, STATE_WORDS] int32: a lane is one position. All
methods but `evaluate` are `envs.batch` and `envs.batch_gpu` without a copy.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from baghdad.envs import batch
from baghdad.rules.engine.actions import ACTION_COUNT
from baghdad.rules.engine.observation import OBSERVATION_SIZE
from baghdad.rules.engine.state import STATE

EvaluateFn = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]
"""From observations [lanes, OBSERVATION_SIZE] and masks [lanes, ACTION_COUNT] to policy [lanes,
ACTION_COUNT] and values [lanes, ...]; the next call may write over both."""


class BatchEngine:
    """What can be done with positions; on a GPU in PyTorch's stream, so everything is in order."""

    def __init__(self, device: str) -> None:
        self._gpu: Any = None
        if device != "cpu":
            from baghdad.envs import batch_gpu
            from baghdad.rules.engine.gpu import cuda

            self._gpu = batch_gpu
            number = torch.cuda.current_stream().cuda_stream
            self._no_rngs = torch.zeros(1, 4, dtype=torch.int64, device=device)
            self._stream = cuda.external_stream(number) if number else 0

    def apply(self, states: Tensor, actions: Tensor, rngs: Tensor | None) -> None:
        """Play an action in each lane, in place; none where it is -1.

        With generators [lanes, 4] cards are drawn after it, until a seat is to move: they advance.
        Without, draws stay pending.
        """
        if self._gpu is None:
            numbers = None if rngs is None else rngs.numpy()
            batch.apply_actions(states.numpy(), actions.numpy(), numbers)
        else:
            given = self._no_rngs if rngs is None else rngs
            self._gpu.apply_actions(states, actions, rngs is not None, given, self._stream)

    def determinize(self, states: Tensor, seats: Tensor, rngs: Tensor) -> None:
        """Sample all that each lane's seat [lanes] can't see, in place; the generators advance."""
        if self._gpu is None:
            batch.determinize_states(states.numpy(), seats.numpy(), rngs.numpy())
        else:
            self._gpu.determinize_states(states, seats, rngs, self._stream)

    def observe(self, states: Tensor) -> tuple[Tensor, Tensor]:
        """What the seat to move sees and may do: [lanes, OBSERVATION_SIZE] int8 and [lanes,
        ACTION_COUNT] bool."""
        if self._gpu is None:
            observations, masks = batch.observe_states(states.numpy())
            return torch.from_numpy(observations), torch.from_numpy(masks)
        lanes, device = len(states), states.device
        seen = torch.empty(lanes, OBSERVATION_SIZE, dtype=torch.int8, device=device)
        legal = torch.empty(lanes, ACTION_COUNT, dtype=torch.bool, device=device)
        self._gpu.observe_states(states, seen, legal, self._stream)
        return seen, legal

    def evaluate(
        self, states: Tensor, network: EvaluateFn, size: int, compiled: bool
    ) -> tuple[Tensor, ...]:
        """Observations, masks, policy and values of each lane; `size` lanes are evaluated together.

        Code that was compiled is compiled for that size alone, so the last batch is filled up.
        """
        found = []
        for part in states.split(size):
            given = list(self.observe(part))
            padded = pad(given, size) if compiled else given
            policy, values = network(*padded)
            found.append((*given, policy[: len(part)].clone(), values[: len(part)].clone()))
        return tuple(torch.cat(parts) for parts in zip(*found, strict=True))


def pad(tensors: list[Tensor], size: int) -> list[Tensor]:
    """Tensors [n, ...] made [size, ...] by repeating their first rows; as they are if n is size."""
    rest = size - len(tensors[0])
    if not rest:
        return tensors
    return [torch.cat([each, each[:1].expand(rest, *each.shape[1:])]) for each in tensors]


def state_field(states: Tensor, name: str) -> Tensor:
    """One field of every state, by its name in `rules.engine.state.STATE`: a view, not a copy.

    states: [lanes, STATE_WORDS] int32. Returns [lanes], or [lanes, n] where the field is an array.
    """
    assert STATE.fields is not None
    kind, offset = STATE.fields[name][:2]
    size = kind.base.itemsize
    numbers = states.view(torch.int8) if size == 1 else states
    if not kind.shape:
        return numbers[:, offset // size]
    return numbers[:, offset // size : (offset + kind.itemsize) // size]
