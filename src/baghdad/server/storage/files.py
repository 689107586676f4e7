"""The files of SQLite: they hold all hands, so they are for their owner alone."""

import os
import stat
from pathlib import Path

OTHERS = stat.S_IRWXG | stat.S_IRWXO
"""What a group or everybody may do."""


def make_private_folder(folder: Path, *, ours: bool) -> None:
    """Make a folder for its owner alone, whatever the umask is.

    `ours`: nobody else chose it, so that one made by an older version is closed as well. A folder
    that the host has named and made stays as it is.
    """
    try:
        folder.mkdir(mode=stat.S_IRWXU, parents=True)
    except FileExistsError:
        if not folder.is_dir():
            raise
        if ours:
            close_to_others(folder)
    else:
        close_to_others(folder)


def make_private_database(file: Path) -> None:
    """Make a database file for its owner alone, or close one that is there.

    SQLite gives its companions the rights of the file itself; those left behind by an older
    version are closed with it.
    """
    os.close(os.open(file, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600))
    for each in (file, *(file.with_name(file.name + suffix) for suffix in ("-wal", "-shm"))):
        close_to_others(each)


def close_to_others(path: Path) -> None:
    """Take all rights from the group and from everybody; nothing where it is somebody else's."""
    if os.name != "posix":
        return  # elsewhere a user's folders are closed to others by themselves
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & OTHERS:
            path.chmod(mode & ~OTHERS)
    except (FileNotFoundError, PermissionError):
        pass  # a companion that is not there; a file of another user, who has decided
