"""The network that learns: `bots.neural.network`, where its design is explained, in PyTorch.

The layers' names are keys of the files that ship, and stay.
"""

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from baghdad.bots.neural.network import (
    OF_A_PAIR,
    OF_THE_TABLE,
    Shape,
    TrunkShape,
)
from baghdad.bots.neural.sight import OUTCOMES
from baghdad.bots.neural.versions import FIRST_READING
from baghdad.rules.engine.actions import END_TURN, PASS_CARDS, PASSES_BY_NAME
from baghdad.rules.engine.observation import (
    FIRST_HANDS_AT,
    LATER_AT,
    NAMED_AT,
    OBSERVATION_SIZE,
    PALACE_SIZE,
    SEATS_AT,
    SPARE_AT,
)

ALIGNED = 16
PASS_OF_TABLE = PASS_CARDS - END_TURN
"""Where passing stands among the actions of the table."""
KINDS = 11
"""Kinds of actions at one palace that version 1 has."""


def product(given: Tensor, weight: Tensor) -> Tensor:
    """As `functional.linear`; on a GPU, which is slow with odd sizes, filled up with zeros."""
    return (
        functional.linear(given, weight) if given.device.type == "cpu" else filled_up(given, weight)
    )


def filled_up(given: Tensor, weight: Tensor) -> Tensor:
    wanted, places = weight.shape
    weight = functional.pad(weight, (0, -places % ALIGNED, 0, -wanted % ALIGNED))
    return functional.linear(functional.pad(given, (0, -places % ALIGNED)), weight)[..., :wanted]


def together(given: Tensor, *layers: nn.Linear) -> list[Tensor]:
    """The outputs of several layers for the same input, by one product: reading takes the time.

    A GPU multiplies half as fast where it has to add the bias, too; so that is added to the output,
    together with whatever is done to it next.
    """
    weight = torch.cat([layer.weight for layer in layers]) if layers[1:] else layers[0].weight
    parts = product(given, weight).split([layer.out_features for layer in layers], -1)
    return [
        part if layer.bias is None else part + layer.bias.to(part.dtype)
        for part, layer in zip(parts, layers, strict=True)
    ]


class Layer(nn.Linear):
    """As its parent, by `together`."""

    def forward(self, given: Tensor) -> Tensor:
        return together(given, self)[0]


class Norm(nn.LayerNorm):
    """As its parent, with the precision of its input: half precision is half as much to read."""

    def forward(self, given: Tensor) -> Tensor:
        return super().forward(given).to(given.dtype)


class Highest(torch.autograd.Function):
    """[n, 6, ...] to [n, ...]: the maximum of all palaces.

    Not `amax`: its backward pass looks for what equals the maximum, and finds nothing where
    compiled code has rounded the two differently. An index of one byte is little to keep.
    """

    @staticmethod
    def forward(context: Any, palaces: Tensor) -> Tensor:
        most, *others = palaces.unbind(1)
        place = torch.zeros_like(most, dtype=torch.int8)
        for number, other in enumerate(others, 1):
            place = torch.where(other > most, number, place)
            most = torch.maximum(most, other)
        context.save_for_backward(place)
        return most

    @staticmethod
    def backward(context: Any, gradient: Tensor) -> Tensor:
        (place,) = context.saved_tensors
        places = torch.arange(6, dtype=torch.int8, device=place.device)[:, None]
        return torch.where(place[:, None] == places, gradient[:, None], 0.0)


class Block(nn.Module):
    """A block: the table's token takes in all palaces, then every palace the table's token."""

    def __init__(self, shape: TrunkShape) -> None:
        super().__init__()
        self.palace_norm = Norm(shape.palace)
        self.table_norm = Norm(shape.table)
        self.table_hears = Layer(shape.table + 2 * shape.palace, shape.table)
        self.table_out = Layer(shape.table, shape.table)
        self.palace_hears = Layer(shape.palace, shape.palace)
        self.palace_is_told = Layer(shape.table, shape.palace, bias=False)
        self.palace_out = Layer(shape.palace, shape.palace)

    def forward(self, palaces: Tensor, table: Tensor) -> tuple[Tensor, Tensor]:
        """[n, 6, palace] and [n, table], both with a residual added."""
        each = self.palace_norm(palaces)
        highest: Tensor = Highest.apply(each)
        heard = torch.cat([self.table_norm(table), each.mean(1), highest], 1)
        table = table + self.table_out(functional.relu(self.table_hears(heard)))
        # The bias of what palaces hear is added once for all six.
        told = self.palace_is_told(table) + self.palace_hears.bias.to(table.dtype)
        hidden = functional.relu(product(each, self.palace_hears.weight) + told[:, None])
        return palaces + self.palace_out(hidden), table


