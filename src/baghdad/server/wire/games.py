"""The games of a table that somebody may see: finished ones, and the one that is played."""

from msgspec.structs import replace

from baghdad.rules.engine.material import Seat
from baghdad.server.domain.events import PersonNumber
from baghdad.server.domain.finished import FinishedGame, Players
from baghdad.server.domain.refusals import RefusedError
from baghdad.server.domain.table import Table

from .replies import PlayedGame, PlayedGames
from .visibility import hidden, outside


def finished_game(
    table: Table, number: int | None, people: tuple[PersonNumber, ...]
) -> FinishedGame:
    """A finished game, by its number or the latest one, for those who may see it.

    Before the end there is none: it would tell the hands.
    """
    finished = table.finished
    if number is None:
        if not finished:
            raise RefusedError("not_over")
        found = finished[-1]
    else:
        if not 1 <= number <= table.games:
            raise RefusedError("no_game", number=number)
        if number > len(finished):
            raise RefusedError("not_over")
        found = finished[number - 1]
    if hidden(table) and not found.insiders.intersection(people):
        raise RefusedError("hidden")
    return found


def played_games(table: Table, people: tuple[PersonNumber, ...]) -> PlayedGames:
    """All games of a table that these people, or a spectator, may see."""
    games = [
        replace(_finished(each), lent=_lent(table, each.number))
        for each in table.finished
        if not hidden(table) or each.insiders.intersection(people)
    ]
    if table.playing and table.game and not (hidden(table) and outside(table, people)):
        resigned = tuple(sorted(table.resigned))
        games.append(_played(table.games, table.players, table.game.loot, resigned))
    return PlayedGames(tuple(games))


def _lent(table: Table, number: int) -> tuple[PersonNumber, ...]:
    return tuple(sorted(person for game, person in table.lent if game == number))


def _played(
    number: int, players: Players, loot: tuple[int, ...], resigned: tuple[Seat, ...]
) -> PlayedGame:
    return PlayedGame(
        number,
        "playing",
        players.names,
        players.colours,
        players.bots,
        players.people,
        loot,
        resigned=resigned,
    )


def _finished(game: FinishedGame) -> PlayedGame:
    return replace(
        _played(game.number, game.players, game.loot, game.resigned),
        state="over",
        winner=game.winner,
        ended=game.ended,
        termination=game.termination,
    )
