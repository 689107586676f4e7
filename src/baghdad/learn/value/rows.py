"""Rows of positions as tensors, and what they should be worth, on the CPU or a GPU."""

import torch
from torch import Tensor

from baghdad.bots.neural.network import NOBODY
from baghdad.bots.value import rows as on_cpu
from baghdad.bots.value.network import Sees
from baghdad.bots.value.rows import OPEN_SIZE
from baghdad.learn.batch_engine import state_field
from baghdad.rules.engine.observation import OBSERVATION_SIZE
from baghdad.rules.engine.state import STATE


def rows_of(states: Tensor, seats: Tensor, sees: Sees) -> Tensor:
    """Rows of `states` [n, STATE_WORDS] for the `seats` [n] that look; with open hands those have
    to be the seats whose turn it is. In PyTorch's stream."""
    if states.device.type == "cpu":
        found = states.numpy().view(STATE)[:, 0]
        if sees == "open":
            return torch.from_numpy(on_cpu.open_rows(found))
        return torch.from_numpy(on_cpu.seen_rows(found, seats.numpy()))
    from baghdad.rules.engine.gpu import cuda

    from . import rows_gpu

    number = torch.cuda.current_stream().cuda_stream
    stream = cuda.external_stream(number) if number else 0
    size = OPEN_SIZE if sees == "open" else OBSERVATION_SIZE
    rows = torch.empty(len(states), size, dtype=torch.int8, device=states.device)
    if sees == "open":
        rows_gpu.open_rows(states, rows, stream)
    else:
        rows_gpu.seen_rows(states, seats.to(torch.int64), rows, stream)
    return rows


def seats_to_move(states: Tensor) -> Tensor:
    """[n]: whose turn it is, or who is dealt to."""
    return state_field(states, "seat").long()


def seats_at_random(states: Tensor) -> Tensor:
    """[n]: any seat of each table. Consumes randomness."""
    random = torch.rand(len(states), device=states.device)
    players = state_field(states, "players").long()
    return torch.minimum((random * players).long(), players - 1)


def outcomes(states: Tensor, winners: Tensor, seats: Tensor) -> Tensor:
    """[n]: who has won, counted from `seats` [n] on; `NOBODY` where a winner [n] is -1."""
    players = state_field(states, "players").long()
    return torch.where(winners < 0, NOBODY, (winners - seats) % players)
