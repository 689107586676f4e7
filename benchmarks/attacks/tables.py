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
    Messages,
    ask,
    command,
    connect,
    good,
    new_table,
    open_socket,
    started,
    upgrade,
)

EVENTS_A_MINUTE = 1300
"""Of somebody who plays both seats of a table, at the 10 a second of a person, and what
is not to be told from it in some seconds."""
LOBBY_ROWS = 10
MESSAGES = 58
"""On a socket before it is too fast, as it once was: then comes a new one."""


class Undoing(Attack):
    """Move and take back, with a new socket as soon as one is too fast."""

    name = "undo"
    what = "move and undo in a loop with new sockets"
    duration = 12.0
    memory = 50.0
    tired = False
    """Nothing more may be taken back in this turn."""

    def set_up(self, port: int) -> None:
        self.code, self.secrets = started(port)

    def send(self, port: int) -> Facts:
        until, self.sockets, self.count = time.monotonic() + self.seconds, 0, 0
        first, half = self.look_on(port), 0
        while (now := time.monotonic()) < until:
            if not half and now > until - self.seconds / 2:
                half = self.look_on(port)
            if not self.as_fast_as_a_socket_allows(port, until):
                time.sleep(0.1)
        last = self.look_on(port)
        return {
            "sockets": self.sockets,
            "commands": self.count,
            "events": last - first,
            "a minute, lasting": round(60 * (last - half) / (self.seconds / 2)),
        }

    def look_on(self, port: int) -> int:
        """The number of the last event, as somebody else sees it."""
        return int(good(ask(port, f"/api/tables/{self.code}", address=NEWCOMER))["number"])

    def as_fast_as_a_socket_allows(self, port: int, until: float) -> bool:
        """Move and take back with a socket for each of both seats; False where nothing went."""
        lines: list[Messages] = []
        done = 0
        try:
            for secret in self.secrets:
                lines.append(Messages(open_socket(port, self.code, secret)))
                self.sockets += 1
            snapshots = [line.next() or {} for line in lines]
            number = int(snapshots[0].get("number", 0))
            own = [each.get("own") or {} for each in snapshots]
            for _ in range(MESSAGES):
                seat = 0 if own[0].get("legal") else 1
                mine = own[seat]
                if not mine.get("legal") or time.monotonic() > until:
                    break
                undo = mine["undo"] and not self.tired
                wish = {"type": "undo"} if undo else {"type": "move", "action": mine["legal"][-1]}
                if self.tired:
                    wish = {"type": "move", "action": mine["legal"][0]}
                self.count += 1
                asked = {"id": f"u{self.count}", "version": number, "wish": wish}
                lines[seat].line.sendall(frame(TEXT, json.dumps(asked).encode()))
                answer = None
                while answer is None:
                    message = lines[seat].next()
                    if message is None:
                        return done > 0
                    if message["type"] == "event":
                        number, own[seat] = message["number"], message.get("own") or {}
                    elif message["type"] == "answer":
                        answer = message
                self.tired = undo and answer["result"] == "refused"
                if answer["result"] == "accepted":
                    done += 1
                    other = lines[1 - seat].next()  # it is told of the same event
                    while other is not None and other["type"] != "event":
                        other = lines[1 - seat].next()
                    own[1 - seat] = (other or {}).get("own") or {}
                elif not undo:
                    break
        except OSError:
            pass
        finally:
            for each in lines:
                each.line.close()
        return done > 0

    def checks(self, outcome: Outcome) -> Iterator[Check]:
        yield from super().checks(outcome)
        # For a moment one may run ahead of a rate.
        made = outcome.sent.get("a minute, lasting", 10**6)
        yield at_most("events a minute, lasting", made, EVENTS_A_MINUTE)


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
                version = good(ask(port, path, secret=key))["number"]
                ask(port, f"{path}/commands", command(0, version, "leave"), secret=key)
                joined += 1
            except OSError:
                refused += 1
                time.sleep(0.02)
        return {"joined": joined, "refused": refused}
