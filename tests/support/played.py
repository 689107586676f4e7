"""Games that were played to an end, by whoever is at hand."""

from random import Random

from baghdad import CHANCE, Game, Options

from .tables import new_game, thieving

MOST_STEPS = 5000


def random_game(options: Options, seed: int, turns: int | None = None) -> Game:
    """A game of players who like to steal; ended by agreement where it goes on for longer."""
    random, game = Random(seed), new_game(options)
    for _ in range(MOST_STEPS):
        if game.over:
            return game
        if turns is not None and game.turns >= turns:
            break
        if game.to_move == CHANCE:
            game.deal(random.randrange(1 << 30))
        else:
            game.play(thieving(game.legal_tokens(), random))
    game.end("agreed")
    return game
