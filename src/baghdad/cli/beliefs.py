"""`baghdad beliefs`: what a seat could think the others held, turn by turn."""

import argparse
import json

from baghdad.rules.game import Game
from baghdad.text import say

from .arguments import CommandParser, add_json
from .files import UsageError, read_text
from .progress import bar
from .review import seats_of
from .saves import may_be_helped, names_of


def add_arguments(parser: CommandParser) -> None:
    add, text = parser.add_argument, parser.text
    add("file", metavar="GAME", help=text("beliefs.file"))
    add("--seat", type=parser.whole(1), metavar="N", help=text("beliefs.seat"))
    add_json(parser)


def run(options: argparse.Namespace, language: str) -> int:
    """Tell the beliefs of every seat that is asked for, beside the truth where a game is over."""
    from baghdad.analysis.beliefs_told import FORMAT, as_builtins, told, truth_of
    from baghdad.analysis.believing.beliefs import believe
    from baghdad.analysis.telling import name_of
    from baghdad.analysis.turns import turns_of

    game = Game.from_record(read_text(options.file, language))
    if not (game.over or may_be_helped(game)):
        raise UsageError(say("cli.review.unfinished", language))
    truth, names, answer = truth_of(game) if game.over else {}, names_of(game), []
    for seat in seats_of(game, options.seat, language):
        moments = []
        total = sum(turn.number > 0 for turn in turns_of(game, seat))
        with bar(total, say("cli.beliefs.progress", language)) as progress:
            for moment in believe(game, seat):
                moments.append(moment)
                progress.update(1)
        if options.json:
            answer.append(as_builtins(seat, moments, truth))
            continue
        print(name_of(seat, names, language))
        for line in told(moments, truth, names, language):
            print(line)
    if options.json:
        print(json.dumps({"format": FORMAT, "beliefs": answer}))
    else:
        print(say(f"analysis.beliefs.{'over' if game.over else 'running'}", language))
    return 0
