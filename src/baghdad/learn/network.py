"""The network that learns: `bots.network` in PyTorch, where its design is explained."""

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from ..bots.network import (
    OF_A_PAIR,
    OF_A_PALACE,
    OF_THE_TABLE,
    OUTCOMES,
    PALACE_INPUTS,
    PALACE_PLACES,
    PALACE_REACHED,
    PALACE_SCALE,
    TABLE_INPUTS,
    TABLE_PLACES,
    TABLE_REACHED,
    TABLE_SCALE,
    Shape,
)
from ..rules.observation import PALACE_SIZE, SEATS_AT

ALIGNED = 16


class Aligned(nn.Linear):
    """As its parent; filled up with zeros on a GPU, which is slow with odd numbers of places."""

    def forward(self, given: Tensor) -> Tensor:
        return super().forward(given) if given.device.type == "cpu" else self.filled_up(given)

    def filled_up(self, given: Tensor) -> Tensor:
        places, wanted = -self.in_features % ALIGNED, -self.out_features % ALIGNED
        weight = functional.pad(self.weight, (0, places, 0, wanted))
        bias = functional.pad(self.bias, (0, wanted))
        wide = functional.linear(functional.pad(given, (0, places)), weight, bias)
        return wide[..., : self.out_features]


class Norm(nn.LayerNorm):
    """As its parent; in half precision it says so in half, too, which is half as much to read."""

    def forward(self, given: Tensor) -> Tensor:
        return super().forward(given).to(given.dtype)


def highest(palaces: Tensor) -> Tensor:
    """[n, 6, ...] to [n, ...]: the maximum of all palaces.

    Not `amax`: on its way back that looks for what equals the maximum, and finds nothing where
    compiled code has rounded the two differently. A place of one byte is little to keep.
    """
    with torch.no_grad():
        first, *others = palaces.unbind(1)
        most, place = first, torch.zeros_like(first, dtype=torch.int8)
        for number, other in enumerate(others, 1):
            place = torch.where(other > most, number, place)
            most = torch.maximum(most, other)
    places = torch.arange(len(others) + 1, dtype=torch.int8, device=palaces.device)[:, None]
    return torch.where(place[:, None] == places, palaces, 0.0).sum(1)


class Block(nn.Module):
    """The table hears of all palaces, then every palace of the table."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.palace_norm = Norm(shape.palace)
        self.table_norm = Norm(shape.table)
        self.table_hears = nn.Linear(shape.table + 2 * shape.palace, shape.table)
        self.table_out = nn.Linear(shape.table, shape.table)
        self.palace_hears = nn.Linear(shape.palace, shape.palace)
        self.palace_is_told = nn.Linear(shape.table, shape.palace, bias=False)
        self.palace_out = nn.Linear(shape.palace, shape.palace)

    def forward(self, palaces: Tensor, table: Tensor) -> tuple[Tensor, Tensor]:
        """[n, 6, palace] and [n, table], both with something added."""
        each = self.palace_norm(palaces)
        heard = torch.cat([self.table_norm(table), each.mean(1), highest(each)], 1)
        table = table + self.table_out(functional.relu(self.table_hears(heard)))
        told = self.palace_hears(each) + self.palace_is_told(table)[:, None]
        return palaces + self.palace_out(functional.relu(told)), table


class PolicyNetwork(nn.Module):
    """From what a seat sees to what it may want to do, and to who will win."""

    def __init__(self, shape: Shape | None = None) -> None:
        super().__init__()
        self.shape = shape = shape or Shape()
        self.palace_in = Aligned(PALACE_INPUTS, shape.palace)
        self.table_in = Aligned(TABLE_INPUTS, shape.table)
        self.blocks = nn.ModuleList([Block(shape) for _ in range(shape.blocks)])
        self.palace_norm = Norm(shape.palace)
        self.table_norm = Norm(shape.table)
        self.leaving = nn.Linear(shape.palace, shape.pair)
        self.entering = nn.Linear(shape.palace, shape.pair, bias=False)
        self.of_palace = Aligned(shape.palace, OF_A_PALACE)
        self.of_pair = Aligned(shape.pair, OF_A_PAIR)
        self.of_table = Aligned(shape.table, OF_THE_TABLE)
        self.outcome = Aligned(shape.table, OUTCOMES)
        for name, array in {
            "palace_places": PALACE_PLACES,
            "palace_reached": PALACE_REACHED.astype(np.int8),
            "palace_scale": PALACE_SCALE,
            "table_places": TABLE_PLACES,
            "table_reached": TABLE_REACHED.astype(np.int8),
            "table_scale": TABLE_SCALE,
        }.items():
            self.register_buffer(name, torch.tensor(array), persistent=False)
        self._begin()

    def _begin(self) -> None:
        """Every action about as likely as any other, every block without a say at first."""
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.orthogonal_(module.weight, 2**0.5)
                if module.bias is not None:
                    nn.init.zeros_(module.bias)
        with torch.no_grad():
            for block in self.blocks:
                block.table_out.weight *= 0.1
                block.palace_out.weight *= 0.1
            for head in (self.of_palace, self.of_pair, self.of_table, self.outcome):
                head.weight *= 0.01

    def encode(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """As `bots.network.encode`."""
        palaces = observations[:, :SEATS_AT].unflatten(1, (6, PALACE_SIZE))
        table = observations[:, SEATS_AT:]
        reached = palaces[..., self.palace_places] >= self.palace_reached
        table_reached = table[..., self.table_places] >= self.table_reached
        return (
            torch.cat([palaces / self.palace_scale, reached.float()], -1),
            torch.cat([table / self.table_scale, table_reached.float()], -1),
        )

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """[n, OBSERVATION_SIZE] int8: logits of all actions [n, ACTION_COUNT] and of all outcomes
        [n, OUTCOMES], in full precision."""
        palaces, table = self.encode(observations)
        palaces = functional.relu(self.palace_in(palaces))
        table = functional.relu(self.table_in(table))
        for block in self.blocks:
            palaces, table = block(palaces, table)
        palaces, table = self.palace_norm(palaces), self.table_norm(table)
        pairs = self.leaving(palaces)[:, :, None] + self.entering(palaces)[:, None]
        actions = assemble(
            self.of_palace(palaces), self.of_pair(functional.relu(pairs)), self.of_table(table)
        )
        return actions.float(), self.outcome(table).float()


def assemble(of_palaces: Tensor, of_pairs: Tensor, of_table: Tensor) -> Tensor:
    """As `bots.layers.assemble`: by cutting alone, since gathering is slow to go back through."""
    single = of_palaces.transpose(1, 2)
    pairs = of_pairs.flatten(1, 2)[:, 1:].unflatten(1, (5, 7))[:, :, :6].flatten(1, 2)
    rows = pairs.transpose(1, 2)
    parts = (single[:, :2], of_table, single[:, 2:], rows)
    return torch.cat([part.flatten(1) for part in parts], 1)
