"""`baghdad lab`: what the game itself is like."""

import argparse
import json
import secrets
import warnings
from importlib.util import find_spec

from baghdad.lab.formatting import BY_PAIR, figure_table, sentence
from baghdad.lab.players import ROSTERS
from baghdad.lab.questions import (
    QUESTIONS,
    Answer,
    ask,
    games_to_play,
)
from baghdad.lab.setup import Setup
from baghdad.lab.trial import PlayBatch
from baghdad.machine import describe_machine
from baghdad.rules.options import DealError, first_hands
from baghdad.text import say

from .arguments import CommandParser, add_jobs, add_json, add_options, add_players
from .files import UsageError
from .gpu import find_gpu
from .options import agreed, table_options
from .progress import bar

GAMES = 1000
FEWEST_GAMES = 2
"""One says nothing of how sure it is."""


def add_arguments(parser: CommandParser) -> None:
    add, text = parser.add_argument, parser.text
    about_questions = text("lab.questions", names=", ".join(QUESTIONS))
    add("questions", nargs="*", metavar="QUESTION", help=about_questions)
    add_players(parser)
    add_options(parser)
    about_games = text("lab.games", default=GAMES)
    add("--games", type=parser.whole(FEWEST_GAMES), default=GAMES, metavar="N", help=about_games)
    add("--bot", choices=tuple(ROSTERS), default="heuristic", help=text("lab.bot"))
    add("--device", choices=("auto", "cpu", "cuda"), default="auto", help=text("lab.device"))
    add("--deals", default="", metavar="N-N,N-N", help=text("lab.deals"))
    add_jobs(parser, "lab.jobs")
    add_json(parser)


def run(options: argparse.Namespace, language: str) -> int:
    """Play what the questions need, and answer them."""
    names = ", ".join(QUESTIONS)
    for name in options.questions:
        if name not in QUESTIONS:
            raise UsageError(say("cli.lab.no_question", language, name=name, names=names))
    questions = list(dict.fromkeys(options.questions or QUESTIONS))
    seed = options.seed if options.seed is not None else str(secrets.randbits(64))
    setup = setup_of(options, language)
    on_gpu = options.bot == "neural" and options.device != "cpu"
    batch_player = gpu_player(options.device == "cuda", language) if on_gpu else None
    total = games_to_play(questions, setup)
    with bar(total, say("cli.record.progress", language)) as shown:
        answers = ask(questions, setup, seed, options.jobs, shown.update, batch_player)
    if options.json:
        report = {"seed": seed, "answers": [answer.as_json() for answer in answers]}
        ran_on = (
            f"{find_gpu(language)}, {describe_machine()}" if batch_player else describe_machine()
        )
        print(json.dumps(report | {"machine": ran_on}))
        return 0
    print(say("lab.head", language, players=options.players, games=options.games, seed=seed))
    if other := agreed(setup.base, language):
        print(other)
    if {"strength", "variant", "rob", "hands", "spare", *BY_PAIR}.intersection(questions):
        print(say(f"lab.ladder.{setup.roster}", language))
    for answer in answers:
        tell(answer, language)
    return 0


def setup_of(options: argparse.Namespace, language: str) -> Setup:
    """What is asked for; first hands that can't be dealt are refused."""
    players, given = options.players, options.deals.split(",") if options.deals else []
    table = table_options(options, players, language)
    try:
        deals = tuple(first_hands(players, deal or "?") for deal in given)
    except DealError:
        reason = say("cli.lab.bad_deals", language, players=players, given=options.deals)
        raise UsageError(reason) from None
    return Setup(table, options.games, options.bot, deals)


def gpu_player(wanted: bool, language: str) -> PlayBatch | None:
    """Plays the network's games on a GPU; where there is none, nothing does, unless it is wanted
    by name: then say what is missing."""
    if find_spec("torch") is None:
        if wanted:
            raise UsageError(say("cli.train.no_torch", language))
        return None
    import torch

    if not torch.cuda.is_available():
        if wanted:
            raise UsageError(say("cli.train.no_cuda", language))
        return None
    torch.cuda.init()  # PyTorch's context is the one that Numba then finds
    try:
        find_gpu(language)
    except UsageError:
        if wanted:
            raise
        return None
    from baghdad.learn.batch_games import BatchPlayer

    # Whenever a few games are over a few begin: Numba thinks that too little for a GPU.
    warnings.filterwarnings("ignore", "Grid size")
    play: PlayBatch = BatchPlayer("cuda").play
    return play


def tell(answer: Answer, language: str) -> None:
    """A question, its table, and the answer in short."""
    print(f"\n{answer.question}: {say(f'lab.{answer.question}', language)}")
    lines = figure_table([answer], language)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for label, *cells in lines:
        padded = (f"{cell:>{width}}" for cell, width in zip(cells, widths[1:], strict=True))
        print(f"  {label:<{widths[0]}}  {'   '.join(padded)}")
    print(f"  → {sentence(answer, language)}")