class Trunk(nn.Module):
    """The blocks that every network has. Those that build on it add their heads, and call
    `initialize`."""

    def __init__(self, shape: TrunkShape) -> None:
        super().__init__()
        self.reading = reading = shape.reading
        self.palace_in = Layer(reading.palace.size, shape.palace)
        self.table_in = Layer(reading.table.size, shape.table)
        self.blocks = nn.ModuleList([Block(shape) for _ in range(shape.blocks)])
        self.palace_norm = Norm(shape.palace)
        self.table_norm = Norm(shape.table)
        for name, array in {
            "palace_places": reading.palace.threshold_columns,
            "palace_reached": reading.palace.threshold_values.astype(np.int8),
            "palace_scale": reading.palace.scale,
            "table_places": reading.table.threshold_columns,
            "table_reached": reading.table.threshold_values.astype(np.int8),
            "table_scale": reading.table.scale,
        }.items():
            self.register_buffer(name, torch.tensor(array), persistent=False)

    def initialize(self, *heads: nn.Linear) -> None:
        """Initial weights: all that heads tell apart about as likely, every block near nothing."""
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.orthogonal_(module.weight, 2**0.5)
                if module.bias is not None:
                    nn.init.zeros_(module.bias)
        with torch.no_grad():
            for block in self.blocks:
                block.table_out.weight *= 0.1
                block.palace_out.weight *= 0.1
            for head in heads:
                head.weight *= 0.01

    def encode(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """As `bots.neural.network.encode`."""
        # By slicing, not by the reading's columns: gathering is slow.
        palaces = observations[:, :SEATS_AT].unflatten(1, (6, PALACE_SIZE))
        table = observations[:, SEATS_AT:LATER_AT]
        if self.reading is not FIRST_READING:
            named = observations[:, NAMED_AT : NAMED_AT + 6, None]
            palaces = torch.cat([palaces, named], -1)
            if self.reading.more:
                more = observations[:, OBSERVATION_SIZE:].unflatten(1, (6, self.reading.more))
                palaces = torch.cat([palaces, more], -1)
            first_hands = observations[:, FIRST_HANDS_AT : FIRST_HANDS_AT + 4]
            table = torch.cat([table, observations[:, SPARE_AT, None], first_hands], -1)
        reached = palaces[..., self.palace_places] >= self.palace_reached
        table_reached = table[..., self.table_places] >= self.table_reached
        return (
            torch.cat([palaces / self.palace_scale, reached.float()], -1),
            torch.cat([table / self.table_scale, table_reached.float()], -1),
        )

    def tokens(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """What the blocks make of rows: [n, 6, palace] and [n, table], normalized."""
        palaces, table = self.encode(observations)
        palaces = functional.relu(self.palace_in(palaces))
        table = functional.relu(self.table_in(table))
        for block in self.blocks:
            palaces, table = block(palaces, table)
        return self.palace_norm(palaces), self.table_norm(table)


class PolicyNetwork(Trunk):
    """From what a seat sees to the logits of its actions, and of all outcomes."""

    def __init__(self, shape: Shape | None = None) -> None:
        shape = shape or Shape()
        super().__init__(shape)
        self.shape = shape
        self.leaving = Layer(shape.palace, shape.pair)
        self.entering = Layer(shape.palace, shape.pair, bias=False)
        self.of_palace = Layer(shape.palace, shape.reading.palace_actions)
        self.of_pair = Layer(shape.pair, OF_A_PAIR)
        self.of_table = Layer(shape.table, OF_THE_TABLE)
        self.outcome = Layer(shape.table, OUTCOMES)
        self.initialize(self.of_palace, self.of_pair, self.of_table, self.outcome)

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """[n, OBSERVATION_SIZE] int8: logits of all actions [n, ACTION_COUNT] and of all outcomes
        [n, OUTCOMES], in full precision."""
        palaces, table = self.tokens(observations)
        leaving, entering, of_palaces = together(
            palaces, self.leaving, self.entering, self.of_palace
        )
        of_table, outcome = together(table, self.of_table, self.outcome)
        pairs = functional.relu(leaving[:, :, None] + entering[:, None])
        actions = assemble_logits(of_palaces, self.of_pair(pairs), of_table)
        return actions.float(), outcome.float()


def evaluate(network: PolicyNetwork, observations: Tensor, bfloat16: bool) -> tuple[Tensor, Tensor]:
    """What the network returns for observations [n, OBSERVATION_SIZE], with products in half
    precision if asked for."""
    with torch.autocast(observations.device.type, torch.bfloat16, enabled=bfloat16):
        logits, outcome_logits = network(observations)
    return logits, outcome_logits


def assemble_logits(of_palaces: Tensor, of_pairs: Tensor, of_table: Tensor) -> Tensor:
    """As `bots.neural.layers.assemble_logits`, by slicing alone: gathering has a slow gradient."""
    single = of_palaces.transpose(1, 2)
    pairs = of_pairs.flatten(1, 2)[:, 1:].unflatten(1, (5, 7))[:, :, :6].flatten(1, 2)
    rows = pairs.transpose(1, 2)
    # Networks of version 1 ask for a card of a palace as gladly as for any: `bots.neural.versions`.
    plain = of_table[:, PASS_OF_TABLE, None].expand(-1, len(PASSES_BY_NAME))
    named = single[:, KINDS] if single.shape[1] > KINDS else plain
    parts = (single[:, :2], of_table, single[:, 2:KINDS], rows, named)
    return torch.cat([part.flatten(1) for part in parts], 1)
