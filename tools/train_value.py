"""Trains the two networks that say how likely every seat is to win, at every moment.

They learn from games of the network that ships at many levels, and of others that are named. Run
`python tools/train_value.py FOLDER --minutes 9`; again, to go on. Without a GPU the networks are
small, and so is what they learn.
"""

import argparse
import time
from pathlib import Path

import torch

from baghdad.bots.neural import WEIGHTS_FILE
from baghdad.learn.value.check import check
from baghdad.learn.value.config import SMALL, ValueConfig
from baghdad.learn.value.run import Metrics, ValueRun


def tell(line: Metrics) -> None:
    told = [f"{line['positions']:,} positions", f"{line['seconds']:.0f} s"]
    told += [f"{name} {line[name]}" for name in ("open_loss", "eyes_loss", "games_over")]
    print(", ".join(told), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--weights", nargs="+", type=Path, default=[WEIGHTS_FILE],
        help="the networks that play, the best one first (default: what ships)",
    )  # fmt: skip
    parser.add_argument("--minutes", type=float, default=9.0)
    parser.add_argument(
        "--check", action="store_true", help="is everything right on this device, and how fast?"
    )
    parser.add_argument("--device", choices=("cpu", "cuda"))
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    options = parser.parse_args()
    began = time.perf_counter()
    device = options.device or ("cuda" if torch.cuda.is_available() else "cpu")
    if device == "cpu":
        torch.set_num_threads(1)
    else:
        torch.cuda.init()  # PyTorch's context is the one that Numba then finds
    config = SMALL if device == "cpu" else ValueConfig()
    if options.check:
        for name, speed in check(config.with_values(options.set), device, options.weights).items():
            print(f"{name:24}{speed:14,.0f} a second", flush=True)
        return
    try:
        run = ValueRun(options.folder, config, device, options.weights, options.set)
    except ValueError as error:
        raise SystemExit(f"the run in {options.folder} can't go on. {error}") from None
    run.go_on(60 * options.minutes - (time.perf_counter() - began), tell)
    print(f"{run.progress:.0%} of the run, {run.positions:,} positions", flush=True)


if __name__ == "__main__":
    main()
