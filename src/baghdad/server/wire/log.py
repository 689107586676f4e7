"""The public log of a table: every event as lines, each with the rule behind it."""

from baghdad.replay.log import (
    LogLine,
    action_line,
    ending,
    reshuffled,
    robberies,
)
from baghdad.rules.engine.material import Seat
from baghdad.server.domain import events
from baghdad.server.domain.table import Table


def lines_of(before: Table, after: Table, event: events.AnyEvent) -> tuple[LogLine, ...]:
    """The lines of an event."""
    match event:
        case events.Moved():
            return tuple(_moved(before, after, event))
        case events.Undone():
            return (LogLine("log.undone", None, event.seat),)
        case events.Started():
            lines = [LogLine("log.started", "R5", 0)]
            if event.chance:
                lines.append(_dealt(after))
            return tuple(lines)
        case events.Brought():
            return (_dealt(after),) if event.chance else ()
        case events.LeftOut():
            left_out = [LogLine("log.left_out", None, seat) for seat in event.seats]
            return (*left_out, _dealt(after))
        case events.StoodIn():
            return (LogLine("log.stood_in", None, event.seat, {"level": event.level}),)
        case events.Returned():
            return (LogLine("log.returned", None, event.seat),)
        case events.Joined():
            return (LogLine("log.joined", values={"name": event.person.name}),)
        case events.Knocked():
            return (LogLine("log.knocked", values={"name": event.person.name}),)
        case events.TurnedAway():
            name = next(each.name for each in before.waiting if each.number == event.person)
            return (LogLine("log.turned_away", values={"name": name}),)
        case events.DoorOpened():
            return (LogLine("log.door_opened"),)
        case events.Left():
            key = "log.asked_to_go" if event.asked else "log.left"
            left = LogLine(key, values={"name": before.people[event.person].name})
            gave_up = after.resigned - before.resigned
            told = [line for seat in gave_up for line in _resigned(after, seat)]
            ended = _ending(after) if after.over and not before.over and not told else []
            return (left, *told, *ended)
        case events.Resigned():
            return tuple(_resigned(after, event.seat))
        case events.EndProposed():
            seat = before.place_of(event.person)
            return (LogLine("log.end_proposed", "R28", seat), *_ending(after))
        case events.EndAnswered():
            seat = before.place_of(event.person) if event.seat is None else event.seat
            key = "log.end_agreed" if event.yes else "log.end_refused"
            return (LogLine(key, "R28", seat), *_ending(after))
        case events.Ended():
            return tuple(_ending(after))
        case events.StartChosen():
            return (_begins(after),)
        case events.Offered() | events.Declined():
            key = "log.offered" if isinstance(event, events.Offered) else "log.declined"
            return (LogLine(key, values={"name": before.people[event.person].name}),)
        case events.Rematched():
            return (LogLine("log.rematched"),)
        case events.Hushed():
            return (LogLine("log.hushed" if event.off else "log.unhushed"),)
    return ()


def _dealt(after: Table) -> LogLine:
    """That the first hands are dealt: before the guards are placed, where hands are seen."""
    placing = after.game is not None and after.game.placing
    return LogLine("log.dealt_open" if placing else "log.dealt", "R7")


def _begins(table: Table) -> LogLine:
    """Who will begin, as the host has chosen."""
    start = table.agreement.start
    if start == "random":
        return LogLine("log.chance_begins", "R5")
    chair = start if isinstance(start, int) else 0
    seating = table.chairs[chair]
    if seating.person is not None:
        return LogLine("log.begins", "R5", values={"name": table.people[seating.person].name})
    return LogLine("log.chair_begins", "R5", values={"chair": chair + 1})


def _ending(table: Table) -> list[LogLine]:
    return [] if table.game is None else ending(table.game)


def _resigned(after: Table, seat: Seat) -> list[LogLine]:
    """That somebody has given up, and what becomes of the seat."""
    lines = [LogLine("log.resigned", "R28", seat)]
    level = after.bot_at(seat) if after.playing else None
    if level is not None:
        lines.append(LogLine("log.plays_on", "R28", None, {"level": level}))
    return lines + _ending(after)


def _moved(before: Table, after: Table, event: events.Moved) -> list[LogLine]:
    old, new = before.game, after.game
    assert old is not None, "moves come after the start"
    assert new is not None, "moves come after the start"
    came = len(event.chance[0]) - 1 if event.chance else 0
    lines = [action_line(event.seat, event.action, came)]
    if event.instead:
        lines.insert(0, LogLine("log.instead", None, event.seat))
    lines += robberies(event.seat, old.chests, new.chests)
    if event.chance:
        if old.placing:
            lines.append(_dealt(after))
        else:
            lines += reshuffled(old.discarded, new.discarded)
    if before.proposed is not None and after.proposed is None and not after.over:
        lines.append(LogLine("log.end_lapsed", "R28"))
    return lines + ending(new)
