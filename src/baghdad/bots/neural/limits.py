"""A network that is shown less: some numbers of the rivals only within limits.

So it knows less than its seat may, and plays on what it takes for granted: that everybody holds six
cards, or that no more than one thief ever waits where any does.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from baghdad.rules.engine.observation import FEATURES, SEAT_FEATURES

from .compiled import compiled

Limits: TypeAlias = npt.NDArray[Any]
"""[n, 4], int64: a column of the observation, the column that tells whether its seat plays, and the
least and the most that the network is shown there."""

RIVALS = {"+": "the next seat", "++": "the seat after", "+++": "the last seat"}
"""As features call them: of a seat, and of a palace."""


def new_limits(shown: Mapping[str, tuple[int, int]]) -> Limits:
    """What is shown within limits: of every rival, the same feature.

    A feature is one of a seat, or "thieves" or "guards" in every palace.

    >>> new_limits({"cards in hand": (6, 6)})[:, 2:].tolist()
    [[6, 6], [6, 6], [6, 6]]
    >>> len(new_limits({"thieves": (0, 1)}))
    18
    """
    rows = []
    for feature, (least, most) in shown.items():
        for seat, rival in RIVALS.items():
            plays = FEATURES.index(f"seat {seat}: plays")
            names = (
                [f"seat {seat}: {feature}"]
                if feature in SEAT_FEATURES
                else [f"palace {palace}: {feature} of {rival}" for palace in range(1, 7)]
            )
            rows += [(FEATURES.index(name), plays, least, most) for name in names]
    return np.array(rows, np.int64).reshape(-1, 4)


@compiled
def limit_observations(observations: npt.NDArray[np.int8], limits: Limits) -> None:
    """Bring `observations` [n, OBSERVATION_SIZE] within limits, in place."""
    for row in range(len(observations)):
        for number in range(len(limits)):
            column, plays = limits[number, 0], limits[number, 1]
            if observations[row, plays] != 0:
                seen = max(observations[row, column], limits[number, 2])
                observations[row, column] = min(seen, limits[number, 3])
