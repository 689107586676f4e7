"""Endings without a move (R28), and another game after the end."""

from baghdad.rules.engine.material import Seat
from baghdad.server.domain import events
from baghdad.server.domain.commands import AnswerEnd, Lend, Rematch
from baghdad.server.domain.events import EventNumber, PersonNumber
from baghdad.server.domain.refusals import RefusedError
from baghdad.server.domain.table import Table

from .conditions import must_be_over, must_go_on, must_host, must_play
from .world import Outcome, World


def resign(table: Table, person: PersonNumber) -> events.Resigned:
    """Somebody gives up, whoever's turn it is."""
    return events.Resigned(person, must_go_on(table, person))


def propose_end(table: Table, person: PersonNumber) -> events.EndProposed:
    """Somebody proposes to end the game without a winner: once a round."""
    must_go_on(table, person)
    game = must_play(table)
    if table.proposed is not None:
        raise RefusedError("end_proposed", "R28")
    before = table.proposers.get(person)
    if before is not None and game.turns < before + game.options.players:
        raise RefusedError("end_proposed_lately", "R28")
    return events.EndProposed(person)


def answer_end(table: Table, person: PersonNumber, command: AnswerEnd) -> events.EndAnswered:
    """Somebody agrees to that, or wants to play on, even after having agreed before."""
    must_go_on(table, person)
    if table.proposed is None:
        raise RefusedError("no_end_proposed", "R28")
    if command.yes and person in table.proposed.agreed:
        raise RefusedError("answered")
    return events.EndAnswered(command.yes, person)


def bot_answers_end(table: Table, number: EventNumber, seat: Seat, *, yes: bool) -> Outcome | None:
    """A bot has thought about a proposal; nothing where it is no longer asked."""
    proposal = table.proposed
    if proposal is None or proposal.number != number or seat not in table.unanswered[1]:
        return None
    return events.EndAnswered(yes, seat=seat), None


def rematch(
    table: Table, person: PersonNumber, command: Rematch, world: World
) -> events.Offered | events.Rematched:
    """Another game is offered, accepted, or begun where nobody is waited for any more."""
    must_be_over(table, person)
    missing = tuple(each for each in table.seated if each not in (*table.offers, person))
    promise = None if command.promise is None else (person, command.promise)
    if command.now:
        must_host(table, person)
        return events.Rematched(world.new_seed(), missing, promise)
    if not missing:
        return events.Rematched(world.new_seed(), promise=promise)
    if person in table.offers:
        raise RefusedError("answered")
    return events.Offered(person, command.promise)


def decline(table: Table, person: PersonNumber) -> events.Declined:
    """Somebody does not want another game now."""
    must_be_over(table, person)
    if person in table.declines:
        raise RefusedError("answered")
    return events.Declined(person)


def lend(table: Table, person: PersonNumber, command: Lend) -> events.Lent:
    """Somebody who has played says whether puzzles may be made of a finished game."""
    found = [each for each in table.finished if each.number == command.game]
    if not found:
        if command.game == table.games:
            raise RefusedError("not_over")
        raise RefusedError("no_game", number=command.game)
    if person not in found[0].players.people:
        raise RefusedError("no_seat")
    if ((command.game, person) in table.lent) == command.yes:
        raise RefusedError("answered")
    return events.Lent(person, command.game, command.yes)
