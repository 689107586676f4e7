"""`baghdad bots`: who can sit down at a table here."""

import argparse
import json
import re
from collections.abc import Sequence

from baghdad.text import say

from .arguments import CommandParser, add_json
from .files import UsageError

RESULTS = re.compile(r"(\w+):(\d{1,4})/(\d{1,4})")
"""Of one level: games won, of games played."""


def add_arguments(parser: CommandParser) -> None:
    add_json(parser)
    add = parser.add_argument
    add("--won", metavar="LEVEL:WON/GAMES", nargs="+", help=parser.text("bots.won"))


def run(options: argparse.Namespace, language: str) -> int:
    """List all bots with a sentence about each, or say how strong a person is."""
    from baghdad.bots import bot_names
    from baghdad.bots.levels import TABLE

    if options.won:
        return rate(options.won, options.json, language)
    descriptions = {name: about(name, language) for name in bot_names()}
    if options.json:
        print(json.dumps(descriptions, ensure_ascii=False))
        return 0
    for name, text in descriptions.items():
        rating = str(TABLE[name].rating) if name in TABLE else ""
        print(f"{name:<14}{rating:>4}  {text}")
    return 0


def rate(given: Sequence[str], as_json: bool, language: str) -> int:
    """Say where a person's results with two players stand on the scale of the levels."""
    from baghdad.arena.rating import GameWithLevels, even_level, rate_person
    from baghdad.bots import LEVELS

    games: list[GameWithLevels] = []
    for text in given:
        match = RESULTS.fullmatch(text)
        if not match or match[1] not in LEVELS or int(match[2]) > int(match[3]):
            known = ", ".join(LEVELS)
            raise UsageError(say("cli.bots.bad_results", language, given=text, levels=known))
        level, won, played = match[1], int(match[2]), int(match[3])
        games += [GameWithLevels([level], number < won) for number in range(played)]
    rating, even = rate_person(games), even_level(games)
    if as_json:
        print(json.dumps({"rating": [rating.value, rating.low, rating.high], "even": even}))
    else:
        value, low, high = (round(each) for each in (rating.value, rating.low, rating.high))
        print(say("cli.bots.rating", language, rating=value, low=low, high=high, level=even))
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
