"""What processes say to each other: in order, and with every gap noticed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from baghdad.server.bus.bus import LARGEST, Bus, NoBusError, Outbox, shown
from baghdad.server.bus.packets import Closed, Frame, Gone, Item, Text
from support.cluster import NatsServer, nats_server
from support.live_server import FAR
from support.runtime import in_loop, until

pytestmark = pytest.mark.usefixtures("patient")


class End:
    """A process, and what it has heard."""

    def __init__(self, address: str, name: str) -> None:
        self.bus = Bus(address, name)
        self.heard: list[tuple[str, Item]] = []
        self.anew: list[str | None] = []
        self.bus.received = lambda sender, item: self.heard.append((sender, item))
        self.bus.reset = self.anew.append


@asynccontextmanager
async def two(address: str) -> AsyncIterator[tuple[End, End]]:
    here, there = End(address, "here"), End(address, "there")
    await here.bus.open()
    await there.bus.open()
    try:
        yield here, there
    finally:
        await here.bus.close()
        await there.bus.close()


def frames(count: int, first: int = 0) -> list[Item]:
    return [Frame(n, b"%d" % n) for n in range(first, first + count)]


@in_loop
async def test_what_is_sent_comes_in_order(nats: NatsServer) -> None:
    async with two(nats.url) as (here, there):
        for each in frames(50):
            here.bus.send("there", each)
        await until(lambda: len(there.heard) >= 50)
        for each in frames(50, 50):
            here.bus.send("there", each)
            await asyncio.sleep(0)
        await until(lambda: len(there.heard) >= 100)
        assert there.heard == [("here", each) for each in frames(100)]
        assert (here.anew, there.anew) == ([], [])
        assert here.bus.linked


@in_loop
async def test_a_gap_is_noticed_by_both(nats: NatsServer) -> None:
    async with two(nats.url) as (here, there):
        here.bus.send("there", Gone(1))
        there.bus.send("here", Gone(2))
        await until(lambda: len(there.heard) == 1 and len(here.heard) == 1)
        stream, number = here.bus._sent["there"]
        here.bus._sent["there"] = stream, number + 1  # a packet that the bus has lost
        here.bus.send("there", Gone(3))
        await until(lambda: bool(here.anew and there.anew))
        assert (here.anew, there.anew) == (["there"], ["here"])
        await until(lambda: ("here", Gone(3)) in there.heard)


@in_loop
async def test_nothing_lost_goes_unnoticed_though_nothing_follows(nats: NatsServer) -> None:
    async with two(nats.url) as (here, there):
        here.bus.send("there", Gone(1))
        await until(lambda: len(there.heard) == 1)
        stream, number = here.bus._sent["there"]
        here.bus._sent["there"] = stream, number + 1
        await until(lambda: there.anew == ["here"])


@in_loop
async def test_who_is_gone_is_sent_nothing_more(nats: NatsServer) -> None:
    async with two(nats.url) as (here, there):
        here.bus.forget("gone")
        here.bus.send("gone", Gone(1))  # said in the moment in which it went
        here.bus.send("there", Gone(1))
        await until(lambda: len(there.heard) == 1)
        here.bus.keep({"there"})
        assert set(here.bus._sent) - {"here"} == {"there"}
        here.bus.send("there", Gone(2))
        await until(lambda: len(there.heard) == 2)
        assert (here.anew, there.anew) == ([], [])


@in_loop
async def test_who_does_not_listen_is_known_at_once(nats: NatsServer) -> None:
    """Long before its lease is over, or anybody looks who lives."""
    async with two(nats.url) as (here, there):
        unheard: list[str] = []
        here.bus.unheard = lambda: unheard.append("somebody")
        here.bus.send("there", Frame(1, b"one"))
        await until(lambda: len(there.heard) == 1)
        assert unheard == []
        await there.bus.close()
        here.bus.send("there", Frame(2, b"two"))
        async with asyncio.timeout(FAR):
            await until(lambda: unheard != [])


@in_loop
async def test_a_bus_that_was_away_begins_anew() -> None:
    with nats_server() as server:
        async with two(server.url) as (here, there):
            here.bus.send("there", Gone(1))
            await until(lambda: len(there.heard) == 1)
            server.stop()
            await until(lambda: not here.bus.linked and not there.bus.linked)
            here.bus.send("there", Gone(2))  # nobody is told later what was meant for then
            server.start()
            await until(lambda: here.bus.linked and there.bus.linked)
            await until(lambda: None in here.anew and None in there.anew)
            here.bus.send("there", Gone(3))
            await until(lambda: ("here", Gone(3)) in there.heard)


@in_loop
async def test_the_bus_lets_nobody_in_without_the_password() -> None:
    with nats_server("--user", "ali", "--pass", "sesame") as server:
        place = server.url.removeprefix("nats://")
        for wrong in (server.url, f"nats://ali:open@{place}"):
            with pytest.raises(NoBusError) as told:
                await Bus(wrong, "stranger").open()
            assert "open" not in str(told.value)
        async with two(f"nats://ali:sesame@{place}") as (here, there):
            here.bus.send("there", Gone(1))
            await until(lambda: len(there.heard) == 1)
    assert shown(f"nats://ali:sesame@{place}") == f"nats://{place}"


def test_what_several_get_crosses_once_and_nobodys_order_changes() -> None:
    event, own, later = b"event", b"own", b"later"
    outbox = Outbox()
    for item in (
        Text((1,), event),
        Text((2,), own),
        Text((3,), event),
        Closed(3, 1000),
        Text((1,), later),
        Text((4,), event),
        Text((2,), event),  # after its own, which came in between
        Text((3,), later),
    ):
        outbox.put(item)
    (packed,) = outbox.pieces()
    assert packed == (
        Text((1, 3, 4), event),
        Text((2,), own),
        Closed(3, 1000),
        Text((1, 3), later),
        Text((2,), event),
    )


def test_much_goes_in_several_packets() -> None:
    outbox = Outbox()
    for n in range(8):
        outbox.put(Frame(n, b"x" * (LARGEST // 3)))
    assert [len(each) for each in outbox.pieces()] == [2, 2, 2, 2]
