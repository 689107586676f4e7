"""Opponents for people: six characters of the Nights, weakest first, each with a style.

The first three plan their own turn, the fourth tries turns out against what the others may answer,
and the last two have learned by playing.
"""

from baghdad.bots.heuristic.bot import HeuristicBot
from baghdad.bots.heuristic.dreamer import DreamerBot
from baghdad.bots.heuristic.evaluation import EvalParams
from baghdad.bots.neural.bot import NeuralBot
from baghdad.bots.neural.expert import ExpertBot
from baghdad.bots.search.bot import DEFAULT_SIMULATIONS, SearchBot


def maruf() -> DreamerBot:
    """Kind-hearted: has good ideas, forgets half of them, and minds nobody else's business.

    So forgetful that a beginner wins two games of three or more (`benchmarks/beginner.py`).
    """
    params = EvalParams(rivals=0.0, card=0.03, dancer=0.1)
    return DreamerBot(HeuristicBot(params, width=1, patience=0), forgets=50)


def kasim() -> HeuristicBot:
    """Greedy: does what gains something at once, and stops when nothing does."""
    return HeuristicBot(EvalParams(rivals=0.5), width=1, patience=0)


def ali() -> HeuristicBot:
    """An opportunist: collects dancers for whatever may come, and weighs four plans."""
    return HeuristicBot(EvalParams(rivals=0.8, dancer=0.27), width=4, patience=2)


def morgiana() -> SearchBot:
    """Watchful: looks at what the others may do after each of her turns; as far as she can see,
    however much time she is given."""
    return SearchBot(max_simulations=DEFAULT_SIMULATIONS)


def dalila() -> NeuralBot:
    """A schemer: has learned from playing against herself, and seldom plays the same twice."""
    return NeuralBot(temperature=3.5)


def scheherazade() -> ExpertBot:
    """Patient: tries out all that the same long training suggests, for as long as she is given."""
    return ExpertBot()
