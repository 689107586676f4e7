"""`baghdad ladder`: all bots against each other."""

import argparse

from baghdad.bots import bot_names

from . import arena


def run(options: argparse.Namespace, language: str) -> int:
    """An arena with every bot there is."""
    options.bots, options.sprt = bot_names(), None
    return arena.run(options, language)
