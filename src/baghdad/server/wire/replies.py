"""What is answered over plain HTTP beside a table's events: lists, lobby, records, transfers."""

from typing import Literal

from msgspec import Struct

from baghdad.rules.ending import Termination
from baghdad.server.domain.agreement import Agreement
from baghdad.server.domain.commands import Colour
from baghdad.server.domain.events import Milliseconds, PersonNumber

from .requests import TransferredGame


class Key(Struct, frozen=True):
    """The secret that opens one seat; shown once, kept by the client."""

    person: PersonNumber
    secret: str


class Welcome(Struct, frozen=True, omit_defaults=True):
    """A table was set up, or joined."""

    code: str
    keys: tuple[Key, ...]
    waiting: bool = False
    """The host is being asked: the secret opens a seat once the answer is yes."""


class SummaryPlayer(Struct, frozen=True, gc=False, omit_defaults=True):
    """A place in a summary: a person has a name, a bot a level, a free chair neither."""

    colour: int
    person: PersonNumber | None = None
    name: str | None = None
    level: str | None = None
    chests: int | None = None
    """None before the game, and for spectators who see nothing of it."""


class Summary(Struct, frozen=True, gc=False):
    """A table in a list of games: enough to know who plays, how it stands and whose turn it is."""

    code: str
    state: Literal["gathering", "playing", "over"]
    at: Milliseconds
    """When something last happened."""
    games: int
    """Games begun at this table."""
    people: tuple[PersonNumber, ...]
    """Whom this device can act for."""
    players: tuple[SummaryPlayer, ...]
    """By seat; by chair while people gather."""
    needed: int
    """Chests that win."""
    turn: int | None = None
    """The seat whose turn it is."""
    winner: int | None = None
    """The seat that has won; none where nobody has."""
    termination: Termination | None = None
    """How the game has ended where no move has ended it."""
    resigned: tuple[int, ...] = ()
    """Seats whose players have given up: they have lost, even if the seat has won."""


class PlayedGame(Struct, frozen=True, gc=False):
    """A game of a table, finished or going on. Everything is by seat."""

    number: int
    """From 1; its record and its replay are found by it."""
    state: Literal["playing", "over"]
    names: tuple[str, ...]
    """Of people, or the levels of bots."""
    colours: tuple[Colour, ...]
    bots: tuple[str | None, ...]
    people: tuple[PersonNumber | None, ...]
    loot: tuple[int, ...]
    winner: int | None = None
    ended: Milliseconds | None = None
    termination: Termination | None = None
    """How it has ended where no move has ended it."""
    resigned: tuple[int, ...] = ()
    """Seats whose players have given up: they have lost, even if the seat has won."""
    lent: tuple[PersonNumber, ...] = ()
    """People who let puzzles be made of it."""


class PlayedGames(Struct, frozen=True):
    """All games of a table that the asker may see, the first one first."""

    games: tuple[PlayedGame, ...]


class TransferPeek(Struct, frozen=True):
    """How much a ticket would bring to this device."""

    games: int
    seats: int
    seconds: int
    """How long it is still good for."""


class ClaimedTransfer(Struct, frozen=True):
    """The list of games that has come to this device."""

    name: str
    games: tuple[TransferredGame, ...]


class SeatCount(Struct, frozen=True):
    """How many people this device can act for at a table."""

    seats: int


class ListedTable(Struct, frozen=True):
    """A table in the lobby."""

    code: str
    host: str
    agreement: Agreement
    free: int
    """Open chairs."""
    created: Milliseconds


class Lobby(Struct, frozen=True):
    """Tables that anybody may join."""

    tables: tuple[ListedTable, ...]


class LevelInfo(Struct, frozen=True):
    """An opponent for people."""

    name: str
    about: str


class Levels(Struct, frozen=True):
    """Opponents for people, the weakest first."""

    levels: tuple[LevelInfo, ...]


class Proof(Struct, frozen=True):
    """Whether all chance of a record follows from what was promised before the game."""

    fair: bool
    reason: str
    shares: tuple[Literal["brought", "left_out", "none"], ...] = ()
    """By seat, where it is fair: whose number counts, and who promised one that never came."""


class Reach(Struct, frozen=True):
    """How other devices get to this server."""

    addresses: tuple[str, ...]
    """URLs without a path, the likely one first. None are told to visitors from elsewhere."""
    public: str | None
    """The one URL for everybody, where the operator has named one."""
    open: bool
    """Whether other devices can connect at all."""


class Problem(Struct, frozen=True, omit_defaults=True):
    """Why a request was not carried out, and what to do."""

    reason: str
    key: str | None = None
    rule: str | None = None
