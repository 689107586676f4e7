"""A process in which bots think: `python -m baghdad.server.runtime.bot_worker`.

Reads requests from standard input and writes replies to standard output. It is given views, never
states, so that no bot can see more.
"""

import traceback
from typing import TYPE_CHECKING

from msgspec import Struct

from baghdad.bots import (
    Bot,
    Budget,
    decide,
    make_bot,
)
from baghdad.jit.lazy import LazyModule
from baghdad.rules.engine.dealer import new_rng
from baghdad.rules.views import view_from_bytes

from .pipe import answer_all

if TYPE_CHECKING:
    from baghdad.bots import proposals
else:
    proposals = LazyModule("baghdad.bots.proposals")  # the server itself needs none of it

HOPELESS_SECONDS = 600.0
"""A bot that thinks so long has lost itself. The asking process has given up, or is dead."""
NICE = 5
"""Moves come first, also of people who sit at other tables; records come after both."""


class BotRequest(Struct, array_like=True):
    """What a seat sees, what it may do, and how long it may think. No legal action: get ready."""

    level: str
    view: bytes
    legal: list[int]
    seed: str
    seconds: float
    end: bool = False
    """Whether it would agree to end the game without a winner, and not what it would do."""


class BotReply(Struct, array_like=True):
    """What the bot wants to play, or 1 where it agrees and 0 where not; nothing where it failed."""

    actions: list[int]


def main() -> None:
    """Answer requests until there are no more."""
    bots: dict[str, Bot] = {}

    def reply(request: BotRequest) -> BotReply:
        try:
            return BotReply(answer(request, bots))
        except Exception:
            traceback.print_exc()
            return BotReply([])

    answer_all(BotRequest, reply, HOPELESS_SECONDS, NICE)


def answer(request: BotRequest, bots: dict[str, Bot]) -> list[int]:
    """What a bot wants; `bots` are those that are ready."""
    if request.level not in bots:
        bots[request.level] = make_bot(request.level)
    if request.end:
        view = view_from_bytes(request.view)
        return [int(proposals.accepts_ending(bots[request.level], view, new_rng(request.seed)))]
    if not request.legal:
        return []
    chosen = decide(
        bots[request.level],
        view_from_bytes(request.view),
        request.legal,
        Budget(seconds=request.seconds),
        new_rng(request.seed),
    )
    return [int(action) for action in chosen]


if __name__ == "__main__":
    main()
