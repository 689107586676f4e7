"""Measures the environments: steps a second with observations and masks, random play.

Run `python benchmarks/envs.py [--players N] [--seconds S] [--games N] [--device cuda] [--json]`.
With `--device cuda` PyTorch and JAX, where there are any, must see the arrays without a copy.
"""

import argparse
import json
import random
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, TypeAlias

import numpy as np

from baghdad import Options
from baghdad.cli.progress import progress
from baghdad.envs.vector import VectorEnv
from baghdad.machine import describe_machine

Loop: TypeAlias = Callable[[], int]
"""Plays for a short while and returns how many steps it has made."""

CHECKED_GAMES, CHECKED_STEPS = 300, 200  # more games than a block of the GPU has threads


def pettingzoo(players: int) -> Loop:
    """The loop of PettingZoo's tutorials."""
    from baghdad.envs.pettingzoo_env import env

    game = env(players=players)

    def loop() -> int:
        steps = 0
        game.reset()
        for _ in game.agent_iter(5000):
            seen, _, terminated, truncated, _ = game.last()
            if terminated or truncated:
                game.step(None)
            else:
                game.step(random.choice(np.flatnonzero(seen["action_mask"]).tolist()))
            steps += 1
        return steps

    return loop


def gymnasium(players: int, opponents: str) -> Loop:
    from baghdad.envs.gymnasium_env import ThiefEnv

    game = ThiefEnv(opponents, players)
    info = game.reset(seed=1)[1]

    def loop() -> int:
        nonlocal info
        for _ in range(500):
            legal = np.flatnonzero(info["action_mask"]).tolist()
            _, _, terminated, _, info = game.step(random.choice(legal))
            if terminated:
                info = game.reset()[1]
        return 500

    return loop


def openspiel(players: int) -> Loop:
    """Cards count as steps, as OpenSpiel counts; without tensors, which it makes on demand."""
    import pyspiel

    from baghdad.envs.openspiel import NAME

    game = pyspiel.load_game(NAME, {"players": players})

    def loop() -> int:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                cards, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(cards, odds)[0])
            else:
                state.apply_action(random.choice(state.legal_actions()))
        return len(state.history())

    return loop


def vector(players: int, games: int, choose: Callable[[VectorEnv], Any]) -> Loop:
    env = VectorEnv(Options(players), games)
    for _ in range(500):  # out of the opening
        env.step(env.sample())

    def loop() -> int:
        for _ in range(50):
            env.step(choose(env))
        return 50 * games

    return loop


def choose_with_numpy() -> Callable[[VectorEnv], Any]:
    """A policy outside: the legal action with the highest random number."""
    generator = np.random.default_rng(1)

    def choose(env: VectorEnv) -> Any:
        masks = env.now.masks
        return (masks * (1 - generator.random(masks.shape, np.float32))).argmax(axis=1)

    return choose


def numpy_alone(players: int, games: int) -> Loop:
    env, choose = VectorEnv(Options(players), games), choose_with_numpy()

    def loop() -> int:
        for _ in range(5):
            choose(env)
        return 5 * games

    return loop


def same_as_on_cpu(players: int) -> None:
    from baghdad.envs.gpu import GpuVectorEnv

    ours, theirs = (
        kind(Options(players), CHECKED_GAMES, seed="check") for kind in (VectorEnv, GpuVectorEnv)
    )
    for _ in range(CHECKED_STEPS):
        step, other = ours.step(ours.sample()), theirs.step(theirs.sample())
    for mine, its in zip(step, other, strict=True):
        if not np.array_equal(mine, its.copy_to_host()):
            raise SystemExit("the GPU plays other games than the CPU")


def on_gpu(players: int, games: int) -> dict[str, Loop]:
    from baghdad.envs.gpu import GpuVectorEnv
    from baghdad.rules.engine.gpu import cuda

    same_as_on_cpu(players)
    env = GpuVectorEnv(Options(players), games)
    for _ in range(500):
        env.step(env.sample())

    def loop_with(work: Callable[[], Any]) -> Loop:
        def loop() -> int:
            for _ in range(50):
                work()
            cuda.synchronize()
            return 50 * games

        return loop

    loops = {"GPU, sampled there": loop_with(lambda: env.step(env.sample()))}
    address = env.now.masks.__cuda_array_interface__["data"][0]
    if find_spec("torch"):
        import torch

        masks = torch.as_tensor(env.now.masks, device="cuda")
        if masks.data_ptr() != address:
            raise SystemExit("PyTorch has made a copy")

        def chosen() -> Any:
            return torch.where(masks, torch.rand(masks.shape, device="cuda"), -1.0).argmax(1)

        loops["GPU, chosen by PyTorch"] = loop_with(lambda: env.step(chosen()))
        loops["PyTorch choosing alone"] = loop_with(chosen)
    if find_spec("jax"):
        import jax.numpy as jnp

        if jnp.asarray(env.now.masks).unsafe_buffer_pointer() != address:
            raise SystemExit("JAX has made a copy")
    return loops


def rate(loop: Loop, seconds: float, clock: Callable[[], float]) -> float:
    loop()  # compiles
    steps, began = 0, clock()
    while clock() - began < seconds:
        steps += loop()
    return steps / (clock() - began)


def measure(options: argparse.Namespace) -> dict[str, Any]:
    players, games = options.players, options.games
    if options.device == "cuda":
        loops = on_gpu(players, games or 262_144)
    else:
        games = games or 4096
        loops = {
            "PettingZoo": pettingzoo(players),
            "Gymnasium, against random": gymnasium(players, "random"),
            "Gymnasium, against heuristic": gymnasium(players, "heuristic"),
            "OpenSpiel": openspiel(players),
            "many games, sampled": vector(players, games, VectorEnv.sample),
            "many games, chosen by NumPy": vector(players, games, choose_with_numpy()),
            "NumPy choosing alone": numpy_alone(players, games),
        }
    # One thread's own time on a CPU, so that other work on the machine counts little.
    clock = time.perf_counter if options.device == "cuda" else time.process_time
    rates = {
        name: rate(loops[name], options.seconds, clock)
        for name in progress(list(loops), len(loops), "Environments")
    }
    return {"players": players, "steps_per_second": rates, "machine": describe_machine()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, choices=(2, 3, 4), default=2)
    parser.add_argument("--seconds", type=float, default=3, help="for each environment")
    parser.add_argument("--games", type=int, help="at once, where there are many")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    report = measure(options)
    if options.json:
        print(json.dumps(report))
        return
    print(f"{report['machine']}\n\n{report['players']} players, steps a second")
    for name, steps in report["steps_per_second"].items():
        print(f"{name:<32}{steps:>16,.0f}")


if __name__ == "__main__":
    main()
