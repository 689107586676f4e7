"""Long work for the server: records to read, and whole games from their beginning."""

import asyncio
import json
import random
from functools import cache

from .attack import Attack, Facts
from .databases import FINISHED_AT, LONG, LONG_TABLES, code_of
from .wire import at_rate, get, post

LENGTH = 197_500
"""Characters: with what surrounds it, a record of 198 KB."""
MOST_STEPS = 19_500
"""Of a record that is just short enough to be shown step by step."""
SEED = "ab" * 32


@cache
def long_record(length: int = LENGTH, steps: int = 1 << 30) -> str:
    """A game that goes on and on, since nobody robs; its cards follow from a seed."""
    from baghdad.rules.engine.actions import TOKENS
    from baghdad.rules.engine.views import CHANCE
    from baghdad.rules.fair import fair_cards, headers_of
    from baghdad.rules.game import Game

    game, rng, size = Game(2), random.Random(1), 400
    while size < length and len(game.tokens) < steps:
        if game.to_move == CHANCE:
            size += 1 + len(game.draw(fair_cards(game, SEED)))
            continue
        tokens = [TOKENS[action] for action in game.legal()]
        token = rng.choice(tokens)
        game.play(token)
        if any(game.loot):
            game.undo()
            token = rng.choice([each for each in tokens if each.startswith("-") or each == "."])
            game.play(token)
        size += 1 + len(token)
    game.headers = headers_of(SEED, ())
    return game.record()


class Records(Attack):
    """Records to verify and to replay, faster than they can be read."""

    name = "records"
    what = "`/api/verify` and `/api/replay` with a record of 198 KB, 20 a second for 10 s"
    duration = 10.0
    leftover = 2.0
    memory = 300.0
    """A process of its own for such work is more than nothing."""

    def set_up(self, port: int) -> None:
        whole, shown = long_record(), long_record(steps=MOST_STEPS)
        self.raws = [
            post(path, json.dumps({"record": record}).encode(), "Connection: close")
            for path, record in (
                ("/api/verify", whole),
                ("/api/replay", whole),
                ("/api/replay", shown),
            )
        ]

    def send(self, port: int) -> Facts:
        tally = asyncio.run(
            at_rate(port, lambda n: self.raws[n % len(self.raws)], 20.0, self.seconds)
        )
        return {"posts": int(20 * self.seconds), **tally.facts()}


class WholeGames(Attack):
    """Somebody anonymous who reads a very long table from its beginning, again and again."""

    name = "whole"
    what = f"`events?whole=true`, 19 a second, table of {LONG:,} events, anonymous"
    duration = 10.0
    leftover = 5.0

    database = "long"

    def send(self, port: int) -> Facts:
        path = f"/api/tables/{code_of(0)}/events?whole=true&after="

        def raw(number: int) -> bytes:
            return get(f"{path}{(0, LONG - 10, LONG, 8000)[number % 4]}", "Connection: close")

        tally = asyncio.run(at_rate(port, raw, 19.0, self.seconds))
        return {"requests": int(19 * self.seconds), **tally.facts()}


class LongTables(Attack):
    """Very long tables that sleep are woken, one after another."""

    name = "long-tables"
    what = f"{LONG_TABLES - 1} sleeping tables of {LONG:,} events are asked for"
    leftover = 10.0

    database = "long"

    def send(self, port: int) -> Facts:
        def raw(number: int) -> bytes:
            return get(
                f"/api/tables/{code_of(1 + number % (LONG_TABLES - 1))}", "Connection: close"
            )

        tally = asyncio.run(at_rate(port, raw, 5.0, self.seconds))
        return {"requests": int(5 * self.seconds), **tally.facts()}


class FinishedGames(Attack):
    """A long game that is over, in every form in which it can be had."""

    name = "finished"
    what = "record, replay, list and summary of a finished game of 8,000 moves, 20 a second"
    leftover = 5.0
    forms = ("replay", "record", "games", "summary", "games/1/replay")

    database = "long"

    def send(self, port: int) -> Facts:
        def raw(number: int) -> bytes:
            form = self.forms[number % len(self.forms)]
            return get(f"/api/tables/{code_of(FINISHED_AT)}/{form}", "Connection: close")

        tally = asyncio.run(at_rate(port, raw, 20.0, self.seconds))
        return {"requests": int(20 * self.seconds), **tally.facts()}
