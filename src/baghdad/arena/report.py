"""A match as one self-contained HTML file: ratings, win matrix, chests, lengths, seats."""

import json
from collections.abc import Sequence
from html import escape
from typing import Any

from ..text import say
from .match import Match
from .results import Results
from .statistics import Interval

COLOURS = ("#2f6fb3", "#b5651d", "#3c8d5a", "#8a4f9e", "#b03a48", "#7d7a2e")
"""Told apart by people with each of the common kinds of colour blindness; names stand beside."""
WIDTH, HEIGHT, LEFT, BOTTOM = 640, 300, 130, 30

STYLE = """
:root { color-scheme: light dark;
  --ink: #2b2118; --paper: #f7f0e3; --line: #d8c7a6; --gold: #b8860b }
@media (prefers-color-scheme: dark) {
  :root { --ink: #efe3cc; --paper: #1d1a2b; --line: #4a4260; --gold: #e0b04c } }
body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
  max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
h1, h2 { font-family: Georgia, serif; font-weight: 600 } h2 { margin-top: 2.5rem }
svg { width: 100%; height: auto } text { fill: var(--ink); font: 13px system-ui, sans-serif }
table { border-collapse: collapse; width: 100% }
td, th { border: 1px solid var(--line); padding: .35rem .6rem; text-align: right }
th { text-align: left; font-weight: 600 } pre { overflow-x: auto; font-size: 13px }
.axis { stroke: var(--line) } .par { stroke: var(--gold); stroke-dasharray: 5 4; stroke-width: 2 }
"""


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
        f"<title>{escape(title)}</title><style>{STYLE}</style>"
        f"<h1>{escape(title)}</h1><p>{escape(facts)}</p>{sections}</html>\n"
    )


def _svg(body: Sequence[str], height: int = HEIGHT) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {height}" role="img">{"".join(body)}</svg>'


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str = "axis") -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _ratings(results: Results) -> str:
    """A dot and its interval for each bot, best first."""
    ratings = sorted(results.ratings().items(), key=lambda item: -item[1].value)
    low = min(interval.low for _, interval in ratings)
    high = max(interval.high for _, interval in ratings)
    span = max(high - low, 1.0)

    def x(value: float) -> float:
        return LEFT + (value - low) / span * (WIDTH - LEFT - 90)

    body = [_line(x(0), 0, x(0), 34 * len(ratings), "par")] if low <= 0 <= high else []
    for row, (name, interval) in enumerate(ratings):
        y, colour = 34 * row + 20, COLOURS[results.match.bots.index(name) % len(COLOURS)]
        body += [
            _text(0, y + 4, name),
            f'<line x1="{x(interval.low):.1f}" x2="{x(interval.high):.1f}" y1="{y}" y2="{y}" '
            f'stroke="{colour}" stroke-width="4" stroke-linecap="round"/>',
            f'<circle cx="{x(interval.value):.1f}" cy="{y}" r="7" fill="{colour}"/>',
            _text(WIDTH, y + 4, f"{interval.value:+.0f}", "end"),
        ]
    return _svg(body, 34 * len(ratings) + 10)


def _matrix(results: Results, names: Sequence[str]) -> str:
    """How often the bot of the row won, sitting alone against that of the column."""
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    rows = []
    for one in names:
        cells = []
        for other in names:
            if one == other:
                cells.append("<td>–</td>")
                continue
            share = results.share(one, other)
            cells.append(f"<td>{_percent(share)}</td>")
        rows.append(f"<tr><th>{escape(one)}</th>{''.join(cells)}</tr>")
    return f"<table><tr><th></th>{head}</tr>{''.join(rows)}</table>"


def _percent(share: Interval) -> str:
    return f"<b>{share.value:.1%}</b> ({share.low:.1%} … {share.high:.1%})"


def _chests(results: Results, names: Sequence[str]) -> str:
    """Chests in the bag on average, round after round; who has finished keeps what they have."""
    players = results.match.options.players
    longest = max(game.turns // players + 1 for game in results.games())
    body = [_line(40, HEIGHT - BOTTOM, WIDTH, HEIGHT - BOTTOM)]
    curves = {name: [0.0] * (longest + 1) for name in names}
    seats = dict.fromkeys(names, 0)
    for game in results.games():
        for name in game.seats:
            seats[name] += 1
        for turn, seat in game.robberies:
            for number in range(turn // players + 1, longest + 1):
                curves[game.seats[seat]][number] += 1
    top = max(max(curves[name]) / max(seats[name], 1) for name in names) or 1.0
    for place, name in enumerate(names):
        colour = COLOURS[place % len(COLOURS)]
        points = " ".join(
            f"{40 + number / longest * (WIDTH - 50):.1f},"
            f"{HEIGHT - BOTTOM - count / max(seats[name], 1) / top * (HEIGHT - 60):.1f}"
            for number, count in enumerate(curves[name])
        )
        body.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="3"/>')
        body.append(f'<rect x="50" y="{8 + 20 * place}" width="12" height="12" fill="{colour}"/>')
        body.append(_text(70, 18 + 20 * place, name))
    body += [_text(36, HEIGHT - BOTTOM, "0", "end"), _text(36, 34, f"{top:.1f}", "end")]
    body.append(_text(WIDTH, HEIGHT - 8, str(longest), "end"))
    return _svg(body)


def _lengths(results: Results) -> str:
    """How many games had so many turns."""
    turns = [game.turns for game in results.games()]
    low, high = min(turns), max(turns)
    width = max((high - low) // 30 + 1, 1)
    counts: dict[int, int] = {}
    for turn in turns:
        counts[(turn - low) // width] = counts.get((turn - low) // width, 0) + 1
    columns, top = max(counts) + 1, max(counts.values())
    step = (WIDTH - 40) / columns
    body = [
        f'<rect x="{20 + place * step:.1f}" width="{step - 2:.1f}" '
        f'y="{HEIGHT - BOTTOM - count / top * (HEIGHT - 60):.1f}" '
        f'height="{count / top * (HEIGHT - 60):.1f}" fill="{COLOURS[0]}"/>'
        for place, count in counts.items()
    ]
    body += [_line(20, HEIGHT - BOTTOM, WIDTH - 20, HEIGHT - BOTTOM)]
    body += [_text(20, HEIGHT - 8, str(low)), _text(WIDTH - 20, HEIGHT - 8, str(high), "end")]
    return _svg(body)


def _seats(results: Results, language: str) -> str:
    """How often each seat won, beside an equal share."""
    shares = results.seat_shares()
    par, top = 1 / len(shares), max(*shares, 0.01)
    step = (WIDTH - 80) / len(shares)

    def y(share: float) -> float:
        return HEIGHT - BOTTOM - share / top * (HEIGHT - 70)

    body = []
    for seat, share in enumerate(shares):
        x = 40 + seat * step
        body += [
            f'<rect x="{x + 10:.1f}" width="{step - 20:.1f}" y="{y(share):.1f}" '
            f'height="{HEIGHT - BOTTOM - y(share):.1f}" fill="{COLOURS[2]}"/>',
            _text(x + step / 2, y(share) - 6, f"{share:.1%}", "middle"),
            _text(x + step / 2, HEIGHT - 8, say("log.seat", language, seat=seat + 1), "middle"),
        ]
    return _svg([*body, _line(20, y(par), WIDTH - 20, y(par), "par")])


def _again(match: Match, about: dict[str, Any]) -> str:
    data = json.dumps(match.as_json() | about, indent=1, ensure_ascii=False)
    return f"<pre>{escape(data)}</pre>"
