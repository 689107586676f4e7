"""`baghdad play`: a game in the terminal, against bots or with others at the same keyboard."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from baghdad.text import say

from .arguments import CommandParser, add_options, add_pace
from .files import UsageError

if TYPE_CHECKING:
    from baghdad.rules.game import Game

PACE = 1.2
"""Seconds in which a step of a bot can be followed."""


def add_arguments(parser: CommandParser) -> None:
    add, text = parser.add_argument, parser.text
    add("file", nargs="?", metavar="FILE", help=text("play.file"))
    add("--players", type=int, choices=(2, 3, 4), metavar="N", help=text("play.players"))
    add("--bots", metavar="BOTS", help=text("play.bots"))
    add("--people", metavar="NAMES", help=text("play.people"))
    add_options(parser)
    add("--save", metavar="FILE", help=text("play.save"))
    add_pace(parser, PACE)


def run(options: argparse.Namespace, language: str) -> int:
    """Set a table up or go on with a saved game, and play."""
    from baghdad.bots import make_bot

    from .board import draw
    from .bots import check_names
    from .names import ending
    from .saves import sign
    from .seating import new_game, saved_game
    from .terminal import Plain, open_terminal
    from .terminal_game import Player, TerminalGame

    if options.save and options.save != options.file and Path(options.save).exists():
        raise UsageError(say("cli.play.exists", language, file=options.save))
    game, names, bots, seed = (saved_game if options.file else new_game)(options, language)
    if game.result != "*":
        terminal = Plain(language)
        terminal.write(draw(game.view(None), names, language, terminal.board_width))
        terminal.tell(f"\n{ending(game, names, language)}")
        return 0
    check_names([bot for bot in bots if bot], language)
    sign(game, names, bots)
    players = [
        Player(name, make_bot(bot) if bot else None) for name, bot in zip(names, bots, strict=True)
    ]
    file = options.save or options.file
    if file:
        _check_file(game, file, language)
    return TerminalGame(game, players, seed, open_terminal(language), options.pace, file).run()


def _check_file(game: "Game", file: str, language: str) -> None:
    """Complain now, and not after the first turn, of a file that can't be written."""
    from .saves import write_game

    try:
        write_game(game, file)
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(say("cli.no_output", language, file=file, reason=reason)) from None
