"""What a turn surely gave up, as a number: the place of its mark among `marks.MARKS`."""

import numpy as np
import numpy.typing as npt

from .compiled import compiled

POINT = 0.01
"""Of the seat's chance to win."""
THRESHOLDS = (2.0, 5.0, 10.0, 20.0)
"""Points from which on a turn is fine, an inaccuracy, a mistake, a blunder."""
REAL_CHOICE = 2.0
"""Points that the ends of turns are to lie apart: where all lead to the same, nothing is judged."""
SIDE = 1.96
"""Standard errors on either side of an interval of 95 %."""
BEST, UNCLEAR = 0, len(THRESHOLDS) + 1
"""The first mark and the last; the thresholds have those between them."""
_THRESHOLDS: npt.NDArray[np.float64] = np.array(THRESHOLDS)


@compiled
def mark_number(low: float, high: float) -> int:
    """The mark of a turn that gave up between `low` and `high` points, at 95 %."""
    reached = 0
    for number in range(len(_THRESHOLDS)):
        reached += low >= _THRESHOLDS[number]
    return UNCLEAR if reached == 0 and high >= _THRESHOLDS[0] else reached
