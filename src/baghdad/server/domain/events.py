"""What has happened at a table. Events are stored as they are here, and never changed.

One command makes one event. Nothing here is sent to anybody: `wire.projection` decides what of it
is shown to whom.
"""

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from .agreement import Agreement, FirstPlayer

EventNumber: TypeAlias = int
"""Of an event at its table, from 1; a table's version is the number of its last event."""
Chair: TypeAlias = int
"""A place at the table, from 0, clockwise. Seats are chairs counted from the start player."""
PersonNumber: TypeAlias = int
"""Of a person at a table, from 0: the host. Numbers are not used again."""
Milliseconds: TypeAlias = int

ChairKind: TypeAlias = Literal["open", "closed", "bot", "human"]


class Person(Struct, frozen=True, gc=False):
    """Somebody at the table, known by a secret of which only the hash is kept."""

    number: PersonNumber
    name: str
    secret: str
    """SHA-256 in hexadecimal."""


class Seating(Struct, frozen=True, gc=False, omit_defaults=True, kw_only=True):
    """Who or what is on a chair."""

    kind: ChairKind = "open"
    colour: Annotated[int, Meta(ge=0, le=3)]
    """Colour and mark of the pieces, in the order of the seats' own: green circle first."""
    person: PersonNumber | None = None
    level: str | None = None


class Event(Struct, frozen=True, gc=False, tag_field="kind", omit_defaults=True):
    """Something that has happened."""


class Created(Event, frozen=True, tag="created"):
    """A table is set up, with its host and all who share the host's device."""

    agreement: Agreement
    chairs: tuple[Seating, ...]
    people: tuple[Person, ...]
    seed: str
    """Of the first game. Nobody learns it before that game's end, unless it is the lesson's."""
    lesson: bool = False
    """The first game is the guided one, whose deal is known."""
    promise: str | None = None
    """SHA-256 of the number that the host's device will bring to the deal."""
    creator: str | None = None
    """The same for all tables that one address has set up in one run of the server, and unlike any
    other; nobody can find the address by it."""


class Joined(Event, frozen=True, tag="joined"):
    """Somebody sits down."""

    person: Person
    chair: Chair
    promise: str | None = None
    """SHA-256 of the number that the device will bring to the deal."""


class Knocked(Event, frozen=True, tag="knocked"):
    """Somebody wants to sit down, and the host is asked."""

    person: Person
    promise: str | None = None


class TurnedAway(Event, frozen=True, tag="turned_away"):
    """The host has said no to somebody who has knocked."""

    person: PersonNumber


class DoorOpened(Event, frozen=True, tag="door_opened"):
    """Everybody may sit down again without knocking."""


class Sat(Event, frozen=True, tag="sat"):
    """Somebody changes the chair, the colour, or the number promised for the deal."""

    person: PersonNumber
    chair: Chair
    colour: int
    promise: str | None = None


class Left(Event, frozen=True, tag="left"):
    """Somebody has gone, or was asked to go by the host: from then on newcomers knock."""

    person: PersonNumber
    asked: bool = False


class Arranged(Event, frozen=True, tag="arranged"):
    """The host opens or closes a chair, or puts a bot on it."""

    chair: Chair
    to: Literal["open", "closed", "bot"]
    level: str | None = None


class StartChosen(Event, frozen=True, tag="start_chosen"):
    """The host has said who begins (R5)."""

    start: FirstPlayer


class Started(Event, frozen=True, tag="started"):
    """The game begins."""

    order: tuple[Chair, ...]
    """By seat: its chair. Closed and open chairs are not in the game."""
    chance: tuple[str, ...] = ()
    promises: tuple[str | None, ...] = ()
    """By seat, from now on fixed: SHA-256 of the number to come; none where nobody promised any."""


class Brought(Event, frozen=True, tag="brought"):
    """A seat's device has brought its number to the deal."""

    seat: int
    number: str
    chance: tuple[str, ...] = ()
    """The deal, where it waited for this number alone."""


class LeftOut(Event, frozen=True, tag="left_out"):
    """The deal does not wait any longer for numbers of these seats."""

    seats: tuple[int, ...]
    chance: tuple[str, ...] = ()


