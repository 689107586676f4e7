"""What clients send: commands to a table, records to look at, seats to take elsewhere."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct, field

from baghdad.server.domain.codes import CODE_PATTERN
from baghdad.server.domain.commands import NAME_LENGTH, AnyCommand, Hex
from baghdad.server.domain.events import PersonNumber

ID_LENGTH = 64
"""Room for a UUID and then some."""
RECORD_LENGTH = 200_000
"""Characters of a record; with what surrounds it, it fits into the largest request."""
MOST_GAMES = 200
"""In one transfer to another device: more than anybody has."""

TicketText: TypeAlias = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{22}$")]


class CommandMessage(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A command with an id of its own, so that it happens once however often it is sent."""

    id: Annotated[str, Meta(min_length=1, max_length=ID_LENGTH, pattern="^[!-~]+$")]
    """Letters, digits and signs of ASCII; a UUID is good."""
    version: Annotated[int, Meta(ge=0)]
    """The number of the last event that the sender knows."""
    command: AnyCommand = field(name="wish")
    person: PersonNumber | None = None
    """The person whose command it is, where a device holds several people's secrets."""


class ReplayRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A game record to look at."""

    record: Annotated[str, Meta(max_length=RECORD_LENGTH)]


class VerifyRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A game record to prove, with what somebody has noted of it."""

    record: Annotated[str, Meta(max_length=RECORD_LENGTH)]
    promise: Hex | None = None
    """The table's promise, as noted before the game; else the record's own counts."""
    number: Hex | None = None
    """The number that the own device has brought: it must count."""


class TransferredGame(Struct, frozen=True, forbid_unknown_fields=True):
    """A game in the list that goes to another device."""

    code: Annotated[str, Meta(pattern=CODE_PATTERN)]
    view: Literal["table", "learn", "screen", "hand"] = "table"
    """How it is looked at."""
    at: Annotated[int, Meta(ge=0, le=2**53)] = 0
    """When it was last opened."""
    numbers: Annotated[tuple[Hex, ...], Meta(max_length=4)] = ()
    """Numbers promised for the deal, sealed with a key that the server is not told."""


class NewTransfer(Struct, frozen=True, forbid_unknown_fields=True):
    """A list of games that shall go to another device, with the name to play under."""

    games: Annotated[tuple[TransferredGame, ...], Meta(max_length=MOST_GAMES)] = ()
    name: Annotated[str, Meta(max_length=NAME_LENGTH)] = ""


class TransferTicket(Struct, frozen=True, forbid_unknown_fields=True):
    """What takes seats to another device, once."""

    ticket: TicketText
    seconds: Annotated[int, Meta(ge=0)] = 0
    """How long it is good for."""


class TransferClaim(Struct, frozen=True, forbid_unknown_fields=True):
    """A device that has come with a ticket."""

    ticket: TicketText
    claimant: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{22,64}$")]
    """Random, chosen by the device: it alone may ask again."""
