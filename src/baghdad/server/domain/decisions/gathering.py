"""Before the game: a table is set up, people sit down, the host begins."""

from msgspec.structs import replace

from baghdad.bots import LEVELS
from baghdad.bots.lesson.script import SEED
from baghdad.bots.levels import TABLE
from baghdad.rules.engine.material import LARGEST_HAND
from baghdad.rules.game import Game
from baghdad.rules.options import DealError, RulebookError
from baghdad.server.domain import events
from baghdad.server.domain.agreement import DEFAULT_STAND_IN, USUAL_DEAL, Agreement
from baghdad.server.domain.commands import (
    Admit,
    Arrange,
    ChooseStart,
    Join,
    Kick,
    NewChair,
    NewTable,
    Sit,
)
from baghdad.server.domain.events import Chair, Person, PersonNumber, Seating
from baghdad.server.domain.refusals import RefusedError
from baghdad.server.domain.table import Table

from .conditions import (
    cleaned,
    known_level,
    must_be_open,
    must_exist,
    must_gather,
    must_host,
)
from .playing import deal
from .world import World

QUICK = frozenset(name for name, level in TABLE.items() if level.kind != "expert") | frozenset(
    ("heuristic", "neural", "random")
)
"""Bots that need some hundredths of a second, however much time they are given."""
MOST_WAITING = 8
"""People about whom a host is asked at a time: more than a table has chairs, few enough to read."""


def create(
    command: NewTable, secrets: list[str], world: World, creator: str | None = None
) -> events.Created:
    """A new table; `secrets` are hashes, the host's first."""
    if command.lesson:
        event = create_lesson(command, secrets)
    else:
        event = create_table(command, secrets, world)
    bots = [event.agreement.stand_in, *(chair.level for chair in event.chairs)]
    if not world.charge(creator, 1, sum(map(is_strong, bots))):
        raise RefusedError("too_fast")
    return replace(event, creator=creator)


def is_strong(level: str | None) -> bool:
    """Whether a bot thinks for as long as it may, so that it counts besides its table.

    Of bots that somebody has installed that is not known: they count, too.
    """
    return level is not None and level not in QUICK


