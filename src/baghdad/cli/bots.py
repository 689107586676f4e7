"""`baghdad bots`: who can sit down at a table here."""

import argparse
import json
from collections.abc import Sequence

from ..bots import bot_names, make_bot
from ..text import say
from .files import UsageError


def run(options: argparse.Namespace, language: str) -> int:
    """List all bots with a sentence about each."""
    about = {name: (type(make_bot(name)).__doc__ or "").strip() for name in bot_names()}
    if options.json:
        print(json.dumps(about, ensure_ascii=False))
        return 0
    for name, text in about.items():
        key = f"bot.{name}"
        print(f"{name:<14}{say(key, language) if name in OURS_TOLD else text.splitlines()[0]}")
    return 0


OURS_TOLD = ("heuristic", "random", "search")
"""Bots that the catalogues speak of; others speak for themselves."""


def check_names(names: Sequence[str], language: str) -> None:
    """Refuse a name that no bot has."""
    known = bot_names()
    for name in names:
        if name not in known:
            raise UsageError(say("cli.no_bot", language, name=name, names=", ".join(known)))
