"""What people who have played say to puzzles made of their game, as a header of its record."""

from collections.abc import Iterable

HEADER = "Puzzles"
"""By seat: what its player has said, or that a bot has played."""
YES, NO, BOT = "yes", "no", "-"


def header_of(answers: Iterable[bool | None]) -> str:
    """By seat whether its player agrees; None for a bot.

    >>> header_of([True, None, False])
    'yes, -, no'
    """
    said = {True: YES, False: NO, None: BOT}
    return ", ".join(said[answer] for answer in answers)
