"""`baghdad arena`: which bot is better, and how sure is that?"""

import argparse
import json
import secrets
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any, TextIO

from ..arena.match import Match
from ..arena.report import html_report
from ..arena.results import ResultError, Results, open_results, write_deal
from ..arena.running import play_deals
from ..arena.statistics import Interval, Sprt, elo
from ..bots import Budget
from ..rules.material import Options
from ..text import say
from .bench import machine
from .bots import check_names
from .files import UsageError, open_output
from .progress import bar

SPRT_MOST_DEALS = 100_000
"""Where two bots are as good as equal the test could go on for ever."""


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
        Options(options.players, options.variant, options.rob, options.hands),
        options.seed if options.seed is not None else str(secrets.randbits(64)),
        Budget(options.seconds, options.simulations),
        options.max_turns,
    )
    per_deal = len(match.seatings())
    most = SPRT_MOST_DEALS if test else -(-options.games // per_deal)
    results, file = Results(match), None
    if options.output:
        try:
            about = {"machine": machine()}
            results, file = open_results(Path(options.output), match, about)
        except ResultError:
            raise UsageError(say("cli.arena.other", language, file=options.output)) from None
    left = [deal for deal in range(1, most + 1) if deal not in results.deals]
    with file or nullcontext():
        _play(results, left, test, options, language, file)
    if not results.deals:
        return 0
    if options.html:
        with open_output(options.html, language) as page:
            page.write(html_report(results, {"machine": machine()}, language))
    report = summary(results, test)
    if options.json:
        print(json.dumps(report))
    else:
        tell(report, language)
    return 0


def _play(
    results: Results,
    deals: list[int],
    test: Sprt | None,
    options: argparse.Namespace,
    language: str,
    file: TextIO | None,
) -> None:
    one, other = results.match.bots[:2]
    running = play_deals(results.match, deals, options.jobs)
    with bar(len(deals), say("cli.arena.progress", language)) as shown:
        try:
            for games in running:
                results.deals[games[0].deal] = games
                if file:
                    write_deal(file, games)
                shown.update(1)
                # Intervals cost time: not after every deal.
                if not shown.disable and len(results.deals) % 10 == 0:
                    share = results.share(one, other)
                    shown.set_postfix_str(f"{one}: {_percent(share)}")
                if test and test.verdict(results.scores(one, other)) is not None:
                    break
        except KeyboardInterrupt:
            shown.write(say("cli.arena.interrupted", language), file=sys.stderr)
        finally:
            running.close()


def summary(results: Results, test: Sprt | None) -> dict[str, Any]:
    """All that was found, for programs."""
    match = results.match
    names = match.bots
    report: dict[str, Any] = {
        "match": match.as_json(),
        "deals": len(results.deals),
        "games": len(results.games()),
        "nobody": results.nobody(),
        "median_turns": sorted(game.turns for game in results.games())[len(results.games()) // 2],
        "par": 1 / match.options.players,
        "pairs": [],
        "seats": results.seat_shares(),
        "ratings": {name: _triple(value) for name, value in results.ratings().items()},
        "machine": machine(),
    }
    for number, one in enumerate(names):
        for other in names[number + 1 :]:
            pairs = [(one, other)] if match.options.players == 2 else [(one, other), (other, one)]
            for alone, rest in pairs:
                share = results.share(alone, rest)
                entry: dict[str, Any] = {"alone": alone, "rest": rest, "share": _triple(share)}
                if match.options.players == 2:
                    entry["elo"] = [elo(value) for value in _triple(share)]
                report["pairs"].append(entry)
    if test:
        scores = results.scores(*names[:2])
        verdict = test.verdict(scores)
        report["sprt"] = {
            "elo0": test.elo0,
            "elo1": test.elo1,
            "risk": test.risk,
            "log_ratio": test.log_ratio(scores),
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
