"""How long a game is, and what a bot's move costs: by letting bots play."""

import statistics
import time
from typing import NamedTuple

from baghdad.arena.match import Match, bot_named
from baghdad.bots.playing import moves
from baghdad.rules.game import Game
from baghdad.rules.options import Options


class Games(NamedTuple):
    """Of one level against itself."""

    level: str
    players: int
    actions: float
    """A game, on average: as many commands, if people played it."""
    microseconds: float
    """Of a processor for one of them."""


def play(level: str, players: int, games: int) -> Games:
    match = Match((level, level), Options(players=players), seed="capacity")
    bots = [bot_named(level) for _ in range(players)]
    actions, began = [], time.process_time()
    for deal in range(games):
        seed = f"capacity {deal}"
        game = Game.with_options(match.options, seed=seed)
        played = moves(game, bots, seed, match.budget, match.max_turns)
        actions.append(sum(1 for _ in played))
    taken = time.process_time() - began
    each = round(1e6 * taken / sum(actions), 1)
    return Games(level, players, round(statistics.mean(actions), 1), each)
