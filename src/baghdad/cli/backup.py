"""`baghdad backup`: all tables of a server in one file, while it runs."""

import argparse
import errno
import os
import shutil
import sqlite3
import subprocess
from pathlib import Path

from baghdad.files import atomic_write
from baghdad.text import say

from .arguments import CommandParser, add_database
from .files import UsageError
from .serve import database_there

DUMP = "pg_dump"
"""PostgreSQL's own program, which knows what has to be written, and in which order."""


def add_arguments(parser: CommandParser) -> None:
    add_database(parser)
    parser.add_argument("file", metavar="FILE", help=parser.text("backup.file"))


def run(options: argparse.Namespace, language: str) -> int:
    """Write the file whole or not at all, for its owner alone."""
    file, database = Path(options.file), database_there(options, language)
    try:
        with atomic_write(file) as part:
            try:
                # Nobody else may read it from its first moment on: it holds all hands.
                part.unlink(missing_ok=True)
                os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
                if database.startswith("postgresql"):
                    _dump(database, part, language)
                else:
                    _copy(Path(database.partition("///")[2]), file, part, language)
            except BaseException:
                part.unlink(missing_ok=True)
                raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(say("cli.no_output", language, file=file, reason=reason)) from error
    print(say("cli.backup.done", language, file=file))
    return 0


def _copy(source: Path, file: Path, part: Path, language: str) -> None:
    from baghdad.server.storage.backup import DamagedError, copy_database

    if not source.exists():
        reason = os.strerror(errno.ENOENT)
        raise UsageError(say("cli.no_file", language, file=source, reason=reason))
    if file.exists() and file.samefile(source):
        raise UsageError(say("cli.backup.same", language, file=file))
    try:
        copy_database(source, part)
    except (sqlite3.Error, DamagedError) as error:
        text = say("cli.backup.failed", language, where=source, reason=error)
        raise UsageError(text) from error


def _dump(database: str, part: Path, language: str) -> None:
    from sqlalchemy import make_url

    address = make_url(database)
    if shutil.which(DUMP) is None:
        raise UsageError(say("cli.backup.no_dump", language, program=DUMP))
    # Not among the arguments, which everybody on the machine can read.
    secret = {} if address.password is None else {"PGPASSWORD": str(address.password)}
    plain = address._replace(drivername="postgresql", password=None)
    where = plain.render_as_string(hide_password=False)
    done = subprocess.run(
        [DUMP, "--format=custom", "--no-owner", f"--file={part}", f"--dbname={where}"],
        env=os.environ | secret,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        reason = " ".join(done.stderr.split()) or f"{DUMP} {done.returncode}"
        raise UsageError(say("cli.backup.failed", language, where=where, reason=reason))
