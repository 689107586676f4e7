"""Drawing by hand: the few shapes that our plots are made of, as SVG, for light and dark."""

from collections.abc import Callable, Iterable, Sequence
from html import escape

from .statistics import Interval

WIDTH = 640
INKS = 6
"""Colours, told apart by people with each of the common kinds of colour blindness; names stand
beside. Further curves have the same again, dashed."""

STYLE = """
:root { color-scheme: light dark;
  --ink: #2b2118; --paper: #f7f0e3; --line: #d8c7a6; --gold: #b8860b; --0: #2f6fb3; --1: #b5651d;
  --2: #3c8d5a; --3: #8a4f9e; --4: #b03a48; --5: #7d7a2e }
@media (prefers-color-scheme: dark) {
  :root { --ink: #efe3cc; --paper: #1d1a2b; --line: #4a4260; --gold: #e0b04c; --0: #6aa5e3;
    --1: #e09a55; --2: #6dc08b; --3: #bf8ad2; --4: #e27a86; --5: #b9b45c } }
text { fill: var(--ink); font: 13px system-ui, sans-serif } .title { font-weight: 600 }
.axis { stroke: var(--line) } .par { stroke: var(--gold); stroke-dasharray: 5 4; stroke-width: 2 }
.curve { fill: none; stroke-width: 2.5 } .range { stroke-width: 3; stroke-linecap: round }
""" + "".join(
    f".i{ink} {{ fill: var(--{ink}) }} .s{ink} {{ stroke: var(--{ink}) }}\n" for ink in range(INKS)
)


def svg(body: Iterable[str], height: float) -> str:
    """A drawing inside a page that has the style."""
    return f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img">{"".join(body)}</svg>'


def picture(title: str, body: Iterable[str], height: float) -> str:
    """A drawing as a file of its own, with its title on top and the body below it."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-16 -44 {WIDTH + 32} {height + 56:.0f}" '
        f'role="img"><title>{escape(title)}</title><style>{STYLE}</style>\n'
        f'<rect x="-16" y="-44" width="{WIDTH + 32}" height="{height + 56:.0f}" rx="8" '
        f'style="fill: var(--paper)"/>\n{text(0, -18, title, kind="title")}\n'
        + "\n".join(body)
        + "\n</svg>\n"
    )


def scale(low: float, high: float, start: float, end: float) -> Callable[[float], float]:
    """Where on the page, from `start` to `end`, a value from `low` to `high` stands."""
    step = (end - start) / ((high - low) or 1.0)
    return lambda value: start + (value - low) * step


def text(x: float, y: float, words: str, anchor: str = "start", kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str = "axis") -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def box(x: float, y: float, width: float, height: float, ink: int) -> str:
    return (
        f'<rect class="i{ink % INKS}" x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" '
        f'height="{max(height, 0):.1f}"/>'
    )


def dot(x: float, y: float, ink: int, radius: float = 5) -> str:
    return f'<circle class="i{ink % INKS}" cx="{x:.1f}" cy="{y:.1f}" r="{radius}"/>'


def curve(points: Sequence[tuple[float, float]], ink: int) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dashes = f' stroke-dasharray="{8 // (ink // INKS)} 4"' if ink >= INKS else ""
    return f'<polyline class="curve s{ink % INKS}"{dashes} points="{path}"/>'


def across(figure: Interval, x: Callable[[float], float], y: float, ink: int) -> list[str]:
    """A dot with its interval, lying."""
    return [
        line(x(figure.low), y, x(figure.high), y, f"range s{ink % INKS}"),
        dot(x(figure.value), y, ink),
    ]


def upright(figure: Interval, x: float, y: Callable[[float], float], ink: int) -> list[str]:
    """A dot with its interval, standing."""
    return [
        line(x, y(figure.low), x, y(figure.high), f"range s{ink % INKS}"),
        dot(x, y(figure.value), ink),
    ]


def legend(labels: Sequence[str], x: float, y: float, step: float) -> list[str]:
    """Names beside their colours, one after another."""
    body = []
    for ink, label in enumerate(labels):
        left = x + ink * step
        body += [box(left, y - 10, 12, 12, ink), text(left + 18, y, label)]
    return body
