"""Reading records from files and standard input, and saying what is wrong with them."""

import sys
from pathlib import Path
from typing import Literal, TextIO

from baghdad.rules.errors import RecordError
from baghdad.text import say


class UsageError(Exception):
    """Something is wrong with how the command was called."""


def read_text(file: str, language: str) -> str:
    """The text of a file, or of standard input for `-`."""
    if file == "-" and sys.stdin is None:
        raise UsageError(say("cli.no_stream", language))
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(say("cli.no_file", language, file=file, reason=reason)) from None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = error.start - (before.rfind(b"\n") + 1) + 1
        raise RecordError(line, column, "", key="not_text") from None


def check_output(file: str, language: str) -> None:
    """Complain now of what could not be written later."""
    if file != "-":
        open_output(file, language, "a").close()


def open_output(file: str, language: str, mode: Literal["w", "a"] = "w") -> TextIO:
    """Where to write: a file, or standard output for `-`."""
    if file == "-":
        return sys.stdout
    try:
        return Path(file).open(mode, encoding="utf-8", newline="\n")
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(say("cli.no_output", language, file=file, reason=reason)) from None
