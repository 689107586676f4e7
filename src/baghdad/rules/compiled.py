"""Compiles the rules with Numba where it exists; elsewhere the same source runs as it is.

Numba's own cache looks only at the file of the function that is called, not at the files of the
functions which that one calls. So ours lies in a folder named after a hash of all the sources
of the room: after an upgrade or an edit nothing stale can be found.
"""

import hashlib
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from platformdirs import user_cache_path

Function = TypeVar("Function", bound=Callable[..., Any])

PLAIN = "BAGHDAD_PLAIN"
"""Environment variable: set to 1 to run the rules uncompiled, for debugging and for tests."""

KEEP_SECONDS = 30 * 24 * 3600
"""Folders of other versions go after a month without use: long enough for two side by side."""

try:
    if os.environ.get(PLAIN, "0") not in ("", "0"):
        raise ImportError
    import numba as _numba
except ImportError:
    numba: Any = None
else:
    numba = _numba

COMPILED: bool = numba is not None


def source_hash(*folders: Path) -> str:
    """Name for what these folders' Python files say, whatever their dates.

    >>> source_hash() == source_hash()
    True
    """
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.glob("*.py")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def cache_folder(*folders: Path) -> Path | None:
    """The folder for the compiled code of these sources; none where nothing can be written."""
    root = user_cache_path("baghdad") / "compiled"
    try:
        mine = root / source_hash(*folders)
        mine.mkdir(parents=True, exist_ok=True)
        os.utime(mine)
        for other in root.iterdir():
            if time.time() - other.stat().st_mtime > KEEP_SECONDS:
                shutil.rmtree(other, ignore_errors=True)
    except OSError:
        return None
    return mine if os.access(mine, os.W_OK) else None


def compiler(*folders: Path) -> Callable[[Function], Function]:
    """A decorator that compiles functions written in these folders."""
    if numba is None:
        return lambda function: function
    cache = cache_folder(*folders)
    # Small functions that call each other all the time: inlined they run twice as fast.
    options = {"nogil": True, "forceinline": True}
    if cache is None:
        return numba.njit(**options)

    def compile_(function: Function) -> Function:
        # Numba asks for its cache folder once, while it decorates, and only through this setting.
        # It is put back at once, so that nobody else's functions land in our folder.
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(cache)
        try:
            return numba.njit(cache=True, **options)(function)
        finally:
            numba.config.CACHE_DIR = before

    return compile_


rule = compiler(Path(__file__).parent)
"""Compiles one function of the rules."""
