"""Measures the learner: decisions a second with the policy, trained, and searched and trained.

Run `python benchmarks/learn.py [--device cuda] [--seconds S] [--set NAME=VALUE] [--json]`. On a GPU
it stops unless the games are the CPU's, the tensors are the games' own memory, and compiled and
uncompiled code say the same.
"""

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch

from baghdad.cli.bench import machine
from baghdad.learn.boards import Boards
from baghdad.learn.games import Games
from baghdad.learn.ppo import Learner
from baghdad.learn.recipe import SMALL, Recipe

CHECKED_GAMES, CHECKED_STEPS = 96, 100


def any_actions(games: Games) -> torch.Tensor:
    """A random legal action for every game, on the CPU."""
    return torch.where(games.masks, torch.rand(games.masks.shape), -1.0).argmax(1)


def same_games(recipe: Recipe) -> None:
    """The GPU's games, fed with the same actions, show what the CPU's show."""
    ours, theirs = (
        Games(recipe.tables, CHECKED_GAMES, device, "check", 20) for device in ("cpu", "cuda")
    )
    for step in range(CHECKED_STEPS):
        actions = any_actions(ours)
        ours.step(actions)
        theirs.step(actions.cuda())
        for name in ("observations", "masks", "to_move", "rewards", "over"):
            if not torch.equal(getattr(ours, name), getattr(theirs, name).cpu()):
                raise SystemExit(f"step {step}: {name} are not the same on the GPU")
    theirs.check()


def same_branches(recipe: Recipe) -> None:
    """What the GPU plays on is what the CPU does."""
    games = Games(recipe.tables, CHECKED_GAMES, "cpu", "check", 0)
    for _ in range(CHECKED_STEPS):
        games.step(any_actions(games))
    actions = games.masks.int().argmax(1).long()
    luck = torch.randint(1 << 32, (CHECKED_GAMES, 4))
    found = []
    for device in ("cpu", "cuda"):
        boards, rngs = Boards(device), luck.clone().to(device)
        words = games.words(torch.arange(CHECKED_GAMES)).to(device)
        boards.play_on(words, actions.to(device), rngs)
        found.append([part.cpu() for part in (words, rngs, *boards.look_at(words))])
    for ours, theirs in zip(*found, strict=True):
        if not torch.equal(ours, theirs):
            raise SystemExit("what is played on is not the same on the GPU")


def same_network(learner: Learner) -> None:
    """Compiled code in half precision says about the same as plain code in full."""
    games = learner.games
    nobody = torch.zeros(learner.recipe.games, dtype=torch.bool, device=learner.device)
    with torch.no_grad():
        _, likely, expected = learner._choose(
            learner.network, games.observations, games.masks, nobody, 0.0
        )
        liked, winners = learner.network(games.observations)
        most = torch.where(games.masks, liked, -1e9).log_softmax(1).max(1).values
        apart = max(
            float((likely - most).abs().max()),
            float((expected[:, :5] - winners.softmax(1)).abs().max()),
        )
    print(f"compiled and plain networks are {apart:.4f} apart at most")
    if apart > 0.05:
        raise SystemExit("that is too much")


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
    recipe = (SMALL if options.device == "cpu" else Recipe()).with_values(options.set)
    torch.set_num_threads(1)
    if options.device == "cuda":
        same_games(recipe)
        same_branches(recipe)
    learner = Learner(recipe, options.device)
    count = recipe.games * recipe.decisions
    if options.device == "cuda":
        same_network(learner)

    def play() -> int:
        learner._play(recipe.decisions)
        return count

    def learn() -> int:
        learner.learn(0.5)
        return count

    def search() -> int:
        before = learner.steps
        learner.learn(1.0)
        return learner.steps - before

    report: dict[str, Any] = {
        "weights": sum(weight.numel() for weight in learner.network.parameters()),
        "games": recipe.games,
        "played": round(speed(play, options.device, options.seconds)),
        "trained": round(speed(learn, options.device, options.seconds)),
    }
    learner.recipe = learner.teacher.recipe = replace(recipe, searched=1.0)
    report["searched"] = round(speed(search, options.device, options.seconds))
    learner.games.check()
    if options.device == "cuda":
        report["gpu"] = torch.cuda.get_device_name()
        report["gigabytes"] = round(torch.cuda.max_memory_allocated() / 2**30, 1)
    report["machine"] = f"{machine()}, torch {torch.__version__}"
    if options.json:
        print(json.dumps(report))
    else:
        for name, value in report.items():
            print(f"{name:<12}{value:,}" if isinstance(value, int) else f"{name:<12}{value}")


if __name__ == "__main__":
    main()
