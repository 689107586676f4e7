"""What becomes of a wish: the event it makes, or a refusal. Pure: chance and time are given."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from msgspec.structs import replace

from baghdad.bots import LEVELS
from baghdad.bots.lesson.script import SEED
from baghdad.rules.engine.actions import ACTION_OF
from baghdad.rules.engine.material import LARGEST_HAND, Seat
from baghdad.rules.engine.views import CHANCE
from baghdad.rules.errors import OutOfTurnError
from baghdad.rules.fair import commitment, deal_seed, fair_draw
from baghdad.rules.game import Game
from baghdad.rules.options import DealError, RulebookError
from baghdad.rules.typed_moves import spelled
from baghdad.server.wire.messages import (
    Admit,
    AnswerEnd,
    AnyCommand,
    Arrange,
    Bring,
    Chat,
    ChooseStart,
    Decline,
    Emote,
    Hush,
    Join,
    Kick,
    Leave,
    Move,
    NewTable,
    OpenDoor,
    ProposeEnd,
    Rematch,
    Resign,
    Return,
    Sit,
    Start,
    Undo,
)

from . import events
from .events import (
    USUAL_DEAL,
    Agreement,
    AnyEvent,
    Chair,
    EventNumber,
    Person,
    PersonNumber,
    Seating,
)
from .refusals import RefusedError
from .table import LEAVER, Table

MOST_WAITING = 8
"""People about whom a host is asked at a time: more than a table has chairs, few enough to read."""

Outcome: TypeAlias = tuple[AnyEvent, Game | None]
"""The event, and the game after it where it was played already."""


@dataclass(frozen=True, slots=True)
class World:
    """What is not the table's own: chance, secrets and the bots that exist."""

    new_seed: Callable[[], str]
    pick: Callable[[int], int]
    """A fair number below a bound, for the start player."""
    levels: Callable[[], list[str]]


def decide(table: Table, person: PersonNumber, wish: AnyCommand, world: World) -> Outcome:
    """The event that a person's wish makes. Raises `RefusedError` or `MoveError`."""
    if person not in table.people:
        raise RefusedError("no_longer_here")
    match wish:
        case Move():
            return move(table, seat_at(table, person), wish.action)
        case Bring():
            # Whoever has given up has promised all the same.
            place = table.place_of(person)
            seat = seat_at(table, person) if place is None else place
            return bring(table, seat, wish.number)
        case Undo():
            return undo(table, seat_at(table, person))
        case Start():
            return start(table, person, world), None
        case Sit():
            return sit(table, person, wish), None
        case Leave():
            return events.Left(person), None
        case Kick():
            must_host(table, person)
            if wish.person not in table.people or wish.person == person:
                raise RefusedError("nobody_to_ask")
            return events.Left(wish.person, asked=True), None
        case Admit():
            return admit(table, person, wish), None
        case OpenDoor():
            must_host(table, person)
            if not table.knock:
                raise RefusedError("door_open")
            return events.DoorOpened(), None
        case Arrange():
            return arrange(table, person, wish, world), None
        case ChooseStart():
            return choose_start(table, person, wish), None
        case Chat():
            if table.hushed:
                raise RefusedError("hushed")
            return events.Chatted(person, clean(wish.text)), None
        case Emote():
            if table.hushed:
                raise RefusedError("hushed")
            return events.Emoted(person, wish.emote), None
        case Hush():
            must_host(table, person)
            return events.Hushed(wish.off), None
        case Return():
            seat = seat_at(table, person)
            if seat not in table.stand_ins:
                raise RefusedError("nobody_stands_in")
            return events.Returned(seat), None
        case Rematch():
            return rematch(table, person, wish, world), None
        case Decline():
            return decline(table, person), None
        case Resign():
            return resign(table, person), None
        case ProposeEnd():
            return propose_end(table, person), None
        case AnswerEnd():
            return answer_end(table, person, wish), None


# Before the game


