"""What everybody or one person may see of a table: an allow-list, built up from nothing."""

from typing import Literal

from msgspec.structs import replace

from baghdad.rules.engine.material import Seat
from baghdad.rules.game import Game
from baghdad.server.domain.events import Chair, PersonNumber
from baghdad.server.domain.table import Table

from .messages import Clock, Own, ShownChair, ShownProposal, ShownTable, Waiting


def shown_table(table: Table) -> ShownTable:
    """A table as everybody sees it."""
    stand_ins = {table.order[seat]: bot for seat, bot in table.stand_ins.items()}
    state = state_of(table)
    return ShownTable(
        code=table.code,
        agreement=table.agreement,
        chairs=tuple(
            ShownChair(
                seating.kind,
                seating.colour,
                seating.person,
                table.people[seating.person].name if seating.person is not None else None,
                seating.level,
                stand_ins.get(number),
                *contribution(table, number),
            )
            for number, seating in enumerate(table.chairs)
        ),
        order=table.order,
        host=table.host,
        hushed=table.hushed,
        state=state,
        games=table.games,
        promise=table.promise,
        seed=table.seed if state == "over" else None,
        offers=table.offers,
        declines=table.declines,
        knock=table.knock,
        waiting=tuple(Waiting(each.number, each.name) for each in table.waiting),
        lesson=table.lesson,
        termination=table.game.termination if table.game is not None else None,
        resigned=tuple(sorted(table.resigned)),
        proposal=shown_proposal(table),
    )


def from_outside(shown: ShownTable) -> ShownTable:
    """For those who see nothing of the game: with the seed they could deal its cards again."""
    return replace(
        shown,
        seed=None,
        offers=(),
        declines=(),
        termination=None,
        resigned=(),
        proposal=None,
    )


def contribution(table: Table, chair: Chair) -> tuple[str | None, str | None, bool]:
    """What a chair has promised for the deal, the number that came, and whether it was left out."""
    if table.game is None:
        person = table.chairs[chair].person
        return (None if person is None else table.promises.get(person)), None, False
    if chair not in table.order:
        return None, None, False
    seat = table.order.index(chair)
    promise, number = table.pledges[seat]
    return promise, number, seat in table.left_out


def shown_proposal(table: Table) -> ShownProposal | None:
    """The proposal to end the game, for a round."""
    proposal = table.recent_proposal
    if proposal is None:
        return None
    people, bots = table.unanswered
    refused = proposal.refused, proposal.refused_seat
    return ShownProposal(proposal.person, proposal.agreed, people, bots, *refused)


def state_of(table: Table) -> Literal["gathering", "playing", "over"]:
    """How far a table is with its game."""
    if table.game is None:
        return "gathering"
    return "over" if table.game.over else "playing"


def clock_of(table: Table) -> Clock | None:
    """The times of a game; none where there is no clock."""
    agreement = table.agreement
    if not (agreement.move_seconds or agreement.game_seconds):
        return None
    return Clock(table.on_since, table.deadline, table.used)


def own_of(table: Table, person: PersonNumber) -> Own | None:
    """What only this person sees; none for a spectator."""
    seat, game = table.seat_of(person), table.game
    return None if seat is None or game is None else own_at(table, game, seat)


def own_at(table: Table, game: Game, seat: Seat) -> Own:
    """What only the player of a seat sees: the hand, and what can be done."""
    hand = tuple(game.hand(seat))
    if game.to_move != seat:
        return Own(seat, hand, (), False)
    return Own(seat, hand, tuple(game.legal()), table.may_undo(seat))


def open_hands(table: Table, person: PersonNumber | None) -> tuple[tuple[int, ...], ...] | None:
    """All hands, after the end: for the players, and for spectators where that was agreed."""
    game = table.game
    if game is None or not game.over:
        return None
    if table.seat_of(person) is None and table.agreement.watching != "open":
        return None
    return tuple(tuple(game.hand(seat)) for seat in range(game.options.players))


def hidden(table: Table) -> bool:
    """Whether spectators see nothing of the game."""
    return table.agreement.watching == "nobody"


def outside(table: Table, people: tuple[PersonNumber, ...]) -> bool:
    """Whether none of these people is at the table."""
    return not any(map(table.is_insider, people))
