"""Small frames on a spectator's socket, and answers that are never read."""

import threading
import time
from collections.abc import Iterator
from itertools import repeat

from benchmarks.load.wire import PING, PONG, TEXT, frame

from .attack import HEADERS_MB, Attack, Facts
from .wire import new_table, open_socket, push

MB = 1_000_000
PIECE = 64 * 1024
FRAMES = {
    "ping": frame(PING, b""),
    "pong": frame(PONG, b""),
    "text": frame(TEXT, b""),
    "continuation": b"\0\x80\0\0\0\0",
}


class EmptyFrames(Attack):
    """As many empty frames as the server takes; somebody who is cut comes again."""

    name = "frames"
    what = "empty ping, pong, text and continuation frames on one spectator's socket"
    memory = HEADERS_MB

    def set_up(self, port: int) -> None:
        self.code, _ = new_table(port)

    def send(self, port: int) -> Facts:
        facts: Facts = {}
        for name, one in FRAMES.items():
            until = time.monotonic() + self.seconds / 3
            sent = sockets = 0
            while time.monotonic() < until:
                try:
                    line = open_socket(port, self.code)
                except OSError:
                    time.sleep(0.2)
                    continue
                sockets += 1
                reader = threading.Thread(target=drain, args=(line,), daemon=True)
                reader.start()
                if name == "continuation":
                    line.sendall(b"\x01\x80\0\0\0\0")  # a text that is to go on
                sent += push(line, repeat(one * (PIECE // len(one)), 10**9), until)
                line.close()
                time.sleep(0.2)
            facts[f"{name} frames"] = sent // len(one)
            facts[f"sockets for {name}"] = sockets
        return facts


def drain(line: object) -> None:
    """Read all that comes, so that the server can go on answering."""
    try:
        while line.recv(65_536):  # type: ignore[attr-defined]
            pass
    except OSError:
        pass


class UnreadPongs(Attack):
    """Pings, whose pongs pile up."""

    name = "pongs"
    what = "pings of 125 bytes whose pongs are never read, 220 MB"
    memory = HEADERS_MB

    def set_up(self, port: int) -> None:
        self.code, _ = new_table(port)

    def send(self, port: int) -> Facts:
        one = frame(PING, b"x" * 125)
        piece = one * (PIECE // len(one))
        offered = (40 if self.quick else 220) * MB
        until, sent, sockets = time.monotonic() + 3 * self.seconds, 0, 0
        while sent < offered and time.monotonic() < until and sockets < 20:
            try:
                line = open_socket(port, self.code, receive=4096)
            except OSError:
                time.sleep(0.2)
                continue
            sockets += 1
            sent += push(line, pieces(piece, offered - sent), until)
            line.close()
        return {"MB taken": round(sent / MB, 1), "sockets": sockets}


def pieces(piece: bytes, size: int) -> Iterator[bytes]:
    return repeat(piece, size // len(piece) + 1)
