"""What is sent of a table: events as they happen, and everything at once. The browser's types are
made of it.

Numbers count as in Python: seats, chairs and palaces from 0.
"""

from typing import Literal, TypeAlias

from msgspec import Raw, Struct

from baghdad.replay.log import LogLine
from baghdad.replay.steps import Shown
from baghdad.rules.ending import Termination
from baghdad.server.domain.agreement import Agreement
from baghdad.server.domain.events import Chair, ChairKind, EventNumber, Milliseconds, PersonNumber


class ShownChair(Struct, frozen=True, gc=False, omit_defaults=True):
    """A chair as everybody sees it."""

    kind: ChairKind
    colour: int
    person: PersonNumber | None = None
    name: str | None = None
    level: str | None = None
    stand_in: str | None = None
    """The bot that plays while the player is absent."""
    promise: str | None = None
    """SHA-256 of the number that comes from there to the deal."""
    number: str | None = None
    """That number, once it was brought."""
    left_out: bool = False
    """The number was not there in time, and does not count."""


class ShownProposal(Struct, frozen=True, gc=False):
    """That the game be ended without a winner (R28); shown for a round."""

    person: PersonNumber
    """Who has proposed it."""
    agreed: tuple[PersonNumber, ...]
    people: tuple[PersonNumber, ...]
    """People who are still asked."""
    bots: tuple[int, ...]
    """Seats of bots that are still asked."""
    refused: PersonNumber | None
    refused_seat: int | None
    """The person who wants to play on, or the seat of a bot. Then nobody is asked any more."""


class Waiting(Struct, frozen=True, gc=False):
    """Somebody who has knocked."""

    person: PersonNumber
    name: str


class ShownTable(Struct, frozen=True, gc=False):
    """A table as everybody sees it."""

    code: str
    agreement: Agreement
    chairs: tuple[ShownChair, ...]
    order: tuple[Chair, ...]
    """By seat: its chair. Empty while people gather."""
    host: PersonNumber
    hushed: bool
    state: Literal["gathering", "playing", "over"]
    games: int
    promise: str
    """SHA-256 of the server's secret. All chance follows from it and from the chairs' numbers."""
    seed: str | None
    """The secret itself, after the end."""
    offers: tuple[PersonNumber, ...] = ()
    """People who want another game, after the end."""
    declines: tuple[PersonNumber, ...] = ()
    """People who do not want one now."""
    knock: bool = False
    """Whoever wants to sit down needs the host's yes: somebody was asked to go."""
    waiting: tuple[Waiting, ...] = ()
    """Those about whom the host is being asked."""
    lesson: bool = False
    """This game is the guided one."""
    termination: Termination | None = None
    """How the game has ended where no move has ended it."""
    resigned: tuple[int, ...] = ()
    """Seats whose players have given up: they have lost, even if a bot wins for the seat."""
    proposal: ShownProposal | None = None


class Own(Struct, frozen=True, gc=False):
    """What only the seat itself sees."""

    seat: int
    hand: tuple[int, ...]
    legal: tuple[int, ...]
    """The actions it may take now; none while it is not its turn."""
    undo: bool


class Clock(Struct, frozen=True, gc=False):
    """Times, where the table has a clock."""

    since: Milliseconds
    """When the turn of the seat that decides began."""
    deadline: Milliseconds | None
    used: tuple[Milliseconds, ...]


class EventMessage(
    Struct, frozen=True, gc=False, tag="event", tag_field="type", omit_defaults=True
):
    """An event, as one audience may see it."""

    number: EventNumber
    at: Milliseconds
    kind: str
    """The kind of event: `moved`, `joined`, `chatted` …"""
    lines: tuple[LogLine, ...] = ()
    seat: int | None = None
    action: int | None = None
    person: PersonNumber | None = None
    text: str | None = None
    """What was said, or the name of the emote."""
    drawn: tuple[tuple[int, int], ...] = ()
    """Seat and number of palace cards, for every deal and draw."""
    cards: str = ""
    """The letters of those that came to this audience's own seat."""
    robbed: tuple[int, ...] = ()
    """Palaces where a chest was taken."""
    table: ShownTable | None = None
    """Where the table itself has changed."""
    shown: Shown | Raw | None = None
    """The position after it, where the game has changed."""
    own: Own | None = None
    clock: Clock | None = None


class Snapshot(Struct, frozen=True, tag="snapshot", tag_field="type"):
    """Everything that an audience may know now."""

    number: EventNumber
    at: Milliseconds
    people: tuple[PersonNumber, ...]
    """Whom this device can act for."""
    person: PersonNumber | None
    """Whose eyes this is seen with; none for a spectator."""
    table: ShownTable
    shown: Shown | None
    own: Own | None
    clock: Clock | None
    log: tuple[EventMessage, ...]
    """The lines of this game so far, without positions."""
    present: tuple[PersonNumber, ...]
    """People who are connected."""
    hands: tuple[tuple[int, ...], ...] | None = None
    """All hands, after the end, where everybody may see them."""


class Answer(Struct, frozen=True, gc=False, tag="answer", tag_field="type", omit_defaults=True):
    """What became of a command."""

    id: str
    result: Literal["accepted", "refused", "stale", "failed"]
    number: EventNumber
    """Accepted: the event that it made. Else the last event of the table."""
    rule: str | None = None
    reason: str | None = None
    """Why it was refused, in the language asked for."""
    key: str | None = None
    """The same as a key of the catalogue."""
    missing: tuple[EventMessage, ...] = ()
    """Stale: what the sender did not know yet. On a socket it has been sent already."""


class Presence(Struct, frozen=True, tag="present", tag_field="type"):
    """Who is connected now."""

    people: tuple[PersonNumber, ...]


class Heartbeat(Struct, frozen=True, tag="beat", tag_field="type"):
    """Nothing has happened, and the connection lives."""

    at: Milliseconds


class Page(Struct, frozen=True):
    """Events after a number; `more` where there are others after these."""

    number: EventNumber
    events: tuple[EventMessage, ...]
    snapshot: Snapshot | None = None
    """In place of events, for a client that is too far behind."""
    more: bool = False


ToClient: TypeAlias = Snapshot | EventMessage | Answer | Presence | Heartbeat
"""What comes over a socket."""
