"""One of the processes that play: told what to do by a line of JSON, it leaves a file of it.

Started by the benchmark as `python -m benchmarks.scale.client`. It connects, says `ready`, waits
for `go`, measures, and says `done`.
"""

import asyncio
import gc
import json
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import uvloop

from ..load.ours import OurTable
from ..load.servers import many_files
from ..load.theirs import TheirTable
from ..load.traffic import SEATS, Table, Traffic

KINDS: dict[str, Callable[[Sequence[int], int], Table]] = {
    "Baghdad": OurTable,
    "boardgame.io": TheirTable,
}
AT_ONCE = 8
"""Tables that are set up at the same time."""


async def play(wanted: dict[str, Any]) -> dict[str, Any]:
    """Its part of the tables: at a steady rate, then as fast as they go."""
    make = KINDS[wanted["kind"]]
    places = range(wanted["first"], wanted["first"] + wanted["tables"])
    # Each is set up with a request that waits for a commit: several at once share it.
    with ThreadPoolExecutor(AT_ONCE) as threads:
        tables = list(threads.map(lambda place: make(wanted["ports"], place), places))
    traffic = Traffic(tables)
    await traffic.connect()
    gc.collect()
    gc.freeze()
    rate, seconds = wanted["rate"], wanted["seconds"]
    await wait_for_go()
    # The first command of each table begins its game, and is not measured.
    beginnings = max(rate, wanted["beginnings"])
    await traffic.steady(beginnings, max(1.0, (len(places) + 0.5) / beginnings))
    await wait_for_go()
    steady = await traffic.steady(rate, seconds)
    await wait_for_go()
    marks: list[tuple[float, float]] = []
    before, began = sum(table.commands for table in traffic.tables), time.process_time()
    full = await traffic.full(
        wanted["warm"], seconds, lambda: marks.append((time.perf_counter(), time.process_time()))
    )
    traffic.close()
    wall, work = (end - begin for begin, end in zip(*marks, strict=True))
    commands = sum(table.commands for table in traffic.tables)
    return {
        "steady": [round(each, 5) for each in steady],
        "full": [round(each, 5) for each in full],
        "rate": len(full) / wall,
        "busy": work / wall,
        "commands": commands,
        "repeated": sum(table.repeated for table in traffic.tables),
        "at full rate": commands - before,
        "work": time.process_time() - began,
    }


async def wait_for_go() -> None:
    """All begin together."""
    print("ready", flush=True)
    line = await asyncio.to_thread(sys.stdin.readline)
    if line != "go\n":
        raise SystemExit(1)


def main() -> None:
    wanted = json.loads(sys.stdin.readline())
    many_files(SEATS * wanted["tables"] + 500)
    # Each command's time is in it: more than fits into a pipe that nobody reads yet.
    Path(wanted["result"]).write_text(json.dumps(uvloop.run(play(wanted))))
    print("done", flush=True)


if __name__ == "__main__":
    main()
