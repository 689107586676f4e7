"""`envs.vector.VectorEnv` and `envs.gpu.GpuVectorEnv` with their arrays as tensors, not copied."""

from typing import Any

import torch
from torch import Tensor

from baghdad.envs.vector import VectorEnv
from baghdad.rules.options import Options


class TensorEnv:
    """Many games at once, in tensors that the next step writes over."""

    def __init__(
        self, options: list[Options], count: int, device: str, seed: str, max_turns: int | None
    ) -> None:
        """`count` games that take the options in turn; `seed` decides all their cards."""
        self._env: Any
        self._on_gpu = device != "cpu"
        if self._on_gpu:
            torch.cuda.init()  # PyTorch's context is the one that Numba then finds
            from baghdad.envs.gpu import GpuVectorEnv

            # One stream for both: everything happens in the order in which it is asked for.
            stream = torch.cuda.current_stream().cuda_stream
            self._env = GpuVectorEnv(options, count, seed=seed, max_turns=max_turns, stream=stream)
        else:
            self._env = VectorEnv(options, count, seed=seed, max_turns=max_turns)
        now = self._env.now
        self.observations: Tensor = torch.as_tensor(now.observations, device=device)
        """[games, OBSERVATION_SIZE] int8: what the seat to move sees."""
        self.masks: Tensor = torch.as_tensor(now.masks, device=device)
        """[games, ACTION_COUNT] bool: what it may do."""
        self.to_move: Tensor = torch.as_tensor(now.to_move, device=device)
        """[games] int8: the seat."""
        self.rewards: Tensor = torch.as_tensor(now.rewards, device=device)
        """[games, 4] float32, by seat: 1 for a seat that has just won."""
        self._terminated = torch.as_tensor(now.terminated, device=device)
        self._truncated = torch.as_tensor(now.truncated, device=device)

    def step(self, actions: Tensor) -> None:
        """Play an action [games] in every game; a game that is over begins anew."""
        # On the GPU always the same type, for every other would be compiled for anew.
        self._env.step(actions.to(torch.int16) if self._on_gpu else actions.numpy())

    def states(self, games: Tensor) -> Tensor:
        """[n, STATE_WORDS] int32: a copy of some games' states, hidden cards included."""
        if self._on_gpu:
            return torch.as_tensor(self._env.state_words).T[games].contiguous()
        return torch.from_numpy(self._env.state_words[games.numpy()])

    @property
    def done(self) -> Tensor:
        """[games]: the last step was the game's last, and what is seen is the next one's start."""
        return self._terminated | self._truncated

    def check(self) -> None:
        """Raise if an action was refused; on a GPU nobody else would notice."""
        if self._on_gpu and self._env.illegal:
            raise RuntimeError(f"{self._env.illegal} illegal actions were chosen")