def create(wish: NewTable, secrets: list[str], world: World) -> events.Created:
    """A new table; `secrets` are hashes, the host's first."""
    if wish.lesson:
        return create_lesson(wish, secrets)
    agreement = settled(wish.agreement)
    levels = world.levels()
    if (agreement.move_seconds or agreement.game_seconds) and agreement.stand_in is None:
        agreement = replace(agreement, stand_in=LEAVER)
    if agreement.stand_in is not None and agreement.stand_in not in levels:
        raise RefusedError("no_level", level=agreement.stand_in, levels=", ".join(levels))
    if isinstance(agreement.start, int) and agreement.start >= agreement.players:
        raise RefusedError("no_chair", chair=agreement.start + 1)
    people = [Person(0, clean(wish.name), secrets[0])]
    chairs = [] if wish.screen else [Seating(kind="human", colour=0, person=0)]
    others = agreement.players - len(chairs)
    if len(wish.chairs) > others:
        raise RefusedError("too_many_chairs", players=agreement.players)
    for place in range(others):
        number = len(chairs)
        new = wish.chairs[place] if place < len(wish.chairs) else None
        kind, level, person = (new.kind, new.level, None) if new else ("open", None, None)
        if kind == "bot":
            level = known(level, levels)
        elif kind == "human":
            if new is None or new.name is None:
                raise RefusedError("name_needed")
            person, level = len(people), None
            people.append(Person(person, clean(new.name), secrets[person]))
        else:
            level = None
        chairs.append(Seating(kind=kind, colour=number, person=person, level=level))
    return events.Created(
        agreement, tuple(chairs), tuple(people), world.new_seed(), promise=wish.promise
    )


def settled(agreement: Agreement) -> Agreement:
    """An agreement that can be kept: what its rulebook means is in it, what is usual is not."""
    try:
        options = agreement.options
    except RulebookError as error:
        named = {"rulebook": error.rulebook, "option": error.option}
        raise RefusedError(
            "rulebook_says", **named, wanted=error.wanted, given=error.given
        ) from None
    except DealError:
        raise RefusedError(
            "bad_deal", "R7", players=agreement.players, most=LARGEST_HAND, given=agreement.deal
        ) from None
    chosen = options.chosen()
    return replace(
        agreement,
        rob=chosen.get("rob"),
        hands=chosen.get("hands"),
        spare=chosen.get("spare"),
        deal=USUAL_DEAL if options.usual_deal else agreement.deal,
    )


def create_lesson(wish: NewTable, secrets: list[str]) -> events.Created:
    """The guided game. Its deal is known, so nobody else can be brought into it."""
    if wish != NewTable(wish.name, lesson=True):
        raise RefusedError("lesson_as_it_is")
    chairs = (
        Seating(kind="human", colour=0, person=0),
        Seating(kind="bot", colour=1, level=LEVELS[0]),
    )
    host = Person(0, clean(wish.name), secrets[0])
    return events.Created(Agreement(start="order"), chairs, (host,), SEED, lesson=True)


def join(table: Table, wish: Join, secret: str) -> events.Joined | events.Knocked:
    """Somebody sits down on an open chair, or on the one that was asked for; or has to knock."""
    must_gather(table)
    chair = free_chair(table, wish.chair)
    must_be_open(table)
    person = Person(table.joined, clean(wish.name), secret)
    if not table.knock:
        return events.Joined(person, chair, wish.promise)
    if len(table.waiting) >= MOST_WAITING:
        raise RefusedError("many_wait")
    return events.Knocked(person, wish.promise)


def admit(table: Table, host: PersonNumber, wish: Admit) -> events.Joined | events.TurnedAway:
    must_host(table, host)
    person = next((each for each in table.waiting if each.number == wish.person), None)
    if person is None:
        raise RefusedError("nobody_waits")
    if not wish.yes:
        return events.TurnedAway(person.number)
    return events.Joined(person, free_chair(table, None), table.promises.get(person.number))


def free_chair(table: Table, wanted: Chair | None) -> Chair:
    free = [n for n, seating in enumerate(table.chairs) if seating.kind == "open"]
    if not free:
        raise RefusedError("full")
    chair = free[0] if wanted is None else wanted
    if chair not in free:
        raise RefusedError("taken", chair=chair + 1)
    return chair


