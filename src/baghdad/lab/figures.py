"""The laboratory's answers as pictures."""

import math
from collections.abc import Mapping, Sequence

from baghdad.arena.plots import (
    WIDTH,
    across,
    box,
    curve,
    legend,
    line,
    picture,
    scale,
    text,
    upright,
)
from baghdad.text import say

from .formatting import figure_label, row_label
from .questions import Answer
from .skill import predicted

Answers = Mapping[str, Sequence[Answer]]
"""By question, one for each number of players."""

PLOT = 260
"""Height of a plot with a standing axis."""
ROW = 24
LABELS = 220
"""Room for words at the left of lines."""


def pictures(answers: Answers, language: str = "en") -> dict[str, str]:
    """All pictures, by name, as SVG."""
    draw = {
        "start": _start,
        "length": _length,
        "options": _options,
        "luck": _luck,
        "causes": _causes,
    }
    return {name: function(answers, language) for name, function in draw.items()}


def _start(answers: Answers, language: str) -> str:
    """Wins by seat with different hands, a panel for each number of players."""
    rows = [figures for answer in answers["start"] for figures in answer.rows.values()]
    top = max(0.7, *(figure.high for figures in rows for figure in figures.values()))
    y = scale(0, top, PLOT, 30)
    body = legend(
        [say(f"lab.condition.{row}", language) for row in answers["start"][0].rows], 40, 6, 150
    )
    for share in (0, 0.2, 0.4, 0.6, 0.8)[: 1 + int(top / 0.2)]:
        body += [line(34, y(share), WIDTH, y(share)), text(28, y(share) + 4, f"{share:.0%}", "end")]
    room = (WIDTH - 40) / sum(answer.players for answer in answers["start"])
    left = 40.0
    for answer in answers["start"]:
        right = left + room * answer.players
        par = y(1 / answer.players)
        body += [line(left + 6, par, right - 6, par, "par")]
        for seat in range(answer.players):
            middle = left + (seat + 0.5) * room
            body.append(text(middle, PLOT + 18, say("log.seat", language, seat=seat + 1), "middle"))
            for ink, figures in enumerate(answer.rows.values()):
                body += upright(figures[f"seat {seat + 1}"], middle + 14 * (ink - 1), y, ink)
        body.append(_players(answer, (left + right) / 2, PLOT + 38, language))
        left = right
    return picture(say("lab.plot.start", language), body, PLOT + 42)


def _players(answer: Answer, x: float, y: float, language: str) -> str:
    return text(x, y, say("lab.players", language, players=answer.players), "middle", "title")


def _length(answers: Answers, language: str) -> str:
    """How many games have each number of turns."""
    shares = [
        {turns: games / sum(answer.turns.values()) for turns, games in answer.turns.items()}
        for answer in answers["length"]
    ]
    first, last = min(map(min, shares)), max(map(max, shares))
    top = max(max(share.values()) for share in shares)
    x, y = scale(first, last, 40, WIDTH), scale(0, top, PLOT, 30)
    names = [say("lab.players", language, players=answer.players) for answer in answers["length"]]
    body = legend(names, 40, 6, 150)
    for percent in range(0, int(100 * top) + 1, 5):
        here = y(percent / 100)
        body += [line(34, here, WIDTH, here), text(28, here + 4, f"{percent}%", "end")]
    for turns in range(-(-first // 10) * 10, last + 1, 10):
        body.append(text(x(turns), PLOT + 18, str(turns), "middle"))
    for ink, share in enumerate(shares):
        points = [(x(turns), y(share.get(turns, 0))) for turns in range(min(share), max(share) + 1)]
        body.append(curve(points, ink))
    return picture(say("lab.plot.length", language), body, PLOT + 24)


def _options(answers: Answers, language: str) -> str:
    """What every option changes: the length of games, and how often the stronger one wins."""
    changed = [
        (list(answer.rows)[1], answer)
        for question in ("variant", "rob", "hands", "spare")
        for answer in answers.get(question, ())
    ]
    middle, height = (LABELS + WIDTH) / 2, ROW * len(changed) + 24
    body = []
    for name, left, right in (("turns", LABELS, middle - 20), ("stronger", middle + 20, WIDTH)):
        figures = [answer.rows["change"][name] for _, answer in changed]
        low = min(0, *(figure.low for figure in figures))
        high = max(0, *(figure.high for figure in figures))
        x = scale(low, high, left, right)
        body.append(
            text(
                (left + right) / 2,
                6,
                figure_label(name, language, answers["variant"][0].roster),
                "middle",
            )
        )
        step = 1.0 if name == "turns" else 0.05
        for number in range(math.ceil(low / step), math.floor(high / step) + 1):
            at, kind = x(number * step), "axis" if number else "par"
            label = f"{number * step * (1 if name == 'turns' else 100):+.0f}" if number else "0"
            body += [line(at, 16, at, height, kind), text(at, height + 16, label, "middle")]
        for row, figure in enumerate(figures):
            body += across(figure, x, 34 + ROW * row, row // len(answers["variant"]))
    for row, (value, answer) in enumerate(changed):
        players = say("lab.players", language, players=answer.players)
        body.append(text(0, 38 + ROW * row, f"{row_label(value, answer, language)}, {players}"))
    return picture(say("lab.plot.options", language), body, height + 22)


def _luck(answers: Answers, language: str) -> str:
    """How often the better one wins alone, by the gap in rating; the curves are predictions."""
    gaps = [figures["gap"].value for answer in answers["luck"] for figures in answer.rows.values()]
    low, high = min(0.0, *gaps), max(gaps) + 20
    x, y = scale(low, high, 44, WIDTH), scale(0, 1, PLOT, 30)
    names = [say("lab.players", language, players=answer.players) for answer in answers["luck"]]
    body = legend(names, 40, 6, 150)
    for share in (0, 0.25, 0.5, 0.75, 1):
        body += [line(40, y(share), WIDTH, y(share)), text(34, y(share) + 4, f"{share:.0%}", "end")]
    for gap in range(0, int(high) + 1, 100):
        body.append(text(x(gap), PLOT + 18, str(gap), "middle"))
    for ink, answer in enumerate(answers["luck"]):
        steps = [low + (high - low) * step / 60 for step in range(61)]
        body.append(curve([(x(gap), y(predicted(gap, answer.players))) for gap in steps], ink))
        for figures in answer.rows.values():
            body += upright(figures["share"], x(figures["gap"].value), y, ink)
    return picture(say("lab.plot.luck", language), body, PLOT + 24)


def _causes(answers: Answers, language: str) -> str:
    """The parts of the variance as bars, a group for each number of players."""
    names = list(next(iter(answers["causes"][0].rows.values())))
    labels = [figure_label(name, language).rpartition(",")[0] for name in names]
    body, top = legend(labels, 0, 6, 160), 50
    x = scale(0, 1, 110, WIDTH)
    for answer in answers["causes"]:
        players = say("lab.players", language, players=answer.players)
        body.append(text(0, top - 14, players, kind="title"))
        for pair, figures in answer.rows.items():
            body.append(text(100, top + 10, pair, "end"))
            # A part that chance has put below nothing is drawn as nothing.
            parts = [max(figures[name].value, 0.0) for name in names]
            at = 0.0
            for ink, part in enumerate(parts):
                share = part / sum(parts)
                body.append(box(x(at), top - 4, x(share) - x(0), ROW - 6, ink))
                at += share
            top += ROW
        top += 30
    return picture(say("lab.plot.causes", language), body, top - 40)
