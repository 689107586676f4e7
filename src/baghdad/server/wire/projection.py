"""Who sees what of a table and of its events: an allow-list, built up from nothing.

What a seat is sent depends only on what it may know. All that is public is reckoned and encoded
once for each event, however many look on.
"""

from typing import Any, Literal

import msgspec
from msgspec import Raw, Struct

from baghdad.rules.engine.material import CHESTS_TO_WIN, Seat
from baghdad.rules.game import Game
from baghdad.server.domain import events
from baghdad.server.domain.events import (
    Chair,
    Milliseconds,
    PersonNumber,
    Seating,
    StoredEvent,
)
from baghdad.server.domain.table import Table

from .log import lines_of, robbed
from .messages import (
    Clock,
    Happened,
    Own,
    Shown,
    ShownChair,
    ShownProposal,
    ShownTable,
    Snapshot,
    Summary,
    SummaryPlayer,
    Waiting,
)

encode = msgspec.json.Encoder().encode


class Projection(Struct, frozen=True, gc=False):
    """An event with all that any audience could be sent of it: what `happened` chooses from."""

    stored: StoredEvent
    public: Happened
    """Without a position, a hand or cards."""
    position: bytes | None
    """The position, encoded once for all."""
    owns: dict[PersonNumber, Own]
    """By person: what only that one may see."""
    cards: dict[PersonNumber, str]
    """By person: the cards that came to the own hand."""
    seated: bool
    """Whether the game was running: where nobody may watch, spectators see none of it."""
    insiders: frozenset[PersonNumber]
    """Who was at the table then. Whoever came later is a spectator of what was before."""


def project(before: Table, after: Table, stored: StoredEvent) -> Projection:
    """An event, seen from all sides."""
    event = stored.event
    talk = isinstance(event, events.CHAT_EVENTS)
    aside = events.is_aside(event) and after.over == before.over
    in_turn = isinstance(event, events.Moved | events.Undone)
    lapsed = before.recent_proposal is not None and after.recent_proposal is None
    table_changed = after.over or lapsed if in_turn else not talk
    drawn, cards = draws(before, event)
    game_changed = after.game is not None and not aside
    owns: dict[PersonNumber, Own] = {}
    got: dict[PersonNumber, str] = {}
    for seat, chair in enumerate(after.order if game_changed else ()):
        person = after.chairs[chair].person
        # Whoever has given up sees no more of the hand than a spectator.
        if person is not None and after.game is not None and after.seat_of(person) is not None:
            owns[person] = own_at(after, after.game, seat)
            if seat in cards:
                got[person] = cards[seat]
    return Projection(
        stored,
        Happened(
            stored.number,
            stored.at,
            kind_of(event),
            lines=lines_of(before, after, event),
            seat=getattr(event, "seat", None),
            action=event.action if isinstance(event, events.Moved) else None,
            person=person_of(event),
            text=said(event),
            drawn=drawn,
            robbed=robbed_by(before, after, event),
            table=shown_table(after) if table_changed else None,
            clock=clock_of(after) if game_changed else None,
        ),
        encode(after.game.shown()) if game_changed and after.game else None,
        owns,
        got,
        after.game is not None,
        frozenset(filter(after.is_insider, after.people)),
    )


def message_for(moment: Projection, table: Table, person: PersonNumber | None) -> Happened:
    """An event as one person sees it, or a spectator (None)."""
    public = moment.public
    if not moment.seated:
        return public
    if person not in moment.insiders and hidden(table):
        shown = public.table and from_outside(public.table)
        return Happened(public.number, public.at, public.kind, table=shown)
    if moment.position is None:
        return public
    return Happened(
        public.number,
        public.at,
        public.kind,
        public.lines,
        public.seat,
        public.action,
        public.person,
        public.text,
        public.drawn,
        moment.cards.get(person, "") if person is not None else "",
        public.robbed,
        public.table,
        Raw(moment.position),
        moment.owns.get(person) if person is not None else None,
        public.clock,
    )


def snapshot(
    table: Table,
    now: Milliseconds,
    person: PersonNumber | None,
    people: tuple[PersonNumber, ...],
    present: tuple[PersonNumber, ...],
    log: tuple[Happened, ...],
) -> Snapshot:
    """Everything that one person may know now, or a spectator (None)."""
    outside = hidden(table) and table.game is not None and not table.is_insider(person)
    game = None if outside else table.game
    return Snapshot(
        number=table.number,
        at=now,
        people=people,
        person=person,
        table=from_outside(shown_table(table)) if outside else shown_table(table),
        shown=shown_of(game) if game is not None else None,
        own=own_of(table, person) if person is not None else None,
        clock=clock_of(table) if game is not None else None,
        log=() if outside else log,
        present=present,
        hands=open_hands(table, person),
    )


