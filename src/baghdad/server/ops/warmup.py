"""What is done before anybody waits for it."""

from contextlib import suppress

from baghdad.rules.engine.actions import END_TURN
from baghdad.rules.engine.views import CHANCE
from baghdad.rules.errors import MoveError
from baghdad.rules.fair import fair_draw
from baghdad.rules.game import Game


def warm_up() -> None:
    """Compile what a table needs: play a few moves of a game as tables do, and be refused one."""
    game = Game(players=2)
    with suppress(MoveError):
        game.play(END_TURN)
    while game.turns < 1:
        if game.to_move == CHANCE:
            game.play(fair_draw(game, "warm up"))
        else:
            game.play(game.legal()[-1], seat=game.to_move)
            game.view(0)
    game.shown()
