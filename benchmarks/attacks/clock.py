"""The wall clock is set while a game is played against the clock."""

import os
import signal
import time
from collections.abc import Iterator

from .attack import Attack, Check, Facts, Outcome, below
from .server import Server
from .wire import OTHERS, ask, good, started

MOVE_SECONDS = 5
LATE_SECONDS = 3.0
"""So much later than agreed the clock may ring on a busy machine."""


class WallClock(Attack):
    """Set back an hour, the clock rings all the same; set on an hour, it does not ring early."""

    name = "clock"
    what = "the wall clock set back an hour, and on an hour"
    alone = True
    others = None
    program = ("-m", "benchmarks.attacks.shifted")

    def measured(self, server: Server) -> Outcome:
        server.start(self.program)
        back = self.rings(server, signal.SIGUSR1, MOVE_SECONDS)
        ahead = self.rings(server, signal.SIGUSR2, 600)
        seen: Facts = {
            "clock of 5 s rings after s": "never" if back is None else round(back, 1),
            "clock of 600 s rings early": ahead is not None,
        }
        memory = server.memory()
        return Outcome({"clock": "back, on"}, seen, (), (), (memory,) * 3, fell=server.fell)

    def rings(self, server: Server, turn: signal.Signals, seconds: int) -> float | None:
        """Seconds until a bot stood in for somebody who does not move; None where none did."""
        clock = {"move_seconds": seconds, "grace_seconds": 0, "stand_in": "kasim"}
        code, secrets = started(server.port, OTHERS, **clock)
        began = time.monotonic()
        os.kill(server.process.pid, turn)
        path = f"/api/tables/{code}/events?after=2&wait=1"
        while (now := time.monotonic() - began) < MOVE_SECONDS + LATE_SECONDS + 4:
            page = good(ask(server.port, path, secret=secrets[0], address=OTHERS))
            if any(event["kind"] == "stood_in" for event in page["events"]):
                return now
        return None

    def checks(self, outcome: Outcome) -> Iterator[Check]:
        rang = outcome.seen["clock of 5 s rings after s"]
        late = 999.0 if rang == "never" else rang
        yield below("s until the clock of 5 s rings", late, MOVE_SECONDS + LATE_SECONDS)
        early = outcome.seen["clock of 600 s rings early"]
        yield Check("a clock of 600 s does not ring early", str(early), not early)
