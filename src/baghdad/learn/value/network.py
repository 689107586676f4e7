"""`bots.value.network` in PyTorch, and the way to its file and back."""

from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from baghdad.bots.neural.network import NOBODY
from baghdad.bots.neural.sight import OUTCOMES
from baghdad.bots.value.network import IMPOSSIBLE, SEATED, ValueShape, read_value, write_value
from baghdad.learn.export import arrays_of
from baghdad.learn.network import Layer, Trunk

FIRST_SEAT, LAST_SEAT, SEAT_STEP = int(SEATED[0]), int(SEATED[-1]), int(SEATED[1] - SEATED[0])


class ValueNet(Trunk):
    """From a row to the logits of who wins: the observer, those after it, nobody."""

    def __init__(self, shape: ValueShape) -> None:
        super().__init__(shape)
        self.shape = shape
        self.outcome = Layer(shape.table, OUTCOMES)
        self.initialize(self.outcome)

    def forward(self, rows: Tensor) -> Tensor:
        """[n, row] int8 to [n, OUTCOMES], in full precision; `IMPOSSIBLE` where nobody sits."""
        _, table = self.tokens(rows)
        logits = self.outcome(table).float()
        seated = rows[:, FIRST_SEAT : LAST_SEAT + 1 : SEAT_STEP] > 0
        of_seats = torch.where(seated, logits[:, :NOBODY], float(IMPOSSIBLE))
        return torch.cat([of_seats, logits[:, NOBODY:]], 1)


def export_value(network: ValueNet, path: Path, about: dict[str, Any]) -> None:
    """Write what bots load: weights in half precision, with versions and a hash."""
    write_value(path, arrays_of(network), network.shape, about)


def import_value(path: Path) -> ValueNet:
    """A network that learns on, from a file that bots load."""
    weights, shape, _ = read_value(path)
    network = ValueNet(shape)
    network.load_state_dict({name: torch.tensor(array) for name, array in weights.items()})
    return network