def create_table(command: NewTable, secrets: list[str], world: World) -> events.Created:
    """Any game but the guided one."""
    agreement = settled(command.agreement)
    levels = world.levels()
    if (agreement.move_seconds or agreement.game_seconds) and agreement.stand_in is None:
        agreement = replace(agreement, stand_in=DEFAULT_STAND_IN)
    if agreement.stand_in is not None and agreement.stand_in not in levels:
        raise RefusedError("no_level", level=agreement.stand_in, levels=", ".join(levels))
    if isinstance(agreement.start, int) and agreement.start >= agreement.players:
        raise RefusedError("no_chair", chair=agreement.start + 1)
    people = [Person(0, cleaned(command.name), secrets[0])]
    chairs = [] if command.screen else [Seating(kind="human", colour=0, person=0)]
    others = agreement.players - len(chairs)
    if len(command.chairs) > others:
        raise RefusedError("too_many_chairs", players=agreement.players)
    for place in range(others):
        new = command.chairs[place] if place < len(command.chairs) else NewChair()
        person = level = None
        if new.kind == "bot":
            level = known_level(new.level, levels)
        elif new.kind == "human":
            if new.name is None:
                raise RefusedError("name_needed")
            person = len(people)
            people.append(Person(person, cleaned(new.name), secrets[person]))
        chairs.append(Seating(kind=new.kind, colour=len(chairs), person=person, level=level))
    return events.Created(
        agreement, tuple(chairs), tuple(people), world.new_seed(), promise=command.promise
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


def create_lesson(command: NewTable, secrets: list[str]) -> events.Created:
    """The guided game. Its deal is known, so nobody else can be brought into it."""
    if command != NewTable(command.name, lesson=True):
        raise RefusedError("lesson_as_it_is")
    chairs = (
        Seating(kind="human", colour=0, person=0),
        Seating(kind="bot", colour=1, level=LEVELS[0]),
    )
    host = Person(0, cleaned(command.name), secrets[0])
    return events.Created(Agreement(start="order"), chairs, (host,), SEED, lesson=True)


def join(table: Table, command: Join, secret: str) -> events.Joined | events.Knocked:
    """Somebody sits down on an open chair, or on the one that was asked for; or has to knock."""
    must_gather(table)
    chair = free_chair(table, command.chair)
    must_be_open(table)
    person = Person(table.joined, cleaned(command.name), secret)
    if not table.knock:
        return events.Joined(person, chair, command.promise)
    if len(table.waiting) >= MOST_WAITING:
        raise RefusedError("many_wait")
    return events.Knocked(person, command.promise)


def admit(table: Table, host: PersonNumber, command: Admit) -> events.Joined | events.TurnedAway:
    """The host lets somebody in who has knocked, or does not."""
    must_host(table, host)
    person = next((each for each in table.waiting if each.number == command.person), None)
    if person is None:
        raise RefusedError("nobody_waits")
    if not command.yes:
        return events.TurnedAway(person.number)
    return events.Joined(person, free_chair(table, None), table.promises.get(person.number))


def kick(table: Table, host: PersonNumber, command: Kick) -> events.Left:
    """The host asks somebody to go."""
    must_host(table, host)
    if command.person not in table.people or command.person == host:
        raise RefusedError("nobody_to_ask")
    return events.Left(command.person, asked=True)


def open_door(table: Table, host: PersonNumber) -> events.DoorOpened:
    """From now on nobody has to knock."""
    must_host(table, host)
    if not table.knock:
        raise RefusedError("door_open")
    return events.DoorOpened()


def free_chair(table: Table, wanted: Chair | None) -> Chair:
    """The chair that is wanted, if it is free; else the first free one."""
    free = [n for n, seating in enumerate(table.chairs) if seating.kind == "open"]
    if not free:
        raise RefusedError("full")
    chair = free[0] if wanted is None else wanted
    if chair not in free:
        raise RefusedError("taken", chair=chair + 1)
    return chair


def sit(table: Table, person: PersonNumber, command: Sit) -> events.Sat:
    """Somebody changes the chair or the colour."""
    must_gather(table)
    must_be_open(table)
    own = table.chair_of(person)
    if own is None:
        return sit_again(table, person, command)
    chair = own if command.chair is None else must_exist(table, command.chair)
    if chair != own and table.chairs[chair].kind == "human":
        raise RefusedError("taken", chair=chair + 1)
    colour = table.chairs[chair].colour if command.colour is None else command.colour
    others = [n for n in range(len(table.chairs)) if n not in (own, chair)]
    if any(table.chairs[n].colour == colour and table.chairs[n].kind == "human" for n in others):
        raise RefusedError("colour_taken")
    return events.Sat(person, chair, colour, command.promise)


def sit_again(table: Table, person: PersonNumber, command: Sit) -> events.Sat:
    """Somebody who has not agreed to another game in time takes a free chair after all."""
    if person == table.screen:
        raise RefusedError("no_seat")
    chair = free_chair(table, command.chair)
    return events.Sat(person, chair, table.chairs[chair].colour, command.promise)


def arrange(table: Table, person: PersonNumber, command: Arrange, world: World) -> events.Arranged:
    """The host opens or closes a chair, or puts a bot on it."""
    must_host(table, person)
    must_gather(table)
    must_be_open(table)
    chair = must_exist(table, command.chair)
    if table.chairs[chair].kind == "human":
        raise RefusedError("taken", chair=chair + 1)
    level = known_level(command.level, world.levels()) if command.to == "bot" else None
    if is_strong(level) and not world.charge(table.creator, 0, 1):
        raise RefusedError("too_fast")
    return events.Arranged(chair, command.to, level)


def choose_start(table: Table, person: PersonNumber, command: ChooseStart) -> events.StartChosen:
    """The host says which player begins (R5)."""
    must_host(table, person)
    must_gather(table)
    must_be_open(table)
    if isinstance(command.start, int):
        chair = must_exist(table, command.start)
        if table.chairs[chair].kind == "closed":
            raise RefusedError("chair_closed", chair=chair + 1)
    return events.StartChosen(command.start)


def start(table: Table, person: PersonNumber, world: World) -> events.Started:
    """The host begins the game; the seats are counted from the start player."""
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