class Moved(Event, frozen=True, tag="moved"):
    """A seat has taken an action, and chance has followed it."""

    seat: int
    action: int
    chance: tuple[str, ...] = ()
    """Tokens of the deals and the draw that came after it, for the record."""
    instead: bool = False
    """A bot had no answer in time: a simple legal action was taken in its place."""


class Undone(Event, frozen=True, tag="undone"):
    """A seat has taken its last action back (R22, R23: never beyond a drawn card)."""

    seat: int


class Chatted(Event, frozen=True, tag="chatted"):
    """Somebody has said something."""

    person: PersonNumber
    text: str


class Emoted(Event, frozen=True, tag="emoted"):
    """Somebody has made a face."""

    person: PersonNumber
    emote: str


class Hushed(Event, frozen=True, tag="hushed"):
    """The host has switched chat off, or on again."""

    off: bool


class StoodIn(Event, frozen=True, tag="stood_in"):
    """A bot plays for somebody who is absent."""

    seat: int
    level: str


class Returned(Event, frozen=True, tag="returned"):
    """The player has the seat back."""

    seat: int


class Resigned(Event, frozen=True, tag="resigned"):
    """Somebody has given up (R28): the other has won, or a bot plays the seat on."""

    person: PersonNumber
    seat: int


class EndProposed(Event, frozen=True, tag="end_proposed"):
    """Somebody proposes to end the game without a winner (R28), and so agrees to it."""

    person: PersonNumber


class EndAnswered(Event, frozen=True, tag="end_answered"):
    """Somebody, or the bot of a seat, agrees to that or does not."""

    yes: bool
    person: PersonNumber | None = None
    seat: int | None = None


class Ended(Event, frozen=True, tag="ended"):
    """The game is over, though nobody has done anything (R27, R28)."""

    how: Literal["abandoned", "turn limit"]


class Offered(Event, frozen=True, tag="offered"):
    """Somebody wants another game after this one, or agrees to it."""

    person: PersonNumber
    promise: str | None = None
    """SHA-256 of the number that the device will bring to its deal."""


class Declined(Event, frozen=True, tag="declined"):
    """Somebody does not want another game now."""

    person: PersonNumber


class Rematched(Event, frozen=True, tag="rematched"):
    """The people gather for another game."""

    seed: str
    without: tuple[PersonNumber, ...] = ()
    """Those who have not agreed: their chairs are open now."""
    promise: tuple[PersonNumber, str] | None = None
    """Of the person who has agreed last, or gone ahead."""


class Lent(Event, frozen=True, tag="lent"):
    """Somebody lets puzzles be made of a finished game, or takes that back."""

    person: PersonNumber
    game: int
    """From 1."""
    yes: bool


AnyEvent: TypeAlias = (
    Created
    | Joined
    | Knocked
    | TurnedAway
    | DoorOpened
    | Sat
    | Left
    | Arranged
    | StartChosen
    | Started
    | Brought
    | LeftOut
    | Moved
    | Undone
    | Chatted
    | Emoted
    | Hushed
    | StoodIn
    | Returned
    | Resigned
    | EndProposed
    | EndAnswered
    | Ended
    | Offered
    | Declined
    | Rematched
    | Lent
)

ACTS = (Moved, Undone)
"""Events by which a seat plays."""
CHAT_EVENTS = (Chatted, Emoted)
"""Events that leave everything else as it is."""
SIDE_EVENTS = (
    *CHAT_EVENTS,
    Offered,
    Declined,
    Knocked,
    TurnedAway,
    DoorOpened,
    EndProposed,
    EndAnswered,
    Lent,
)
"""Events that leave game and chairs as they are, unless they end the game."""


def outdates_commands(event: AnyEvent) -> bool:
    """Whether a client that does not know of an event could want something else after it."""
    deal_waits_on = isinstance(event, (Brought, LeftOut)) and not event.chance
    return not deal_waits_on and not isinstance(event, SIDE_EVENTS)


class StoredEvent(Struct, frozen=True, gc=False):
    """An event in its place at the table, as it is stored."""

    number: EventNumber
    at: Milliseconds
    event: AnyEvent
    command_id: str = ""
    """Of its command: unique at a table, so that a command that is sent again is found."""


encode_event = msgspec.json.Encoder().encode
decode_event = msgspec.json.Decoder(AnyEvent).decode
