"""`baghdad bots`: who can sit down at a table here."""

import argparse
import json
from collections.abc import Sequence

from baghdad.text import say

from .arguments import CommandParser, add_json
from .files import UsageError


def add_arguments(parser: CommandParser) -> None:
    add_json(parser)


def run(options: argparse.Namespace, language: str) -> int:
    """List all bots with a sentence about each."""
    from baghdad.bots import bot_names

    descriptions = {name: about(name, language) for name in bot_names()}
    if options.json:
        print(json.dumps(descriptions, ensure_ascii=False))
        return 0
    for name, text in descriptions.items():
        print(f"{name:<14}{text}")
    return 0


def about(name: str, language: str) -> str:
    """What the catalogues say of a bot of ours; others speak for themselves."""
    from baghdad.bots import BUILTIN_BOTS, make_bot

    if name in BUILTIN_BOTS:
        return say(f"bot.{name}", language)
    try:
        bot = make_bot(name)
    except Exception as error:  # another package's; the others can be listed all the same
        return say("cli.bots.broken", language, reason=f"{type(error).__name__}: {error}")
    return (type(bot).__doc__ or "").strip().partition("\n")[0]


def check_names(names: Sequence[str], language: str) -> None:
    """Refuse a name that no bot has.

    Ours are made once here: what they compile is compiled where a person is told of it, and only
    once, however many processes will play.
    """
    from baghdad.bots import BUILTIN_BOTS, bot_names, make_bot
    from baghdad.bots.neural.weights_file import WeightsError
    from baghdad.rules.engine.observation import VersionError

    known = bot_names()
    for name in names:
        if name not in known:
            raise UsageError(say("cli.no_bot", language, name=name, names=", ".join(known)))
    for name in names:
        if name in BUILTIN_BOTS:
            try:
                make_bot(name)
            except (WeightsError, VersionError) as error:
                reason = say("cli.bad_weights", language, name=name, reason=error)
                raise UsageError(reason) from None
