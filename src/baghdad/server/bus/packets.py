"""What crosses the bus between two processes.

A process that has a client's socket or request and does not own the table passes on what the client
sends, and gets what the client is to be sent: no state, no event, nothing for anybody else.
Fields are only ever added, at the end and with a default, so that neighbouring versions understand
each other.
"""

from typing import TypeAlias

import msgspec
from msgspec import Struct

Headers: TypeAlias = tuple[tuple[bytes, bytes], ...]


class Request(Struct, frozen=True, array_like=True, gc=False):
    """A client's request, as it came."""

    kind: str
    """`http` or `websocket`."""
    path: str
    query: bytes
    headers: Headers
    client: str
    """The address of the client, by which its limits are kept."""
    scheme: str
    method: str = "GET"
    body: bytes = b""


class Open(Struct, frozen=True, array_like=True, gc=False, tag="o"):
    """A request, or a socket, begins. All that follows names it by `id`."""

    id: int
    request: Request


class Frame(Struct, frozen=True, array_like=True, gc=False, tag="f"):
    """A message that the client has sent on a socket."""

    id: int
    body: bytes


class Gone(Struct, frozen=True, array_like=True, gc=False, tag="g"):
    """The client has gone, or does not wait any more."""

    id: int


class Text(Struct, frozen=True, array_like=True, gc=False, tag="t"):
    """A message for the clients of these sockets, the same for all."""

    ids: tuple[int, ...]
    body: bytes


class Closed(Struct, frozen=True, array_like=True, gc=False, tag="c"):
    """A socket is closed by the server."""

    id: int
    code: int
    reason: str = ""
    accepted: bool = True


class Part(Struct, frozen=True, array_like=True, gc=False, tag="p"):
    """A part of the answer to a request; the first one has the status and the headers."""

    id: int
    body: bytes
    more: bool = False
    status: int = 0
    headers: Headers = ()


class Question(Struct, frozen=True, array_like=True, gc=False, tag="q"):
    """What one process asks of another; answered in parts."""

    id: int
    kind: str
    body: bytes


class Reset(Struct, frozen=True, array_like=True, gc=False, tag="r"):
    """Something was missed: whatever goes on between the two processes begins anew."""


Item: TypeAlias = Open | Frame | Gone | Text | Closed | Part | Question | Reset


class Packet(Struct, frozen=True, array_like=True, gc=False):
    """What one process sends another in one moment."""

    sender: str
    stream: int
    """Another one after every new beginning,"""
    number: int
    """and counted from 1 in it, so that nothing is missed unnoticed."""
    items: tuple[Item, ...] = ()


class Call(Struct, frozen=True, array_like=True, gc=False):
    """What all processes are told."""

    sender: str
    kind: str
    body: bytes = b""


encode = msgspec.msgpack.Encoder().encode
decode_packet = msgspec.msgpack.Decoder(Packet).decode
decode_call = msgspec.msgpack.Decoder(Call).decode
