"""What a level is in memory: its kind, and every number that any kind is made with."""

import numpy as np

from baghdad.bots.heuristic.evaluation import EvalParams

KINDS = ("random", "heuristic", "dreamer", "search", "neural", "expert")
RANDOM, HEURISTIC, DREAMER, SEARCH, NEURAL, EXPERT = range(len(KINDS))
UNLIMITED = -1
"""Where a number is None."""

INTEGERS = (
    "kind",
    "width",
    "patience",
    "most_actions",
    "forgets",
    "max_candidates",
    "rollout_width",
    "rounds",
    "tactics",
    "max_simulations",
    "num_samples",
    "num_limits",
)
MAX_LIMITS = 64
FLOATS = ("temperature", "max_temperature", "prior_weight")
LEVEL = np.dtype(
    (
        np.record,
        np.dtype(
            [
                *((name, "i4") for name in INTEGERS),
                *((name, "f8") for name in FLOATS),
                ("params", "f8", (len(EvalParams._fields),)),
                ("limits", "i2", (MAX_LIMITS, 4)),  # of a neural one, as many as `num_limits`
            ],
            align=True,
        ),
    )
)
"""A level: what its kind has no use for is 0."""
