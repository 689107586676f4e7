"""Leaving, endings without a move (R28) and another game, as events bring them about."""

from msgspec.structs import replace

from baghdad.rules.ending import Termination
from baghdad.rules.engine.material import Seat
from baghdad.server.domain.agreement import DEFAULT_STAND_IN
from baghdad.server.domain.events import (
    Declined,
    EndAnswered,
    EndProposed,
    EventNumber,
    Left,
    Lent,
    Milliseconds,
    Offered,
    PersonNumber,
    Rematched,
)
from baghdad.server.domain.table import Proposal, Table

from . import gathering
from .playing import note_players, stop_clock


def leave(table: Table, event: Left, at: Milliseconds) -> None:
    """Somebody goes: gives up a game that is played, and frees a chair."""
    person, chair, seat = event.person, table.chair_of(event.person), table.place_of(event.person)
    if table.playing and seat is not None and seat not in table.resigned and not event.asked:
        resign(table, seat, at)  # leaving is giving up
    if person in table.people and table.has_played(person):
        table.gone = table.gone | {person: table.people[person]}
    table.people = {number: each for number, each in table.people.items() if number != person}
    table.promises = {who: each for who, each in table.promises.items() if who != person}
    if chair is not None and table.playing and seat is not None:
        gathering.seat(table, chair, kind="bot", level=_bot_for(table, seat))
        note_players(table)
        if table.resigned and not table.still_playing:
            end(table, "resigned", at)  # the last who played was asked to go
        end_if_agreed(table, at)
    elif chair is not None:
        gathering.seat(table, chair, kind="open")
    forget_answer(table, person)
    if person == table.host and table.people:
        # Not somebody who only looks at the last game's result.
        table.host = min(table.seated or table.people)
    gathering.seat_host(table)
    table.knock = table.knock or event.asked
    if not table.people:  # nobody could be asked
        gathering.open_door(table)


def _bot_for(table: Table, seat: Seat) -> str:
    """The bot that plays a seat on."""
    return table.stand_ins.get(seat) or table.agreement.stand_in or DEFAULT_STAND_IN


def resign(table: Table, seat: Seat, at: Milliseconds) -> None:
    """Somebody gives up: the other has won, a bot plays on, or nobody is left who plays."""
    assert table.game is not None, "given up in a game"
    was_on_turn = table.on_turn
    game = table.game.copy()
    game.resign(seat)
    table.game = game
    if not table.still_playing and not game.over:
        game.end("resigned")
    if was_on_turn is not None and (game.over or was_on_turn == seat):
        stop_clock(table, was_on_turn, at)
    if game.over:
        table.on_since = at
        return
    table.stand_ins = table.stand_ins | {seat: _bot_for(table, seat)}
    proposal = table.proposal
    if proposal is not None and table.sat[seat] == proposal.person:
        table.proposal = None
    end_if_agreed(table, at)


def propose(table: Table, event: EndProposed, number: EventNumber, at: Milliseconds) -> None:
    """An end without a winner is proposed; where nobody else has to agree, it comes at once."""
    assert table.game is not None, "proposed in a game"
    turn = table.game.turns
    table.proposers = table.proposers | {event.person: turn}
    table.proposal = Proposal(number, event.person, turn, (event.person,))
    end_if_agreed(table, at)


def answer(table: Table, event: EndAnswered, at: Milliseconds) -> None:
    """A person or a bot agrees to the proposal, or wants to play on."""
    proposal = table.proposal
    assert proposal is not None, "answers come after a proposal"
    if not event.yes:
        table.proposal = replace(proposal, refused=event.person, refused_seat=event.seat)
    elif event.person is not None:
        table.proposal = replace(proposal, agreed=(*proposal.agreed, event.person))
    elif event.seat is not None:
        table.proposal = replace(proposal, bots=(*proposal.bots, event.seat))
    end_if_agreed(table, at)


def end_if_agreed(table: Table, at: Milliseconds) -> None:
    if table.proposed is not None and table.unanswered == ((), ()):
        end(table, "agreed", at)


def end(table: Table, how: Termination, at: Milliseconds) -> None:
    """The game is over without a move."""
    assert table.game is not None, "ended in a game"
    was_on_turn, table.game = table.on_turn, table.game.copy()
    table.game.end(how)
    if was_on_turn is not None:
        stop_clock(table, was_on_turn, at)
    table.on_since = at


# Another game


def offer(table: Table, event: Offered) -> None:
    forget_answer(table, event.person)
    gathering.promise(table, event.person, event.promise)
    table.offers = (*table.offers, event.person)


def decline(table: Table, event: Declined) -> None:
    forget_answer(table, event.person)
    table.declines = (*table.declines, event.person)


def forget_answer(table: Table, person: PersonNumber) -> None:
    """Forget what somebody has said about another game."""
    table.offers = tuple(each for each in table.offers if each != person)
    table.declines = tuple(each for each in table.declines if each != person)


def rematch(table: Table, event: Rematched) -> None:
    """The people gather again; those who have not agreed lose their chairs."""
    table.past = table.finished
    table.game, table.order, table.stand_ins, table.used = None, (), {}, ()
    table.offers = table.declines = ()
    table.proposal, table.proposers = None, {}
    table.seed, table.lesson = event.seed, False
    table.pledges, table.left_out, table.dealt_in = (), frozenset(), frozenset()
    if event.promise is not None:
        gathering.promise(table, *event.promise)
    for chair, seating in enumerate(table.chairs):
        if seating.person is not None and seating.person in event.without:
            gathering.seat(table, chair, kind="open")
    gathering.seat_host(table)


def lend(table: Table, event: Lent) -> None:
    lent = {(event.game, event.person)}
    table.lent = table.lent | lent if event.yes else table.lent - lent
