"""Positions of games in which a bot may be asked."""

from collections.abc import Iterator
from random import Random

from baghdad import CHANCE, Game, Options
from baghdad.bots import Budget

from .tables import new_game, thieving

FEW = Budget(simulations=40)


def decisions(options: Options, seed: int, steps: int, every: int) -> Iterator[Game]:
    """Positions of a game in which a seat decides."""
    random, game = Random(seed), new_game(options)
    for step in range(steps):
        if game.over:
            return
        if game.to_move == CHANCE:
            game.deal(random.randrange(1 << 30))
            continue
        if step % every == 0:
            yield game.copy()
        game.play(thieving(game.legal_tokens(), random))
