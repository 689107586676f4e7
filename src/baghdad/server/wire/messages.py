"""The words of the wire: what clients send and what they get. The browser's types are made of it.

Numbers count as in Python: seats, chairs and palaces from 0.
"""

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Raw, Struct

from baghdad.rules.ending import Termination
from baghdad.server.domain.events import (
    Agreement,
    Chair,
    ChairKind,
    EventNumber,
    Milliseconds,
    PersonNumber,
)
from baghdad.server.domain.events import Start as WhoBegins

NAME_LENGTH = 24
"""Fits on a player's board on a phone."""
CHAT_LENGTH = 280
"""A thought, not a text."""
ID_LENGTH = 64
"""Room for a UUID and then some."""
EMOTES = ("hello", "wow", "laugh", "sad", "think", "cheer", "thanks", "hurry")

MOST_GAMES = 200
"""In one transfer to another device: more than anybody has."""

Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=NAME_LENGTH)]
Level: TypeAlias = Annotated[str, Meta(min_length=1, max_length=40)]
Colour: TypeAlias = Annotated[int, Meta(ge=0, le=3)]
ChairPlace: TypeAlias = Annotated[int, Meta(ge=0, le=3)]
Hex: TypeAlias = Annotated[str, Meta(max_length=64, pattern="^[0-9a-f]{64}$")]
"""256 bits: a number that a device brings to the deal, or its SHA-256, which is its promise. The
pattern alone lets a line's end follow, which no record could hold."""
TicketText: TypeAlias = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{22}$")]


# What clients send


class Wish(Struct, frozen=True, gc=False, tag_field="type", forbid_unknown_fields=True):
    """What somebody wants to happen."""


class Move(Wish, frozen=True, tag="move"):
    """Take an action, by its number in the action table or as a token, in upper or lower case."""

    action: Annotated[int, Meta(ge=0, le=10_000)] | Annotated[str, Meta(max_length=100)]


class Bring(Wish, frozen=True, tag="bring"):
    """Show the number that was promised for the deal. Sent as soon as the game has begun."""

    number: Hex


class Undo(Wish, frozen=True, tag="undo"):
    """Take the last action of this turn back."""


class Start(Wish, frozen=True, tag="start"):
    """The host begins the game."""


class Sit(Wish, frozen=True, tag="sit"):
    """Change to another chair, another colour, or both; promise a number for the deal."""

    chair: ChairPlace | None = None
    colour: Colour | None = None
    promise: Hex | None = None
    """SHA-256 of the number, in place of what was promised before."""


class Leave(Wish, frozen=True, tag="leave"):
    """Go. Whoever leaves a running game gives up (R28)."""


class Resign(Wish, frozen=True, tag="resign"):
    """Give up (R28), at any moment: final, and a loss. With two players the other has won; with
    more a bot plays the seat on. The version does not matter."""


class ProposeEnd(Wish, frozen=True, tag="propose_end"):
    """Propose to end the game without a winner (R28). All people and bots have to agree within a
    round: as many turns as there are players. Once a round. The version does not matter."""


class AnswerEnd(Wish, frozen=True, tag="answer_end"):
    """Agree to end the game without a winner, or don't. The version does not matter."""

    yes: bool


class Kick(Wish, frozen=True, tag="kick"):
    """The host asks somebody to go."""

    person: PersonNumber


class Admit(Wish, frozen=True, tag="admit"):
    """The host lets somebody who has knocked sit down, or says no."""

    person: PersonNumber
    yes: bool


class OpenDoor(Wish, frozen=True, tag="open_door"):
    """The host lets everybody sit down again without knocking."""


class Arrange(Wish, frozen=True, tag="arrange"):
    """The host opens or closes a chair, or puts a bot on it."""

    chair: ChairPlace
    to: Literal["open", "closed", "bot"]
    level: Level | None = None


class ChooseStart(Wish, frozen=True, tag="choose_start"):
    """The host says who begins (R5): chance, or a chair. It holds until the game starts."""

    start: WhoBegins


class Chat(Wish, frozen=True, tag="chat"):
    """Say something to the table."""

    text: Annotated[str, Meta(min_length=1, max_length=CHAT_LENGTH)]


class Emote(Wish, frozen=True, tag="emote"):
    """Make a face."""

    emote: Literal["hello", "wow", "laugh", "sad", "think", "cheer", "thanks", "hurry"]


