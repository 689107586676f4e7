"""A review as one HTML file that needs nothing else."""

from collections.abc import Sequence
from html import escape

from baghdad.text import say

from .chances_page import STYLE as CHANCES_STYLE
from .engine.marks import THRESHOLDS
from .reviewing import Review, TurnReview
from .telling import fact_in_words, mark_name, name_of, points, summary, turn_in_words, when

WIDTH, HEIGHT, FOOT = 720, 180, 24
LEAST_TOP = 20.0
"""Points that the chart reaches up to, at least: a fine game is to look fine."""

STYLE = """
:root { color-scheme: light dark; --ink: #2b2118; --soft: #6a5a45; --paper: #f7f0e3;
  --card: #fffaf0; --line: #d8c7a6; --best: #3c8d5a; --fine: #6b8e23; --inaccuracy: #c48a14;
  --mistake: #c8641b; --blunder: #b03a48; --unclear: #8a8074 }
@media (prefers-color-scheme: dark) { :root { --ink: #efe3cc; --soft: #b9aa8f; --paper: #1d1a2b;
  --card: #27233a; --line: #4a4260; --best: #6dc08b; --fine: #a4c45a; --inaccuracy: #e6b84f;
  --mistake: #ee9350; --blunder: #ec7480; --unclear: #9d94a8 } }
* { box-sizing: border-box }
body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
  max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 4rem }
h1, h2 { font-family: Georgia, serif; font-weight: 600; line-height: 1.2 }
h1 { margin: 0 0 .5rem } h2 { margin: 3rem 0 .5rem }
h3 { font-size: 1rem; margin: 0; display: flex; flex-wrap: wrap; gap: 0 .75rem }
p { margin: .25rem 0 } .soft { color: var(--soft) }
svg { display: block; width: 100%; height: auto; margin: 1rem 0 }
svg text { fill: var(--soft); font: 12px system-ui, sans-serif }
.axis { stroke: var(--line) } .range { stroke: var(--ink); stroke-width: 1.5 }
ol { list-style: none; margin: 1rem 0; padding: 0; display: grid; gap: .5rem }
li { background: var(--card); border: 1px solid var(--line); border-left: 6px solid var(--mark);
  border-radius: 6px; padding: .6rem .9rem }
svg [class] > rect { fill: var(--mark) }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem .75rem; margin: .4rem 0 0 }
dt { color: var(--soft) } dd { margin: 0; overflow-wrap: anywhere }
code { font: 14px ui-monospace, monospace }
@media (max-width: 30rem) { svg text { font-size: 22px } dl { grid-template-columns: 1fr }
  dd { margin-bottom: .4rem } }
""" + "".join(
    f".{mark} {{ --mark: var(--{mark}) }}\n"
    for mark in ("best", "fine", "inaccuracy", "mistake", "blunder", "unclear")
)


def html_page(
    reviews: Sequence[Review],
    names: Sequence[str] | None = None,
    language: str = "en",
    chances: str = "",
) -> str:
    """The reviews of a game's seats as a page; what there is to say of its chances comes first."""
    title = say("analysis.title", language)
    sections = "".join(_section(review, names, language) for review in reviews)
    return (
        f'<!doctype html><html lang="{language}"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}{CHANCES_STYLE}</style>"
        f'<body><main><h1>{escape(title)}</h1><p class="soft">'
        f"{escape(say('analysis.about', language))}</p>{chances}{sections}</main></body></html>\n"
    )


def _section(review: Review, names: Sequence[str] | None, language: str) -> str:
    head = escape(name_of(review.seat, names, language))
    lines = "".join(f"<p>{escape(line)}</p>" for line in summary(review, language))
    cards = "".join(_card(turn, language) for turn in review.choices)
    turns = f"<ol>{cards}</ol>" if cards else ""
    return f"<section><h2>{head}</h2>{lines}{_chart(review, language)}{turns}</section>"


def _chart(review: Review, language: str) -> str:
    """A bar for every turn with a choice, as high as what it gave up, with its interval."""
    choices = review.choices
    if not choices:
        return ""
    top = max(LEAST_TOP, *(turn.high for turn in choices))
    foot, step = HEIGHT - FOOT, (WIDTH - 40) / len(choices)
    wide = min(step * 0.7, 40)

    def y(value: float) -> float:
        return foot - value / top * (foot - 10)

    body = [
        f'<line class="axis" x1="40" x2="{WIDTH}" y1="{y(mark):.1f}" y2="{y(mark):.1f}"/>'
        f'<text x="34" y="{y(mark) + 4:.1f}" text-anchor="end">{mark:.0f}</text>'
        for mark in (0.0, *THRESHOLDS[1:])
        if mark <= top
    ]
    for place, turn in enumerate(choices):
        middle = 40 + (place + 0.5) * step
        high = max(foot - y(turn.given_up), 2.0)
        body.append(
            f'<g class="{turn.mark}"><rect x="{middle - wide / 2:.1f}" y="{foot - high:.1f}" '
            f'width="{wide:.1f}" height="{high:.1f}" rx="2"/></g>'
        )
        if turn.high > 0:
            body.append(
                f'<line class="range" x1="{middle:.1f}" x2="{middle:.1f}" '
                f'y1="{y(turn.low):.1f}" y2="{y(turn.high):.1f}"/>'
            )
        if turn.number and (place % (len(choices) // 20 + 1) == 0):
            body.append(
                f'<text x="{middle:.1f}" y="{HEIGHT - 6}" text-anchor="middle">{turn.number}</text>'
            )
    label = escape(say("analysis.chart", language), quote=True)
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">{"".join(body)}</svg>'
    )


def _card(turn: TurnReview, language: str) -> str:
    played = _said("analysis.played", turn.played, turn.played_robs, language)
    head = f"<span>{escape(when(turn, language))}</span>"
    head += f"<span>{escape(mark_name(turn.mark, language))}</span>"
    if turn.best == turn.played or turn.mark == "best":
        return f'<li class="{turn.mark}"><h3>{head}</h3><dl>{played}</dl></li>'
    head += f'<span class="soft">{escape(points(turn, language))}</span>'
    better = _said("analysis.better", turn.best, turn.best_robs, language)
    facts = [fact_in_words(reason.fact, language) for reason in turn.reasons]
    why = escape(say("analysis.why", language))
    because = f"<dt>{why}</dt><dd>{escape(' '.join(facts))}</dd>" if facts else ""
    return f'<li class="{turn.mark}"><h3>{head}</h3><dl>{played}{better}{because}</dl></li>'


def _said(key: str, tokens: Sequence[str], robs: Sequence[str], language: str) -> str:
    words = escape(turn_in_words(tokens, robs, language))
    letters = escape(" ".join(tokens))
    return f"<dt>{escape(say(key, language))}</dt><dd>{words} <code>{letters}</code></dd>"
