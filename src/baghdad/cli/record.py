"""`baghdad record`: bots play, and their games are written down."""

import argparse
import secrets

from baghdad.text import say

from .arguments import CommandParser, add_options, add_output, add_players
from .bots import check_names
from .files import UsageError, open_output
from .options import table_options
from .progress import progress


def add_arguments(parser: CommandParser) -> None:
    add, text = parser.add_argument, parser.text
    add_players(parser)
    add_options(parser)
    add("--games", type=parser.whole(1), default=1, metavar="N", help=text("record.games"))
    add("--seats", default="random", metavar="BOTS", help=text("record.seats"))
    add("--max-turns", type=parser.whole(1), metavar="N", help=text("record.max_turns"))
    add_output(parser)


def run(options: argparse.Namespace, language: str) -> int:
    """Play the games and write each as it ends."""
    from baghdad.bots import Budget, make_bot
    from baghdad.bots.playing import play_to_end
    from baghdad.rules.game import Game

    names = seat_names(options.seats, options.players, language)
    bots = [make_bot(name) for name in names]
    seed = options.seed if options.seed is not None else str(secrets.randbits(64))
    table = table_options(options, options.players, language)
    output = open_output(options.output, language)
    try:
        label = say("cli.record.progress", language)
        for number in progress(range(1, options.games + 1), options.games, label):
            # The first game has the seed itself, so that every game can be had again alone.
            own_seed = seed if number == 1 else f"{seed}-{number}"
            headers = {"Seats": ", ".join(names), "Seed": own_seed}
            game = Game.with_options(table, seed=own_seed, headers=headers)
            play_to_end(game, bots, own_seed, Budget(), options.max_turns)
            print(game.record(), file=output, end="" if number == options.games else "\n")
    finally:
        if options.output != "-":
            output.close()
    return 0


def seat_names(seats: str, players: int, language: str) -> list[str]:
    """The bots' names by seat; one name stands for all."""
    names = [name.strip() for name in seats.split(",")]
    check_names(names, language)
    if len(names) == 1:
        names *= players
    if len(names) != players:
        reason = say("cli.seats_count", language, given=len(names), players=players)
        raise UsageError(reason)
    return names
