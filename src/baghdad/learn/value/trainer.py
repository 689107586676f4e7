"""Learning from positions: a pool of them, and the steps of the optimizer."""

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from baghdad.bots.neural.sight import OUTCOMES
from baghdad.bots.value.network import Sees
from baghdad.envs.batch import STATE_WORDS
from baghdad.learn.cuda_graphs import CudaGraph, compiled

from .config import ValueConfig
from .games import Positions
from .network import ValueNet
from .rows import outcomes, rows_of, seats_at_random, seats_to_move

BETAS = 0.9, 0.99


class Pool:
    """The latest positions; new ones take the place of the oldest."""

    def __init__(self, size: int, device: str) -> None:
        self.size, self.filled, self._next = size, 0, 0
        self._states = torch.zeros(size, STATE_WORDS, dtype=torch.int32, device=device)
        self._winners = torch.zeros(size, dtype=torch.int64, device=device)

    def add(self, positions: Positions) -> None:
        states, winners = positions.states[: self.size], positions.winners[: self.size]
        places = (self._next + torch.arange(len(states), device=states.device)) % self.size
        self._states[places], self._winners[places] = states, winners
        self._next = (self._next + len(states)) % self.size
        self.filled = min(self.filled + len(states), self.size)

    def sample(self, count: int) -> tuple[Tensor, Tensor]:
        """Some positions [count, STATE_WORDS] and who won [count]. Consumes randomness."""
        places = torch.randint(self.filled, (count,), device=self._states.device)
        return self._states[places], self._winners[places]


class ValueTrainer:
    """A value network, its optimizer, and the mean of its late weights."""

    def __init__(self, config: ValueConfig, device: str, sees: Sees) -> None:
        """Consumes PyTorch's randomness."""
        self.config, self.device, self.sees = config, device, sees
        self.network = ValueNet(config.shape(sees)).to(device)
        self.average = {
            name: weight.detach().clone() for name, weight in self.network.named_parameters()
        }
        self.updates = 0
        self._rate = torch.tensor(config.learning_rate, device=device)
        on_gpu = device != "cpu"
        self.settings = {"lr": self._rate, "betas": BETAS, "fused": True, "capturable": on_gpu}
        self.optimizer = torch.optim.Adam(self.network.parameters(), **self.settings)
        self._bfloat16 = config.bfloat16 and on_gpu
        self.loss = compiled(self.plain_loss, config.compile)
        self._step = CudaGraph(self._step_eager, config.compile and on_gpu)

    def update(self, states: Tensor, winners: Tensor, rate: float) -> Tensor:
        """One step of the optimizer; returns the loss. Consumes randomness: any seat looks."""
        self._rate.fill_(rate)
        seats = seats_to_move(states) if self.sees == "open" else seats_at_random(states)
        rows = rows_of(states, seats, self.sees)
        loss: Tensor = self._step(rows, outcomes(states, winners, seats)).clone()
        self.updates += 1
        weight = max(1 - self.config.average, 1 / (self.updates + 1))
        now = dict(self.network.named_parameters())
        with torch.no_grad():
            torch._foreach_lerp_(
                list(self.average.values()), [now[name] for name in self.average], weight
            )
        return loss

    def _step_eager(self, rows: Tensor, labels: Tensor) -> Tensor:
        self.optimizer.zero_grad(set_to_none=True)
        loss: Tensor = self.loss(rows, labels)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        return loss.detach()

    def plain_loss(self, rows: Tensor, labels: Tensor) -> Tensor:
        """The mean surprisal of who has won, before it is compiled."""
        with torch.autocast(self.device, torch.bfloat16, enabled=self._bfloat16):
            logits = self.network(rows)
        return functional.cross_entropy(logits.float(), labels)

    def averaged(self) -> ValueNet:
        """A copy with the mean of late weights: what is exported."""
        network = ValueNet(self.config.shape(self.sees)).to(self.device)
        network.load_state_dict(self.average)
        return network.eval()

    def saved(self) -> dict[str, Any]:
        return {
            "network": self.network.state_dict(),
            "average": self.average,
            "optimizer": self.optimizer.state_dict(),
            "updates": self.updates,
        }

    def restore(self, saved: dict[str, Any]) -> None:
        """Raises `RuntimeError`, `ValueError` or `KeyError` for a network of another shape."""
        self.network.load_state_dict(saved["network"])
        self.optimizer.load_state_dict(saved["optimizer"])
        for group in self.optimizer.param_groups:
            group.update(self.settings)  # the checkpoint brought its own
        for name, weight in saved["average"].items():
            self.average[name].copy_(weight)
        self.updates = saved["updates"]


@torch.no_grad()  # type: ignore[untyped-decorator]
def chances(network: ValueNet, states: Tensor, seats: Tensor, bfloat16: bool = False) -> Tensor:
    """[n, OUTCOMES]: what a network thinks of positions, each from the seat that looks."""
    if not len(states):
        return torch.zeros(0, OUTCOMES, device=states.device)
    parts = []
    for some, looking in zip(states.split(32_768), seats.split(32_768), strict=True):
        rows = rows_of(some.contiguous(), looking, network.shape.sees)
        with torch.autocast(states.device.type, torch.bfloat16, enabled=bfloat16):
            parts.append(network(rows).float().softmax(1))
    return torch.cat(parts)
