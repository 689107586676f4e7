"""`baghdad replay`: a record is checked move by move."""

import argparse
import json
import sys

from baghdad.rules.errors import CutRecordError
from baghdad.rules.game import Game
from baghdad.rules.narration import outcome
from baghdad.rules.notation import read_records
from baghdad.text import say

from .arguments import CommandParser, add_file
from .files import UsageError, open_output, read_text
from .progress import progress


def add_arguments(parser: CommandParser) -> None:
    add_file(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help=parser.text("json"))
    form.add_argument("--html", metavar="FILE", help=parser.text("replay.html"))


def run(options: argparse.Namespace, language: str) -> int:
    """Check every record of the file; `RecordError` at the first mistake."""
    if options.html:
        return _write_page(options.file, options.html, language)
    records = read_records(read_text(options.file, language))
    label = say("cli.record.progress", language)
    # Where people read the lines as they come, a bar would only be in their way.
    watched = records if sys.stdout.isatty() else progress(records, len(records), label)
    for number, record in enumerate(watched, 1):
        game = Game.beginning(record)
        if options.json:
            print(json.dumps(game.position()))
        for token in record.tokens:
            game.play_token(token, last=token is record.tokens[-1])
            if options.json:
                print(json.dumps(game.position()))
        game.check_result(record)
        if not options.json:
            moves, how = len(record.tokens), outcome(game, language)
            print(say("cli.replay.good", language, number=number, moves=moves, outcome=how))
    return 0


def _write_page(file: str, output: str, language: str) -> int:
    """Write the replay of the file's one game as a page that works offline."""
    from baghdad.replay.offline import TEMPLATE, offline
    from baghdad.replay.steps import replay_of

    text, cut = read_text(file, language), None
    try:
        game = Game.from_record(text)
    except CutRecordError as error:
        game, cut = error.game, error
    if not TEMPLATE.is_file():
        raise UsageError(say("cli.replay.not_built", language))
    page = offline(TEMPLATE.read_text("utf-8"), replay_of(game, cut))
    out = open_output(output, language)
    out.write(page)
    if output != "-":
        out.close()
        print(say("cli.replay.written", language, file=output))
    if cut is not None:
        print(say("cli.error", language, reason=cut.said(language)), file=sys.stderr)
    return 0
