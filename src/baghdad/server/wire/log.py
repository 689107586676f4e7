"""The public log of a table: every event as lines, each with the rule behind it."""

from baghdad.replay.log import (
    Line,
    action_line,
    ending,
    reshuffled,
    robberies,
)
from baghdad.rules.engine.material import Seat
from baghdad.rules.game import Game
from baghdad.server.domain import events
from baghdad.server.domain.table import Table


def lines_of(before: Table, after: Table, event: events.AnyEvent) -> tuple[Line, ...]:
    """The lines of an event."""
    match event:
        case events.Moved():
            return tuple(_moved(before, after, event))
        case events.Undone():
            return (Line("log.undone", None, event.seat),)
        case events.Started():
            lines = [Line("log.started", "R5", 0)]
            if event.chance:
                lines.append(_dealt(after))
            return tuple(lines)
        case events.Brought():
            return (_dealt(after),) if event.chance else ()
        case events.LeftOut():
            left_out = [Line("log.left_out", None, seat) for seat in event.seats]
            return (*left_out, _dealt(after))
        case events.StoodIn():
            return (Line("log.stood_in", None, event.seat, {"level": event.level}),)
        case events.Returned():
            return (Line("log.returned", None, event.seat),)
        case events.Joined():
            return (Line("log.joined", values={"name": event.person.name}),)
        case events.Knocked():
            return (Line("log.knocked", values={"name": event.person.name}),)
        case events.TurnedAway():
            name = next(each.name for each in before.waiting if each.number == event.person)
            return (Line("log.turned_away", values={"name": name}),)
        case events.DoorOpened():
            return (Line("log.door_opened"),)
        case events.Left():
            key = "log.asked_to_go" if event.asked else "log.left"
            left = Line(key, values={"name": before.people[event.person].name})
            gave_up = after.resigned - before.resigned
            told = [line for seat in gave_up for line in _resigned(after, seat)]
            ended = _ending(after) if after.over and not before.over and not told else []
            return (left, *told, *ended)
        case events.Resigned():
            return tuple(_resigned(after, event.seat))
        case events.EndProposed():
            seat = before.place_of(event.person)
            return (Line("log.end_proposed", "R28", seat), *_ending(after))
        case events.EndAnswered():
            seat = before.place_of(event.person) if event.seat is None else event.seat
            key = "log.end_agreed" if event.yes else "log.end_refused"
            return (Line(key, "R28", seat), *_ending(after))
        case events.Ended():
            return tuple(_ending(after))
        case events.StartChosen():
            return (_begins(after),)
        case events.Offered() | events.Declined():
            key = "log.offered" if isinstance(event, events.Offered) else "log.declined"
            return (Line(key, values={"name": before.people[event.person].name}),)
        case events.Rematched():
            return (Line("log.rematched"),)
        case events.Hushed():
            return (Line("log.hushed" if event.off else "log.unhushed"),)
    return ()


def _dealt(after: Table) -> Line:
    """That the first hands are dealt: before the guards are placed, where hands are seen."""
    placing = after.game is not None and after.game.placing
    return Line("log.dealt_open" if placing else "log.dealt", "R7")


def _begins(table: Table) -> Line:
    """Who will begin, as the host has chosen."""
    start = table.agreement.start
    if start == "random":
        return Line("log.chance_begins", "R5")
    chair = start if isinstance(start, int) else 0
    seating = table.chairs[chair]
    if seating.person is not None:
        return Line("log.begins", "R5", values={"name": table.people[seating.person].name})
    return Line("log.chair_begins", "R5", values={"chair": chair + 1})


def _discard(game: Game) -> int:
    return int(game.view(None).fields.discard.sum())


def _ending(table: Table) -> list[Line]:
    return [] if table.game is None else ending(table.game)


def _resigned(after: Table, seat: Seat) -> list[Line]:
    """That somebody has given up, and what becomes of the seat."""
    lines = [Line("log.resigned", "R28", seat)]
    level = after.bot_at(seat) if after.playing else None
    if level is not None:
        lines.append(Line("log.plays_on", "R28", None, {"level": level}))
    return lines + _ending(after)


def _moved(before: Table, after: Table, event: events.Moved) -> list[Line]:
    old, new = before.game, after.game
    assert old is not None, "moves come after the start"
    assert new is not None, "moves come after the start"
    came = len(event.chance[0]) - 1 if event.chance else 0
    lines = [action_line(event.seat, event.action, came)]
    if event.instead:
        lines.insert(0, Line("log.instead", None, event.seat))
    lines += robberies(event.seat, old.chests, new.chests)
    if event.chance:
        if old.placing:
            lines.append(_dealt(after))
        else:
            lines += reshuffled(_discard(old), _discard(new))
    if before.proposed is not None and after.proposed is None and not after.over:
        lines.append(Line("log.end_lapsed", "R28"))
    return lines + ending(new)
