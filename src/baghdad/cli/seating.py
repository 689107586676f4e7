"""Who sits where at a terminal: in a new game, and in one that was saved."""

import argparse
import errno
import os

from baghdad.bots import LEVELS
from baghdad.rules.fair import new_seed
from baghdad.rules.game import Game
from baghdad.text import say

from .files import UsageError, read_text
from .names import table_names
from .options import OF_A_TABLE, table_options
from .saves import bots_of, names_of, promise, seed_of

LONGEST_NAME = 20
MOST_PLAYERS = 4
SETTLED = ("players", *OF_A_TABLE, "seed")
"""Options that a saved game has settled."""


def new_game(
    options: argparse.Namespace, language: str
) -> tuple[Game, list[str], list[str | None], str]:
    """A new game: people sit first, bots after them."""
    people, bots = _people(options, language), _listed(options.bots)
    players = options.players or max(2, len(people) + len(bots))
    names, levels = _seated(people, bots, players, language)
    game = Game.with_options(table_options(options, players, language))
    seed = new_seed() if options.seed is None else options.seed
    promise(game, seed)
    return game, names, levels, seed


def saved_game(
    options: argparse.Namespace, language: str
) -> tuple[Game, list[str], list[str | None], str]:
    """A game from a file, with those who sat there unless others are named."""
    for name in SETTLED:
        if getattr(options, name) is not None:
            raise UsageError(say("cli.play.settled", language, option=f"--{name}"))
    if options.file == "-":
        reason = os.strerror(errno.ENOENT)
        raise UsageError(say("cli.no_file", language, file=options.file, reason=reason))
    game = Game.from_record(read_text(options.file, language))
    names, bots = names_of(game), bots_of(game)
    if options.people or options.bots or names is None or bots is None:
        people = _people(options, language)
        names, bots = _seated(people, _listed(options.bots), game.options.players, language)
    return game, names, bots, seed_of(game)


def _listed(given: str | None) -> list[str]:
    return [name.strip() for name in (given or "").split(",") if name.strip()]


def _people(options: argparse.Namespace, language: str) -> list[str]:
    people = _listed(options.people)
    for name in people:
        if not name.isprintable() or len(name) > LONGEST_NAME:
            raise UsageError(say("cli.play.bad_name", language, longest=LONGEST_NAME))
    return people or [say("cli.play.you", language)]


def _seated(
    people: list[str], bots: list[str], players: int, language: str
) -> tuple[list[str], list[str | None]]:
    """Names and bots by seat; one bot's name stands for all, none for the easiest."""
    free = players - len(people)
    if len(bots) < 2:
        bots = (bots or [LEVELS[0]]) * free
    if len(bots) != free or players > MOST_PLAYERS:
        given = {"people": len(people), "bots": len(bots), "players": players}
        raise UsageError(say("cli.play.seats", language, **given))
    return table_names(people, bots), [*([None] * len(people)), *bots]
