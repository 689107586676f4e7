"""`baghdad ladder`: all bots against each other."""

import argparse

from . import arena
from .arguments import CommandParser


def add_arguments(parser: CommandParser) -> None:
    arena.add_match(parser)


def run(options: argparse.Namespace, language: str) -> int:
    """An arena with every bot there is."""
    from baghdad.bots import bot_names

    options.bots, options.sprt = bot_names(), None
    return arena.run(options, language)
