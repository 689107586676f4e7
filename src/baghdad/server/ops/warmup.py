"""What is done before anybody waits for it."""

import gc

from baghdad.rules.engine.views import CHANCE
from baghdad.rules.fair import fair_draw
from baghdad.rules.game import Game

COLLECT = (10_000, 20, 10)
"""When Python's collector looks for cycles (`gc.set_threshold`). Tables make next to none, and a
look at everything takes tens of milliseconds with thousands of sockets."""


def tune_garbage_collector() -> None:
    """Keep the collector away from all that is loaded, and let it come seldom."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT)


def warm_up() -> None:
    """Compile what a table needs: play a few moves of a game as tables do."""
    game = Game(players=2)
    while game.turns < 1:
        if game.to_move == CHANCE:
            game.play(fair_draw(game, "warm up"))
        else:
            game.play(game.legal()[-1], seat=game.to_move)
            game.view(0)
    game.shown()
