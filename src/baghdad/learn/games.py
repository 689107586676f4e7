"""Many games as tensors, on the CPU or on a GPU; nothing is copied."""

from typing import Any

import torch
from torch import Tensor

from baghdad.envs.vector import VectorEnv
from baghdad.rules.options import Options


class Games:
    """What every game looks like now, in tensors that the next step writes over."""

    def __init__(
        self, tables: list[Options], count: int, device: str, seed: str, max_turns: int | None
    ) -> None:
        self._env: Any
        self._on_gpu = device != "cpu"
        if self._on_gpu:
            torch.cuda.init()  # PyTorch's context is the one that Numba then finds
            from baghdad.envs.gpu import GpuVectorEnv

            # One stream for both: everything happens in the order in which it is asked for.
            stream = torch.cuda.current_stream().cuda_stream
            self._env = GpuVectorEnv(tables, count, seed=seed, max_turns=max_turns, stream=stream)
        else:
            self._env = VectorEnv(tables, count, seed=seed, max_turns=max_turns)
        now = [torch.as_tensor(array, device=device) for array in self._env.now]
        self.observations: Tensor = now[0]
        """[games, OBSERVATION_SIZE]: what the seat to move sees."""
        self.masks: Tensor = now[1]
        """[games, ACTION_COUNT]: what it may do."""
        self.to_move: Tensor = now[2]
        """[games]: the seat."""
        self.rewards: Tensor = now[3]
        """[games, 4], by seat: 1 for who has just won."""
        self._terminated, self._truncated = now[4], now[5]

    def step(self, actions: Tensor) -> None:
        """Play an action in every game."""
        # On the GPU always the same type, for every other would be compiled for anew.
        self._env.step(actions.to(torch.int16) if self._on_gpu else actions.numpy())

    def words(self, games: Tensor) -> Tensor:
        """The states of some games, [games, STATE_WORDS], hidden cards and all: a copy."""
        if self._on_gpu:
            return torch.as_tensor(self._env.state_words).T[games].contiguous()
        return torch.from_numpy(self._env.state_words[games.numpy()])

    @property
    def over(self) -> Tensor:
        """[games]: the last step was the game's last, and what is seen is the next one's start."""
        return self._terminated | self._truncated

    def check(self) -> None:
        """Raise if an action was refused; on a GPU nobody else would notice."""
        if self._on_gpu and self._env.illegal:
            raise RuntimeError(f"{self._env.illegal} illegal actions were chosen")
