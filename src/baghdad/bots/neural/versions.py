"""Which observation and action table the networks were made for: version 1 of both.

Of an observation a network reads the numbers that version 1 had: they stand where they stood, at
the beginning, and mean what they meant. Of the actions it knows those of version 1; the only ones
that came later name a palace whose card is wanted (R23, `spare`), and each gets the logit of the
plain pass. So the weights that ship play on, and whatever is trained in this shape states that it
reads no more than that. Weights made for anything else are refused.
"""

from collections.abc import Mapping

import numpy as np

from baghdad.rules.engine.actions import ACTION_COUNT, PASSES_BY_NAME
from baghdad.rules.engine.observation import (
    FEATURES,
    HIGH,
    LATER_AT,
    VersionError,
)

from .layers import Floats

NUM_FEATURES = LATER_AT
"""Numbers of an observation that a network reads: all before those that came later."""
NUM_LOGITS = PASSES_BY_NAME[0]
"""Actions that have a logit of their own: all before those that came later."""
NETWORK_VERSIONS = {
    "observation": 1,
    "observation_size": 144,
    "action_table": 1,
    "action_count": 369,
}
"""What stands in the files of its weights."""
assert NETWORK_VERSIONS["observation_size"] == NUM_FEATURES
assert NETWORK_VERSIONS["action_count"] == NUM_LOGITS
assert tuple(range(NUM_LOGITS, ACTION_COUNT)) == PASSES_BY_NAME

MOST_DEALT = 9
"""The largest first hand in version 1: what the cards to come were divided by."""


def scale() -> Floats:
    """[NUM_FEATURES]: what each number is divided by; 20 cards are as good as 100."""
    most = np.minimum(HIGH[:NUM_FEATURES], 20).astype(np.float32)
    most[FEATURES.index("table: cards to come")] = MOST_DEALT
    return most


def check_network_versions(saved: Mapping[str, object]) -> None:
    """Refuse weights that read other numbers, or decide on other actions.

    >>> check_network_versions(NETWORK_VERSIONS)
    >>> check_network_versions({**NETWORK_VERSIONS, "observation": 2})
    Traceback (most recent call last):
    baghdad.rules.engine.observation.VersionError: made for observation 2, networks read observation 1
    """  # noqa: E501
    for name, number in NETWORK_VERSIONS.items():
        if saved.get(name) != number:
            raise VersionError(f"made for {name} {saved.get(name)}, networks read {name} {number}")
