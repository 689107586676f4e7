"""What somebody does at tables: moves and takes back, talks, comes and goes, fills the lobby."""

import itertools
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress

from benchmarks.load.wire import TEXT, frame

from .attack import HEADERS_MB, Attack, Check, Facts, Outcome, at_most
from .wire import (
    NEWCOMER,
    ask,
    command,
    connect,
    good,
    new_table,
    open_socket,
    started,
    upgrade,
)

EVENTS_A_MINUTE = 1200
"""Of one person: twice as many as anybody could click."""
LOBBY_ROWS = 10


class Undoing(Attack):
    """Move and take back, with a new socket as soon as one is too fast."""

    name = "undo"
    what = "move and undo in a loop with new sockets"
    memory = 50.0

    def set_up(self, port: int) -> None:
        self.code, self.secrets = started(port)

    def send(self, port: int) -> Facts:
        until, sockets, commands = time.monotonic() + self.seconds, 0, itertools.count(1)
        path, first = f"/api/tables/{self.code}", None
        while time.monotonic() < until:
            seen = ask(port, path, secret=".".join(self.secrets))
            if seen.status != 200:
                time.sleep(0.1)
                continue
            number = seen.body["number"]
            first = number if first is None else first
            seat = seen.body["shown"]["seat"]
            own = ask(port, f"{path}?as={seat}", secret=".".join(self.secrets))
            if own.status != 200:
                time.sleep(0.1)
                continue
            undo = own.body["own"]["undo"]
            legal = own.body["own"]["legal"]
            sent = []
            for _ in range(58):
                wish = {"type": "undo"} if undo else {"type": "move", "action": legal[-1]}
                asked = {"id": f"u{next(commands)}", "version": number, "wish": wish}
                sent.append(frame(TEXT, json.dumps(asked).encode()))
                undo, number = not undo, number + 1
            with suppress(OSError):
                line = open_socket(port, self.code, self.secrets[seat])
                sockets += 1
                line.sendall(b"".join(sent))
                line.settimeout(0.3)
                with suppress(OSError):
                    while line.recv(65_536):
                        pass
                line.close()
        self.first = first
        seen = ask(port, path, secret=self.secrets[0])
        last = seen.body["number"] if seen.status == 200 else first
        made = (last or 0) - (first or 0)
        return {"sockets": sockets, "events": made, "a minute": round(60 * made / self.seconds)}

    def checks(self, outcome: Outcome) -> Iterator[Check]:
        yield from super().checks(outcome)
        made = outcome.sent.get("a minute", 10**6)
        # In a moment one may run ahead of a rate.
        yield at_most("events a minute", made, EVENTS_A_MINUTE)


class Lobby(Attack):
    """One address sets up as many listed tables as it may, and talks at them."""

    name = "lobby"
    what = "60 listed tables from one address, with talk at each"

    def send(self, port: int) -> Facts:
        made: list[tuple[str, str]] = []
        refused = 0
        # Somebody else's table is the oldest.
        self_table, _ = new_table(port, NEWCOMER, agreement={"listed": True}, name="Zobeide")
        for _ in range(60):
            try:
                code, secrets = new_table(port, agreement={"listed": True})
                made.append((code, secrets[0]))
            except OSError:
                refused += 1
        lines = []
        for code, secret in made:
            with suppress(OSError):
                lines.append(open_socket(port, code, secret))
                asked = command(1, 1, "chat", text="Come here!")
                ask(port, f"/api/tables/{code}/commands", asked, secret=secret)
        rows = good(ask(port, "/api/tables", address=NEWCOMER))["tables"]
        codes = {code for code, _ in made}
        found = {
            "listed": len(made),
            "refused": refused,
            "rows of the lobby": len(rows),
            "rows of the attacker": sum(row["code"] in codes for row in rows),
            "the other's table is seen": any(row["code"] == self_table for row in rows),
        }
        for line in lines:
            line.close()
        return found

    def checks(self, outcome: Outcome) -> Iterator[Check]:
        yield from super().checks(outcome)
        held = outcome.sent.get("rows of the attacker", 50)
        yield at_most("rows of the lobby held", held, LOBBY_ROWS)
        seen = outcome.sent.get("the other's table is seen", False)
        yield Check("another's table is seen", str(seen), bool(seen))


