"""A match as one self-contained HTML file: ratings, win matrix, chests, lengths, seats."""

import json
from collections.abc import Sequence
from html import escape
from typing import Any

from baghdad.text import say

from .match import Match
from .plots import (
    STYLE,
    WIDTH,
    across,
    box,
    curve,
    line,
    scale,
    svg,
    text,
)
from .results import Results
from .statistics import Interval

HEIGHT, LEFT, BOTTOM = 300, 130, 30
LINES = 5
"""Names under each other, in a legend."""

PAGE = (
    STYLE
    + """
body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
  max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
h1, h2 { font-family: Georgia, serif; font-weight: 600 } h2 { margin-top: 2.5rem }
svg { width: 100%; height: auto } table { border-collapse: collapse; width: 100% }
td, th { border: 1px solid var(--line); padding: .35rem .6rem; text-align: right }
th { text-align: left; font-weight: 600 } pre { overflow-x: auto; font-size: 13px }
"""
)


def html_report(results: Results, about: dict[str, Any], language: str = "en") -> str:
    """The report of a match, in one file that needs nothing else."""
    match = results.match
    names = list(match.bots)
    title = say("report.title", language, bots=" – ".join(names), players=match.options.players)
    parts = [
        (say("report.ratings", language), _ratings(results)),
        (say("report.matrix", language), _matrix(results, names)),
        (say("report.chests", language), _chests(results, names)),
        (say("report.length", language), _lengths(results)),
        (say("report.seats", language), _seats(results, language)),
        (say("report.again", language), _again(match, about)),
    ]
    sections = "".join(f"<section><h2>{escape(head)}</h2>{body}</section>" for head, body in parts)
    games, deals = len(results.games()), len(results.deals)
    facts = say("report.facts", language, games=games, deals=deals, nobody=results.nobody())
    return (
        f'<!doctype html><html lang="{language}"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{PAGE}</style>"
        f"<h1>{escape(title)}</h1><p>{escape(facts)}</p>{sections}</html>\n"
    )


def _ratings(results: Results) -> str:
    """A dot and its interval for each bot, best first."""
    ratings = sorted(results.ratings().items(), key=lambda item: -item[1].value)
    low = min(interval.low for _, interval in ratings)
    high = max(interval.high for _, interval in ratings)
    x = scale(low, high, LEFT, WIDTH - 90)
    body = [line(x(0), 0, x(0), 34 * len(ratings), "par")] if low <= 0 <= high else []
    for row, (name, interval) in enumerate(ratings):
        y = 34 * row + 20
        body += [
            text(0, y + 4, name),
            *across(interval, x, y, results.match.bots.index(name)),
            text(WIDTH, y + 4, f"{interval.value:+.0f}", "end"),
        ]
    return svg(body, 34 * len(ratings) + 10)


def _matrix(results: Results, names: Sequence[str]) -> str:
    """How often the bot of the row won, sitting alone against that of the column."""
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    match, rows = results.match, []
    met = {*match.pairs()}
    if match.options.players == 2:
        met |= {(other, one) for one, other in met}
    for one in names:
        cells = []
        for other in names:
            if (one, other) not in met:
                cells.append("<td>–</td>")
                continue
            share = results.share(one, other)
            cells.append(f"<td>{_percent(share)}</td>")
        rows.append(f"<tr><th>{escape(one)}</th>{''.join(cells)}</tr>")
    return f"<table><tr><th></th>{head}</tr>{''.join(rows)}</table>"


def _percent(share: Interval) -> str:
    return f"<b>{share.value:.1%}</b> ({share.low:.1%} … {share.high:.1%})"


def _chests(results: Results, names: Sequence[str]) -> str:
    """Chests in the bag on average, by round; a game that is over keeps what each has."""
    players = results.match.options.players
    longest = max(game.turns // players + 1 for game in results.games())
    body = [line(40, HEIGHT - BOTTOM, WIDTH, HEIGHT - BOTTOM)]
    curves = {name: [0.0] * (longest + 1) for name in names}
    seats = dict.fromkeys(names, 0)
    for game in results.games():
        for name in game.seats:
            seats[name] += 1
        for turn, seat in game.robberies:
            for number in range(turn // players + 1, longest + 1):
                curves[game.seats[seat]][number] += 1
    top = max(max(curves[name]) / max(seats[name], 1) for name in names) or 1.0
    x, y = scale(0, longest, 40, WIDTH - 10), scale(0, top, HEIGHT - BOTTOM, 30)
    for place, name in enumerate(names):
        each = [count / max(seats[name], 1) for count in curves[name]]
        body.append(curve([(x(number), y(chests)) for number, chests in enumerate(each)], place))
        left, top_of = 50 + 130 * (place // LINES), 14 + 20 * (place % LINES)
        body.append(curve([(left, top_of), (left + 24, top_of)], place))
        body.append(text(left + 30, top_of + 4, name))
    body += [text(36, HEIGHT - BOTTOM, "0", "end"), text(36, 34, f"{top:.1f}", "end")]
    body.append(text(WIDTH, HEIGHT - 8, str(longest), "end"))
    return svg(body, HEIGHT)


def _lengths(results: Results) -> str:
    """How many games had each number of turns."""
    turns = [game.length for game in results.games()]
    low, high = min(turns), max(turns)
    width = max((high - low) // 30 + 1, 1)
    counts: dict[int, int] = {}
    for turn in turns:
        counts[(turn - low) // width] = counts.get((turn - low) // width, 0) + 1
    columns, top = max(counts) + 1, max(counts.values())
    step = (WIDTH - 40) / columns
    y = scale(0, top, HEIGHT - BOTTOM, 30)
    body = [
        box(20 + place * step, y(count), step - 2, y(0) - y(count), 0)
        for place, count in counts.items()
    ]
    body += [line(20, HEIGHT - BOTTOM, WIDTH - 20, HEIGHT - BOTTOM)]
    body += [text(20, HEIGHT - 8, str(low)), text(WIDTH - 20, HEIGHT - 8, str(high), "end")]
    return svg(body, HEIGHT)


def _seats(results: Results, language: str) -> str:
    """How often each seat won, beside an equal share."""
    shares = results.seat_shares()
    par, top = 1 / len(shares), max(*shares, 0.01)
    step = (WIDTH - 80) / len(shares)
    y = scale(0, top, HEIGHT - BOTTOM, 40)
    body = []
    for seat, share in enumerate(shares):
        x = 40 + seat * step
        body += [
            box(x + 10, y(share), step - 20, y(0) - y(share), 2),
            text(x + step / 2, y(share) - 6, f"{share:.1%}", "middle"),
            text(x + step / 2, HEIGHT - 8, say("log.seat", language, seat=seat + 1), "middle"),
        ]
    return svg([*body, line(20, y(par), WIDTH - 20, y(par), "par")], HEIGHT)


def _again(match: Match, about: dict[str, Any]) -> str:
    data = json.dumps(match.as_json() | about, indent=1, ensure_ascii=False)
    return f"<pre>{escape(data)}</pre>"
