"""Is it as fast as it was? This checkout against another one, in interleaved rounds.

    git worktree add ../before COMMIT
    python benchmarks/before.py ../before
    python benchmarks/before.py ../before --device cuda

Measures random play in the engine, a step of many environments, and decisions of bots. Each
measurement is a process of its own, after everything is compiled. On the CPU it counts processor
time, so that what else the machine does matters little.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from statistics import median

MEASURE = """
import json, sys, time
sys.path.insert(0, sys.argv[1])
import numpy as np
from baghdad import Game, Options, new_rng
from baghdad.bots import Budget, decide, make_bot
from baghdad.envs.vector import VectorEnv
try:
    from baghdad.bench import on_gpu, random_game
    from baghdad.rules.engine.simulate import random_steps
except ImportError:  # an older checkout
    from baghdad.cli.bench import on_gpu, table as random_game
    from baghdad.rules.simulate import random_steps

def a_second(count, work):
    began = time.process_time()
    work()
    return count / (time.process_time() - began)

def engine(players):
    game = random_game(players, 0)
    random_steps(*game, 20_000)
    return a_second(3_000_000, lambda: random_steps(*game, 3_000_000))

def envs(players):
    env = VectorEnv(Options(players), 512, seed=1)
    env.step(env.sample())
    return a_second(300 * 512, lambda: [env.step(env.sample()) for _ in range(300)])

def bot(name, decisions, **budget):
    player, asked = make_bot(name), []
    game = Game(players=3, seed=5)
    other = make_bot("random")
    while len(asked) < decisions:
        if game.over:
            game = Game(players=3, seed=len(asked))
        seat = game.to_move
        asked.append((game.view(seat), game.legal()))
        for action in decide(other, *asked[-1], Budget(), new_rng(1, len(asked))):
            game.play(action)
    def all_of_them():
        for number, (view, legal) in enumerate(asked):
            decide(player, view, legal, Budget(**budget), new_rng(2, number))
    return a_second(decisions, all_of_them)

if sys.argv[2] == "cuda":
    speeds = {f"engine on the GPU, {n} players": on_gpu(n, 131072, 1.0)["steps_per_second"]
              for n in (2, 3, 4)}
else:
    speeds = {f"engine, {n} players": engine(n) for n in (2, 3, 4)}
    speeds |= {f"environments, {n} players": envs(n) for n in (2, 3, 4)}
    speeds |= {"heuristic": bot("heuristic", 400), "neural": bot("neural", 400),
               "search": bot("search", 20, simulations=200),
               "expert": bot("expert", 20, simulations=200)}
print(json.dumps(speeds))
"""


def speeds(checkout: Path, device: str) -> dict[str, float]:
    """What is done a second in a checkout, by what it is."""
    command = [sys.executable, "-c", MEASURE, str(checkout / "src"), device]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    numbers: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return numbers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before", type=Path, help="the other checkout")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--rounds", type=int, default=7)
    chosen = parser.parse_args()
    checkouts = (chosen.before, Path(__file__).resolve().parent.parent)
    for checkout in checkouts:
        speeds(checkout, chosen.device)  # compiles
    rounds = []
    for number in range(chosen.rounds):
        order = checkouts if number % 2 else checkouts[::-1]
        rounds.append({checkout: speeds(checkout, chosen.device) for checkout in order})
    print(f"{'':<26}  before, a second  now, a second  now to before (from, to)")
    for name in rounds[0][checkouts[0]]:
        before, now = ([each[checkout][name] for each in rounds] for checkout in checkouts)
        ratios = [new / old for new, old in zip(now, before, strict=True)]
        print(
            f"{name:<26}  {median(before):>16,.0f}  {median(now):>13,.0f}  "
            f"{median(ratios):.3f} ({min(ratios):.3f}, {max(ratios):.3f})"
        )


if __name__ == "__main__":
    main()
