"""Whether what people were told of every table can have been true."""

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from baghdad.server.storage.event_store import EventStore, async_url
from baghdad.server.wire.projection import kind_of

from ..histories.linearizability import Operation
from ..histories.register import Event, Recorded, What, check_register
from ..soak.figures import Figures
from ..soak.people import shown


async def check_histories(
    histories: Mapping[str, Recorded], database: str, figures: Figures, folder: Path
) -> dict[str, Any]:
    """Check each table's; a history that is wrong is kept in the folder.

    Events and acknowledged commands first; then the numbers told with refusals as well, which says
    whether anybody was refused by a server that did not know the latest.
    """
    storage = await EventStore.open(async_url(database))
    began = time.perf_counter()
    operations = out_of_date = 0
    try:
        for code, recorded in histories.items():
            stored = [
                Event(each.number, each.command_id, shown(each.at, kind_of(each.event)))
                for each in await storage.events(code)
            ]
            for reads in (False, True):
                history = recorded.history(stored, reads=reads)
                verdict = check_register(history)
                if verdict.linearizable:
                    continue
                words = f"{code}: {verdict.stuck} after {len(verdict.order)} of {len(history)}"
                if reads:
                    out_of_date += 1
                    figures.details.append(f"out of date: {words}")
                else:
                    figures.blame("not linearizable", words)
                _keep(history, folder / f"history-{code}.json")
                break
            operations += len(history)
    finally:
        await storage.close()
    return {
        "tables": len(histories),
        "operations": operations,
        "tables where a refusal was out of date": out_of_date,
        "seconds": round(time.perf_counter() - began, 1),
    }


def _keep(history: list[Operation[What]], file: Path) -> None:
    lines = [
        [each.called, each.answered, type(each.what).__name__, str(each.what)]
        for each in sorted(history, key=lambda each: each.called)
    ]
    file.write_text(json.dumps(lines, indent=0))
