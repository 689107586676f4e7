"""The short way onto the wire writes the same frames as the long one."""

import pytest
from websockets.frames import Frame, Opcode

from baghdad.server.serving import framed


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536, 200_000])
def test_a_text_of_any_size_is_framed_as_websockets_does(size: int) -> None:
    text = b"x" * size
    assert framed(text) == Frame(Opcode.TEXT, text).serialize(mask=False)
