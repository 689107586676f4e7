"""The game, the deal and the clock, as events change them."""

from collections.abc import Iterable

from baghdad.rules.engine.material import Seat
from baghdad.rules.fair import Pledge
from baghdad.rules.game import Game
from baghdad.server.domain.events import (
    Brought,
    EventNumber,
    LeftOut,
    Milliseconds,
    Moved,
    Returned,
    Started,
    StoodIn,
    Undone,
)
from baghdad.server.domain.table import Table


def act(table: Table, event: Moved | Undone, at: Milliseconds, game: Game | None) -> None:
    """A seat has moved, or taken a move back."""
    was_on_turn = table.on_turn
    table.game = game or played(table.game, event)
    if isinstance(event, Undone):
        table.undone += 1
    if table.on_turn != was_on_turn:
        # Only what was done in this turn is taken back; a long game is kept for less.
        table.game.keep_this_turn()
        table.undone = 0
        stop_clock(table, event.seat, at)


def played(game: Game | None, event: Moved | Undone) -> Game:
    """The game after a move and its chance, or with the last action taken back."""
    assert game is not None, "moves come after the start"
    game = game.copy()
    if isinstance(event, Undone):
        game.undo()
        return game
    game.play(event.action)
    return dealt(game, event.chance) if event.chance else game


def dealt(game: Game | None, chance: Iterable[str]) -> Game:
    """The game after these tokens of chance."""
    assert game is not None, "cards come after the start"
    game = game.copy()
    for token in chance:
        game.play(token)
    return game


def start(table: Table, event: Started, number: EventNumber, at: Milliseconds) -> None:
    """A game begins, without a trace of the one before."""
    table.game = dealt(
        Game.with_options(table.agreement.options_for(len(event.order))), event.chance
    )
    table.order = event.order
    table.began, table.games = number, table.games + 1
    table.stand_ins, table.on_since, table.started, table.undone = {}, at, at, 0
    table.used = (0,) * len(event.order)
    table.proposal, table.proposers = None, {}
    table.waiting = ()  # too late
    table.pledges = tuple(map(Pledge, event.promises or (None,) * len(event.order)))
    table.left_out, table.promises = frozenset(), {}
    table.dealt_in = table.insiders
    note_players(table)


def note_players(table: Table) -> None:
    """Keep who plays, whatever becomes of the chairs after the end.

    Somebody who has given up has played and lost, even if a bot sits there now.
    """
    sitting = [table.chairs[chair] for chair in table.order]
    resigned = table.resigned
    table.names = tuple(
        table.names[seat]
        if seat in resigned
        else each.level or ""
        if each.person is None
        else table.people[each.person].name
        for seat, each in enumerate(sitting)
    )
    table.sat = tuple(
        table.sat[seat] if seat in resigned else each.person for seat, each in enumerate(sitting)
    )


def settle_deal(
    table: Table, event: Brought | LeftOut, at: Milliseconds, game: Game | None
) -> None:
    """A number has come, or is not waited for; the cards follow where it was the last."""
    if isinstance(event, Brought):
        pledges = list(table.pledges)
        pledges[event.seat] = pledges[event.seat]._replace(number=event.number)
        table.pledges = tuple(pledges)
    else:
        table.left_out = table.left_out | set(event.seats)
    if event.chance:
        table.game = game or dealt(table.game, event.chance)
        table.on_since = at


def stand_in(table: Table, event: StoodIn, at: Milliseconds) -> None:
    if table.on_turn == event.seat:
        stop_clock(table, event.seat, at)
    table.stand_ins = table.stand_ins | {event.seat: event.level}


def return_to_seat(table: Table, event: Returned, at: Milliseconds) -> None:
    table.stand_ins = {seat: bot for seat, bot in table.stand_ins.items() if seat != event.seat}
    if table.on_turn == event.seat:
        table.on_since = at


def stop_clock(table: Table, seat: Seat, at: Milliseconds) -> None:
    """The clock stops for a seat, and runs for the next. While a bot stands in, it does not run."""
    if seat not in table.stand_ins:
        used = list(table.used)
        used[seat] += max(0, at - table.on_since)
        table.used = tuple(used)
    table.on_since = at
