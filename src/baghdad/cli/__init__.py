"""The command line. Every command loads only what it needs, so that help is instant."""

import contextlib
import io
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from baghdad.text import LANGUAGES, say, system_language

if TYPE_CHECKING:
    from argparse import Namespace

    from baghdad.rules.errors import RecordError

BAD_RECORD, USAGE, INTERRUPTED = 1, 2, 130
ENGINE_COMMANDS = (
    "record", "replay", "review", "hint", "puzzles", "beliefs", "luck", "perft", "bench", "play",
    "demo", "arena", "ladder", "lab", "train", "serve",
)  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns its exit code."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    language = _language(arguments)
    _speak_unicode()
    from .parser import make_parser

    options = make_parser(language, arguments).parse_args(arguments)
    if options.command is None:
        arguments = [*arguments, "serve", "--open"]
        options = make_parser(language, arguments).parse_args(arguments)
    from baghdad.rules.errors import RecordError

    from .files import UsageError

    if sys.stdout is None:
        return USAGE
    try:
        if options.command in ENGINE_COMMANDS:
            _announce_compiling(language)
        code: int = options.run(options, language)
        sys.stdout.flush()
    except UsageError as error:
        complain(say("cli.error", language, reason=error))
        return USAGE
    except RecordError as error:
        _report(error, language, options)
        return BAD_RECORD
    except KeyboardInterrupt:
        complain(say("cli.stopped", language))
        return INTERRUPTED
    except BrokenPipeError:
        _drop_output()  # the reader has seen enough (`| head`)
        return 0
    except OSError as error:
        reason = error.strerror or str(error)
        complain(say("cli.error", language, reason=say("cli.system", language, reason=reason)))
        _drop_output()
        return USAGE
    return code


def _drop_output() -> None:
    """What could not be written goes nowhere; Python would complain of it once more at exit."""
    with contextlib.suppress(io.UnsupportedOperation):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def complain(text: str) -> None:
    """Tell a person, if there is one."""
    if sys.stderr is not None:
        print(text, file=sys.stderr)


def _announce_compiling(language: str) -> None:
    """Say why nothing happens for a while, where a person is watching."""
    if sys.stderr is not None and sys.stderr.isatty():
        from baghdad.jit.compiler import on_first_compile

        on_first_compile(lambda: complain(say("cli.compiling", language)))


def _speak_unicode() -> None:
    """No text may fail on an old terminal, and what goes to a file or program is UTF-8."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            if stream.isatty():
                stream.reconfigure(errors="replace")
            else:
                # A file's name may be no text at all.
                stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _language(arguments: Sequence[str]) -> str:
    """The language asked for, known before the parser speaks."""
    for number, argument in enumerate(arguments):
        if argument == "--lang" and number + 1 < len(arguments):
            wanted = arguments[number + 1]
        elif argument.startswith("--lang="):
            wanted = argument.removeprefix("--lang=")
        else:
            continue
        if wanted in LANGUAGES:
            return wanted
    return system_language()


def _report(error: "RecordError", language: str, options: "Namespace") -> None:
    """Say where a record is wrong: for people, or as JSON where JSON was asked for."""
    if getattr(options, "json", False):
        import json

        place = {"line": error.line, "column": error.column, "token": error.token}
        report = {"error": place | {"rule": error.rule, "reason": error.reason(language)}}
        print(json.dumps(report, ensure_ascii=False), file=sys.stderr)
    else:
        print(f"{options.file}: {error.said(language)}", file=sys.stderr)
