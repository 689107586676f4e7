"""Which of two networks is stronger, by thousands of games on a GPU.

Run `python benchmarks/duel.py ONE.bin OTHER.bin [--players 2 3 4] [--games 10000]`: the first sits
alone against copies of the other, in every seat of every deal, by R7's deal. Both play what they
like best, as the bot `neural` does. Weights of earlier versions may play, too.
"""

import argparse
import math
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from baghdad.bots.playing import MAX_TURNS
from baghdad.envs.batch import STATE_WORDS
from baghdad.envs.vector import new_rngs
from baghdad.learn.batch_engine import BatchEngine, state_field
from baghdad.learn.export import import_network
from baghdad.learn.network import PolicyNetwork, evaluate
from baghdad.learn.sampling import mask_logits
from baghdad.rules.engine.material import OVER
from baghdad.rules.options import Options
from baghdad.rules.setup import new_states

LOOK_EVERY = 16
"""Decisions between two looks at which games are over."""
BATCH = 32_768


@torch.no_grad()  # type: ignore[untyped-decorator]
def choose(network: PolicyNetwork, observations: Tensor, masks: Tensor) -> Tensor:
    """[n]: the most probable action."""
    parts = []
    for seen, legal in zip(observations.split(BATCH), masks.split(BATCH), strict=True):
        logits, _ = evaluate(network, seen, observations.device.type != "cpu")
        parts.append(mask_logits(logits, legal).argmax(1))
    return torch.cat(parts)


def duel(
    networks: list[PolicyNetwork], options: Options, deals: int, device: str, seed: str
) -> Tensor:
    """[deals, players]: whether the first of the two won the deal from each seat."""
    engine, players = BatchEngine(device), options.players
    lanes = deals * players
    words = new_states(options, lanes).view(np.int32).reshape(-1, STATE_WORDS)
    states = torch.tensor(words, device=device)
    rngs = torch.tensor(new_rngs(seed, deals), device=device).repeat_interleave(players, 0)
    game = torch.arange(lanes, device=device)
    alone = game % players
    won = torch.zeros(lanes, dtype=torch.bool, device=device)
    engine.apply(states, torch.full_like(game, -1), rngs)
    while len(game):
        for _ in range(LOOK_EVERY):
            over = state_field(states, "phase") == OVER
            observations, masks = engine.observe(states)
            one, other = (choose(each, observations, masks) for each in networks)
            actions = torch.where(state_field(states, "seat") == alone, one, other)
            engine.apply(states, torch.where(over, -1, actions), rngs)
        over = state_field(states, "phase") == OVER
        over |= state_field(states, "turn")[:] >= MAX_TURNS
        won[game[over]] = (state_field(states, "winner") == alone)[over]
        states, rngs, game, alone = (
            each[~over].contiguous() for each in (states, rngs, game, alone)
        )
    return won.view(deals, players)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", nargs=2, type=Path)
    parser.add_argument("--players", nargs="+", type=int, default=[2, 3, 4], choices=(2, 3, 4))
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", default="duel")
    options = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cuda":
        torch.cuda.init()  # PyTorch's context is the one that Numba then finds
    networks = [import_network(path).to(device).eval() for path in options.weights]
    for players in options.players:
        deals = -(-options.games // players)
        won = duel(networks, Options(players), deals, device, options.seed)
        shares = won.double().mean(1)
        share, error = float(shares.mean()), 1.96 * float(shares.std()) / math.sqrt(deals)
        games = deals * players
        told = f"{share:.1%} ({share - error:.1%} … {share + error:.1%})"
        print(f"{players} players: the first wins {told} of {games} games", flush=True)


if __name__ == "__main__":
    main()
