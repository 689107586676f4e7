"""Chairs, people and the door, as events change them."""

from msgspec.structs import replace

from baghdad.server.domain.agreement import FirstPlayer
from baghdad.server.domain.events import (
    Arranged,
    Chair,
    ChairKind,
    Created,
    Joined,
    Knocked,
    PersonNumber,
    Sat,
    Seating,
    TurnedAway,
)
from baghdad.server.domain.table import Table


def create(table: Table, event: Created) -> None:
    table.agreement, table.chairs, table.seed = event.agreement, event.chairs, event.seed
    table.lesson, table.creator = event.lesson, event.creator
    table.people = {person.number: person for person in event.people}
    table.screen = None if table.host in table.seated else table.host
    table.joined = len(event.people)
    promise(table, table.host, event.promise)


def join(table: Table, event: Joined) -> None:
    person = event.person
    table.people = table.people | {person.number: person}
    table.joined = max(table.joined, person.number + 1)
    stop_waiting(table, person.number)
    if table.host not in table.people:
        table.host = person.number
    seat(table, event.chair, kind="human", person=person.number)
    promise(table, person.number, event.promise)


def knock(table: Table, event: Knocked) -> None:
    table.waiting = (*table.waiting, event.person)
    table.joined = event.person.number + 1
    promise(table, event.person.number, event.promise)


def turn_away(table: Table, event: TurnedAway) -> None:
    refused = {each.secret for each in table.waiting if each.number == event.person}
    table.turned_away = table.turned_away | refused
    stop_waiting(table, event.person)


def stop_waiting(table: Table, person: PersonNumber) -> None:
    """The host has answered somebody who has knocked."""
    table.waiting = tuple(each for each in table.waiting if each.number != person)


def open_door(table: Table) -> None:
    table.knock, table.waiting, table.turned_away = False, (), frozenset()


def arrange(table: Table, event: Arranged) -> None:
    seat(table, event.chair, kind=event.to, level=event.level)
    if event.to == "closed" and table.agreement.start == event.chair:
        begin_with(table, "random")


def begin_with(table: Table, start: FirstPlayer) -> None:
    table.agreement = replace(table.agreement, start=start)


def sit(table: Table, event: Sat) -> None:
    """Change places, or colours, with whoever or whatever is there."""
    promise(table, event.person, event.promise)
    old = table.chair_of(event.person)
    if old is None:
        seat(table, event.chair, kind="human", person=event.person)
        return
    chairs = list(table.chairs)
    mine, other = chairs[old], chairs[event.chair]
    if event.chair != old:
        chairs[old] = replace(other, colour=mine.colour)
        chairs[event.chair] = replace(mine, colour=other.colour)
        # The person chosen to begin does so from another chair, too.
        moved: dict[FirstPlayer, Chair] = {old: event.chair, event.chair: old}
        begin_with(table, moved.get(table.agreement.start, table.agreement.start))
    before = chairs[event.chair].colour
    swap = {before: event.colour, event.colour: before}
    table.chairs = tuple(
        replace(each, colour=swap.get(each.colour, each.colour)) for each in chairs
    )


def seat(
    table: Table,
    chair: Chair,
    *,
    kind: ChairKind,
    person: PersonNumber | None = None,
    level: str | None = None,
) -> None:
    """Put somebody or something on a chair, which keeps its colour."""
    chairs = list(table.chairs)
    colour = chairs[chair].colour
    chairs[chair] = Seating(kind=kind, colour=colour, person=person, level=level)
    table.chairs = tuple(chairs)


def seat_host(table: Table) -> None:
    """The person left as the host of a next game sits down at it; else it would be a screen."""
    settled = table.host not in table.people or table.is_insider(table.host)
    if table.game is not None or settled:
        return
    for chair, seating in enumerate(table.chairs):
        if seating.kind == "open":
            seat(table, chair, kind="human", person=table.host)
            return


def promise(table: Table, person: PersonNumber, promised: str | None) -> None:
    """A device has promised a number for the next deal, in place of an earlier one."""
    if promised is not None:
        table.promises = table.promises | {person: promised}
