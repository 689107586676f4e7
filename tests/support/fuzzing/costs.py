"""What an input costs: counted, not timed, so that it is the same on every machine."""

import sys
import tracemalloc
from collections.abc import Callable, Iterable
from types import CodeType, FrameType
from typing import Any, NamedTuple


class Bound(NamedTuple):
    """What a target may use: so much in any case, and so much more for each byte of an input."""

    lines: int
    lines_a_byte: int
    memory: int = 1_000_000
    """Bytes; the first of a kind also fills caches."""
    memory_a_byte: int = 1000

    def check(self, target: Callable[[bytes], None], data: bytes) -> None:
        """Run it once more, and count; twice where something else may have come in between."""
        most = self.lines + self.lines_a_byte * len(data)
        lines = lines_of(target, data)
        if lines > most:
            lines = lines_of(target, data)
        assert lines <= most, f"{len(data)} bytes: {lines} lines of code, at most {most} allowed"

    def check_memory(self, target: Callable[[bytes], None], data: bytes) -> None:
        used, most = memory_of(target, data), self.memory + self.memory_a_byte * len(data)
        assert used <= most, f"{len(data)} bytes: {used} bytes of memory, at most {most} allowed"


def lines_of(target: Callable[[bytes], None], data: bytes) -> int:
    """Lines of Python that were carried out, in this thread."""
    counted = 0

    def count(_: FrameType, event: str, __: object) -> Any:
        nonlocal counted
        counted += event == "line"
        return count

    _traced(count, target, data)
    return counted


def memory_of(target: Callable[[bytes], None], data: bytes) -> int:
    """Bytes that were in use at a time, beyond those before it."""
    tracemalloc.start()
    try:
        target(data)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def distinct(
    target: Callable[[bytes], None], inputs: Iterable[bytes], within: tuple[str, ...]
) -> list[bytes]:
    """Of inputs, the shortest first, those that take a way through the code that none took before.

    `within`: parts of the paths of files that count.
    """
    known: set[tuple[CodeType, int, int]] = set()
    found: list[bytes] = []
    for data in sorted(inputs, key=lambda each: (len(each), each)):
        ways: set[tuple[CodeType, int, int]] = set()
        last: dict[FrameType, int] = {}

        def follow(
            frame: FrameType,
            event: str,
            _: object,
            ways: set[tuple[CodeType, int, int]] = ways,
            last: dict[FrameType, int] = last,
        ) -> Any:
            if event == "call" and not any(part in frame.f_code.co_filename for part in within):
                return None
            if event == "line":
                ways.add((frame.f_code, last.get(frame, 0), frame.f_lineno))
                last[frame] = frame.f_lineno
            return follow

        _traced(follow, target, data)
        if not ways <= known:
            known |= ways
            found.append(data)
    return found


def _traced(trace: Any, target: Callable[[bytes], None], data: bytes) -> None:
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        target(data)
    finally:
        sys.settrace(before)
