"""What people ask of a table, as data: `decisions` makes events of it.

Numbers count as in Python: seats, chairs and palaces from 0.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from .agreement import Agreement, FirstPlayer
from .events import ChairKind, PersonNumber

NAME_LENGTH = 24
"""Fits on a player's board on a phone."""
CHAT_LENGTH = 280
"""A thought, not a text."""
EMOTES = ("hello", "wow", "laugh", "sad", "think", "cheer", "thanks", "hurry")

Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=NAME_LENGTH)]
Level: TypeAlias = Annotated[str, Meta(min_length=1, max_length=40)]
Colour: TypeAlias = Annotated[int, Meta(ge=0, le=3)]
ChairPlace: TypeAlias = Annotated[int, Meta(ge=0, le=3)]
Hex: TypeAlias = Annotated[str, Meta(max_length=64, pattern="^[0-9a-f]{64}$")]
"""256 bits: a number that a device brings to the deal, or its SHA-256, which is its promise. The
pattern alone lets a line's end follow, which no record could hold."""


class Command(Struct, frozen=True, gc=False, tag_field="type", forbid_unknown_fields=True):
    """What somebody wants to happen."""


class Move(Command, frozen=True, tag="move"):
    """Take an action, by its number in the action table or as a token, in upper or lower case."""

    action: Annotated[int, Meta(ge=0, le=10_000)] | Annotated[str, Meta(max_length=100)]


class Bring(Command, frozen=True, tag="bring"):
    """Show the number that was promised for the deal. Sent as soon as the game has begun."""

    number: Hex


class Undo(Command, frozen=True, tag="undo"):
    """Take the last action of this turn back."""


class Start(Command, frozen=True, tag="start"):
    """The host begins the game."""


class Sit(Command, frozen=True, tag="sit"):
    """Change to another chair, another colour, or both; promise a number for the deal."""

    chair: ChairPlace | None = None
    colour: Colour | None = None
    promise: Hex | None = None
    """SHA-256 of the number, in place of what was promised before."""


class Leave(Command, frozen=True, tag="leave"):
    """Go. Whoever leaves a running game gives up (R28)."""


class Resign(Command, frozen=True, tag="resign"):
    """Give up (R28), at any moment: final, and a loss. With two players the other has won; with
    more a bot plays the seat on. The version does not matter."""


class ProposeEnd(Command, frozen=True, tag="propose_end"):
    """Propose to end the game without a winner (R28). All people and bots have to agree within a
    round: as many turns as there are players. Once a round. The version does not matter."""


class AnswerEnd(Command, frozen=True, tag="answer_end"):
    """Agree to end the game without a winner, or don't. The version does not matter."""

    yes: bool


class Kick(Command, frozen=True, tag="kick"):
    """The host asks somebody to go."""

    person: PersonNumber


class Admit(Command, frozen=True, tag="admit"):
    """The host lets somebody who has knocked sit down, or says no."""

    person: PersonNumber
    yes: bool


class OpenDoor(Command, frozen=True, tag="open_door"):
    """The host lets everybody sit down again without knocking."""


class Arrange(Command, frozen=True, tag="arrange"):
    """The host opens or closes a chair, or puts a bot on it."""

    chair: ChairPlace
    to: Literal["open", "closed", "bot"]
    level: Level | None = None


class ChooseStart(Command, frozen=True, tag="choose_start"):
    """The host says who begins (R5): chance, or a chair. It holds until the game starts."""

    start: FirstPlayer


class Chat(Command, frozen=True, tag="chat"):
    """Say something to the table."""

    text: Annotated[str, Meta(min_length=1, max_length=CHAT_LENGTH)]


class Emote(Command, frozen=True, tag="emote"):
    """Make a face."""

    emote: Literal["hello", "wow", "laugh", "sad", "think", "cheer", "thanks", "hurry"]


class Hush(Command, frozen=True, tag="hush"):
    """The host switches chat off, or on again."""

    off: bool


class Return(Command, frozen=True, tag="return"):
    """Take the seat back from the bot that stands in."""


class Rematch(Command, frozen=True, tag="rematch"):
    """Offer another game after this one, or accept it. People gather once all have agreed."""

    now: bool = False
    """The host does not wait for those who have not agreed."""
    promise: Hex | None = None
    """SHA-256 of the number that this device will bring to its deal."""


class Decline(Command, frozen=True, tag="decline"):
    """No other game now; takes an own offer back."""


class Lend(Command, frozen=True, tag="lend"):
    """Let puzzles be made of a finished game in which one has played, or don't any more. They name
    nobody, and are made only if all who played agree. The version does not matter."""

    game: Annotated[int, Meta(ge=1, le=1_000_000)]
    """Its number at the table, from 1."""
    yes: bool


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
    | Lend
)

PLAYING = (Move, Undo, Bring, Leave, Resign)
"""Commands that the game itself bounds: all others could be sent without end."""
NEVER_STALE = (Bring, Chat, Emote, Resign, ProposeEnd, AnswerEnd, Lend)
"""Commands that mean the same whatever has happened since: they are never stale."""


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
    """What shall open the seat. A device that chooses it may ask again where the answer was lost:
    the same secret sits down once."""
    promise: Hex | None = None
    """SHA-256 of the number that this device will bring to the deal."""
