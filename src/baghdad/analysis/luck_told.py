"""Chances and luck in words, and for other programs."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from baghdad.bots.neural.network import NOBODY
from baghdad.rules.engine.material import Seat
from baghdad.text import say

from .ledgers import Ledger
from .moments import TurningPoint, WinChances
from .telling import in_digits, name_of, percent

FORMAT = 1
"""Changes when what a program reads means something else."""
POINTS = 100
PARTS = ("start", "cards", "own", "others", "result", "adjusted")
"""Of a seat's ledger, in the order in which they are told."""
ADDED = ("cards", "own", "others")
"""To its chance at the start, for its result."""


def parts_of(ledger: Ledger, seat: Seat) -> tuple[float, ...]:
    """What `PARTS` are of a seat, as chances: the first four add up to the fifth."""
    return (
        ledger.start[seat],
        ledger.cards(seat),
        ledger.own_turns(seat),
        ledger.other_turns(seat),
        ledger.result[seat],
        ledger.adjusted(seat),
    )


def told(
    chances: WinChances,
    ledger: Ledger,
    players: int,
    names: Sequence[str] | None,
    language: str,
) -> Iterator[str]:
    """The ledger of each seat, then the turning points, line by line."""
    for seat in range(players):
        yield name_of(seat, names, language)
        for part, line in zip(PARTS, numbers_in_words(ledger, seat, language), strict=True):
            yield f"{line:>8}  {say(f'analysis.luck.{part}', language)}"
        yield sentence(ledger, seat, language)
        yield ""
    yield say("analysis.turning.title", language)
    yield from turning_points(chances, language)


def numbers_in_words(ledger: Ledger, seat: Seat, language: str) -> tuple[str, ...]:
    """What `PARTS` are of a seat in points: what is added has its sign."""
    parts = zip(PARTS, parts_of(ledger, seat), strict=True)
    told = ((name, signed(part, language)) for name, part in parts)
    return tuple(text if name in ADDED else text.removeprefix("+") for name, text in told)


def sentence(ledger: Ledger, seat: Seat, language: str) -> str:
    """What the cards were worth, and what the own turns won or gave up."""
    own = ledger.own_turns(seat)
    return say(
        f"analysis.luck.{'won' if own > 0 else 'gave_up'}",
        language,
        cards=signed(ledger.cards(seat), language),
        turns=in_digits(POINTS * abs(own), language),
    )


def turning_points(chances: WinChances, language: str) -> Iterator[str]:
    """Each in a line, the largest first."""
    for point in chances.turning_points:
        whose = most_changed(point)
        after = chances.moments[point.until].open[whose]
        yield say(
            "analysis.turning.point",
            language,
            when=_when(point, language),
            what=_what(point, language),
            whose=say("log.seat", language, seat=whose + 1),
            before=percent(after - point.change[whose], language),
            after=percent(after, language),
        )
    if not chances.turning_points:
        yield say("analysis.turning.none", language)


def most_changed(point: TurningPoint) -> Seat:
    """The seat whose chance it has changed most."""
    return max(range(NOBODY), key=lambda seat: abs(point.change[seat]))


def _when(point: TurningPoint, language: str) -> str:
    if point.number == 0:
        return say("analysis.turning.before", language)
    return say("analysis.turn", language, number=point.number)


def _what(point: TurningPoint, language: str) -> str:
    if point.seat < 0:
        return say("analysis.turning.ended", language)
    how = "cards" if point.drawn else "turn" if point.until > point.at else "gave_up"
    return say(
        f"analysis.turning.{how}", language, seat=say("log.seat", language, seat=point.seat + 1)
    )


def signed(chance: float, language: str) -> str:
    """A change of a chance in points, with its sign.

    >>> signed(0.0912, "en"), signed(-0.142, "de"), signed(0.0, "en")
    ('+9.1', '−14,2', '0.0')
    """
    number = round(POINTS * chance, 1)
    sign = "+" if number > 0 else "−" if number < 0 else ""
    return sign + in_digits(abs(number), language)


def as_builtins(chances: WinChances, ledger: Ledger, players: int) -> dict[str, Any]:
    """Both as they are written in JSON: seats count from 1 as in all records."""
    steps = msgspec.to_builtins((*ledger.draws, *ledger.turns, *chances.turning_points))
    for step in steps:
        step["seat"] = None if step["seat"] < 0 else step["seat"] + 1
    draws, turns = len(ledger.draws), len(ledger.turns)
    return {
        "format": FORMAT,
        "seats": [
            {"seat": seat + 1} | dict(zip(PARTS, parts_of(ledger, seat), strict=True))
            for seat in range(players)
        ],
        "moments": msgspec.to_builtins(chances.moments),
        "start": list(ledger.start),
        "draws": steps[:draws],
        "turns": steps[draws : draws + turns],
        "result": list(ledger.result),
        "turning_points": steps[draws + turns :],
    }
