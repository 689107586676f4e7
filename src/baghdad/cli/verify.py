"""`baghdad verify`: prove that a game's deal was fair."""

import argparse
import json

from ..rules.game import Game
from ..rules.notation import read_records
from ..rules.words import verdict
from .files import read_text

NOT_FAIR = 1


def run(options: argparse.Namespace, language: str) -> int:
    """Check all records of a file; 1 where one is not fair."""
    verdicts = [
        verdict(Game.from_record(record), options.promise, language)
        for record in read_records(read_text(options.file, language))
    ]
    for fair, text in verdicts:
        print(json.dumps({"fair": fair, "reason": text}) if options.json else text)
    return 0 if all(fair for fair, _ in verdicts) else NOT_FAIR
