"""`baghdad demo`: a game between bots to watch in the terminal."""

import argparse
import secrets
from itertools import cycle, islice

from baghdad.text import say

from .arguments import CommandParser, add_options, add_pace, add_players
from .options import agreed, table_options
from .record import seat_names

CAST = ("ali", "kasim")
"""The bots that play where none is named: two that think alike but not equally far."""
PRINTED_TURNS = 8
"""Shown in full where the game goes by as text."""
PACE = 0.8
"""Seconds between two steps, for somebody who only watches."""


def add_arguments(parser: CommandParser) -> None:
    add, text = parser.add_argument, parser.text
    add_players(parser)
    add("--bots", metavar="BOTS", help=text("demo.bots"))
    add_options(parser)
    about_turns = text("demo.turns", default=PRINTED_TURNS)
    add("--turns", type=parser.whole(0), metavar="N", help=about_turns)
    add_pace(parser, PACE)


def run(options: argparse.Namespace, language: str) -> int:
    """Let bots play, step by step on a terminal, and say how it ended."""
    from baghdad.bots import Budget, make_bot
    from baghdad.bots.playing import moves
    from baghdad.rules.game import Game

    from .board import draw
    from .names import ending, table_names
    from .spectating import print_moves, watch
    from .terminal import Plain, open_terminal

    given = options.bots or ",".join(islice(cycle(CAST), options.players))
    bots = seat_names(given, options.players, language)
    seed = options.seed if options.seed is not None else str(secrets.randbits(32))
    table = table_options(options, options.players, language)
    names, game = table_names([], bots), Game.with_options(table, seed=seed)
    played = moves(game, [make_bot(name) for name in bots], seed, Budget())
    terminal = open_terminal(language, to_type=False) if options.pace else Plain(language)
    try:
        if terminal.drawn:
            watch(terminal, game, played, names, options.pace, options.turns)
        else:
            turns = PRINTED_TURNS if options.turns is None else options.turns
            print_moves(terminal, game, played, names, turns)
    finally:
        terminal.close()
    terminal.tell(f"\n{say('cli.demo.seed', language, seed=seed)}")
    if others := agreed(table, language):
        terminal.tell(others)
    terminal.write(draw(game.view(None), names, language, terminal.board_width))
    terminal.tell(f"\n{ending(game, names, language)}")
    return 0