def sit(table: Table, person: PersonNumber, wish: Sit) -> events.Sat:
    must_gather(table)
    must_be_open(table)
    own = table.chair_of(person)
    if own is None:
        return sit_again(table, person, wish)
    chair = own if wish.chair is None else must_exist(table, wish.chair)
    if chair != own and table.chairs[chair].kind == "human":
        raise RefusedError("taken", chair=chair + 1)
    colour = table.chairs[chair].colour if wish.colour is None else wish.colour
    others = [n for n in range(len(table.chairs)) if n not in (own, chair)]
    if any(table.chairs[n].colour == colour and table.chairs[n].kind == "human" for n in others):
        raise RefusedError("colour_taken")
    return events.Sat(person, chair, colour, wish.promise)


def sit_again(table: Table, person: PersonNumber, wish: Sit) -> events.Sat:
    """Whoever has not agreed to another game in time takes a free chair after all."""
    if person == table.screen:
        raise RefusedError("no_seat")
    chair = free_chair(table, wish.chair)
    return events.Sat(person, chair, table.chairs[chair].colour, wish.promise)


def arrange(table: Table, person: PersonNumber, wish: Arrange, world: World) -> events.Arranged:
    must_host(table, person)
    must_gather(table)
    must_be_open(table)
    chair = must_exist(table, wish.chair)
    if table.chairs[chair].kind == "human":
        raise RefusedError("taken", chair=chair + 1)
    level = known(wish.level, world.levels()) if wish.to == "bot" else None
    return events.Arranged(chair, wish.to, level)


def choose_start(table: Table, person: PersonNumber, wish: ChooseStart) -> events.StartChosen:
    must_host(table, person)
    must_gather(table)
    must_be_open(table)
    if isinstance(wish.start, int):
        chair = must_exist(table, wish.start)
        if table.chairs[chair].kind == "closed":
            raise RefusedError("chair_closed", chair=chair + 1)
    return events.StartChosen(wish.start)


def start(table: Table, person: PersonNumber, world: World) -> events.Started:
    must_host(table, person)
    must_gather(table)
    sitting = [n for n, seating in enumerate(table.chairs) if seating.kind in ("human", "bot")]
    if any(seating.kind == "open" for seating in table.chairs):
        raise RefusedError("chairs_open")
    if len(sitting) < 2:
        raise RefusedError("two_needed")
    wanted = table.agreement.start
    first = sitting[0]
    if wanted == "random":
        first = sitting[world.pick(len(sitting))]
    elif isinstance(wanted, int) and wanted in sitting:
        first = wanted
    at = sitting.index(first)
    order = tuple(sitting[at:] + sitting[:at])
    people = [table.chairs[chair].person for chair in order]
    promises = tuple(None if who is None else table.promises.get(who) for who in people)
    if any(promises):  # no card before all numbers are there
        return events.Started(order, promises=promises)
    game = Game.with_options(table.agreement.options_for(len(order)))
    return events.Started(order, deal(game, table.seed))


# In the game


def move(
    table: Table, seat: Seat, action: int | str, *, bot: bool = False, instead: bool = False
) -> Outcome:
    """A seat takes an action; the draw that follows comes from the table's seed."""
    if seat in table.stand_ins and not bot:
        raise RefusedError("stands_in")
    game = must_play(table).copy()
    if table.deal_waits:
        raise RefusedError("deal_waits")
    meant = ACTION_OF.get(spelled(action), action) if isinstance(action, str) else action
    game.play(meant, seat=seat)
    assert isinstance(meant, int), "a text that is no action's token is refused"
    chance = () if table.awaited else deal(game, table.deal_seed)
    return events.Moved(seat, meant, chance, instead), game


def bring(table: Table, seat: Seat, number: str) -> Outcome:
    """A seat's number comes to the deal; where it was the last one awaited, so do the cards."""
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
    """Whoever is still awaited brings no number: the cards are dealt without."""
    game = must_play(table).copy()
    return events.LeftOut(table.awaited, deal(game, table.deal_seed)), game


def undo(table: Table, seat: Seat) -> Outcome:
    must_play(table)
    if seat in table.stand_ins:
        raise RefusedError("stands_in")
    if not table.may_undo(seat):
        raise RefusedError("nothing_to_take_back")
    return events.Undone(seat), None


