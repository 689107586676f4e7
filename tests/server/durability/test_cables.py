"""The cables that `benchmarks/faults` cuts: what passes, what does not, and what arrives late."""

import asyncio
from contextlib import suppress

import pytest

from benchmarks.faults.cable import Cable
from support.runtime import in_loop

SOON = 0.3
"""Seconds: whatever passes is there by then, by far."""
GONE = (ConnectionError, asyncio.IncompleteReadError)


async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(100):
        writer.write(data)
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()


async def heard(reader: asyncio.StreamReader, length: int) -> bytes:
    async with asyncio.timeout(SOON):
        return await reader.readexactly(length)


@in_loop
async def test_a_cable_passes_on_what_is_said_until_it_is_cut() -> None:
    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    cable = await asyncio.to_thread(Cable, server.sockets[0].getsockname()[:2])
    ends: list[asyncio.StreamWriter] = []

    async def say(word: bytes) -> asyncio.StreamReader:
        reader, writer = await asyncio.open_connection("127.0.0.1", cable.port)
        ends.append(writer)
        writer.write(word)
        return reader

    try:
        reader = await say(b"one")
        assert await reader.readexactly(3) == b"one"
        cable.cut(silent=True)
        ends[0].write(b"two")
        with pytest.raises(TimeoutError):
            await heard(reader, 3)
        cable.mend()
        assert await reader.readexactly(3) == b"two"  # late, and whole
        cable.cut(silent=False)
        with pytest.raises(GONE):
            await reader.readexactly(1)
        refused = await say(b"three")
        with pytest.raises(GONE):
            await refused.readexactly(1)
        cable.mend()
        again = await say(b"four")
        assert await again.readexactly(4) == b"four"
    finally:
        for each in ends:
            each.close()
        await asyncio.gather(*(each.wait_closed() for each in ends), return_exceptions=True)
        cable.close()
        server.close()
        await server.wait_closed()
