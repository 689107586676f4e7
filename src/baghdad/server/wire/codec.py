"""Messages as bytes, and bytes from outside as messages."""

from collections.abc import Callable
from typing import TypeVar

import msgspec

from baghdad.server.domain.refusals import RefusedError

Kind = TypeVar("Kind")

encode = msgspec.json.Encoder().encode


def understood(decode: Callable[[bytes | str], Kind], body: bytes | str) -> Kind:
    """A message from outside. Raises `RefusedError` where it is not one."""
    try:
        return decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise RefusedError("not_understood", why=str(error)) from error
