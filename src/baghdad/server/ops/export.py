"""All finished games as a data set: every decision with what the seat could see.

One JSON line a game. `steps` has, for each decision, the seat, the view before it (as
`rules.position.view_from_shown` reads it), the legal actions, and the action taken. The record is
there whole, so nothing is lost.
"""

from collections.abc import AsyncIterator
from typing import Any

from baghdad.rules.consent import HEADER, header_of
from baghdad.rules.engine.actions import ACTION_OF, ACTION_TABLE_VERSION
from baghdad.rules.engine.views import CHANCE, VIEW_VERSION
from baghdad.rules.game import Game
from baghdad.server.domain.events import Rematched
from baghdad.server.domain.evolution.evolve import evolve
from baghdad.server.domain.finished import FinishedGame
from baghdad.server.domain.table import Table
from baghdad.server.storage.event_store import EventStore

FORMAT = 1


async def finished_games(storage: EventStore) -> AsyncIterator[dict[str, Any]]:
    """Every finished game of every table, the oldest table first."""
    for code in await storage.all_codes():
        table, games = Table(code), list[Game]()
        for stored in await storage.events(code):
            if isinstance(stored.event, Rematched) and table.game is not None and table.over:
                games.append(table.game)
            table = evolve(table, stored)
        if table.game is not None and table.over:
            games.append(table.game)
        # What people say of a game they say after it.
        for game, finished in zip(games, table.finished, strict=True):
            yield exported(table, finished, game)


def exported(table: Table, finished: FinishedGame, game: Game) -> dict[str, Any]:
    """One finished game."""
    return {
        "format": FORMAT,
        "actions_version": ACTION_TABLE_VERSION,
        "view_version": VIEW_VERSION,
        "table": table.code,
        "game": finished.number,
        "winner": finished.winner,
        "termination": finished.termination,
        "resigned": list(finished.resigned),
        "bots": list(finished.players.bots),
        "record": _with_answers(table, finished),
        "steps": steps_of(game),
    }


def _with_answers(table: Table, finished: FinishedGame) -> str:
    """The record, and by seat whether puzzles may be made of it."""
    said = header_of(
        None if person is None else (finished.number, person) in table.lent
        for person in finished.players.people
    )
    head, _, moves = finished.record.partition("\n\n")
    return f'{head}\n[{HEADER} "{said}"]\n\n{moves}'


def steps_of(game: Game) -> list[dict[str, Any]]:
    """Every decision, with what its seat knew."""
    twin, steps = Game.with_options(game.options), []
    for token in game.tokens:
        seat = twin.to_move
        if seat is not None and seat != CHANCE:
            steps.append(
                {
                    "seat": seat,
                    "shown": twin.shown(),
                    "hand": twin.hand(seat),
                    "legal": twin.legal(),
                    "action": ACTION_OF[token],
                }
            )
        twin.play(token)
    return steps
