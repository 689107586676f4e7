"""A restart over a database of games that nobody plays any more."""

import time
from collections.abc import Iterator

from .attack import Attack, Check, Facts, Outcome, at_most, below
from .databases import GAMES, fill
from .server import Server
from .wire import NEWCOMER, ask, good

FEW_TABLES = 50
"""In memory, of those that somebody may wait for."""
WATCH_SECONDS = 30.0
READY_SECONDS = 2.0


class Restart(Attack):
    """The server comes back over thousands of games that were left alone."""

    name = "restart"
    what = f"{GAMES:,} abandoned games at a restart"
    alone = True
    plays = False
    memory = 50.0

    def measured(self, server: Server) -> Outcome:
        """The memory that an empty server has stands for "before"; bots are not counted."""
        server.start(self.program)
        server.until_ready()
        empty, took = server.own_memory(), server.took
        server.stop(keep=True)
        fill("abandoned", server.folder, server.source)
        server.start(self.program)
        highest = 0.0
        began, times, lobby = time.monotonic(), list[float](), 0.0
        watch = WATCH_SECONDS / 2 if self.quick else WATCH_SECONDS
        while time.monotonic() - began < watch:
            at = time.monotonic()
            good(ask(server.port, "/health", address=NEWCOMER))
            times.append(time.monotonic() - at)
            if not lobby:
                good(ask(server.port, "/api/tables", address=NEWCOMER))
                lobby = time.monotonic() - began
            highest = max(highest, server.own_memory())
            time.sleep(0.05)
        server.until_ready()
        seen: Facts = {
            "start s longer": round(server.took - took, 1),
            "lobby answers after s": round(lobby, 2),
            "tables in memory": tables_awake(server.port),
        }
        memory = (empty, highest, server.own_memory())
        return Outcome({"games": GAMES}, seen, times, (), memory, fell=server.fell)

    def checks(self, outcome: Outcome) -> Iterator[Check]:
        for check in super().checks(outcome):
            if not check.goal.startswith("memory"):
                yield check
        more = outcome.memory[2] - outcome.memory[0]
        yield below("memory afterwards, MB more than empty", more, self.memory or 0.0)
        yield at_most("tables woken", outcome.seen["tables in memory"], FEW_TABLES)
        longer = max(outcome.seen["start s longer"], 0) + outcome.seen["lobby answers after s"]
        yield below("s until the lobby answers, more than empty", longer, READY_SECONDS)


def tables_awake(port: int) -> int:
    """Tables in memory, by the server's own figures."""
    text = ask(port, "/metrics", address=NEWCOMER).body.decode()
    lines = [line for line in text.splitlines() if line.startswith("baghdad_tables ")]
    return int(float(lines[0].split()[1]))
