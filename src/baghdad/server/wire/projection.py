"""What each audience is sent of an event.

What a seat is sent depends only on what it may know. All that is public is reckoned and encoded
once for each event, however many look on.
"""

from typing import Any

from msgspec import Raw, Struct

from baghdad.replay.log import robbed
from baghdad.rules.engine.material import Seat
from baghdad.rules.game import Game
from baghdad.server.domain import events
from baghdad.server.domain.events import PersonNumber, StoredEvent
from baghdad.server.domain.table import Table

from .codec import encode
from .log import lines_of
from .messages import EventMessage, Own
from .visibility import clock_of, from_outside, hidden, own_at, shown_table


class Projection(Struct, frozen=True, gc=False):
    """An event with all that any audience could be sent of it: what `message_for` chooses from."""

    stored: StoredEvent
    public: EventMessage
    """Without a position, a hand or cards."""
    position: bytes | None
    """The position, encoded once for all."""
    own: dict[PersonNumber, Own]
    """By person: what only that one may see."""
    cards: dict[PersonNumber, str]
    """By person: the cards that came to the own hand."""
    in_game: bool
    """Whether there was a game: where nobody may watch, spectators see none of it."""
    insiders: frozenset[PersonNumber]
    """People at the table then. Whoever came later is a spectator of what was before."""


def project(before: Table, after: Table, stored: StoredEvent) -> Projection:
    """An event, seen from all sides."""
    event, game = stored.event, after.game
    if after.changed != stored.number:
        game = None  # it is as it was
    drawn, cards = draws(before, event)
    own, own_cards = _for_players(after, game, cards) if game is not None else ({}, {})
    return Projection(
        stored,
        EventMessage(
            stored.number,
            stored.at,
            kind_of(event),
            lines=lines_of(before, after, event),
            seat=getattr(event, "seat", None),
            action=event.action if isinstance(event, events.Moved) else None,
            person=person_of(event),
            text=text_of(event),
            drawn=drawn,
            robbed=robbed_by(before, after, event),
            table=shown_table(after) if table_changes(before, after, event) else None,
            clock=clock_of(after) if game is not None else None,
        ),
        encode(game.shown()) if game is not None else None,
        own,
        own_cards,
        after.game is not None,
        after.insiders,
    )


def _for_players(
    table: Table, game: Game, cards: dict[Seat, str]
) -> tuple[dict[PersonNumber, Own], dict[PersonNumber, str]]:
    """By person: what only that one may see, and the cards that came to the own hand."""
    own: dict[PersonNumber, Own] = {}
    own_cards: dict[PersonNumber, str] = {}
    for seat, chair in enumerate(table.order):
        person = table.chairs[chair].person
        # Whoever has given up sees no more of the hand than a spectator.
        if person is not None and not table.has_given_up(seat):
            own[person] = own_at(table, game, seat)
            if seat in cards:
                own_cards[person] = cards[seat]
    return own, own_cards


def table_changes(before: Table, after: Table, event: events.AnyEvent) -> bool:
    """Whether more than the position is other than before: chairs, people, an end, a proposal."""
    if isinstance(event, events.ACTS):
        lapsed = before.recent_proposal is not None and after.recent_proposal is None
        return after.over or lapsed
    return not isinstance(event, events.CHAT_EVENTS)


def message_for(projection: Projection, table: Table, person: PersonNumber | None) -> EventMessage:
    """An event as one person sees it, or a spectator (None)."""
    public = projection.public
    if not projection.in_game:
        return public
    if person not in projection.insiders and hidden(table):
        shown = public.table and from_outside(public.table)
        return EventMessage(public.number, public.at, public.kind, table=shown)
    if projection.position is None:
        return public
    return EventMessage(
        public.number,
        public.at,
        public.kind,
        public.lines,
        public.seat,
        public.action,
        public.person,
        public.text,
        public.drawn,
        projection.cards.get(person, "") if person is not None else "",
        public.robbed,
        public.table,
        Raw(projection.position),
        projection.own.get(person) if person is not None else None,
        public.clock,
    )


# What an event tells

DEALING = (events.Moved, events.Started, events.Brought, events.LeftOut)
"""Events with which cards may come."""


def kind_of(event: events.AnyEvent) -> str:
    """The name of its kind, as it is stored and sent."""
    return str(type(event).__struct_config__.tag)


def person_of(event: events.AnyEvent) -> PersonNumber | None:
    """Whose doing it was, where it was not a seat's."""
    if isinstance(event, (events.Joined, events.Knocked)):
        return event.person.number
    person: Any = getattr(event, "person", None)
    return person if isinstance(person, int) else None


def text_of(event: events.AnyEvent) -> str | None:
    """What was said, or the name of the emote."""
    if isinstance(event, events.Chatted):
        return event.text
    return event.emote if isinstance(event, events.Emoted) else None


def robbed_by(before: Table, after: Table, event: events.AnyEvent) -> tuple[int, ...]:
    """Palaces where an event has taken a chest away."""
    if not isinstance(event, events.Moved) or before.game is None or after.game is None:
        return ()
    return robbed(before.game.chests, after.game.chests)


def draws(
    before: Table, event: events.AnyEvent
) -> tuple[tuple[tuple[Seat, int], ...], dict[Seat, str]]:
    """Who got how many palace cards, and which."""
    if not isinstance(event, DEALING) or not event.chance:
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
