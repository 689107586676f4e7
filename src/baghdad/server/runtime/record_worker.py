"""A process that plays records through: `python -m baghdad.server.runtime.record_worker`.

It is given a text and nothing else, and returns what is sent as it is, so that the server neither
plays nor encodes megabytes between two moves.
"""

import traceback
from typing import Literal

from msgspec import Struct

from baghdad.server.domain.refusals import RefusedError
from baghdad.server.wire.codec import encode
from baghdad.server.wire.uploads import proof_of, replay_of_record

from .pipe import answer_all

HOPELESS_SECONDS = 600.0
"""The asking process has given up long ago, or is dead."""
NICE = 10
"""Moves come first: on a machine with few cores it gets what they leave."""


class RecordRequest(Struct, array_like=True):
    """A record, and what is wanted of it; `ready`: no more than that the process is there."""

    want: Literal["ready", "replay", "proof"]
    text: str = ""
    most_steps: int = 0
    language: str = "en"
    promise: str | None = None
    number: str | None = None


class RecordReply(Struct, array_like=True):
    """What is sent to the client, or why it is refused. Neither: the process has a bug."""

    body: bytes = b""
    refused: str | None = None
    rule: str | None = None
    values: dict[str, str] = {}


def reply(request: RecordRequest) -> RecordReply:
    """What becomes of a request."""
    try:
        return RecordReply(_body(request))
    except RefusedError as error:
        key = error.key.partition(".")[2]
        values = {name: str(value) for name, value in error.values.items()}
        return RecordReply(refused=key, rule=error.rule, values=values)
    except Exception:
        traceback.print_exc()
        return RecordReply()


def _body(request: RecordRequest) -> bytes:
    text, most, language = request.text, request.most_steps, request.language
    if request.want == "replay":
        return encode(replay_of_record(text, language, most))
    if request.want == "proof":
        return encode(proof_of(text, language, most, request.promise, request.number))
    return b""


if __name__ == "__main__":
    answer_all(RecordRequest, reply, HOPELESS_SECONDS, NICE)
