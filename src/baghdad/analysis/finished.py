"""Nobody looks into a game that others still play."""

from baghdad.rules.game import Game


class UnfinishedGameError(ValueError):
    """A game that still goes on is nobody's to look into: others play it, too."""


def finished(game: Game | str) -> Game:
    """A finished game, or the one that a record tells; raises `UnfinishedGameError`."""
    if isinstance(game, str):
        game = Game.from_record(game)
    if not game.over:
        raise UnfinishedGameError("only a finished game is reviewed: this one still goes on")
    return game
