"""What a match has shown, for programs: the JSON that `baghdad arena --json` prints."""

from collections import defaultdict
from typing import Any

import numpy as np

from .results import Results
from .statistics import Interval, Sprt, elo

LONG = 95
"""Per cent of the decisions that took no longer than what is called long."""


def summarize(results: Results, test: Sprt | None = None) -> dict[str, Any]:
    """All that was found: an interval is a list of the value, its lower and its upper end."""
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
    if match.timed:
        report["thinking"] = _thinking(results)
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


def _thinking(results: Results) -> dict[str, dict[str, float]]:
    """By bot: how many decisions it made, how long they took, and its simulations in one."""
    decisions = defaultdict[str, list[tuple[int, int]]](list)
    for game in results.games():
        for seat, milliseconds, simulations in game.thinking:
            decisions[game.seats[seat]].append((milliseconds, simulations))
    found = {}
    for name, made in decisions.items():
        milliseconds, simulations = np.array(made).T
        found[name] = {
            "decisions": len(made),
            "simulations": round(float(np.median(simulations))),
            "median_ms": round(float(np.median(milliseconds)), 1),
            "p95_ms": round(float(np.percentile(milliseconds, LONG)), 1),
            "longest_ms": int(milliseconds.max()),
        }
    return found


def _triple(interval: Interval) -> list[float]:
    return [interval.value, interval.low, interval.high]
