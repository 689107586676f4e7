"""Games of the terminal as files: records that may stop anywhere, and can be gone on with."""

import time
from collections.abc import Sequence
from pathlib import Path

from baghdad.files import atomic_write
from baghdad.replay.headers import TEACHING_HEADER
from baghdad.rules.fair import (
    COMMITMENT_HEADER,
    NUMBERS_HEADER,
    PROMISES_HEADER,
    SEED_HEADER,
    deal_seed,
    headers_of,
    new_seed,
    pledges_of,
    proof,
)
from baghdad.rules.game import Game

BOTS_HEADER, PERSON = "Bots", "-"
"""By seat: which bot sits there, or that a person does."""


def write_game(game: Game, file: str) -> None:
    """Write a game; whatever happens meanwhile, the file is the old one or the new one."""
    with atomic_write(Path(file)) as part:
        part.write_text(game.record(), "utf-8", newline="\n")


def unused_name() -> str:
    """A name for a file in this folder that no file has yet."""
    stem = time.strftime("baghdad-%Y-%m-%d-%H%M")
    number, name = 1, f"{stem}.txt"
    while Path(name).exists():
        number += 1
        name = f"{stem}-{number}.txt"
    return name


def bots_of(game: Game) -> list[str | None] | None:
    """By seat the bot, or None for a person; None where a record does not say it."""
    bots = _listed(game, BOTS_HEADER)
    return None if bots is None else [None if bot == PERSON else bot for bot in bots]


def may_be_helped(game: Game) -> bool:
    """Whether a running game may be looked into: one person alone plays it, or help was agreed on.

    Else somebody could be hurt by that.
    """
    bots = bots_of(game)
    alone = bots is not None and bots.count(None) <= 1
    return alone or game.headers.get(TEACHING_HEADER) == "yes"


def names_of(game: Game) -> list[str] | None:
    """The players' names, where a record has one for each."""
    return _listed(game, "Seats")


def _listed(game: Game, header: str) -> list[str] | None:
    values = [value.strip() for value in game.headers.get(header, "").split(",")]
    return values if len(values) == game.options.players and all(values) else None


def sign(game: Game, names: Sequence[str], bots: Sequence[str | None]) -> None:
    """Note in a game's headers who sits where."""
    game.headers["Seats"] = ", ".join(names)
    game.headers[BOTS_HEADER] = ", ".join(bot or PERSON for bot in bots)


def promise(game: Game, seed: str) -> None:
    """Note the seed that all further cards follow from, and its commitment."""
    game.headers |= headers_of(seed, ())


def seed_of(game: Game) -> str:
    """The seed that a saved game goes on with: its own, if all cards so far follow from it."""
    seed = game.headers.get(SEED_HEADER)
    promised = game.headers.get(COMMITMENT_HEADER)
    if seed is not None and promised is not None and proof(game, seed, promised) is None:
        pledges = pledges_of(game.headers, game.options.players)
        return deal_seed(seed, [pledge.number for pledge in pledges])
    for header in (SEED_HEADER, COMMITMENT_HEADER, PROMISES_HEADER, NUMBERS_HEADER):
        game.headers.pop(header, None)
    return new_seed()
