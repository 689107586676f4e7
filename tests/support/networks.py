"""Networks for tests: they know nothing, but have opinions."""

import torch

from baghdad import Options
from baghdad.bots.neural.network import Shape
from baghdad.envs.vector import VectorEnv
from baghdad.learn.network import PolicyNetwork

SHAPE = Shape(palace=24, table=32, pair=8, blocks=2)


def lively(shape: Shape = SHAPE) -> PolicyNetwork:
    """A network with strong opinions: a fresh one has hardly any."""
    torch.manual_seed(5)
    network = PolicyNetwork(shape)
    with torch.no_grad():
        for weight in network.parameters():
            weight.add_(torch.randn(weight.shape), alpha=0.2 / max(weight.shape[-1], 4) ** 0.5)
        for head in (network.of_palace, network.of_pair, network.of_table, network.outcome):
            head.weight *= 30
    return network


def positions(games: int = 60, steps: int = 40) -> VectorEnv:
    env = VectorEnv([Options(2), Options(3, "neutral"), Options(4)], games, seed="network")
    for _ in range(steps):
        env.step(env.sample())
    return env
