"""Measures the learner: decisions a second with the policy, trained, and searched and trained.

Of those trained, some are learned from: not those of guests, of chance, and the last of a rollout.

Run `python benchmarks/learn.py [--device cuda] [--seconds S] [--set NAME=VALUE] [--json]`. On a GPU
it stops unless the games are the CPU's, the tensors are the games' own memory, and compiled and
uncompiled code agree.
"""

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch

from baghdad.bots.neural import WEIGHTS_FILE
from baghdad.bots.neural.sight import OUTCOMES
from baghdad.learn.batch_engine import BatchEngine
from baghdad.learn.config import SMALL, Config
from baghdad.learn.export import import_network
from baghdad.learn.learner import Learner
from baghdad.learn.network import PolicyNetwork
from baghdad.learn.sampling import mask_logits
from baghdad.learn.tensor_env import TensorEnv
from baghdad.machine import describe_machine

CHECKED_GAMES, CHECKED_STEPS = 288, 400  # more games than a block of the GPU has threads
CHECKED_TURNS = 40
"""About half of the games are over by then."""


def good_actions(network: PolicyNetwork, games: TensorEnv) -> torch.Tensor:
    """What a trained network does in every game, on the CPU; now and then anything legal."""
    with torch.no_grad():
        logits = network(games.observations)[0]
    anything = torch.rand(len(logits), 1) < 0.05
    logits = torch.where(anything, torch.rand(logits.shape), logits)
    return mask_logits(logits, games.masks).argmax(1)


def same_games(config: Config, network: PolicyNetwork) -> None:
    """The GPU's games, fed with the same actions, show what the CPU's show, to their end."""
    ours, theirs = (
        TensorEnv(config.options, CHECKED_GAMES, device, "check", CHECKED_TURNS)
        for device in ("cpu", "cuda")
    )
    over = won = 0
    for step in range(CHECKED_STEPS):
        actions = good_actions(network, ours)
        ours.step(actions)
        theirs.step(actions.cuda())
        for name in ("observations", "masks", "to_move", "rewards", "done"):
            if not torch.equal(getattr(ours, name), getattr(theirs, name).cpu()):
                raise SystemExit(f"step {step}: {name} are not the same on the GPU")
        over += int(ours.done.sum())
        won += int((ours.rewards > 0).sum())
    theirs.check()
    print(f"{won} games won and {over - won} stopped are the same on the GPU")
    if won in (0, over):
        raise SystemExit("that is too few to say so")


def same_batches(config: Config, network: PolicyNetwork) -> None:
    """What the GPU plays on is what the CPU does."""
    games = TensorEnv(config.options, CHECKED_GAMES, "cpu", "check", None)
    for _ in range(CHECKED_STEPS // 4):  # the middle of the game
        games.step(good_actions(network, games))
    actions = games.masks.int().argmax(1).long()
    first_rngs = torch.randint(1 << 32, (CHECKED_GAMES, 4))
    found = []
    for device in ("cpu", "cuda"):
        engine, rngs = BatchEngine(device), first_rngs.clone().to(device)
        words = games.states(torch.arange(CHECKED_GAMES)).to(device)
        engine.apply(words, actions.to(device), rngs)
        found.append([part.cpu() for part in (words, rngs, *engine.observe(words))])
    for ours, theirs in zip(*found, strict=True):
        if not torch.equal(ours, theirs):
            raise SystemExit("what is played on is not the same on the GPU")


def same_network(learner: Learner, trained: PolicyNetwork) -> None:
    """Compiled code in half precision returns about the same as plain code in full.

    Everywhere with a network that has no preferences yet, and on average with one that has:
    rounding turns its near ties.
    """
    at_most = float(apart(learner, learner.network).max())
    mean = float(apart(learner, trained.to(learner.device)).mean())
    print(f"compiled and plain networks are {at_most:.4f} apart at most, trained {mean:.4f}")
    if at_most > 0.05 or mean > 0.005:
        raise SystemExit("that is too much")


@torch.no_grad()  # type: ignore[untyped-decorator]
def apart(learner: Learner, network: PolicyNetwork) -> torch.Tensor:
    """[games, 6]: of the most probable action, and of each outcome, how far the two are apart."""
    play, games = learner.self_play, learner.self_play.env
    nobody = torch.zeros(learner.config.games, dtype=torch.bool, device=learner.device)
    _, likely, expected = play._choose(network, games.observations, games.masks, nobody, 0.0)
    logits, outcome_logits = network(games.observations)
    most = mask_logits(logits, games.masks).log_softmax(1).amax(1)
    found = torch.cat([likely[:, None], expected[:, :OUTCOMES]], 1)
    return (found - torch.cat([most[:, None], outcome_logits.softmax(1)], 1)).abs()


def speed(work: Callable[[], int], device: str, seconds: float) -> float:
    """Decisions a second, after one turn to warm up."""

    def wait() -> float:
        if device == "cuda":
            torch.cuda.synchronize()
        return time.perf_counter()

    work()
    began, done = wait(), 0
    while (now := wait()) - began < seconds or not done:
        done += work()
    return done / (now - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    config = (SMALL if options.device == "cpu" else Config()).with_values(options.set)
    torch.set_num_threads(1)
    if options.device == "cuda":
        trained = import_network(WEIGHTS_FILE)
        same_games(config, trained)
        same_batches(config, trained)
    learner = Learner(config, options.device)
    count = config.games * config.rollout_length
    if options.device == "cuda":
        learner.self_play.play(config.rollout_length)
        same_network(learner, trained)

    def play() -> int:
        learner.self_play.play(config.rollout_length)
        return count

    shares = []

    def learn() -> int:
        shares.append(learner.iterate(0.5)["learned_share"])
        return count

    def search() -> int:
        before = learner.steps
        learner.iterate(1.0)
        return learner.steps - before

    report: dict[str, Any] = {
        "weights": sum(weight.numel() for weight in learner.network.parameters()),
        "games": config.games,
        "played": round(speed(play, options.device, options.seconds)),
        "trained": round(speed(learn, options.device, options.seconds)),
    }
    # Nothing is learned from guests' decisions, chance's, and those at the end of a rollout.
    report["learned"] = round(report["trained"] * sum(shares) / len(shares))
    learner.config = learner.turn_search.config = replace(config, search_share=1.0)
    report["searched"] = round(speed(search, options.device, options.seconds))
    learner.self_play.env.check()
    if options.device == "cuda":
        report["gpu"] = torch.cuda.get_device_name()
        report["gigabytes"] = round(torch.cuda.max_memory_allocated() / 2**30, 1)
    report["machine"] = f"{describe_machine()}, torch {torch.__version__}"
    if options.json:
        print(json.dumps(report))
    else:
        for name, value in report.items():
            print(f"{name:<12}{value:,}" if isinstance(value, int) else f"{name:<12}{value}")


if __name__ == "__main__":
    main()
