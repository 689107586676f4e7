"""The table after an event, by the event's kind."""

from collections.abc import Iterable
from copy import copy

from baghdad.rules.game import Game
from baghdad.server.domain import events
from baghdad.server.domain.events import StoredEvent
from baghdad.server.domain.table import Table

from . import ending, gathering, playing


def evolve(table: Table, stored: StoredEvent, game: Game | None = None) -> Table:
    """The table after one more event.

    `game` is the game after the event, where the caller has played it already.
    """
    after = copy(table)
    after.number, after.touched = stored.number, stored.at
    event = stored.event
    if isinstance(event, events.ACTS):
        playing.act(after, event, stored.at, game)
    elif not isinstance(event, events.CHAT_EVENTS):
        _apply(after, stored, game)
    if events.outdates_commands(event) or after.over != table.over:
        after.changed = stored.number
    return after


def replayed(code: str, stored: Iterable[StoredEvent]) -> Table:
    """A table from all its events."""
    table = Table(code)
    for each in stored:
        table = evolve(table, each)
    return table


def _apply(table: Table, stored: StoredEvent, game: Game | None) -> None:
    """Let an event have its effect on a table that nobody has seen yet."""
    event, at = stored.event, stored.at
    match event:
        case events.Created():
            gathering.create(table, event)
        case events.Joined():
            gathering.join(table, event)
        case events.Sat():
            gathering.sit(table, event)
        case events.Knocked():
            gathering.knock(table, event)
        case events.TurnedAway():
            gathering.turn_away(table, event)
        case events.DoorOpened():
            gathering.open_door(table)
        case events.Left():
            ending.leave(table, event, at)
        case events.Arranged():
            gathering.arrange(table, event)
        case events.StartChosen():
            gathering.begin_with(table, event.start)
        case events.Hushed():
            table.hushed = event.off
        case events.Started():
            playing.start(table, event, stored.number, at)
        case events.Brought() | events.LeftOut():
            playing.settle_deal(table, event, at, game)
        case events.StoodIn():
            playing.stand_in(table, event, at)
        case events.Returned():
            playing.return_to_seat(table, event, at)
        case events.Resigned():
            ending.resign(table, event.seat, at)
        case events.EndProposed():
            ending.propose(table, event, stored.number, at)
        case events.EndAnswered():
            ending.answer(table, event, at)
        case events.Ended():
            ending.end(table, event.how, at)
        case events.Offered():
            ending.offer(table, event)
        case events.Declined():
            ending.decline(table, event)
        case events.Rematched():
            ending.rematch(table, event)
        case events.Lent():
            ending.lend(table, event)
