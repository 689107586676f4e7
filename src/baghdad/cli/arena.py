"""`baghdad arena`: which bot is better, and how sure is that?"""

import argparse
import json
import secrets
import time
import traceback
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from baghdad.rules.options import Options
from baghdad.text import say

from . import complain
from .arguments import CommandParser, add_json, add_options, add_players
from .bots import check_names
from .files import UsageError, check_output, open_output
from .options import agreed, table_options

if TYPE_CHECKING:
    from baghdad.arena import Match, MatchError, Outcome

FEW_DEALS = 8
"""With fewer, resampling them says little of how sure it is."""
LOOK_SECONDS = 1.0
"""Between two looks at how a match stands."""
MOST_ELO = 2000
"""Of either hypothesis of a sequential test."""


def add_arguments(parser: CommandParser) -> None:
    rating = parser.between(-MOST_ELO, MOST_ELO)
    add, text = parser.add_argument, parser.text
    add("bots", nargs="+", metavar="BOT", help=text("arena.bots"))
    add("--sprt", type=rating, nargs=2, metavar=("ELO0", "ELO1"), help=text("arena.sprt"))
    add_match(parser)


def add_match(parser: CommandParser) -> None:
    """What and where bots play, whichever they are."""
    add, text = parser.add_argument, parser.text
    add_players(parser)
    add_options(parser)
    add("--games", type=parser.whole(1), metavar="N", help=text("arena.games"))
    add("--seconds", type=parser.positive, metavar="S", help=text("arena.seconds"))
    add("--simulations", type=parser.whole(1), metavar="N", help=text("arena.simulations"))
    add("--max-turns", type=parser.whole(1), metavar="N", help=text("arena.max_turns"))
    where = parser.add_mutually_exclusive_group().add_argument
    where("--jobs", type=parser.whole(1), default=1, metavar="N", help=text("arena.jobs"))
    where("--ray", metavar="ADDRESS", help=text("arena.ray"))
    add("-o", "--output", metavar="FILE", help=text("arena.output"))
    add("--html", metavar="FILE", help=text("arena.html"))
    add_json(parser)


def run(options: argparse.Namespace, language: str) -> int:
    """Play, show how it stands, and tell the result; an interrupt ends it early, not empty."""
    from baghdad.arena import MatchError, html_report

    check_names(options.bots, language)
    match = match_of(options, language)
    if options.html:
        check_output(options.html, language)
    code = 0
    try:
        outcome = _play(match, options, language)
    except MatchError as error:
        _complain_of(error, language)
        outcome, code = error.outcome, 1
    results = outcome.results
    if not results.deals:
        return code
    report = outcome.summary()
    if options.html == "-":
        print(html_report(results, outcome.about, language))
    elif options.json:
        print(json.dumps(report))
    else:
        tell(report, language)
    if len(results.deals) < FEW_DEALS:
        enough = FEW_DEALS * len(match.seatings())
        complain(say("cli.arena.few", language, deals=len(results.deals), games=enough))
    if options.html and options.html != "-":
        with open_output(options.html, language) as page:
            page.write(html_report(results, outcome.about, language))
    return code


def match_of(options: argparse.Namespace, language: str) -> "Match":
    """What is to be played; a `UsageError` says what can't be."""
    from baghdad.arena import Match
    from baghdad.bots import Budget
    from baghdad.bots.playing import MAX_TURNS

    if len(set(options.bots)) < 2 or len(set(options.bots)) != len(options.bots):
        raise UsageError(say("cli.arena.two", language))
    if options.sprt:
        low, high = options.sprt
        if options.players != 2 or len(options.bots) != 2 or low >= high:
            raise UsageError(say("cli.arena.sprt_for", language))
    return Match(
        tuple(options.bots),
        table_options(options, options.players, language),
        options.seed if options.seed is not None else str(secrets.randbits(64)),
        Budget(options.seconds, options.simulations),
        options.max_turns or MAX_TURNS,
    )


