"""Compile what a table needs before anybody waits for it."""

from ..rules.fair import fair_draw
from ..rules.game import Game
from ..rules.views import CHANCE


def warm_up() -> None:
    """Play a few moves of a game as tables do."""
    game = Game(players=2)
    while game.turns < 1:
        if game.to_move == CHANCE:
            game.play(fair_draw(game, "warm up"))
        else:
            game.play(game.legal()[-1], seat=game.to_move)
            game.view(0)
    game.shown()
