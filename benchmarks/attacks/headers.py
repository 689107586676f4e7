"""Requests whose headers never end."""

import time
from collections.abc import Iterator
from itertools import repeat

from .attack import HEADERS_MB, Attack, Check, Facts, Outcome, at_most
from .wire import closing_word, connect, push

MB = 1_000_000
PIECE = 64 * 1024
BEGINNING = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n"
CHUNKED = (
    b"POST /api/replay HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)
SLOW_SECONDS = 15.0
"""Longer than the 10 s in which headers have to be there."""


class Headers(Attack):
    """Header after header, more than anybody waits for the end of."""

    name = "headers"
    what = "request headers that never end, one connection, 40 MB, then 120 MB"
    memory = HEADERS_MB
    beginning = BEGINNING

    def pieces(self, size: int) -> Iterator[bytes]:
        return repeat(b"a:b\r\n" * (PIECE // 5), size // PIECE)

    def send(self, port: int) -> Facts:
        facts: Facts = {}
        for offered in (40,) if self.quick else (40, 120):
            line = connect(port)
            line.sendall(self.beginning)
            taken = push(line, self.pieces(offered * MB), time.monotonic() + 20)
            facts[f"MB taken of {offered}"] = round(taken / MB, 2)
            facts[f"answer to {offered}"] = closing_word(line)[:12].decode(errors="replace")
            line.close()
        return facts

    def checks(self, outcome: Outcome) -> Iterator[Check]:
        yield from super().checks(outcome)
        for name, answer in outcome.sent.items():
            if name.startswith("answer"):
                # It is answered with a refusal, or closed at once.
                ended = answer[9:10] == "4" or answer == "closed"
                yield Check("refused and closed", answer or "silence", ended)


class LongHeader(Headers):
    """One header that goes on and on."""

    name = "long-header"
    what = "one header that never ends, 40 MB, then 120 MB"

    def pieces(self, size: int) -> Iterator[bytes]:
        yield b"X-Endless: "
        yield from repeat(b"a" * PIECE, size // PIECE)


class LongAddress(Headers):
    """A request line that goes on and on."""

    name = "long-address"
    what = "an address that never ends, 40 MB, then 120 MB"
    beginning = b"GET /"

    def pieces(self, size: int) -> Iterator[bytes]:
        return repeat(b"a" * PIECE, size // PIECE)


class Trailers(Headers):
    """Headers after a body in chunks, where HTTP allows them too."""

    name = "trailers"
    what = "headers after the end of a body that never end, 40 MB, then 120 MB"
    beginning = CHUNKED + b"0\r\n"


class ChunkExtension(LongAddress):
    """What may stand beside the size of a chunk, and is never looked at."""

    name = "chunk-extension"
    what = "a chunk whose extension never ends, 40 MB, then 120 MB"
    beginning = CHUNKED + b"1;"


class SlowHeaders(Attack):
    """A header of which a letter comes every half second, on some connections."""

    name = "slow-headers"
    what = "20 requests whose headers come a letter every half second"
    memory = HEADERS_MB

    def send(self, port: int) -> Facts:
        lines = []
        for _ in range(20):
            line = connect(port)
            line.sendall(BEGINNING + b"X-Slow: ")
            lines.append(line)
        began, cut_after = time.monotonic(), 0.0
        while lines and (now := time.monotonic() - began) < SLOW_SECONDS:
            time.sleep(0.5)
            for line in list(lines):
                try:
                    line.settimeout(0.001)
                    line.send(b"a")
                    try:
                        gone = bool(line.recv(1000))
                        gone = True  # it was answered, or closed
                    except TimeoutError:
                        gone = False
                except OSError:
                    gone = True
                if gone:
                    lines.remove(line)
                    line.close()
                    cut_after = now
        return {"connections open at the end": len(lines), "last one cut after s": round(cut_after)}

    def checks(self, outcome: Outcome) -> Iterator[Check]:
        yield from super().checks(outcome)
        still = outcome.sent.get("connections open at the end", 20)
        yield at_most("connections open after 15 s", still, 0)