def _play(match: "Match", options: argparse.Namespace, language: str) -> "Outcome":
    from baghdad import arena
    from baghdad.arena.fingerprint import players_fingerprint

    try:
        with _shown(language) as progress:
            outcome = arena.run(
                match,
                games=options.games,
                jobs=options.jobs,
                ray=options.ray,
                output=Path(options.output) if options.output else None,
                sprt=options.sprt,
                progress=progress,
            )
    except arena.FingerprintError as error:
        both = {"theirs": error, "ours": players_fingerprint(match.bots)}
        reason = say("cli.arena.fingerprint", language, file=options.output, **both)
        raise UsageError(reason) from None
    except arena.ResultError:
        raise UsageError(say("cli.arena.other", language, file=options.output)) from None
    except arena.ClusterError as error:
        raise UsageError(say(f"cluster.{error.key}", language, **error.values)) from None
    if outcome.interrupted:
        complain(say("cli.arena.interrupted", language))
    return outcome


@contextmanager
def _shown(language: str) -> Iterator[Any]:
    """A bar that shows how far a match is, and how it stands."""
    from .progress import bar

    with bar(0, say("cli.arena.progress", language)) as shown:
        looked = time.monotonic()

        def progress(outcome: "Outcome", done: int, most: int) -> None:
            nonlocal looked
            shown.total = most
            shown.update(done - shown.n)
            # Intervals cost time: not after every deal.
            if not shown.disable and time.monotonic() - looked > LOOK_SECONDS:
                looked = time.monotonic()
                one, other = outcome.results.match.bots[:2]
                share = outcome.results.share(one, other)
                shown.set_postfix_str(f"{one}: {_percent(share.value, share.low, share.high)}")

        yield progress


def _complain_of(error: "MatchError", language: str) -> None:
    """Say why a match could not go on."""
    from baghdad.arena import ClusterError

    cause = error.__cause__
    if isinstance(cause, BrokenProcessPool):
        complain(say("cli.arena.lost", language))
    elif isinstance(cause, ClusterError):
        complain(say(f"cluster.{cause.key}", language, **cause.values))
    else:
        traceback.print_exception(cause)
        complain(say("cli.arena.failed", language))


def tell(report: dict[str, Any], language: str) -> None:
    """The report in words."""
    players = report["match"]["options"]["players"]
    print(
        say(
            "cli.arena.head",
            language,
            players=players,
            games=report["games"],
            deals=report["deals"],
            seed=report["match"]["seed"],
            par=f"{report['par']:.1%}",
        )
    )
    if others := agreed(Options(**report["match"]["options"]), language):
        print(others)
    for pair in report["pairs"]:
        line = f"  {pair['alone']} – {pair['rest']}{f' × {players - 1}' if players > 2 else ''}: "
        line += _percent(*pair["share"])
        if "elo" in pair:
            value, low, high = pair["elo"]
            line += f", Elo {value:+.0f} ({low:+.0f} … {high:+.0f})"
        print(line)
    if len(report["ratings"]) > 2 or players > 2:
        print(say("cli.arena.ratings", language))
        for name, (value, low, high) in sorted(
            report["ratings"].items(), key=lambda item: -item[1][0]
        ):
            print(f"  {name:<14}{value:+7.0f} ({low:+.0f} … {high:+.0f})")
    seats = ", ".join(f"{seat}: {share:.1%}" for seat, share in enumerate(report["seats"], 1))
    print(
        say(
            "cli.arena.tail",
            language,
            nobody=report["nobody"],
            turns=report["median_turns"],
            seats=seats,
        )
    )
    if "sprt" in report:
        test = report["sprt"]
        key = f"cli.arena.sprt_{test['accepted'] or 'open'}"
        ratio = f"{test['log_ratio']:+.2f}"
        print(say(key, language, elo0=test["elo0"], elo1=test["elo1"], ratio=ratio))


def _percent(value: float, low: float, high: float) -> str:
    return f"{value:.1%} ({low:.1%} … {high:.1%})"
