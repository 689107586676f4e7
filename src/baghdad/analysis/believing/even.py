"""Unseen cards dealt evenly: what is known of them where nobody's actions are looked at."""

from math import comb

import numpy as np
import numpy.typing as npt

from baghdad.rules.engine.material import CARDS_OF_A_PALACE, PALACES


def even(unseen: npt.NDArray[np.int64], size: int) -> npt.NDArray[np.float64]:
    """[6, numbers]: how likely so many of `size` cards are of a palace, if they are any of the
    `unseen` [6] cards (the hypergeometric distribution).

    >>> even(np.array([2, 2, 0, 0, 0, 0]), 2)[0, :4].round(3).tolist()
    [0.167, 0.667, 0.167, 0.0]
    """
    chances = np.zeros((len(PALACES), CARDS_OF_A_PALACE + 1))
    total = int(unseen.sum())
    for palace in PALACES:
        of_it = int(unseen[palace])
        for number in range(min(of_it, size) + 1):
            ways = comb(of_it, number) * comb(total - of_it, size - number)
            chances[palace, number] = ways / comb(total, size)
    return chances
