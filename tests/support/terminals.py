"""A real program at a pseudo-terminal, as a person at a keyboard has it."""

import contextlib
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from types import TracebackType

SECONDS = 240
"""How long to wait for a text; a busy machine compiles first."""
CONTROL = re.compile(r"\x1b(\[[0-9;?]*[ -/]*[@-~]|[()][A-Z0-9]|[=>78])")


class Keyboard:
    """A program that believes to be at a terminal of a certain size."""

    def __init__(
        self, *arguments: str, folder: Path, columns: int = 80, **environment: str
    ) -> None:
        self.output = ""
        """All that came so far, control sequences and all."""
        self._seen = 0
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, columns, 0, 0))
        inherited = {
            name: value
            for name, value in os.environ.items()
            if name not in ("COLUMNS", "LINES", "NO_COLOR")
        }
        known = {"LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1"}
        self._ours = ours
        self.program = subprocess.Popen(
            [sys.executable, "-m", "baghdad", *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=folder,
            env=inherited | known | environment,
            start_new_session=True,
        )
        os.close(theirs)

    def __enter__(self) -> "Keyboard":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.program.kill()
        self.program.wait()
        os.close(self._ours)

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def line(self, text: str) -> None:
        self.type(f"{text}\r")

    @property
    def text(self) -> str:
        """All that came so far without control sequences; a form feed where it was all erased."""
        return CONTROL.sub("", self.output.replace("\x1b[2J", "\f"))

    def until(self, wanted: str, seconds: float = SECONDS) -> str:
        """Read until a text comes; returns all that came since the last one."""
        end = time.monotonic() + seconds
        while (at := self.text.find(wanted, self._seen)) < 0:
            assert self._read(end), f"{wanted!r} did not come, but: {self.text[self._seen :]!r}"
        shown = self.text[self._seen : at]
        self._seen = at + len(wanted)
        return shown

    def exit_code(self) -> int:
        """Read to the end of the program."""
        end = time.monotonic() + SECONDS
        while self._read(end):
            pass
        return self.program.wait(SECONDS)

    def _read(self, end: float) -> bool:
        ready, _, _ = select.select([self._ours], [], [], max(0, end - time.monotonic()))
        data = b""
        with contextlib.suppress(OSError):  # nobody writes any more
            data = os.read(self._ours, 1 << 16) if ready else b""
        self.output += data.decode("utf-8", "replace")
        return bool(data)
