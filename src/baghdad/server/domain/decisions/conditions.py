"""What must be true of a table before something can happen at it: else it is refused."""

from unicodedata import category

from baghdad.rules.engine.material import Seat
from baghdad.rules.errors import OutOfTurnError
from baghdad.rules.game import Game
from baghdad.server.domain.events import Chair, PersonNumber
from baghdad.server.domain.refusals import RefusedError
from baghdad.server.domain.table import Table

BLANK = frozenset(
    "\u115f\u1160\u3164\uffa0"  # fillers of Hangul, which Unicode counts as letters
    "\u2800"  # Braille without a dot
    "\ufffc"  # in place of an object that is not there
    "\U00013441\U00013442"  # blanks among the hieroglyphs
    "\U0001d159"  # a note without a head
)
"""Letters and signs with no ink. All else that Unicode lets a reader ignore is a mark, or no
printable character to Python."""


def seat_at(table: Table, person: PersonNumber) -> Seat:
    """The seat that a person plays."""
    seat = table.seat_of(person)
    if seat is not None:
        return seat
    place = table.place_of(person)
    if place is not None:
        raise OutOfTurnError("has_resigned", "R28", seat=place + 1)
    raise RefusedError("not_begun" if table.game is None else "no_seat")


def must_play(table: Table) -> Game:
    """The game, which has begun."""
    if table.game is None:
        raise RefusedError("not_begun")
    return table.game


def must_go_on(table: Table, person: PersonNumber) -> Seat:
    """The seat of somebody who plays in a game that is not over."""
    game, seat = must_play(table), table.place_of(person)
    if seat is None:
        raise RefusedError("no_seat")
    if game.over:
        raise RefusedError("is_over", "R28")
    if seat in table.resigned:
        raise OutOfTurnError("has_resigned", "R28", seat=seat + 1)
    return seat


def must_gather(table: Table) -> None:
    if table.game is not None:
        raise RefusedError("has_begun")


def must_be_over(table: Table, person: PersonNumber) -> None:
    if not table.over:
        raise RefusedError("not_over")
    if not table.is_insider(person) and person != table.host:
        raise RefusedError("no_seat")


def must_be_open(table: Table) -> None:
    """Somebody who knows the deal could do with others what is meant for the guided game alone."""
    if table.lesson:
        raise RefusedError("lesson_as_it_is")


def must_host(table: Table, person: PersonNumber) -> None:
    if person != table.host:
        raise RefusedError("host_only")


def must_exist(table: Table, chair: Chair) -> Chair:
    if chair >= len(table.chairs):
        raise RefusedError("no_chair", chair=chair + 1)
    return chair


def must_not_be_hushed(table: Table) -> None:
    """Chat is possible unless the host has switched it off."""
    if table.hushed:
        raise RefusedError("hushed")


def known_level(level: str | None, levels: list[str]) -> str:
    """The name of a bot that exists."""
    if level is None or level not in levels:
        raise RefusedError("no_level", level=level or "", levels=", ".join(levels))
    return level


def cleaned(text: str) -> str:
    """One line of text with something to see: no control characters, no direction marks."""
    printable = "".join(each if each.isprintable() and each not in BLANK else " " for each in text)
    found = " ".join(printable.split())
    # Marks alone, such as accents and variation selectors, have nothing to stand on.
    if all(category(each).startswith(("M", "Z")) for each in found):
        raise RefusedError("nothing_written")
    return found
