"""`baghdad train`: a network learns by playing against itself."""

import argparse
import json
import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from baghdad.text import say

from .arguments import CommandParser, add_json
from .files import UsageError
from .gpu import find_gpu

if TYPE_CHECKING:
    from baghdad.learn.config import Config


def add_arguments(parser: CommandParser) -> None:
    add, text = parser.add_argument, parser.text
    add("folder", metavar="FOLDER", help=text("train.folder"))
    add("--minutes", type=parser.positive, metavar="M", help=text("train.minutes"))
    add("--steps", type=parser.whole(1), metavar="N", help=text("train.steps"))
    add("--device", choices=("cpu", "cuda"), help=text("train.device"))
    add("--set", action="append", default=[], metavar="NAME=VALUE", help=text("train.set"))
    add_json(parser)


def run(options: argparse.Namespace, language: str) -> int:
    """Train, from the beginning or from where the folder stopped, and tell how it goes."""
    began = time.perf_counter()
    if find_spec("torch") is None:
        raise UsageError(say("cli.train.no_torch", language))
    import torch

    from baghdad.learn.config import SMALL, Config
    from baghdad.learn.run import Run, RunError, config_for

    device = options.device or ("cuda" if torch.cuda.is_available() else "cpu")
    if device == "cuda" and not torch.cuda.is_available():
        raise UsageError(say("cli.train.no_cuda", language))
    if device == "cuda":
        torch.cuda.init()  # PyTorch's context is the one that Numba then finds
        find_gpu(language)
    config = SMALL if device == "cpu" else Config()
    try:
        config.with_values(options.set)
    except ValueError as error:
        raise UsageError(say("cli.train.bad_set", language, given=error)) from None
    folder = Path(options.folder)
    try:
        config = config_for(folder, config, options.set)
        training = Run(folder, config, device, options.set)
    except RunError as error:
        broken = say("cli.train.broken", language, folder=folder, reason=error)
        raise UsageError(broken) from None
    except torch.OutOfMemoryError:
        raise UsageError(too_little_memory(config, language)) from None
    learner = training.learner
    key = "cli.train.resumed" if training.resumed else "cli.train.begins"
    weights = sum(weight.numel() for weight in learner.network.parameters())
    print(say(key, language, folder=options.folder, steps=learner.steps, weights=weights))

    def tell(figures: dict[str, Any]) -> None:
        text = json.dumps(figures) if options.json else progress_line(figures, language)
        print(text, flush=True)
        if figures["rollbacks"] and not options.json:
            print(say("cli.train.fell", language), flush=True)

    until = None if options.minutes is None else began + 60 * options.minutes
    try:
        training.train(tell, until=until, steps=options.steps)
    except torch.OutOfMemoryError:
        raise UsageError(too_little_memory(config, language)) from None
    except FloatingPointError as error:
        raise UsageError(say("cli.train.astray", language, reason=error)) from None
    print(say("cli.train.saved", language, folder=options.folder, steps=learner.steps))
    return 0


def too_little_memory(config: "Config", language: str) -> str:
    return say("cli.train.memory", language, games=config.games, minibatch=config.minibatch)


def progress_line(figures: dict[str, Any], language: str) -> str:
    """The figures of the last few seconds in one line."""
    won = ", ".join(f"{name} {share:.0%}" for name, share in figures["won"].items())
    return say("cli.train.line", language, **figures | {"won": won or "–"})