def deal(game: Game, seed: str) -> tuple[str, ...]:
    """Play all chance that is due, and return its tokens."""
    chance = []
    while game.to_move == CHANCE:
        token = fair_draw(game, seed)
        game.play(token)
        chance.append(token)
    return tuple(chance)


# Endings without a move (R28)


def resign(table: Table, person: PersonNumber) -> events.Resigned:
    """Somebody gives up, whoever is on turn."""
    seat = must_go_on(table, person)
    return events.Resigned(person, seat)


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


def answer_end(table: Table, person: PersonNumber, wish: AnswerEnd) -> events.EndAnswered:
    """Somebody agrees to that, or wants to play on; whoever has agreed may think better of it."""
    must_go_on(table, person)
    if table.proposed is None:
        raise RefusedError("no_end_proposed", "R28")
    if wish.yes and person in table.proposed.agreed:
        raise RefusedError("answered")
    return events.EndAnswered(wish.yes, person)


def bot_answers_end(table: Table, number: EventNumber, seat: Seat, *, yes: bool) -> Outcome | None:
    """A bot has thought about a proposal; nothing where it is no longer asked."""
    proposal = table.proposed
    if proposal is None or proposal.number != number or seat not in table.unanswered[1]:
        return None
    return events.EndAnswered(yes, seat=seat), None


def must_go_on(table: Table, person: PersonNumber) -> Seat:
    """The seat of somebody who plays in a game that is not over."""
    game, seat = must_play(table), table.place_of(person)
    if seat is None:
        raise RefusedError("no_seat")
    if game.over:
        raise RefusedError("is_over", "R28")
    if seat in table.resigned:
        raise OutOfTurnError("has_resigned", "R28", seat=seat + 1)
    return seat


# After the game


def rematch(
    table: Table, person: PersonNumber, wish: Rematch, world: World
) -> events.Offered | events.Rematched:
    """Another game is offered, accepted, or begun where nobody is waited for any more."""
    must_be_over(table, person)
    missing = tuple(each for each in table.seated if each not in (*table.offers, person))
    promise = None if wish.promise is None else (person, wish.promise)
    if wish.now:
        must_host(table, person)
        return events.Rematched(world.new_seed(), missing, promise)
    if not missing:
        return events.Rematched(world.new_seed(), promise=promise)
    if person in table.offers:
        raise RefusedError("answered")
    return events.Offered(person, wish.promise)


def decline(table: Table, person: PersonNumber) -> events.Declined:
    must_be_over(table, person)
    if person in table.declines:
        raise RefusedError("answered")
    return events.Declined(person)


# Conditions


def seat_at(table: Table, person: PersonNumber) -> Seat:
    seat = table.seat_of(person)
    if seat is not None:
        return seat
    place = table.place_of(person)
    if place is not None:
        raise OutOfTurnError("has_resigned", "R28", seat=place + 1)
    raise RefusedError("not_begun" if table.game is None else "no_seat")


def must_play(table: Table) -> Game:
    if table.game is None:
        raise RefusedError("not_begun")
    return table.game


def must_gather(table: Table) -> None:
    if table.game is not None:
        raise RefusedError("has_begun")


def must_be_over(table: Table, person: PersonNumber) -> None:
    if not table.over:
        raise RefusedError("not_over")
    if not table.is_insider(person) and person != table.host:
        raise RefusedError("no_seat")


def must_be_open(table: Table) -> None:
    """Whoever knows the deal could do with others what is meant for the guided game alone."""
    if table.lesson:
        raise RefusedError("lesson_as_it_is")


def must_host(table: Table, person: PersonNumber) -> None:
    if person != table.host:
        raise RefusedError("host_only")


def must_exist(table: Table, chair: Chair) -> Chair:
    if chair >= len(table.chairs):
        raise RefusedError("no_chair", chair=chair + 1)
    return chair


def known(level: str | None, levels: list[str]) -> str:
    if level is None or level not in levels:
        raise RefusedError("no_level", level=level or "", levels=", ".join(levels))
    return level


def clean(text: str) -> str:
    """One line of printable text: no control characters, no invisible direction marks."""
    kept = "".join(each if each.isprintable() else " " for each in text)
    cleaned = " ".join(kept.split())
    if not cleaned:
        raise RefusedError("nothing_written")
    return cleaned