class Hush(Wish, frozen=True, tag="hush"):
    """The host switches chat off, or on again."""

    off: bool


class Return(Wish, frozen=True, tag="return"):
    """Take the seat back from the bot that stands in."""


class Rematch(Wish, frozen=True, tag="rematch"):
    """Offer another game after this one, or accept it. People gather once all have agreed."""

    now: bool = False
    """The host does not wait for those who have not agreed."""
    promise: Hex | None = None
    """SHA-256 of the number that this device will bring to its deal."""


class Decline(Wish, frozen=True, tag="decline"):
    """No other game now; takes an own offer back."""


AnyCommand: TypeAlias = (
    Move
    | Bring
    | Undo
    | Start
    | Sit
    | Leave
    | Kick
    | Admit
    | OpenDoor
    | Arrange
    | ChooseStart
    | Chat
    | Emote
    | Hush
    | Return
    | Rematch
    | Decline
    | Resign
    | ProposeEnd
    | AnswerEnd
)


class Command(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A wish with a name of its own, so that it happens once however often it is sent."""

    id: Annotated[str, Meta(min_length=1, max_length=ID_LENGTH, pattern="^[!-~]+$")]
    """Letters, digits and signs of ASCII; a UUID is good."""
    version: Annotated[int, Meta(ge=0)]
    """The number of the last event that the sender knows."""
    wish: AnyCommand
    person: PersonNumber | None = None
    """Who wants it, where a device holds several people's secrets."""


class NewChair(Struct, frozen=True, forbid_unknown_fields=True):
    """A chair of a new table. A human one is somebody else on the host's device."""

    kind: ChairKind = "open"
    level: Level | None = None
    name: Name | None = None


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to set up. The host takes the first chair, unless the device is its screen."""

    name: Name
    agreement: Agreement = Agreement()
    chairs: Annotated[tuple[NewChair, ...], Meta(max_length=4)] = ()
    """Those that the host does not take, in order; those not named are open."""
    screen: bool = False
    """The device shows the table to all who sit around it: the host has no chair."""
    lesson: bool = False
    """The guided game: a deal that everybody may know, against one bot. All else is settled."""
    promise: Hex | None = None
    """SHA-256 of the number that this device will bring to the deal; for the host's seat."""


class Join(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody who wants to sit down."""

    name: Name
    chair: ChairPlace | None = None
    secret: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{24,64}$")] | None = None
    """What shall open the seat. Who chooses it may ask again where the answer was lost: the same
    secret sits down once."""
    promise: Hex | None = None
    """SHA-256 of the number that this device will bring to the deal."""


class Text(Struct, frozen=True, forbid_unknown_fields=True):
    """A game record to look at."""

    record: Annotated[str, Meta(max_length=200_000)]


class Claim(Struct, frozen=True, forbid_unknown_fields=True):
    """A game record to prove, with what somebody has noted of it."""

    record: Annotated[str, Meta(max_length=200_000)]
    promise: Hex | None = None
    """The table's promise, as noted before the game; else the record's own counts."""
    number: Hex | None = None
    """The number that the own device has brought: it must count."""


class TransferredGame(Struct, frozen=True, forbid_unknown_fields=True):
    """A game in the list that goes to another device."""

    code: Annotated[str, Meta(pattern="^[2-9A-Z]{6}$")]
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


# What clients get


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
    """Who is still asked."""
    bots: tuple[int, ...]
    """Seats of bots that are still asked."""
    refused: PersonNumber | None
    refused_seat: int | None
    """Who wants to play on; a bot by its seat. Then nobody is asked any more."""


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
    """Who wants another game, after the end."""
    declines: tuple[PersonNumber, ...] = ()
    """Who does not want one now."""
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


class Shown(Struct, frozen=True):
    """The position as everybody sees it; fields as in a view."""

    guards: tuple[tuple[int, ...], ...]
    """[palace, owner]: the four seats, then neutral."""
    thieves: tuple[tuple[int, ...], ...]
    """[palace, seat]"""
    chests: tuple[int, ...]
    """[palace]: left on the terrace; the top one needs 8 minus that many thieves."""
    discard: tuple[int, ...]
    dancers: int
    stock: tuple[int, ...]
    loot: tuple[int, ...]
    unplaced: tuple[tuple[int, ...], ...]
    players: int
    variant: int
    rob: int
    seen: int
    spare: int
    """1: whoever does nothing may name a palace where no dancer is left (R23)."""
    first_hands: tuple[int, ...]
    """[seat]: cards dealt at first; 0 where nobody sits."""
    phase: int
    """0 placing, 1 dealing, 2 a turn, 3 drawing, 4 over"""
    seat: int
    acted: int
    thief_actions: int
    due: int
    named: int
    """The palace whose card is asked for while the draw is pending, or -1."""
    idle: int
    winner: int
    turn: int
    hand_sizes: tuple[int, ...]
    hand_dancers: tuple[int, ...]
    deck_size: int


class Own(Struct, frozen=True, gc=False):
    """What only the seat itself sees."""

    seat: int
    hand: tuple[int, ...]
    legal: tuple[int, ...]
    """The actions it may take now; none while others are on."""
    undo: bool


class Clock(Struct, frozen=True, gc=False):
    """Times, where the table has a clock."""

    since: Milliseconds
    """When the seat on turn came on."""
    deadline: Milliseconds | None
    used: tuple[Milliseconds, ...]


class Line(Struct, frozen=True, gc=False, omit_defaults=True):
    """A line of the public log: a message of the catalogue, and the rule behind it."""

    key: str
    rule: str | None = None
    seat: int | None = None
    values: dict[str, str | int] = {}


class Happened(Struct, frozen=True, gc=False, tag="event", tag_field="type", omit_defaults=True):
    """An event, as one audience may see it."""

    number: EventNumber
    at: Milliseconds
    kind: str
    """The kind of event: `moved`, `joined`, `chatted` …"""
    lines: tuple[Line, ...] = ()
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
    log: tuple[Happened, ...]
    """The lines of this game so far, without positions."""
    present: tuple[PersonNumber, ...]
    """People who are connected."""
    hands: tuple[tuple[int, ...], ...] | None = None
    """All hands, after the end, where everybody may see them."""


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
    missing: tuple[Happened, ...] = ()
    """Stale: what the sender did not know yet. On a socket it has been sent already."""


class Present(Struct, frozen=True, tag="present", tag_field="type"):
    """Who is connected now."""

    people: tuple[PersonNumber, ...]


class Beat(Struct, frozen=True, tag="beat", tag_field="type"):
    """Nothing has happened, and the connection lives."""

    at: Milliseconds


class Page(Struct, frozen=True):
    """Events after a number; `more` where there are others after these."""

    number: EventNumber
    events: tuple[Happened, ...]
    snapshot: Snapshot | None = None
    """In place of events, for a client that is too far behind."""
    more: bool = False


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


class Step(Struct, frozen=True, omit_defaults=True):
    """A token of a record, and what came of it.

    The first step, the beginning, has no token; nor has giving up, or an end without a move.
    """

    token: str = ""
    lines: tuple[Line, ...] = ()
    seat: int | None = None
    """Whose decision it was, or who got the cards."""
    action: int | None = None
    cards: str = ""
    """The letters of the cards that were dealt or drawn."""
    robbed: tuple[int, ...] = ()
    """Palaces where a chest was taken."""
    hand: tuple[int, ...] | None = None
    """The hand of that seat after it, where it has changed."""
    changed: dict[str, Any] = {}
    """The fields of the position, as in `Shown`, that are other than before."""


class Replay(Struct, frozen=True):
    """A game that can be looked at step by step, with all hands open."""

    names: tuple[str, ...]
    """By seat; none where the record does not say who played."""
    colours: tuple[Colour, ...]
    """By seat: what the pieces wear."""
    headers: dict[str, str]
    """The free headers of the record: when and where it was."""
    result: str
    """The winning seat from 1, `-` where nobody has won, `*` for an unfinished game."""
    termination: Termination | None
    """How it has ended where no move has ended it."""
    resigned: tuple[int, ...]
    """Seats that were given up."""
    shown: Shown
    """The position before the first token."""
    hands: tuple[tuple[int, ...], ...]
    """By seat: the hand before the first token."""
    steps: tuple[Step, ...]
    record: str
    """The same as text."""
    cut: Line | None = None
    """That the record stops before the end, where it does."""


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


FromClient: TypeAlias = Command
ToClient: TypeAlias = Snapshot | Happened | Answer | Present | Beat
"""What comes over a socket."""
