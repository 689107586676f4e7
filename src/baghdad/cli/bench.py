"""`baghdad bench`: how fast the engine plays."""

import argparse
import json
from typing import Any

from baghdad.machine import describe_machine
from baghdad.text import say

from .arguments import CommandParser, add_json, add_players
from .files import UsageError
from .gpu import find_gpu
from .progress import bar

SECONDS = 3.0
LONGEST_SECONDS = 3600
GPU_GAMES = 1 << 18


def add_arguments(parser: CommandParser) -> None:
    add, text = parser.add_argument, parser.text
    add_players(parser)
    add("--threads", type=parser.whole(1), default=1, metavar="N", help=text("bench.threads"))
    add("--device", choices=("cpu", "cuda"), default="cpu", help=text("bench.device"))
    about_seconds = text("bench.seconds", default=SECONDS)
    add("--seconds", type=float, default=SECONDS, metavar="S", help=about_seconds)
    about_games = text("bench.games", default=GPU_GAMES)
    add("--games", type=parser.whole(1), default=GPU_GAMES, metavar="N", help=about_games)
    add("--start", action="store_true", help=text("bench.start"))
    add_json(parser)


def run(options: argparse.Namespace, language: str) -> int:
    """Measure and print, for people or as JSON."""
    from baghdad.bench import START_UPS, on_cpu, on_gpu, start_up

    if not 0 < options.seconds <= LONGEST_SECONDS:
        raise UsageError(say("cli.bench.seconds_range", language))
    report: dict[str, Any] = {"players": options.players, "device": options.device}
    total = START_UPS if options.start else round(options.seconds, 1)
    if options.device == "cuda" and not options.start:
        find_gpu(language)
    with bar(total, say("cli.bench.progress", language)) as shown:
        if options.start:
            report |= start_up(shown.update)
        elif options.device == "cuda":
            report |= on_gpu(options.players, options.games, options.seconds, shown.update)
        else:
            report |= on_cpu(options.players, options.threads, options.seconds, shown.update)
    report["machine"] = describe_machine()
    if options.json:
        print(json.dumps(report))
        return 0
    for key, value in report.items():
        number = f"{value:,.{0 if value >= 100 else 2}f}" if isinstance(value, float) else value
        print(f"{say(f'bench.{key}', language):<36}{number}")
    return 0
