"""In the game: actions, taking back, and the numbers that the deal waits for."""

from baghdad.rules.engine.actions import ACTION_OF
from baghdad.rules.engine.material import Seat
from baghdad.rules.engine.views import CHANCE
from baghdad.rules.fair import commitment, deal_seed, fair_cards
from baghdad.rules.game import Game
from baghdad.rules.typed_moves import spelled
from baghdad.server.domain import events
from baghdad.server.domain.events import PersonNumber
from baghdad.server.domain.refusals import RefusedError
from baghdad.server.domain.table import Table

from .conditions import must_play, seat_at
from .world import Outcome


def move(
    table: Table, seat: Seat, action: int | str, *, bot: bool = False, instead: bool = False
) -> Outcome:
    """A seat takes an action; the draw that follows comes from the table's seed."""
    if seat in table.stand_ins and not bot:
        raise RefusedError("stands_in")
    game = must_play(table).copy()
    if table.deal_waits:
        raise RefusedError("deal_waits")
    if isinstance(action, str):
        action = ACTION_OF.get(spelled(action), action)
    game.play(action, seat=seat)
    assert isinstance(action, int), "a text that is not an action's token is refused"
    comes = game.to_move == CHANCE and not table.awaited
    chance = deal(game, table.deal_seed) if comes else ()
    return events.Moved(seat, action, chance, instead), game


def bring(table: Table, person: PersonNumber, number: str) -> Outcome:
    """A seat's number comes to the deal; where it was the last one awaited, so do the cards."""
    # Somebody who has given up has promised all the same.
    place = table.place_of(person)
    seat = seat_at(table, person) if place is None else place
    game, pledge = must_play(table).copy(), table.pledges[seat]
    if pledge.promise is None:
        raise RefusedError("no_number_promised")
    if commitment(number) != pledge.promise:
        raise RefusedError("wrong_number")
    if pledge.number is not None:
        raise RefusedError("number_there")
    if seat not in table.awaited:
        raise RefusedError("number_late")
    if table.awaited != (seat,):
        return events.Brought(seat, number), None
    numbers = [each.number for each in table.pledges]
    numbers[seat] = number
    return events.Brought(seat, number, deal(game, deal_seed(table.seed, numbers))), game


def leave_out(table: Table) -> Outcome:
    """Somebody who is still awaited brings no number: the cards are dealt without."""
    game = must_play(table).copy()
    return events.LeftOut(table.awaited, deal(game, table.deal_seed)), game


def undo(table: Table, seat: Seat, most: int) -> Outcome:
    """A seat takes its last action back, as long as nothing was revealed (R22, R23).

    `most`: how often in a turn, so that what is kept of it is bounded.
    """
    must_play(table)
    if seat in table.stand_ins:
        raise RefusedError("stands_in")
    if not table.may_undo(seat):
        raise RefusedError("nothing_to_take_back")
    if table.undone >= most:
        raise RefusedError("undone_often", most=most)
    return events.Undone(seat), None


def return_to_seat(table: Table, seat: Seat) -> events.Returned:
    """Somebody takes the seat back from the bot that stands in."""
    if seat not in table.stand_ins:
        raise RefusedError("nobody_stands_in")
    return events.Returned(seat)


def deal(game: Game, seed: str) -> tuple[str, ...]:
    """Play all chance that is due, and return its tokens."""
    chance = []
    while game.to_move == CHANCE:
        chance.append(game.draw(fair_cards(game, seed)))
    return tuple(chance)
