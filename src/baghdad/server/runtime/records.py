"""Which finished games somebody may see, and the lobby's list."""

from msgspec.structs import replace

from baghdad.rules.engine.material import Seat
from baghdad.server.domain.events import PersonNumber
from baghdad.server.domain.finished import FinishedGame, Players
from baghdad.server.domain.refusals import RefusedError
from baghdad.server.domain.table import Table
from baghdad.server.wire.replies import ListedTable, Lobby, PlayedGame, PlayedGames
from baghdad.server.wire.visibility import hidden, outside

from .registry import TableRegistry

LOBBY = 50
"""Tables in the lobby's list: more than anybody reads."""
LOOKED_THROUGH = 1000
"""Tables that may be looked at to find them."""
LOBBY_SECONDS = 24 * 3600
"""A table at which nothing has happened for so long is not listed,"""
ABSENT_SECONDS = 600
"""nor one where nobody has been for so long."""


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
        _finished(each)
        for each in table.finished
        if not hidden(table) or each.insiders.intersection(people)
    ]
    if table.playing and table.game and not (hidden(table) and outside(table, people)):
        resigned = tuple(sorted(table.resigned))
        games.append(_played(table.games, table.players, table.game.loot, resigned))
    return PlayedGames(tuple(games))


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


async def lobby_of(registry: TableRegistry) -> Lobby:
    """Tables that anybody may join, the newest first."""
    found: list[ListedTable] = []
    now = registry.clock.now()
    for code, created in await registry.storage.lobby(LOOKED_THROUGH, now - 1000 * LOBBY_SECONDS):
        if len(found) == LOBBY:
            break
        if code not in registry.actors and now - created >= 1000 * ABSENT_SECONDS:
            continue  # nobody is there, and it sleeps
        actor = await registry.actor(code)
        table, seen = actor.table, max(actor.seen.values(), default=created)
        free = sum(seating.kind == "open" for seating in table.chairs)
        waits = bool(actor.present()) or now - seen < 1000 * ABSENT_SECONDS
        if free and table.people and waits:
            host = table.people[table.host].name
            found.append(ListedTable(code, host, table.agreement, free, created))
    return Lobby(tuple(found))
