"""All finished games as a data set: every decision with what the seat could see.

One JSON line a game. `steps` has, for each decision, the seat, the view before it (as
`rules.position.view_from_shown` reads it), the legal actions, and the action taken. The record is
there whole, so nothing is lost.
"""

from collections.abc import AsyncIterator
from typing import Any

from baghdad.rules.engine.actions import ACTION_OF, ACTION_TABLE_VERSION
from baghdad.rules.engine.views import CHANCE, VIEW_VERSION
from baghdad.rules.game import Game
from baghdad.server.domain.events import Rematched
from baghdad.server.domain.evolution.evolve import evolve
from baghdad.server.domain.table import Table
from baghdad.server.storage.event_store import EventStore

FORMAT = 1


async def finished_games(storage: EventStore) -> AsyncIterator[dict[str, Any]]:
    """Every finished game of every table, the oldest table first."""
    for code in await storage.all_codes():
        table = Table(code)
        for stored in await storage.events(code):
            if isinstance(stored.event, Rematched) and table.over:
                yield exported(table)
            table = evolve(table, stored)
        if table.over:
            yield exported(table)


def exported(table: Table) -> dict[str, Any]:
    """One finished game."""
    assert table.game is not None, "only games that are over"
    last = table.finished[-1]
    return {
        "format": FORMAT,
        "actions_version": ACTION_TABLE_VERSION,
        "view_version": VIEW_VERSION,
        "table": table.code,
        "game": last.number,
        "winner": last.winner,
        "termination": last.termination,
        "resigned": list(last.resigned),
        "bots": list(last.players.bots),
        "record": last.record,
        "steps": steps_of(table.game),
    }


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
