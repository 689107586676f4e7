"""Positions as tensors, [lanes, STATE_WORDS]: played on, looked at; on the CPU or a GPU."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from baghdad.envs import batch
from baghdad.rules.engine.actions import ACTION_COUNT
from baghdad.rules.engine.observation import OBSERVATION_SIZE

Weigh = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]
"""The policy [lanes, ACTION_COUNT] and what is expected for what is seen and may be done; the next
call may write over them."""


class Boards:
    """What can be done with positions; on a GPU in PyTorch's stream, so all happens in order."""

    def __init__(self, device: str) -> None:
        self._gpu: Any = None
        if device != "cpu":
            from baghdad.envs import batch_gpu
            from baghdad.rules.engine.gpu import cuda

            self._gpu = batch_gpu
            number = torch.cuda.current_stream().cuda_stream
            self._no_luck = torch.zeros(1, 4, dtype=torch.int64, device=device)
            self._stream = cuda.external_stream(number) if number else 0

    def apply_actions(self, words: Tensor, actions: Tensor, rngs: Tensor | None) -> None:
        """Play an action in each, none where it is -1; with generators, let cards come."""
        if self._gpu is None:
            lots = None if rngs is None else rngs.numpy()
            batch.apply_actions(words.numpy(), actions.numpy(), lots)
        else:
            luck = self._no_luck if rngs is None else rngs
            self._gpu.apply_actions(words, actions, rngs is not None, luck, self._stream)

    def determinize_states(self, words: Tensor, seats: Tensor, rngs: Tensor) -> None:
        """Make each a position that the seat can't tell from the true one."""
        if self._gpu is None:
            batch.determinize_states(words.numpy(), seats.numpy(), rngs.numpy())
        else:
            self._gpu.determinize_states(words, seats, rngs, self._stream)

    def observe_states(self, words: Tensor) -> tuple[Tensor, Tensor]:
        """What who is to move sees and may do."""
        if self._gpu is None:
            observations, masks = batch.observe_states(words.numpy())
            return torch.from_numpy(observations), torch.from_numpy(masks)
        lanes, device = len(words), words.device
        seen = torch.empty(lanes, OBSERVATION_SIZE, dtype=torch.int8, device=device)
        may = torch.empty(lanes, ACTION_COUNT, dtype=torch.bool, device=device)
        self._gpu.observe_states(words, seen, may, self._stream)
        return seen, may

    def ask(self, words: Tensor, weigh: Weigh, size: int, compiled: bool) -> tuple[Tensor, ...]:
        """What is seen, what may be done, and both that `weigh` says of it, in portions of a size.
        Compiled code is compiled for that size alone, and the last portion is filled up."""
        found = []
        for part in words.split(size):
            seen, may = self.observe_states(part)
            if len(part) < size and compiled:
                rest = size - len(part)
                asked = [torch.cat([each, each[:1].expand(rest, -1)]) for each in (seen, may)]
            else:
                asked = [seen, may]
            policy, expected = weigh(*asked)
            found.append((seen, may, policy[: len(part)].clone(), expected[: len(part)].clone()))
        return tuple(torch.cat(parts) for parts in zip(*found, strict=True))


def byte(words: Tensor, place: int) -> Tensor:
    """[lanes]: one of the small numbers of each state."""
    return words.view(torch.int8)[:, place]
