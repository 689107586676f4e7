"""`baghdad lab`: what the game itself is like."""

import argparse
import json
import secrets

from ..arena.lab import QUESTIONS, Answer, ask, games_to_play
from ..arena.tables import BY_PAIR, sentence, table
from ..text import say
from .bench import machine
from .files import UsageError
from .progress import bar


def run(options: argparse.Namespace, language: str) -> int:
    """Play what the questions need, and answer them."""
    names = ", ".join(QUESTIONS)
    for name in options.questions:
        if name not in QUESTIONS:
            raise UsageError(say("cli.lab.no_question", language, name=name, names=names))
    questions = list(dict.fromkeys(options.questions or QUESTIONS))
    seed = options.seed if options.seed is not None else str(secrets.randbits(64))
    total = games_to_play(questions, options.players, options.games)
    with bar(total, say("cli.record.progress", language)) as shown:
        answers = ask(questions, options.players, options.games, seed, options.jobs, shown.update)
    if options.json:
        report = {"seed": seed, "answers": [answer.as_json() for answer in answers]}
        print(json.dumps(report | {"machine": machine()}))
        return 0
    print(say("lab.head", language, players=options.players, games=options.games, seed=seed))
    if {"strength", "variant", "rob", "hands", *BY_PAIR}.intersection(questions):
        print(say("lab.ladder", language))
    for answer in answers:
        tell(answer, language)
    return 0


def tell(answer: Answer, language: str) -> None:
    """A question, its table, and the answer in short."""
    print(f"\n{answer.question}: {say(f'lab.{answer.question}', language)}")
    lines = table([answer], language)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for label, *cells in lines:
        padded = (f"{cell:>{width}}" for cell, width in zip(cells, widths[1:], strict=True))
        print(f"  {label:<{widths[0]}}  {'   '.join(padded)}")
    print(f"  → {sentence(answer, language)}")
