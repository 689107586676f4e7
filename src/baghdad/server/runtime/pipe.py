"""What goes between the server and a process that works for it: framed messages over pipes.

Each is a length of four bytes and a MessagePack message. This is also the loop of such a process.
"""

import faulthandler
import os
import signal
import sys
from collections.abc import Callable
from typing import TypeVar

import msgspec
from msgspec import Struct

Request = TypeVar("Request")

HEAD = 4
"""Bytes of a length."""


def framed(message: Struct) -> bytes:
    body = msgspec.msgpack.encode(message)
    return len(body).to_bytes(HEAD, "big") + body


def answer_all(
    kind: type[Request], answer: Callable[[Request], Struct], hopeless: float, nice: int = 0
) -> None:
    """Answer requests from standard input until there are no more.

    `hopeless`: seconds after which the process ends itself, since who asked has given up or died.
    `nice`: how much less it matters than the server.
    """
    # Ctrl-C and a service manager's stop reach the whole group. They are for the server: a process
    # that died in the middle of something would have its work thrown away.
    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, signal.SIG_IGN)
    if nice and hasattr(os, "nice"):
        os.nice(nice)
    source = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what is printed must not get between the replies
    sys.stdin = open(os.devnull)  # noqa: SIM115 - for as long as the process lives
    decoder = msgspec.msgpack.Decoder(kind)
    while head := source.read(HEAD):
        request = decoder.decode(source.read(int.from_bytes(head, "big")))
        faulthandler.dump_traceback_later(hopeless, exit=True)
        reply = answer(request)
        faulthandler.cancel_dump_traceback_later()
        try:
            replies.write(framed(reply))
            replies.flush()
        except BrokenPipeError:
            return  # the process that asked is dead
