"""`baghdad arena`: which bot is better, and how sure is that?"""

import argparse
import json
import secrets
import traceback
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any, TextIO

from baghdad.arena.cluster import ClusterError, connected, play_on_ray
from baghdad.arena.fingerprint import players
from baghdad.arena.local import play_deals
from baghdad.arena.match import Match, Played
from baghdad.arena.report import html_report
from baghdad.arena.results import (
    EditionError,
    ResultError,
    Results,
    open_results,
    score,
    write_deal,
)
from baghdad.arena.statistics import Interval, Sprt, elo
from baghdad.bots import Budget
from baghdad.bots.playing import MAX_TURNS
from baghdad.machine import describe_machine
from baghdad.rules.options import Options
from baghdad.text import say

from . import complain
from .arguments import CommandParser, add_json, add_options, add_players
from .bots import check_names
from .files import UsageError, check_output, open_output
from .options import agreed, table_options
from .progress import bar

FEW_DEALS = 8
"""With fewer, resampling them says little of how sure it is."""
GAMES = 200
MOST_ELO = 2000
"""Of either hypothesis of a sequential test."""
SPRT_MOST_DEALS = 100_000
"""Where two bots are as good as equal the test could go on for ever."""


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
    check_names(options.bots, language)
    if len(set(options.bots)) < 2 or len(set(options.bots)) != len(options.bots):
        raise UsageError(say("cli.arena.two", language))
    test = Sprt(*options.sprt) if options.sprt else None
    if test and (options.players != 2 or len(options.bots) != 2 or test.elo0 >= test.elo1):
        raise UsageError(say("cli.arena.sprt_for", language))
    match = Match(
        tuple(options.bots),
        table_options(options, options.players, language),
        options.seed if options.seed is not None else str(secrets.randbits(64)),
        Budget(options.seconds, options.simulations),
        options.max_turns or MAX_TURNS,
    )
    per_deal = len(match.seatings())
    most = -(-(options.games or GAMES) // per_deal)
    if test and options.games is None:
        most = SPRT_MOST_DEALS
    results, file, about = Results(match), None, {"machine": describe_machine()}
    if options.html:
        check_output(options.html, language)
    try:
        with connected(options.ray) if options.ray else nullcontext() as cluster:
            if cluster:
                about["cluster"] = cluster
            if options.output:
                results, file = open_results(Path(options.output), match, about)
            known = set(results.deals)
            left = (deal for deal in range(1, most + 1) if deal not in known)
            running = play_on_ray(match, left) if cluster else play_deals(match, left, options.jobs)
            with file or nullcontext(), closing(running):
                whole = _play(results, most, running, test, language, file)
    except EditionError as error:
        told = {"file": options.output, "theirs": error, "ours": players(match.bots)}
        raise UsageError(say("cli.arena.edition", language, **told)) from None
    except ResultError:
        raise UsageError(say("cli.arena.other", language, file=options.output)) from None
    except ClusterError as error:
        raise UsageError(say(f"cluster.{error.key}", language, **error.values)) from None
    if not results.deals:
        return 0 if whole else 1
    report = summary(results, test) | about
    if options.html == "-":
        print(html_report(results, about, language))
    elif options.json:
        print(json.dumps(report))
    else:
        tell(report, language)
    if len(results.deals) < FEW_DEALS:
        enough = FEW_DEALS * per_deal
        complain(say("cli.arena.few", language, deals=len(results.deals), games=enough))
    if options.html and options.html != "-":
        with open_output(options.html, language) as page:
            page.write(html_report(results, about, language))
    return 0 if whole else 1


def _play(
    results: Results,
    most: int,
    running: Iterator[list[Played]],
    test: Sprt | None,
    language: str,
    file: TextIO | None,
) -> bool:
    """Deal after deal; those on file need not be played, but the test sees them in their place.

    Says whether all went well.
    """
    one, other = results.match.bots[:2]
    with bar(most, say("cli.arena.progress", language)) as shown:
        try:
            for deal in range(1, most + 1):
                if deal not in results.deals:
                    results.deals[deal] = _next(running)
                    if file:
                        write_deal(file, results.deals[deal])
                    # Intervals cost time: not after every deal.
                    if not shown.disable and deal % 10 == 0:
                        share = results.share(one, other)
                        shown.set_postfix_str(f"{one}: {_percent(share)}")
                shown.update(1)
                if test:
                    test.add(score(results.deals[deal], one, other))
                    if test.verdict is not None:
                        break
        except KeyboardInterrupt:
            complain(say("cli.arena.interrupted", language))
        except BrokenProcessPool:
            complain(say("cli.arena.lost", language))
            return False
        except ClusterError as error:
            if not results.deals:
                raise
            complain(say(f"cluster.{error.key}", language, **error.values))
            return False
        except BotError as error:
            traceback.print_exception(error.__cause__)
            complain(say("cli.arena.failed", language))
            return False
    return True


class BotError(Exception):
    """A bot has failed, or what it needs; the cause says how."""


def _next(running: Iterator[list[Played]]) -> list[Played]:
    try:
        return next(running)
    except (BrokenProcessPool, ClusterError):
        raise
    except Exception as error:
        raise BotError from error


def summary(results: Results, test: Sprt | None) -> dict[str, Any]:
    """All that was found, for programs."""
    match, lengths = results.match, [game.length for game in results.games()]
    report: dict[str, Any] = {
        "match": match.as_json(),
        "deals": len(results.deals),
        "games": len(results.games()),
        "nobody": results.nobody(),
        "median_turns": sorted(lengths)[(len(lengths) - 1) // 2],
        "par": 1 / match.options.players,
        "pairs": [],
        "seats": results.seat_shares(),
        "ratings": {name: _triple(value) for name, value in results.ratings().items()},
    }
    for alone, rest in match.pairs():
        share = results.share(alone, rest)
        entry: dict[str, Any] = {"alone": alone, "rest": rest, "share": _triple(share)}
        if match.options.players == 2:
            entry["elo"] = [elo(value) for value in _triple(share)]
        report["pairs"].append(entry)
    if test:
        verdict = test.verdict
        report["sprt"] = {
            "elo0": test.elo0,
            "elo1": test.elo1,
            "risk": test.risk,
            "log_ratio": test.log_ratio,
            "accepted": None if verdict is None else "elo1" if verdict else "elo0",
        }
    return report


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
        share = Interval(*pair["share"])
        line = f"  {pair['alone']} – {pair['rest']}{f' × {players - 1}' if players > 2 else ''}: "
        line += _percent(share)
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


def _triple(interval: Interval) -> list[float]:
    return [interval.value, interval.low, interval.high]


def _percent(share: Interval) -> str:
    return f"{share.value:.1%} ({share.low:.1%} … {share.high:.1%})"
