"""Which numbers of an observation a network reads, and which actions it decides on, by version.

What is trained now reads all of observation 2 and decides on all of action table 2. Networks that
were made for version 1 of both play on: the numbers that they read stand where they stood, at the
beginning, and mean what they meant. The only actions that came later name a palace whose card is
wanted (R23, `spare`), and each gets the logit of the plain pass. Weights made for anything else are
refused.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from baghdad.rules.engine.actions import PASSES_BY_NAME
from baghdad.rules.engine.observation import (
    FEATURES,
    FIRST_HANDS_AT,
    HIGH,
    LATER_AT,
    NAMED_AT,
    PALACE_FEATURES,
    PALACE_SIZE,
    SEAT_FEATURES,
    SEATS_AT,
    SPARE_AT,
    TABLE_FEATURES,
    VersionError,
    versions,
)

from .layers import Floats

Columns = npt.NDArray[np.int64]

FIRST_VERSIONS = {
    "observation": 1,
    "observation_size": LATER_AT,
    "action_table": 1,
    "action_count": PASSES_BY_NAME[0],
}
NETWORK_VERSIONS = versions()
"""What stands in the files of weights that are made now."""

MOST_DEALT = 9
"""The largest first hand in version 1: what the cards to come were divided by."""

PALACE_THRESHOLDS: dict[str, Iterable[int]] = {
    **{name: range(1, 4) for name in PALACE_FEATURES if "guard" in name},
    **{name: range(1, 8) for name in PALACE_FEATURES if name.startswith("thieves of")},
    "chests left": range(1, 5),
    "cards in the observer's hand": range(1, 7),
}
SEAT_THRESHOLDS: dict[str, Iterable[int]] = {
    "cards in hand": (1, 2, 3, 4, 5, 6, 8, 10, 13, 17),
    "dancers in hand": range(1, 6),
    "thieves in stock": (1, 2, 3, 4, 6, 8),
    "chests taken": range(1, 6),
    "chests to go": range(2, 7),
    "own guards to place": range(1, 5),
    "neutral guards to place": (1, 2),
}
TABLE_THRESHOLDS: dict[str, Iterable[int]] = {
    "thief actions left": range(1, 4),
    "dancers in the supply": range(1, 4),
    "cards in the stack": (1, 3, 5, 10, 20),
}
"""Thresholds by feature: one input for each, which is 1 where the feature reaches it."""


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """What a network reads of a palace, or of the table: columns of the observation, scaled; then
    1 or 0 for each threshold that a column reaches or not."""

    columns: Columns
    """[6, n] of all palaces, or [n] of the table."""
    scale: Floats
    """[n]: what each is divided by; 20 cards are as good as 100."""
    threshold_columns: Columns
    """Places among `columns`."""
    threshold_values: Columns

    @property
    def size(self) -> int:
        return len(self.scale) + len(self.threshold_values)


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What networks of one version read, and how many kinds of actions at one palace they know."""

    versions: dict[str, int]
    palace: Inputs
    table: Inputs
    palace_actions: int
    """Placing an own and a neutral guard, nine ways to pay for a thief; since version 2 naming."""
    more: int = 0
    """Numbers of each palace that stand after the observation."""


Thresholds = list[tuple[int, int]]
"""The place of a feature among those of its token, and the value that it reaches."""


def thresholds_of(features: Iterable[str], of: Mapping[str, Iterable[int]]) -> Thresholds:
    """The thresholds of features by name, in the order of `of`."""
    places = {name: place for place, name in enumerate(features)}
    return [(places[name], value) for name, values in of.items() for value in values]


PALACE_REACHED = thresholds_of(PALACE_FEATURES, PALACE_THRESHOLDS)
_SEAT = thresholds_of(SEAT_FEATURES, SEAT_THRESHOLDS)
_TABLE = [
    *((seat * len(SEAT_FEATURES) + place, value) for seat in range(4) for place, value in _SEAT),
    *(
        (4 * len(SEAT_FEATURES) + place, value)
        for place, value in thresholds_of(TABLE_FEATURES, TABLE_THRESHOLDS)
    ),
]


def inputs_of(
    columns: Columns, thresholds: Thresholds, high: npt.NDArray[np.int8] = HIGH
) -> Inputs:
    """Inputs that are these columns of a row, whose numbers are at most `high`."""
    first = columns.reshape(-1, columns.shape[-1])[0]
    scale = np.minimum(high[first], 20).astype(np.float32)
    scale[first == FEATURES.index("table: cards to come")] = MOST_DEALT
    places, values = (np.array(each, np.int64) for each in zip(*thresholds, strict=True))
    return Inputs(columns, scale, places, values)


_PALACES = np.arange(SEATS_AT).reshape(6, PALACE_SIZE)
_TABLES = np.arange(SEATS_AT, LATER_AT)
FIRST_READING = Reading(
    FIRST_VERSIONS,
    inputs_of(_PALACES, PALACE_REACHED),
    inputs_of(_TABLES, _TABLE),
    palace_actions=11,
)
READING = Reading(
    NETWORK_VERSIONS,
    inputs_of(np.hstack([_PALACES, NAMED_AT + np.arange(6)[:, None]]), PALACE_REACHED),
    inputs_of(np.hstack([_TABLES, [SPARE_AT], FIRST_HANDS_AT + np.arange(4)]), _TABLE),
    palace_actions=12,
)
READINGS = {each.versions["observation"]: each for each in (FIRST_READING, READING)}
"""By version of the observation."""


def reading_of(saved: Mapping[str, object]) -> Reading:
    """How a network reads; refuses weights made for other numbers, or other actions.

    >>> reading_of(NETWORK_VERSIONS) is READING
    True
    >>> reading_of({**NETWORK_VERSIONS, "observation": 3})
    Traceback (most recent call last):
    baghdad.rules.engine.observation.VersionError: made for observation 3, networks read observation 2
    """  # noqa: E501
    for reading in READINGS.values():
        if saved == reading.versions:
            return reading
    for name, number in NETWORK_VERSIONS.items():
        if saved.get(name) != number:
            raise VersionError(f"made for {name} {saved.get(name)}, networks read {name} {number}")
    raise VersionError("made for something else besides")
