"""A deal that can be proved fair: every card follows from a seed whose hash was shown before.

Let K be the number of palace cards dealt and drawn so far in the game, from 0, and N the number
of cards in the stack (after R24's shuffle, where one was due). SHA-256 of the text "SEED K",
read as one big-endian number, modulo N, says which card comes next when the stack is laid out in
the order R G W P Y B. SHA-256 of the seed alone, in hexadecimal, is the commitment.
"""

import hashlib
from secrets import token_hex
from typing import TYPE_CHECKING

from .lazily import lazily
from .notation import write_move

if TYPE_CHECKING:
    from . import doors
    from .game import Game
else:
    doors = lazily("baghdad.rules.doors")

SEED_HEADER, COMMITMENT_HEADER = "Seed", "Commitment"
"""Headers of a record whose deal can be proved."""


def new_seed() -> str:
    """256 bits that nobody can guess."""
    return token_hex(32)


def commitment(seed: str) -> str:
    """What is published before the game.

    >>> commitment("abc")[:16]
    'ba7816bf8f01cfea'
    """
    return hashlib.sha256(seed.encode()).hexdigest()


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
    states, drawn, cards = game.states(), game.revealed, []
    for number in range(game.due):
        stack = int(doors.refill(states))
        cards.append(int(doors.reveal_at(states, fair_number(seed, drawn + number, stack))))
    return write_move(tuple(cards))


def proof(game: "Game", seed: str, promised: str) -> str | None:
    """None where seed, promise and all chance of a game agree; else what doesn't.

    That is `"commitment"`, or the first token of chance that should have been another.
    """
    if commitment(seed) != promised:
        return "commitment"
    twin = type(game).with_options(game.options)
    for token in game.tokens:
        if token[0] == "=" and token != fair_draw(twin, seed):
            return token
        twin.play(token)
    return None
