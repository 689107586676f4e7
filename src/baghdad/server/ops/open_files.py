"""How many files the process may have open: every connection is one."""

import errno
import os

try:
    import resource
except ImportError:  # Windows, which has no such limit
    resource = None  # type: ignore[assignment]

ENOUGH = 1 << 20, 10_240
"""Where there is no hard limit: no system allows more, and macOS only the second."""
RESERVE = 128
"""Files that no connection gets: the database, the bots' pipes, the page, the log."""


def raise_open_files() -> None:
    """Take all that the system allows: commonly 1,024 at first, and far more when asked."""
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    endless = hard == resource.RLIM_INFINITY
    for wanted in ENOUGH if endless else (hard,):
        if soft == resource.RLIM_INFINITY or wanted <= soft:
            return
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):
            continue
        return


def most_connections() -> int | None:
    """How many connections there are files for; None where that is not limited."""
    if resource is None:
        return None
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else max(soft - RESERVE, soft // 2)


def is_short() -> bool:
    """Whether no file can be opened now.

    Event loops tell of it in different ways: uvloop accepts and closes connections without a word.
    """
    try:
        os.close(os.dup(2))
    except OSError as error:
        return error.errno in (errno.EMFILE, errno.ENFILE)
    return False
