"""A table as it is now: whole, for somebody who comes to it; in a line, for a list of games."""

import msgspec

from baghdad.replay.steps import Shown
from baghdad.rules.engine.material import CHESTS_TO_WIN, Seat
from baghdad.server.domain.events import Milliseconds, PersonNumber, Seating
from baghdad.server.domain.table import Table

from .messages import EventMessage, Snapshot
from .replies import Summary, SummaryPlayer
from .visibility import (
    clock_of,
    from_outside,
    hidden,
    open_hands,
    outside,
    own_of,
    shown_table,
    state_of,
)


def snapshot(
    table: Table,
    now: Milliseconds,
    person: PersonNumber | None,
    people: tuple[PersonNumber, ...],
    present: tuple[PersonNumber, ...],
    log: tuple[EventMessage, ...],
) -> Snapshot:
    """Everything that one person may know now, or a spectator (None)."""
    barred = hidden(table) and table.game is not None and not table.is_insider(person)
    game = None if barred else table.game
    return Snapshot(
        number=table.number,
        at=now,
        people=people,
        person=person,
        table=from_outside(shown_table(table)) if barred else shown_table(table),
        shown=msgspec.convert(game.shown(), Shown) if game is not None else None,
        own=own_of(table, person) if person is not None else None,
        clock=clock_of(table) if game is not None else None,
        log=() if barred else log,
        present=present,
        hands=open_hands(table, person),
    )


def summary(table: Table, at: Milliseconds, people: tuple[PersonNumber, ...]) -> Summary:
    """A table as a line in a list of games. `at` is the time of its last event."""
    game = None if hidden(table) and outside(table, people) else table.game
    chairs = [table.chairs[chair] for chair in table.order]
    if table.game is None:
        chairs = [seating for seating in table.chairs if seating.kind != "closed"]
    return Summary(
        code=table.code,
        state=state_of(table),
        at=at,
        games=table.games,
        people=people,
        players=tuple(
            SummaryPlayer(
                seating.colour,
                seating.person,
                name_in_list(table, seat, seating),
                seating.level,
                game.loot[seat] if game is not None else None,
            )
            for seat, seating in enumerate(chairs)
        ),
        needed=CHESTS_TO_WIN[max(2, len(chairs))],
        turn=table.on_turn if game is not None else None,
        winner=game.winner if game is not None else None,
        termination=game.termination if game is not None else None,
        resigned=tuple(sorted(game.resigned)) if game is not None else (),
    )


def name_in_list(table: Table, seat: Seat, seating: Seating) -> str | None:
    """A person's name; whoever has left after the end has played. None for bots and free chairs."""
    if seating.person is not None:
        return table.people[seating.person].name
    return table.names[seat] if table.over and seating.level is None else None
