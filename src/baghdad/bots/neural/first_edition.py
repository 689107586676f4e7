"""What a network knows that was made for the first edition of the rules, and how it goes on.

Of an observation it reads the numbers that version 1 had: they stand where they stood, at the
beginning, and mean what they meant. Of the actions it knows those of version 1; the only ones that
came later name a palace whose card is wanted (R23, `spare`), and each is liked as much as the plain
pass. So the weights that ship play on, and whatever is trained in this shape says of itself that it
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

READS = LATER_AT
"""Numbers of a row that it looks at: all before those that came later."""
KNOWN_ACTIONS = PASSES_BY_NAME[0]
"""Actions that it has a logit of its own for: all before those that came later."""
MADE_FOR = {
    "observation": 1,
    "observation_size": 144,
    "action_table": 1,
    "action_count": 369,
}
"""What stands in the files of its weights."""
assert (MADE_FOR["observation_size"], MADE_FOR["action_count"]) == (READS, KNOWN_ACTIONS)
assert tuple(range(KNOWN_ACTIONS, ACTION_COUNT)) == PASSES_BY_NAME

MOST_DEALT = 9
"""The largest first hand then: what the cards to come were divided by."""


def scale() -> Floats:
    """[READS]: what each number is divided by; 20 cards are as good as 100."""
    most = np.minimum(HIGH[:READS], 20).astype(np.float32)
    most[FEATURES.index("table: cards to come")] = MOST_DEALT
    return most


def check_made_for(saved: Mapping[str, object]) -> None:
    """Refuse weights that read other numbers, or decide on other actions.

    >>> check_made_for(MADE_FOR)
    >>> check_made_for({**MADE_FOR, "observation": 2})
    Traceback (most recent call last):
    baghdad.rules.engine.observation.VersionError: made for observation 2, networks read observation 1
    """  # noqa: E501
    for name, number in MADE_FOR.items():
        if saved.get(name) != number:
            raise VersionError(f"made for {name} {saved.get(name)}, networks read {name} {number}")
