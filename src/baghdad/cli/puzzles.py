"""`baghdad puzzles`: turns of finished games in which one turn is surely the best."""

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from baghdad.rules.game import Game
from baghdad.rules.notation import read_records
from baghdad.text import say

from . import INTERRUPTED, complain
from .arguments import CommandParser
from .files import UsageError, read_text
from .progress import bar
from .review import LEAST_BUDGET

if TYPE_CHECKING:
    from baghdad.analysis.kept_puzzles import KeptPuzzles


def add_arguments(parser: CommandParser) -> None:
    add, text = parser.add_argument, parser.text
    add("files", nargs="+", metavar="GAMES", help=text("puzzles.files"))
    add("-o", "--output", default="puzzles.jsonl", metavar="FILE", help=text("puzzles.output"))
    add("--most", type=parser.whole(1), metavar="N", help=text("puzzles.most"))
    add("--budget", type=parser.whole(LEAST_BUDGET), metavar="S", help=text("puzzles.budget"))
    add("--seed", type=parser.seed, default="puzzles", metavar="SEED", help=text("puzzles.seed"))
    add("--jobs", type=parser.whole(1), metavar="N", help=text("puzzles.jobs"))


def run(options: argparse.Namespace, language: str) -> int:
    """Look through all games; an interrupt keeps what is found, and the same command goes on."""
    from baghdad.analysis.consent import may_be_used
    from baghdad.analysis.kept_puzzles import KeptPuzzles, OtherPuzzlesError
    from baghdad.analysis.lines import name_of_game
    from baghdad.analysis.puzzling import DEFAULT_BUDGET

    games = [game for file in options.files for game in _games(file, language)]
    used = [game for game in games if may_be_used(game)]
    withdrawn = {name_of_game(game) for game in games} - {name_of_game(game) for game in used}
    if len(used) < len(games):
        complain(say("cli.puzzles.not_agreed", language, n=len(games) - len(used)))
    budget, code = options.budget or DEFAULT_BUDGET, 0
    try:
        with KeptPuzzles(Path(options.output), budget, options.seed, withdrawn) as kept:
            try:
                _look(used, kept, options, budget, language)
            except KeyboardInterrupt:
                code = INTERRUPTED
    except OtherPuzzlesError:
        raise UsageError(say("cli.puzzles.others", language, file=options.output)) from None
    except OSError as error:
        reason = error.strerror or str(error)
        told = say("cli.no_output", language, file=options.output, reason=reason)
        raise UsageError(told) from None
    print(say("cli.puzzles.found", language, n=len(kept.puzzles), file=options.output))
    if code:
        complain(say("cli.puzzles.stopped", language))
    return code


def _games(file: str, language: str) -> Iterator[Game]:
    """The games of a file, all of them finished: records, or what `baghdad export` writes."""
    text = read_text(file, language)
    if text.lstrip().startswith("{"):
        text = "\n".join(map(_exported, text.splitlines()))
    for number, record in enumerate(read_records(text), 1):
        game = Game.from_record(record)
        if not game.over:
            raise UsageError(say("cli.puzzles.unfinished", language, file=file, number=number))
        yield game


def _exported(line: str) -> str:
    """The record in a line of `baghdad export`."""
    try:
        record = json.loads(line)["record"]
    except (ValueError, KeyError, TypeError):
        return line  # which is no record: whoever reads it says where
    return str(record)


def _look(
    games: Sequence[Game],
    kept: "KeptPuzzles",
    options: argparse.Namespace,
    budget: int,
    language: str,
) -> None:
    """Make puzzles of the games that were not looked through yet, until there are enough."""
    from baghdad.analysis.lines import name_of_game
    from baghdad.analysis.puzzling import PuzzleMaker, positions_of

    with (
        PuzzleMaker(budget, options.seed, options.jobs) as maker,
        bar(len(games), say("cli.puzzles.progress", language)) as progress,
    ):
        for number, game in enumerate(games):
            if options.most is not None and len(kept.puzzles) >= options.most:
                return
            progress.update(number - progress.n)
            if kept.has_looked(game):
                continue
            views = list(positions_of(game))
            for found in maker.puzzles_of(views, name_of_game(game)):
                progress.update(1 / len(views))
                if found is not None:
                    kept.add(found)
                    if len(kept.puzzles) == options.most:
                        return
            kept.looked(game)
