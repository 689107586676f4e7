"""Makes a bot of a level: of its kind, with its numbers."""

from .api import Bot
from .expert.bot import ExpertBot
from .heuristic.bot import HeuristicBot
from .heuristic.dreamer import DreamerBot
from .heuristic.evaluation import EvalParams
from .levels import TABLE, Level
from .neural.bot import NeuralBot
from .search.bot import SearchBot


def make_level(name: str) -> Bot:
    """A new opponent for people, by name."""
    return make_player(TABLE[name])


def make_player(level: Level) -> Bot:
    """A new bot of a kind, with these numbers."""
    numbers = dict(level.numbers)
    match level.kind:
        case "dreamer":
            forgets = numbers.pop("forgets")
            return DreamerBot(HeuristicBot(EvalParams(**level.params), **numbers), forgets=forgets)
        case "heuristic":
            return HeuristicBot(EvalParams(**level.params), **numbers)
        case "search":
            return SearchBot(**numbers)
        case "neural":
            return NeuralBot(**numbers)
        case "expert":
            return ExpertBot(**numbers)
