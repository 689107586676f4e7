"""What must be true of a table before something can happen at it: else it is refused."""

from baghdad.rules.engine.material import Seat
from baghdad.rules.errors import OutOfTurnError
from baghdad.rules.game import Game
from baghdad.server.domain.events import Chair, PersonNumber
from baghdad.server.domain.refusals import RefusedError
from baghdad.server.domain.table import Table


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
    """One line of printable text: no control characters, no invisible direction marks."""
    printable = "".join(each if each.isprintable() else " " for each in text)
    found = " ".join(printable.split())
    if not found:
        raise RefusedError("nothing_written")
    return found
