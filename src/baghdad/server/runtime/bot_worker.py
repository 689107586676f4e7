"""A process in which bots think: `python -m baghdad.server.runtime.bot_worker`.

Reads questions from standard input and writes answers to standard output, each a length of four
bytes and a MessagePack message. It is given views, never states, so that no bot can see more.
"""

import faulthandler
import os
import signal
import sys
import traceback
from typing import TYPE_CHECKING

import msgspec
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

if TYPE_CHECKING:
    from baghdad.bots import hopes
else:
    hopes = LazyModule("baghdad.bots.hopes")  # the server itself needs none of it

HOPELESS_SECONDS = 600.0
"""A bot that thinks so long has lost itself. Whoever asked has given up long ago, or is dead."""


class Question(Struct, array_like=True):
    """What a seat sees, what it may do, and how long it may think. No legal action: get ready."""

    level: str
    view: bytes
    legal: list[int]
    seed: str
    seconds: float
    end: bool = False
    """Whether it would agree to end the game without a winner, and not what it would do."""


class Reply(Struct, array_like=True):
    """What the bot wants to play, or 1 where it agrees and 0 where not; nothing where it failed."""

    actions: list[int]


def framed(message: Struct) -> bytes:
    body = msgspec.msgpack.encode(message)
    return len(body).to_bytes(4, "big") + body


def main() -> None:
    """Answer questions until there are no more."""
    # Ctrl-C and a service manager's stop reach the whole group. They are for the server: a bot that
    # died in the middle of a decision would have its turn thrown away.
    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, signal.SIG_IGN)
    source = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # what a bot prints must not get between the answers
    sys.stdin = open(os.devnull)  # noqa: SIM115 - for as long as the process lives
    bots: dict[str, Bot] = {}
    while head := source.read(4):
        question = msgspec.msgpack.decode(source.read(int.from_bytes(head, "big")), type=Question)
        faulthandler.dump_traceback_later(HOPELESS_SECONDS, exit=True)
        try:
            actions = answer(question, bots)
        except Exception:
            traceback.print_exc()
            actions = []
        faulthandler.cancel_dump_traceback_later()
        try:
            answers.write(framed(Reply(actions)))
        except BrokenPipeError:
            return  # whoever asked is dead


def answer(question: Question, bots: dict[str, Bot]) -> list[int]:
    """What a bot wants; `bots` are those that are ready."""
    if question.level not in bots:
        bots[question.level] = make_bot(question.level)
    if question.end:
        view = view_from_bytes(question.view)
        return [int(hopes.agrees(bots[question.level], view, new_rng(question.seed)))]
    if not question.legal:
        return []
    chosen = decide(
        bots[question.level],
        view_from_bytes(question.view),
        question.legal,
        Budget(seconds=question.seconds),
        new_rng(question.seed),
    )
    return [int(action) for action in chosen]


if __name__ == "__main__":
    main()
