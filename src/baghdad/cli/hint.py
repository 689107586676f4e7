"""`baghdad hint`: a hint in three steps for one's own game against bots."""

import argparse
import json

from msgspec import to_builtins

from baghdad.rules.engine.actions import ACTION_OF
from baghdad.rules.game import Game
from baghdad.rules.narration import describe
from baghdad.text import say

from .arguments import CommandParser, add_json
from .files import UsageError, read_text
from .review import LEAST_BUDGET
from .saves import bots_of, may_be_helped

STEPS = (1, 2, 3)


def add_arguments(parser: CommandParser) -> None:
    add, text = parser.add_argument, parser.text
    add("file", metavar="GAME", help=text("hint.file"))
    add("--step", type=parser.whole(1, STEPS[-1]), default=1, metavar="N", help=text("hint.step"))
    add("--budget", type=parser.whole(LEAST_BUDGET), metavar="S", help=text("hint.budget"))
    add_json(parser)


def run(options: argparse.Namespace, language: str) -> int:
    """Find the best turn by what the seat knows, and tell as much of it as is asked for."""
    from baghdad.analysis import hint
    from baghdad.analysis.judge import DEFAULT_BUDGET
    from baghdad.analysis.telling import fact_in_words, percent, turn_in_words

    game = Game.from_record(read_text(options.file, language))
    seat = _seat(game, language)
    found = hint(game.view(seat), budget=options.budget or DEFAULT_BUDGET)
    if options.json:
        told = {
            "seat": seat + 1,
            "nudge": found.nudge,
            "first": found.turn[0],
            "turn": found.turn,
            "chance": [found.chance, found.low, found.high],
            "ahead": [found.ahead, found.ahead_low, found.ahead_high],
            "reasons": to_builtins(found.reasons),
        }
        print(json.dumps(told))
        return 0
    print(say(f"analysis.nudge.{found.nudge}", language))
    if options.step > 1:
        first = describe(ACTION_OF[found.turn[0]], language)
        print(say("analysis.hint.first", language, token=found.turn[0], words=first))
    if options.step > 2:
        print(say("analysis.hint.turn", language, tokens=" ".join(found.turn)))
        print(turn_in_words(found.turn, found.robs, language))
        for reason in found.reasons:
            print(fact_in_words(reason.fact, language))
        chance, low, high = (
            percent(each, language) for each in (found.chance, found.low, found.high)
        )
        print(say("analysis.hint.chance", language, chance=chance, low=low, high=high))
    else:
        print(say("cli.hint.more_steps", language, step=options.step + 1))
    return 0


def _seat(game: Game, language: str) -> int:
    """The seat that wants a hint; it has to be its turn, in a game that nobody else plays."""
    if game.over:
        raise UsageError(say("cli.hint.over", language))
    if not may_be_helped(game):
        raise UsageError(say("cli.hint.others", language))
    bots = bots_of(game) or []
    seat = game.to_move
    people = [place for place, bot in enumerate(bots) if bot is None]
    if seat not in (people or range(len(bots))):
        raise UsageError(say("cli.hint.not_now", language))
    assert seat is not None
    return seat