def summary(table: Table, at: Milliseconds, people: tuple[PersonNumber, ...]) -> Summary:
    """What a list of games says of a table. `at` is the time of its last event."""
    game = None if hidden(table) and out(table, people) else table.game
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


def hidden(table: Table) -> bool:
    """Whether spectators see nothing of the game."""
    return table.agreement.watching == "nobody"


def out(table: Table, people: tuple[PersonNumber, ...]) -> bool:
    """Whether none of these people is at the table."""
    return not any(map(table.is_insider, people))


def open_hands(table: Table, person: PersonNumber | None) -> tuple[tuple[int, ...], ...] | None:
    """All hands, after the end: for the players, and for spectators where that was agreed."""
    game = table.game
    if game is None or not game.over:
        return None
    if table.seat_of(person) is None and table.agreement.watching != "open":
        return None
    return tuple(tuple(game.hand(seat)) for seat in range(game.options.players))


def shown_of(game: Game) -> Shown:
    return msgspec.convert(game.shown(), Shown)


def own_of(table: Table, person: PersonNumber) -> Own | None:
    seat, game = table.seat_of(person), table.game
    return None if seat is None or game is None else own_at(table, game, seat)


def own_at(table: Table, game: Game, seat: Seat) -> Own:
    hand = tuple(game.hand(seat))
    if game.to_move != seat:
        return Own(seat, hand, (), False)
    return Own(seat, hand, tuple(game.legal()), table.may_undo(seat))


def shown_table(table: Table) -> ShownTable:
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
                *brings(table, number),
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


def brings(table: Table, chair: Chair) -> tuple[str | None, str | None, bool]:
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
    proposal = table.recent_proposal
    if proposal is None:
        return None
    people, bots = table.unanswered
    refused = proposal.refused, proposal.refused_seat
    return ShownProposal(proposal.person, proposal.agreed, people, bots, *refused)


def state_of(table: Table) -> Literal["gathering", "playing", "over"]:
    if table.game is None:
        return "gathering"
    return "over" if table.game.over else "playing"


def from_outside(shown: ShownTable) -> ShownTable:
    """For those who see nothing of the game: with the seed they could deal its cards again."""
    return msgspec.structs.replace(
        shown,
        seed=None,
        offers=(),
        declines=(),
        termination=None,
        resigned=(),
        proposal=None,
    )


def clock_of(table: Table) -> Clock | None:
    agreement = table.agreement
    if not (agreement.move_seconds or agreement.game_seconds):
        return None
    return Clock(table.on_since, deadline(table), table.used)


def deadline(table: Table) -> Milliseconds | None:
    """When the time of the seat on turn is up; none where there is no clock."""
    seat, agreement = table.on_turn, table.agreement
    if seat is None or not table.playing:
        return None
    ends = []
    if agreement.move_seconds:
        ends.append(table.on_since + 1000 * agreement.move_seconds)
    if agreement.game_seconds:
        left = max(0, 1000 * agreement.game_seconds - table.used[seat])
        ends.append(table.on_since + left)
    return min(ends, default=None)


# What an event says


def kind_of(event: events.AnyEvent) -> str:
    tag = type(event).__struct_config__.tag
    return str(tag)


def person_of(event: events.AnyEvent) -> PersonNumber | None:
    if isinstance(event, events.Joined | events.Knocked):
        return event.person.number
    person: Any = getattr(event, "person", None)
    return person if isinstance(person, int) else None


def said(event: events.AnyEvent) -> str | None:
    if isinstance(event, events.Chatted):
        return event.text
    return event.emote if isinstance(event, events.Emoted) else None


def robbed_by(before: Table, after: Table, event: events.AnyEvent) -> tuple[int, ...]:
    if not isinstance(event, events.Moved) or before.game is None or after.game is None:
        return ()
    return robbed(before.game.chests, after.game.chests)


def draws(
    before: Table, event: events.AnyEvent
) -> tuple[tuple[tuple[Seat, int], ...], dict[Seat, str]]:
    """Who got how many palace cards, and which."""
    dealing_events = events.Moved | events.Started | events.Brought | events.LeftOut
    if not isinstance(event, dealing_events) or not event.chance:
        return (), {}
    if isinstance(event, events.Moved) and not dealing(before):
        seats = [event.seat]
    else:
        seats = list(range(len(event.chance)))
    letters = [token[1:] for token in event.chance]
    drawn = tuple((seat, len(cards)) for seat, cards in zip(seats, letters, strict=True))
    return drawn, dict(zip(seats, letters, strict=True))


def dealing(before: Table) -> bool:
    """Whether guards were still being placed: then cards that come are the deal (R7)."""
    return before.game is not None and before.game.placing
