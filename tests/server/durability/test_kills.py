"""Nothing lost: a real server is killed again and again while people play."""

import asyncio
import random
import signal
from pathlib import Path

import httpx

from support.killing import (
    HttpPerson,
    Person,
    ServerProcess,
    SocketPerson,
    gather,
    nothing_lost,
    nothing_more,
    stored,
)
from support.runtime import in_loop

BEN, BOT = {"kind": "human", "name": "Ben"}, {"kind": "bot", "level": "random"}
KILLS = 50
STOPS = 4
LONGEST_LIFE = 0.6
"""Seconds of traffic before a kill, at most."""


async def company(server: ServerProcess) -> list[Person]:
    """People at four tables; at one of them against a bot, at one over plain HTTP."""
    tables = [
        await gather(server, SocketPerson, [BEN], 10),
        await gather(server, SocketPerson, [BEN, BEN], 20),
        await gather(server, SocketPerson, [BOT], 30),
        await gather(server, HttpPerson, [BEN], 40),
    ]
    return [person for people in tables for person in people]


async def endure(database: str, folder: Path, deaths: list[signal.Signals]) -> list[Person]:
    """Play while the server dies in the given ways; returns the people, all answered."""
    server, rng = ServerProcess(database, folder), random.Random(len(deaths))
    try:
        server.start()
        await server.ready()
        people = await company(server)
        codes = {person.code for person in people}
        living = [asyncio.create_task(person.live()) for person in people]
        for death in deaths:
            # One kill in five in the middle of the start, all else under traffic.
            if death == signal.SIGKILL and rng.random() < 0.2:
                await asyncio.sleep(rng.random() * 1.5)
            else:
                await server.ready()
                await asyncio.sleep(rng.random() * LONGEST_LIFE)
            code = await server.end(death)
            assert code == (-death if death == signal.SIGKILL else 0)
            for task in living:
                if task.done():
                    await task  # somebody has seen what must not be
            nothing_lost(people, await stored(database, codes))
            server.start()
        # Now it stays up: everybody gets an answer, and every table goes on.
        await server.ready()
        before = await stored(database, codes)
        while not all(
            len(kept) > len(before[code]) + 4
            for code, kept in (await stored(database, codes)).items()
        ):
            await asyncio.sleep(0.2)
        for person in people:
            person.finish = True
        await asyncio.gather(*living)
        kept = await stored(database, codes)
        nothing_lost(people, kept)
        assert await server.end(signal.SIGTERM) == 0
        nothing_lost(people, kept := await stored(database, codes))
        nothing_more(people, kept)
        return people
    finally:
        server.clean_up()


@in_loop
async def test_nothing_is_lost_when_the_server_is_killed(database: str, tmp_path: Path) -> None:
    people = await endure(database, tmp_path, [signal.SIGKILL] * KILLS)
    assert sum(person.repeats for person in people) > KILLS / 5  # they were in the middle of it
    assert sum(len(person.acknowledged) for person in people) > KILLS


@in_loop
async def test_nothing_is_lost_when_the_server_is_told_to_stop(sqlite: str, tmp_path: Path) -> None:
    await endure(sqlite, tmp_path, [signal.SIGTERM] * STOPS)
    log = (tmp_path / "server.log").read_text()
    assert log.count('"message": "stopped"') == STOPS + 1
    assert '"trace"' not in log


@in_loop
async def test_who_waits_is_answered_when_the_server_stops(sqlite: str, tmp_path: Path) -> None:
    server = ServerProcess(sqlite, tmp_path)
    try:
        server.start()
        await server.ready()
        (ann, *_) = await gather(server, HttpPerson, [BEN], 1)
        async with httpx.AsyncClient(base_url=server.url, headers=ann.headers) as http:
            path = f"/api/tables/{ann.code}/events"
            poll = asyncio.create_task(http.get(path, params={"after": 2, "wait": 25}, timeout=60))
            look = f"/api/tables/{ann.code}"
            while (await http.get(look)).json()["present"] != [0]:
                await asyncio.sleep(0.02)
            await server.end(signal.SIGTERM)
            answer = await poll
            assert (answer.status_code, answer.json()["events"]) == (200, [])
    finally:
        server.clean_up()
