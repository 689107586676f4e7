"""A deal that can be proved fair, and that nobody can bend, not even the host's machine.

The host's machine promises a secret number before the game; so does every device that plays. When
all promises are fixed, the devices show their numbers, and the seed of the deal is SHA-256 of the
text "SECRET NUMBER NUMBER …", by seat, with "-" for a seat that brings none. Where nobody brings a
number, the secret itself is the seed.

Let K be the number of palace cards dealt and drawn so far in the game, from 0, and N the number
of cards in the stack (after R24's shuffle, where one was due). SHA-256 of the text "SEED K",
read as one big-endian number, modulo N, is the place of the next card when the stack is laid out
in the order R G W P Y B. Where a card that was named comes first (R23), its K decides nothing, and
the next card has the next K. A promise is SHA-256 of what is promised, in hexadecimal.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from secrets import token_hex
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from baghdad.jit.lazy import LazyModule
from baghdad.rules.engine.material import Card, Seat

from .notation import write_move

if TYPE_CHECKING:
    from .engine import entry
    from .game import Game
else:
    entry = LazyModule("baghdad.rules.engine.entry")

SEED_HEADER, COMMITMENT_HEADER = "Seed", "Commitment"
"""Headers of a record whose deal can be proved: the host's secret, and its promise."""
PROMISES_HEADER, NUMBERS_HEADER = "Promises", "Numbers"
"""What the seats have promised and brought, seat 1 first, with commas; `-` where there is none."""
NONE = "-"
HEX = re.compile("[0-9a-f]{64}")
"""A promise, or a number: 256 bits."""

Share: TypeAlias = Literal["brought", "left_out", "none"]
"""A seat's part in the deal: its number counts; it promised one and brought none; no promise."""


class Pledge(NamedTuple):
    """What a seat has promised before the game, and the number that it then brought."""

    promise: str | None = None
    number: str | None = None

    @property
    def share(self) -> Share:
        if self.number is not None:
            return "brought"
        return "none" if self.promise is None else "left_out"


class Flaw(NamedTuple):
    """Why a deal is not fair."""

    kind: Literal["headers", "commitment", "unpromised", "number", "swapped"]
    seat: Seat | None = None
    token: str | None = None
    """The first token of chance that should have been another."""


def new_seed() -> str:
    """256 bits that nobody can guess."""
    return token_hex(32)


new_number = new_seed
"""What a device brings to the deal."""


def commitment(seed: str) -> str:
    """What is published before the game.

    >>> commitment("abc")[:16]
    'ba7816bf8f01cfea'
    """
    return hashlib.sha256(seed.encode()).hexdigest()


def deal_seed(secret: str, numbers: Sequence[str | None]) -> str:
    """What all cards follow from, once the numbers are there.

    >>> deal_seed("abc", ["01", None]) == commitment("abc 01 -")
    True
    >>> deal_seed("abc", [None, None])
    'abc'
    """
    if not any(numbers):
        return secret
    return commitment(" ".join([secret, *(number or NONE for number in numbers)]))


def fair_number(seed: str, drawn: int, bound: int) -> int:
    """A number from 0 to `bound` - 1 for the card that comes after `drawn` others.

    >>> [fair_number("abc", drawn, 102) for drawn in range(4)]
    [76, 82, 11, 81]
    """
    digest = hashlib.sha256(f"{seed} {drawn}".encode()).digest()
    return int.from_bytes(digest, "big") % bound


def fair_draw(game: "Game", seed: str) -> str:
    """The token of the pending chance step, as the seed wants it; nothing is played.

    >>> from .game import Game
    >>> game = Game(players=2, hands="seen")
    >>> fair_draw(game, "abc")
    '=YWRYGG'
    """
    return write_move(fair_cards(game, seed))


def fair_cards(game: "Game", seed: str) -> tuple[Card, ...]:
    """The cards of the pending chance step, as the seed wants them, for `Game.draw`."""
    states, drawn, cards = game.states(), game.revealed, []
    for number in range(game.due):
        stack = int(entry.refill(states))
        cards.append(int(entry.reveal_at(states, fair_number(seed, drawn + number, stack))))
    return tuple(cards)


# In a record


def headers_of(secret: str, pledges: Sequence[Pledge]) -> dict[str, str]:
    """What proves the deal, as headers of the record.

    >>> headers_of("abc", [Pledge("ba78", "616263"), Pledge()])["Numbers"]
    '616263, -'
    """
    headers = {SEED_HEADER: secret, COMMITMENT_HEADER: commitment(secret)}
    if any(pledge.promise for pledge in pledges):
        headers[PROMISES_HEADER] = ", ".join(pledge.promise or NONE for pledge in pledges)
        headers[NUMBERS_HEADER] = ", ".join(pledge.number or NONE for pledge in pledges)
    return headers


def pledges_of(headers: Mapping[str, str], players: int) -> tuple[Pledge, ...]:
    """What the seats have promised and brought. Raises `ValueError` where that can't be read."""
    if PROMISES_HEADER not in headers and NUMBERS_HEADER not in headers:
        return (Pledge(),) * players
    promises, numbers = (
        [_read(part.strip()) for part in headers.get(name, "").split(",")]
        for name in (PROMISES_HEADER, NUMBERS_HEADER)
    )
    if not len(promises) == len(numbers) == players:
        raise ValueError(NUMBERS_HEADER)
    return tuple(map(Pledge, promises, numbers))


def _read(part: str) -> str | None:
    if part != NONE and not HEX.fullmatch(part):
        raise ValueError(part)
    return None if part == NONE else part


def proof(game: "Game", secret: str, promised: str) -> Flaw | None:
    """None where secret, promises, numbers and all chance of a game agree; else what doesn't.

    Promises and numbers of the seats are those in the game's headers.
    """
    if commitment(secret) != promised:
        return Flaw("commitment")
    try:
        pledges = pledges_of(game.headers, game.options.players)
    except ValueError:
        return Flaw("headers")
    for seat, (promise, number) in enumerate(pledges):
        if number is not None and promise is None:
            return Flaw("unpromised", seat)
        if number is not None and commitment(number) != promise:
            return Flaw("number", seat)
    seed = deal_seed(secret, [pledge.number for pledge in pledges])
    twin = type(game).with_options(game.options)
    for token in game.tokens:
        if token[0] == "=" and token != fair_draw(twin, seed):
            return Flaw("swapped", token=token)
        twin.play(token)
    return None
