"""The chances of all seats over a game as a picture, and its luck as a table: parts of a page."""

from collections.abc import Sequence
from html import escape
from itertools import pairwise

from baghdad.text import say

from .ledgers import Ledger
from .luck_told import PARTS, most_changed, numbers_in_words, sentence, turning_points
from .moments import WinChances
from .telling import name_of, percent

WIDTH, HEIGHT = 720, 260
LEFT, RIGHT, TOP, FOOT = 44, 30, 12, 10
LINES = (0.0, 0.25, 0.5, 0.75, 1.0)
DASHES = ("", "9 3", "3 3", "9 3 2 3")
"""By seat: lines are told apart without their colours, too."""
APART = 14
"""Between the numbers of seats at the end of their lines."""

STYLE = """
:root { --seat1: #2f7d4f; --seat2: #2f5fa8; --seat3: #b03a48; --seat4: #a87a10 }
@media (prefers-color-scheme: dark) { :root { --seat1: #6dc08b; --seat2: #7fa9ec; --seat3: #ec7480;
  --seat4: #e6b84f } }
.chances polyline { fill: none; stroke: var(--seat); stroke-width: 2.5; stroke-linejoin: round }
.chances text.seat { fill: var(--seat); font-weight: 600 }
.chances circle { fill: var(--paper); stroke: var(--ink) }
.chances text.point { fill: var(--ink); font-size: 10px }
table { border-collapse: collapse; width: 100%; margin: 1rem 0 }
th, td { text-align: right; padding: .2rem .5rem; border-bottom: 1px solid var(--line) }
th:first-child { text-align: left } th { font-weight: 600; overflow-wrap: anywhere }
tbody th { font-weight: 400; color: var(--soft) }
li.turned { --mark: var(--soft) }
""" + "".join(f".seat{seat} {{ --seat: var(--seat{seat}) }}\n" for seat in range(1, 5))


def section(
    chances: WinChances,
    ledger: Ledger,
    players: int,
    names: Sequence[str] | None,
    language: str,
) -> str:
    """Picture, turning points and ledger."""
    points = "".join(
        f'<li class="turned">{place}. {escape(line)}</li>'
        if chances.turning_points
        else f"<li>{escape(line)}</li>"
        for place, line in enumerate(turning_points(chances, language), 1)
    )
    told = "".join(
        f"<p>{escape(name_of(seat, names, language))}. "
        f"{escape(sentence(ledger, seat, language))}</p>"
        for seat in range(players)
    )
    return (
        f"<section><h2>{_said('analysis.luck.title', language)}</h2>"
        f"{_chart(chances, players, language)}"
        f"<h3>{_said('analysis.turning.title', language)}</h3><ol>{points}</ol>"
        f"{_table(ledger, players, names, language)}{told}"
        f'<p class="soft">{_said("analysis.luck.about", language)}</p></section>'
    )


def _said(key: str, language: str) -> str:
    return escape(say(key, language))


def _table(ledger: Ledger, players: int, names: Sequence[str] | None, language: str) -> str:
    heads = "".join(
        f'<th scope="col">{escape(name_of(seat, names, language))}</th>' for seat in range(players)
    )
    columns = [numbers_in_words(ledger, seat, language) for seat in range(players)]
    rows = "".join(
        f'<tr><th scope="row">{_said(f"analysis.luck.{part}", language)}</th>'
        + "".join(f"<td>{escape(column[place])}</td>" for column in columns)
        + "</tr>"
        for place, part in enumerate(PARTS)
    )
    return f"<table><thead><tr><th></th>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _chart(chances: WinChances, players: int, language: str) -> str:
    """A line for every seat, with the numbers of the turning points on the lines that turned."""
    last = max(len(chances.moments) - 1, 1)

    def x(at: int) -> float:
        return LEFT + at / last * (WIDTH - LEFT - RIGHT)

    def y(chance: float) -> float:
        return TOP + (1 - chance) * (HEIGHT - TOP - FOOT)

    body = [
        f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(line):.1f}" '
        f'y2="{y(line):.1f}"/><text x="{LEFT - 6}" y="{y(line) + 4:.1f}" text-anchor="end">'
        f"{escape(percent(line, language).replace('.0', '').replace(',0', ''))}</text>"
        for line in LINES
    ]
    ends = _ends([y(chances.moments[-1].open[seat]) for seat in range(players)])
    for seat in range(players):
        points = " ".join(
            f"{x(moment.at):.1f},{y(moment.open[seat]):.1f}" for moment in chances.moments
        )
        dash = f' stroke-dasharray="{DASHES[seat]}"' if DASHES[seat] else ""
        body.append(
            f'<g class="seat{seat + 1}"><polyline points="{points}"{dash}/>'
            f'<text class="seat" x="{WIDTH - RIGHT + 8}" y="{ends[seat] + 4:.1f}">{seat + 1}</text>'
            "</g>"
        )
    for place, point in enumerate(chances.turning_points, 1):
        whose = most_changed(point)
        at = x(point.until), y(chances.moments[point.until].open[whose])
        body.append(
            f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="8"/><text class="point" '
            f'x="{at[0]:.1f}" y="{at[1] + 3.5:.1f}" text-anchor="middle">{place}</text>'
        )
    label = escape(say("analysis.chances.chart", language), quote=True)
    return (
        f'<svg class="chances" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">'
        f"{''.join(body)}</svg>"
    )


def _ends(places: Sequence[float]) -> list[float]:
    """Where the numbers of seats stand, so that none lies on another, or outside."""
    found = list(places)
    order = sorted(range(len(found)), key=lambda seat: found[seat])
    for above, below in pairwise(order):
        found[below] = max(found[below], found[above] + APART)
    room: float = HEIGHT - FOOT
    for seat in reversed(order):
        found[seat] = min(found[seat], room)
        room = found[seat] - APART
    return found
