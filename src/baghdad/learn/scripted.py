"""Scripted players: each prefers some kinds of actions, and knows nothing else.

A learner that only ever meets itself never sees what it does not do. Each of these overdoes one
thing, and so brings about positions that self-play would not come to.
"""

import torch
from torch import Tensor

from baghdad.rules.engine.actions import (
    ACTIONS,
    CARRY,
    END,
    MOVE,
    MOVE_NEUTRAL,
    NAME,
    PASS,
    SMUGGLE,
)

SCRIPTS: dict[str, dict[int, float]] = {
    "random": {},
    "smuggler": {SMUGGLE: 4, CARRY: 2, END: -2, PASS: -2, NAME: -2},
    "watchman": {MOVE_NEUTRAL: 4, MOVE: 2, END: -2, PASS: -2, NAME: -2},
    "miser": {PASS: 6, NAME: 6, END: 6},
}
"""By name, the logit of each kind of action; 0 where nothing is said."""


def script_logits(script: str) -> Tensor:
    """[ACTION_COUNT]: the logits of a script's policy, before illegal actions are masked.

    >>> script_logits("miser").unique().tolist()
    [0.0, 6.0]
    """
    logits = SCRIPTS[script]
    return torch.tensor([logits.get(action.kind, 0.0) for action in ACTIONS])
