"""The mean of several networks of one run, which is steadier than each: docs/training.md.

Run `python tools/average_weights.py neural.bin [OTHER.bin ...] --past past.pt --last 6 -o OUT.bin`:
files as they ship, and of a run's earlier versions the last so many. They must be near each other,
as those of one run's end are: the mean of unrelated networks plays nothing.
"""

import argparse
from pathlib import Path

import numpy as np

from baghdad.bots.neural.layers import Floats
from baghdad.bots.neural.weights_file import read_weights, write_weights
from baghdad.learn.run import read_saved

NEAR = 0.25
"""How far a network may be from the first, as a part of all its weights."""


def apart(one: dict[str, Floats], other: dict[str, Floats]) -> float:
    """How much of the first would have to change to be the other."""
    change = sum(float(np.abs(one[name] - other[name]).sum()) for name in one)
    return change / sum(float(np.abs(each).sum()) for each in one.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", nargs="+", type=Path)
    parser.add_argument("--past", type=Path, metavar="FILE", help="earlier versions of a run")
    parser.add_argument("--last", type=int, default=6, metavar="N", help="so many of them")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE")
    options = parser.parse_args()
    files = [read_weights(path) for path in options.weights]
    networks = [weights for weights, _, _ in files]
    _, shape, about = files[0]
    if options.past:
        past = read_saved(options.past)["past"]
        networks += [
            {name: weight.float().numpy() for name, weight in each.items()}
            for each in past[max(len(past) - options.last, 0) :]
        ]
    for number, network in enumerate(networks):
        distance = apart(networks[0], network)
        print(f"network {number + 1} of {len(networks)}: {distance:.3f} apart from the first")
        if distance > NEAR:
            raise SystemExit(f"more than {NEAR}: take fewer, or those of one run's end")
    mean = {name: np.mean([network[name] for network in networks], axis=0) for name in networks[0]}
    write_weights(options.output, mean, shape, {**about, "mean_of": len(networks)})


if __name__ == "__main__":
    main()
