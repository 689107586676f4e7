"""Is the engine as fast as it was? This checkout against another one, in interleaved rounds.

    git worktree add ../before COMMIT
    python benchmarks/before.py ../before
    python benchmarks/before.py ../before --device cuda

Each measurement is a process of its own, after everything is compiled. On the CPU it counts
processor time, so that what else the machine does matters little.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from statistics import median

PLAYERS = (2, 3, 4)
STEPS = 3_000_000
MEASURE = """
import json, sys, time
sys.path.insert(0, sys.argv[1])
try:
    from baghdad.bench import on_gpu, random_game
except ImportError:  # an older checkout
    from baghdad.cli.bench import on_gpu, table as random_game
from baghdad.rules.engine.simulate import random_steps
device, steps, speeds = sys.argv[2], int(sys.argv[3]), []
for players in (2, 3, 4):
    if device == "cuda":
        speeds.append(on_gpu(players, 131072, 1.0)["steps_per_second"])
        continue
    game = random_game(players, 0)
    random_steps(*game, 20_000)
    began = time.process_time()
    random_steps(*game, steps)
    speeds.append(steps / (time.process_time() - began))
print(json.dumps(speeds))
"""


def speeds(checkout: Path, device: str) -> list[float]:
    """Steps a second of a checkout, by number of players."""
    command = [sys.executable, "-c", MEASURE, str(checkout / "src"), device, str(STEPS)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    numbers: list[float] = json.loads(done.stdout.splitlines()[-1])
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
    print("players  before, steps a second  now, steps a second  now to before (from, to)")
    for place, players in enumerate(PLAYERS):
        before, now = ([each[checkout][place] for each in rounds] for checkout in checkouts)
        ratios = [new / old for new, old in zip(now, before, strict=True)]
        print(
            f"{players:<7}  {median(before):>22,.0f}  {median(now):>19,.0f}  "
            f"{median(ratios):.3f} ({min(ratios):.3f}, {max(ratios):.3f})"
        )


if __name__ == "__main__":
    main()
