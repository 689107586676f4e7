"""Tables for tests of the page: set up beside it, or with a past, as the server writes it."""

import sqlite3
import time
from pathlib import Path
from typing import Any

import msgspec
from playwright.sync_api import Page

from baghdad.bots import Budget, bot_names
from baghdad.rules.engine.actions import ACTION_OF
from baghdad.rules.engine.dealer import new_rng
from baghdad.rules.fair import new_seed
from baghdad.rules.game import Game
from baghdad.server.domain.codes import SHORTEST_CODE
from baghdad.server.domain.commands import AnyCommand, Join, NewTable, Rematch, Start
from baghdad.server.domain.decisions import gathering, playing
from baghdad.server.domain.decisions.decide import decide
from baghdad.server.domain.decisions.world import World
from baghdad.server.domain.events import AnyEvent, Moved, StoredEvent, encode_event
from baghdad.server.domain.evolution.evolve import evolve
from baghdad.server.domain.table import Table
from baghdad.server.runtime.credentials import hashed, new_code, new_secret
from baghdad.server.storage.event_store import DATABASE

from .conftest import Visitor
from .playing import code_of, good_player, known

WORLD = World(new_seed, lambda _: 0, bot_names)
NAMES = ("Amira", "Benedikt", "Chidi", "Dorotheia")
SOON = int(time.time() * 1000) - 86_400_000
"""Yesterday: a game that nobody has touched for long would be over."""
KASIM = {"kind": "bot", "level": "kasim"}


def create(page: Page, players: int, *chairs: dict[str, Any], **agreement: Any) -> str:
    """A table of the visitor's own, whose cookie the browser keeps."""
    asked = {
        "name": "Amira",
        "agreement": {"players": players, "start": "order", **agreement},
        "chairs": list(chairs),
    }
    answer = page.request.post("/api/tables", data=asked)
    assert answer.ok, answer.text()
    return str(answer.json()["code"])


def command(page: Page, code: str, version: int, **asked: Any) -> None:
    """Something that a visitor's own device asks of the server, beside the page."""
    body = {"id": f"{asked['type']}-{version}", "version": version, "wish": asked}
    answer = page.request.post(f"/api/tables/{code}/commands", data=body)
    assert answer.ok, answer.text()


def begin(page: Page, players: int, *chairs: dict[str, Any], **agreement: Any) -> str:
    """A table at which everybody sits, and the game begun."""
    code = create(page, players, *chairs, **agreement)
    command(page, code, 1, type="start")
    return code


class StoredTable:
    """A table that people have played at, before the server that the test asks knows of it."""

    def __init__(self, asked: NewTable, *guests: str) -> None:
        people = 1 + sum(chair.kind == "human" for chair in asked.chairs)
        self.secrets = [new_secret() for _ in range(people + len(guests))]
        hashes = [hashed(secret) for secret in self.secrets]
        self.table = Table(new_code(SHORTEST_CODE))
        self.events: list[StoredEvent] = []
        self.add(gathering.create(asked, hashes[:people], WORLD))
        for name, secret in zip(guests, hashes[people:], strict=True):
            self.add(gathering.join(self.table, Join(name), secret))
        self.decide(0, Start())

    @property
    def code(self) -> str:
        return self.table.code

    def add(self, event: AnyEvent, game: Any = None) -> None:
        stored = StoredEvent(self.table.number + 1, SOON + 1000 * self.table.number, event)
        self.table = evolve(self.table, stored, game)
        self.events.append(stored)

    def decide(self, person: int, command: AnyCommand) -> None:
        self.add(*decide(self.table, person, command, WORLD))

    def play(self) -> None:
        """Everybody plays well until somebody has won."""
        while (game := self.table.game) is not None and (seat := self.table.on_turn) is not None:
            rng = new_rng(f"{self.table.number}")
            chosen = good_player().choose(game.view(seat), game.legal(), Budget(simulations=1), rng)
            for action in [chosen] if isinstance(chosen, int) else chosen:
                self.add(*playing.move(self.table, seat, int(action), bot=True))

    def follow(self, game: Game) -> None:
        """Everybody plays as in this game, and the same cards come."""
        decision: tuple[int, int] | None = None
        chance: list[str] = []
        for token in [*game.tokens, ""]:
            if token.startswith("="):
                chance.append(token)
                continue
            if decision is not None:
                self.add(Moved(*decision, tuple(chance)))
            chance = []
            if token and self.table.on_turn is not None:
                decision = self.table.on_turn, ACTION_OF[token]

    def play_again(self) -> None:
        for person in self.table.seated:
            self.decide(person, Rematch())
        self.decide(self.table.host, Start())
        self.play()

    def save(self, folder: Path) -> None:
        state, last = "playing" if self.table.playing else "over", self.events[-1].at
        rows = [(self.code, e.number, f"test:{e.number}", e.at, encode_event(e.event))
                for e in self.events]  # fmt: skip
        with sqlite3.connect(folder / DATABASE, timeout=30) as database:
            row = (self.code, SOON, state, last)
            columns = "code, created, state, changed, listed"
            database.execute(f"INSERT INTO tables ({columns}) VALUES (?, ?, ?, ?, 0)", row)
            columns = "table_code, number, command, at, body"
            database.executemany(f"INSERT INTO events ({columns}) VALUES (?, ?, ?, ?, ?)", rows)
        database.close()

    def visit(self, visitor: Visitor, *people: int, view: str = "", **options: Any) -> Page:
        """A browser that holds the secrets of these people, at the table."""
        page = visitor(None, **options)
        cookie = {
            "name": f"baghdad-{self.code}",
            "value": ".".join(self.secrets[person] for person in people),
            "domain": "127.0.0.1",
            "path": f"/api/tables/{self.code}",
        }
        page.context.add_cookies([cookie])  # type: ignore[list-item]
        page.goto(f"/t/{self.code}{view}")
        return page


def finished(folder: Path, people: int, games: int = 1, **asked: Any) -> StoredTable:
    """A table at which so many people have played so many games."""
    guests = NAMES[1:people] if not asked.get("screen") else NAMES[:people]
    known = {"name": NAMES[0], "agreement": {"players": max(2, people), "start": "order"}}
    table = StoredTable(msgspec.convert(known | asked, NewTable), *guests)
    table.play()
    for _ in range(games - 1):
        table.play_again()
    table.save(folder)
    return table


def going_on(folder: Path, game: Game, **asked: Any) -> StoredTable:
    """A table of two people who have come to this position."""
    options = game.options
    agreement = {"start": "order", "variant": options.variant, "rob": options.rob}
    agreement |= {"hands": options.hands, "spare": options.spare}
    known = {"name": NAMES[0], "agreement": agreement}
    guests = NAMES[:2] if asked.get("screen") else NAMES[1:2]
    table = StoredTable(msgspec.convert(known | asked, NewTable), *guests)
    table.follow(game)
    table.save(folder)
    return table


def wants(page: Page, kind: str, **values: Any) -> None:
    """The same at the table that the page looks at, as it is now."""
    command(page, code_of(page), known(page)["number"], type=kind, **values)
