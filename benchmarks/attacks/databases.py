"""Databases that are full before the server starts, written with the code of that server.

Run as a program: `python -m benchmarks.attacks.databases KIND FOLDER`.
"""

import asyncio
import os
import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from .server import ROOT

DAY = 86_400_000
LETTERS = "23456789BCDFGHJKMNPQRSTVWXZ"
LONG = 17_000
"""Events of a long table: a minute of moving and taking back, as it once was possible."""
LONG_TABLES = 5
FINISHED_AT = 9
"""Where the finished game is, by `code_of`."""
GAMES = 2000
MOVES = 100
FINISHED = 8000
SEED = "5" * 64


def fill(kind: str, folder: Path, source: Path) -> None:
    """Make a database in a data folder by the code that will serve it."""
    subprocess.run(
        [sys.executable, "-m", "benchmarks.attacks.databases", kind, str(folder)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(source)},
        check=True,
    )


def code_of(number: int, length: int = 6) -> str:
    """The code of a table in such a database."""
    letters = ""
    for _ in range(length):
        number, letter = divmod(number, len(LETTERS))
        letters = LETTERS[letter] + letters
    return letters


def a_game(moves: int, *, bot: bool = False) -> list[Any]:
    """The events of a game of two people, or of a person and a bot whose turn it is."""
    from baghdad.server.domain import events
    from baghdad.server.domain.agreement import Agreement
    from baghdad.server.domain.decisions import playing
    from baghdad.server.domain.evolution.evolve import evolve
    from baghdad.server.domain.table import Table

    people = (events.Person(0, "Ali", "0" * 64), events.Person(1, "Bea", "1" * 64))
    chairs = (
        events.Seating(kind="human", colour=0, person=0),
        events.Seating(kind="bot", colour=1, level="kasim")
        if bot
        else events.Seating(kind="human", colour=1, person=1),
    )
    who = people[:1] if bot else people
    made: list[Any] = [
        events.Created(Agreement(start="order"), chairs, who, SEED),
        events.Started((0, 1)),
    ]
    table, rng = Table(code_of(0)), random.Random(7)
    for number, event in enumerate(made, 1):
        table = evolve(table, events.StoredEvent(number, number, event, f"c{number}"))
    while len(made) < moves or (bot and table.on_turn != 1):
        assert table.game is not None, "begun"
        assert table.on_turn is not None, "and not over"
        event, game = playing.move(table, table.on_turn, rng.choice(table.game.legal()), bot=bot)
        made.append(event)
        stored = events.StoredEvent(len(made), len(made), event, f"c{len(made)}")
        table = evolve(table, stored, game)
    return made


def back_and_forth(count: int) -> list[Any]:
    """A game in which somebody moves and takes back, again and again."""
    from baghdad.rules.game import Game
    from baghdad.server.domain import events

    made = a_game(40)
    game = Game(2)
    for event in made[2:]:
        game.play(event.action, seat=event.seat)
        for token in event.chance:
            game.play(token)
    seat = game.to_move
    assert seat is not None, "the game goes on"
    for action in game.legal():
        then = game.copy()
        then.play(action, seat=seat)
        if then.to_move == seat and then.acted:
            pair = [events.Moved(seat, action), events.Undone(seat)]
            return (made + pair * count)[:count]
    raise AssertionError("nothing can be taken back here")


def given_up(moves: int) -> list[Any]:
    """A long game, since nobody robs, that somebody gives up in the end."""
    from baghdad.rules.engine.views import CHANCE
    from baghdad.rules.fair import fair_cards
    from baghdad.rules.game import Game
    from baghdad.server.domain import events

    made, game, rng = a_game(2), Game(2), random.Random(3)
    while len(made) < moves:
        seat, legal = game.to_move, game.legal()
        assert seat is not None, "nobody robs, so nobody wins"
        action = rng.choice(legal)
        game.play(action, seat=seat)
        if any(game.loot):
            game.undo()
            action = legal[0]  # nothing, as a rule
            game.play(action, seat=seat)
        chance = []
        while game.to_move == CHANCE:
            chance.append(game.draw(fair_cards(game, SEED)))
        made.append(events.Moved(seat, action, tuple(chance)))
    return [*made, events.Resigned(0, 0)]


def store(folder: Path, tables: Sequence[tuple[str, str, int, Sequence[Any]]]) -> None:
    """Write tables: code, state, when it was last touched, events."""
    from baghdad.server.domain.events import encode_event
    from baghdad.server.storage.event_store import DATABASE, EventStore, database_url

    async def make() -> None:
        await (await EventStore.open(database_url(folder))).close()

    asyncio.run(make())
    with closing(sqlite3.connect(folder / DATABASE)) as db:
        for code, state, touched, made in tables:
            bodies, begun = [encode_event(event) for event in made], touched - len(made) * 1000
            row = {
                "code": code,
                "created": begun,
                "state": state,
                "changed": begun,
                "listed": 0,
            }
            insert(db, "tables", [row])
            insert(
                db,
                "events",
                [
                    {
                        "table_code": code,
                        "number": number,
                        "command": f"c{number}",
                        "at": begun + number * 1000,
                        "body": body,
                    }
                    for number, body in enumerate(bodies, 1)
                ],
            )
        db.commit()


def insert(db: sqlite3.Connection, table: str, rows: Sequence[dict[str, Any]]) -> None:
    """Rows with the columns that we know; those of later versions get what stands for nothing."""
    columns = db.execute(f"PRAGMA table_info({table})").fetchall()
    empty = {
        name: "" if "CHAR" in kind.upper() else 0
        for _, name, kind, needed, default, _ in columns
        if needed and default is None
    }
    rows = [empty | row for row in rows]
    marks = ", ".join(f":{name}" for name in rows[0])
    db.executemany(f"INSERT INTO {table} ({', '.join(rows[0])}) VALUES ({marks})", rows)


def long_tables(folder: Path) -> None:
    """A few tables of very many events, touched a minute ago, and a long game that is over."""
    now, made = int(time.time() * 1000) - 60_000, back_and_forth(LONG)
    tables = [(code_of(n), "playing", now, made) for n in range(LONG_TABLES)]
    store(folder, [*tables, (code_of(FINISHED_AT), "over", now, given_up(FINISHED))])


def abandoned(folder: Path) -> None:
    """Games that nobody plays any more.

    Half of them stopped ten days ago before a person's turn, a quarter before a bot's, and a
    quarter has been alone for more than 60 days.
    """
    now = int(time.time() * 1000)
    people, bot = a_game(MOVES), a_game(MOVES, bot=True)
    tables = []
    for number in range(GAMES):
        old = number % 4 == 3
        touched = now - (61 if old else 10) * DAY - number * 1000
        tables.append((code_of(number), "playing", touched, bot if number % 4 == 2 else people))
    store(folder, tables)


KINDS = {"long": long_tables, "abandoned": abandoned}

if __name__ == "__main__":
    KINDS[sys.argv[1]](Path(sys.argv[2]))