class Talk(Attack):
    """Chat as fast as it is taken, from many sockets of one seat, which all get all of it."""

    name = "talk"
    what = "chat from 50 sockets of one seat at once"
    memory = 50.0

    def set_up(self, port: int) -> None:
        self.code, self.secrets = new_table(port)

    def send(self, port: int) -> Facts:
        until, sent, cut, count = time.monotonic() + self.seconds, 0, 0, itertools.count()
        lines: list[socket.socket] = []
        while time.monotonic() < until:
            while len(lines) < 50 and time.monotonic() < until:
                try:
                    line = open_socket(port, self.code, self.secrets[0])
                    line.setblocking(False)
                    lines.append(line)
                except OSError:
                    break
            for line in list(lines):
                asked = command(next(count), 1, "chat", text="x" * 280)
                try:
                    line.send(frame(TEXT, json.dumps(asked).encode()))
                    sent += 1
                    with suppress(BlockingIOError):
                        if not line.recv(1 << 20):
                            raise ConnectionError
                except OSError:
                    cut += 1
                    lines.remove(line)
                    line.close()
            time.sleep(0.02)
        number = ask(port, f"/api/tables/{self.code}", secret=self.secrets[0]).body
        for line in lines:
            line.close()
        stored = number.get("number", 0) if isinstance(number, dict) else 0
        return {"sent": sent, "cut": cut, "events stored": stored}


class Flapping(Attack):
    """A seat that comes and goes at a table at which a hundred sockets are told of it."""

    name = "flapping"
    what = "a seat that connects and goes in a loop, 100 sockets are told each time"
    memory = 50.0

    def set_up(self, port: int) -> None:
        self.code, self.secrets = new_table(port)

    def send(self, port: int) -> Facts:
        watching = []
        for _ in range(100):
            with suppress(OSError):
                line = open_socket(port, self.code)
                watching.append(line)
                threading.Thread(target=count_bytes, args=(line, [0]), daemon=True).start()
        until, came, refused = time.monotonic() + self.seconds, 0, 0
        raw = upgrade(self.code, port, self.secrets[0])
        while time.monotonic() < until:
            try:
                line = connect(port)
                line.sendall(raw)
                line.recv(1000)
                line.close()
                came += 1
            except OSError:
                refused += 1
        for line in watching:
            line.close()
        return {"watching": len(watching), "came and went": came, "refused": refused}


def count_bytes(line: socket.socket, total: list[int]) -> None:
    with suppress(OSError):
        while got := line.recv(65_536):
            total[0] += len(got)


class UnreadEvents(Attack):
    """Sockets that never read, at a table at which much happens."""

    name = "unread"
    what = "200 sockets that never read, at a table where somebody talks"
    memory = 100.0

    def set_up(self, port: int) -> None:
        self.code, self.secrets = new_table(port)

    def send(self, port: int) -> Facts:
        deaf = []
        for _ in range(200):
            with suppress(OSError):
                deaf.append(open_socket(port, self.code, receive=2048))
        until, said, count = time.monotonic() + self.seconds, 0, itertools.count()
        while time.monotonic() < until:
            asked = command(next(count), 1, "chat", text="x" * 280)
            path = f"/api/tables/{self.code}/commands"
            with suppress(OSError):
                said += ask(port, path, asked, secret=self.secrets[0]).status == 200
            time.sleep(0.02)
        for line in deaf:
            line.close()
        return {"deaf sockets": len(deaf), "said": said}


class ComingAndGoing(Attack):
    """Somebody who joins and leaves a table in a loop."""

    name = "joining"
    what = "join and leave in a loop at a table of one's own"
    memory = HEADERS_MB

    def set_up(self, port: int) -> None:
        self.code, self.secrets = new_table(port)

    def send(self, port: int) -> Facts:
        until, joined, refused = time.monotonic() + self.seconds, 0, 0
        path = f"/api/tables/{self.code}"
        while time.monotonic() < until:
            try:
                key = good(ask(port, f"{path}/join", {"name": "Bea"}))["keys"][0]["secret"]
                number = good(ask(port, f"{path}/summary", secret=key))
                version = number.get("number", 0)
                ask(port, f"{path}/commands", command(0, version, "leave"), secret=key)
                joined += 1
            except OSError:
                refused += 1
                time.sleep(0.02)
        return {"joined": joined, "refused": refused}
