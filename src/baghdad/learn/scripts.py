"""Players that were told what they like, and know nothing else.

A learner that only ever meets itself never sees what it does not do. Each of these overdoes one
thing, and so brings about positions that it would not come to by itself.
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
"""By name, how much each kind of action is liked; 0 where nothing is said."""


def likings(script: str) -> Tensor:
    """[ACTION_COUNT]: an action that is liked by 1 more is drawn e times as often.

    >>> likings("miser").unique().tolist()
    [0.0, 6.0]
    """
    liked = SCRIPTS[script]
    return torch.tensor([liked.get(action.kind, 0.0) for action in ACTIONS])
