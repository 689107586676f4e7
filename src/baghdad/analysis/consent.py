"""Whether puzzles may be made of a game: of bots, or of people who have all agreed."""

from baghdad.bots import bot_names
from baghdad.rules.consent import BOT, HEADER, YES
from baghdad.rules.fair import pledges_of
from baghdad.rules.game import Game


def may_be_used(game: Game) -> bool:
    """Whether all people who played have agreed. Where a record doesn't say, they have not."""
    said = _by_seat(game, HEADER)
    if said is not None or HEADER in game.headers:
        return said is not None and set(said) <= {YES, BOT}
    return _bots_alone(game)


def _bots_alone(game: Game) -> bool:
    """Whether a record says that no person has played."""
    names = _by_seat(game, "Bots") or _by_seat(game, "Seats")
    if names is None or not set(names) <= set(bot_names()):
        return False
    try:  # only a person's device promises a number
        pledges = pledges_of(game.headers, game.options.players)
    except ValueError:
        return False
    return all(pledge.promise is None for pledge in pledges)


def _by_seat(game: Game, header: str) -> list[str] | None:
    values = [value.strip() for value in game.headers.get(header, "").split(",")]
    return values if len(values) == game.options.players and all(values) else None
