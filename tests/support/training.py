"""Tiny training runs for tests."""

from typing import Any

import torch

from baghdad.learn.config import SMALL
from baghdad.learn.league import StateDict

TINY = SMALL.with_values(["games=32", "rollout_length=16", "palace=8", "table=12", "pair=4"])


def same(one: StateDict, other: StateDict) -> bool:
    return all(torch.equal(one[name], other[name]) for name in one)


def run_metrics(steps: int) -> dict[str, Any]:
    won = {"reference 2": 0.5, "random 2": 0.25, "random 3": 0.5}
    return {
        "steps": steps, "seconds": steps / 1e6, "steps_per_second": 10**6, "rating": steps / 1e6,
        "entropy": 1.5, "value_loss": 0.6, "length": 120.5, "passes": 0.25, "unfinished": 0.0,
        "won": won,
    }  # fmt: skip
