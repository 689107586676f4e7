"""Opponents for people: five characters of the Nights, weakest first, each with a style.

A weaker one plans less far, has fewer plans in mind, or cares for other things. None of them ever
plays a move that it thinks is bad.
"""

from .heuristic import HeuristicBot
from .search import SearchBot
from .values import Weights


def kasim() -> HeuristicBot:
    """Greedy: does what gains something at once, and stops when nothing does."""
    return HeuristicBot(Weights(rivals=0.5), width=1, patience=0)


def ali() -> HeuristicBot:
    """An opportunist: collects dancers for whatever may come, and weighs two plans."""
    return HeuristicBot(Weights(rivals=0.5, dancer=0.27), width=2, patience=1)


def morgiana() -> HeuristicBot:
    """Watchful: what spoils a rival's plans is worth more to her than her own."""
    return HeuristicBot(Weights(rivals=1.3), width=3, patience=1)


def dalila() -> HeuristicBot:
    """A schemer: has so many plans in mind that she finds what the others miss."""
    return HeuristicBot(width=16)


def scheherazade() -> SearchBot:
    """Patient: tries all promising turns out, for as long as she is given."""
    return SearchBot()
