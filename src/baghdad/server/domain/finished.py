"""A game of a table that is over: all that is asked of it later."""

import time
from collections.abc import Sequence
from weakref import WeakKeyDictionary

from msgspec import Struct

from baghdad.replay.headers import TEACHING_HEADER, players_headers
from baghdad.rules.ending import Termination
from baghdad.rules.engine.material import Seat
from baghdad.rules.fair import Pledge, headers_of
from baghdad.rules.game import Game

from .events import Milliseconds, PersonNumber


class Players(Struct, frozen=True, gc=False):
    """The players of a game, by seat."""

    names: tuple[str, ...]
    """Of people, or the levels of bots."""
    colours: tuple[int, ...]
    bots: tuple[str | None, ...]
    people: tuple[PersonNumber | None, ...]


class FinishedGame(Struct, frozen=True):
    """A game that is over. The record has everything; the rest is what lists of games show."""

    number: int
    """Of the game at its table, from 1."""
    players: Players
    loot: tuple[int, ...]
    winner: Seat | None
    ended: Milliseconds
    record: str
    termination: Termination | None
    """How it ended where no move ended it (R28)."""
    resigned: tuple[Seat, ...]
    """Seats whose players gave up: they have lost, even if the seat won."""
    insiders: frozenset[PersonNumber]
    """People who were there when it began or ended, even if they have gone since: they may check
    the deal. Where nobody may watch, it is shown to no one else."""


_records: WeakKeyDictionary[Game, tuple[dict[str, str], str]] = WeakKeyDictionary()
"""Of games in memory that are over: their headers and records."""


def record_of(
    code: str,
    game: Game,
    players: Players,
    seed: str,
    pledges: Sequence[Pledge],
    ended: Milliseconds,
    *,
    teaching: bool = False,
) -> str:
    """The record, with the players, the date and the table, and what proves the deal.

    It is written once: a game that is over is asked for again and again.
    """
    headers = {
        "Event": f"Baghdad {code}",
        "Date": time.strftime("%Y-%m-%d", time.gmtime(ended / 1000)),
        **players_headers(players.names, players.colours),
        **({TEACHING_HEADER: "yes"} if teaching else {}),
        **headers_of(seed, pledges),
    }
    known = _records.get(game)
    if known is None or known[0] != headers:
        told = game.copy()
        told.headers = headers
        known = _records[game] = headers, told.record()
    return known[1]
