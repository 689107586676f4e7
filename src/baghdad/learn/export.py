"""From PyTorch to the file that ships, and back."""

from pathlib import Path
from typing import Any

import torch

from baghdad.bots.neural.layers import Floats
from baghdad.bots.neural.weights_file import read_weights, write_weights

from .network import PolicyNetwork


def arrays_of(network: PolicyNetwork) -> dict[str, Floats]:
    """All weights by name, as `bots.neural.network` takes them."""
    return {name: array.float().cpu().numpy() for name, array in network.state_dict().items()}


def export(network: PolicyNetwork, path: Path, about: dict[str, Any]) -> None:
    """Write what ships: weights in half precision, with versions and a hash."""
    write_weights(path, arrays_of(network), network.shape, about)


def import_network(path: Path) -> PolicyNetwork:
    """A network that learns on, from a file that ships."""
    weights, shape, _ = read_weights(path)
    network = PolicyNetwork(shape)
    network.load_state_dict({name: torch.tensor(array) for name, array in weights.items()})
    return network
