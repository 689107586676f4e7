"""Compiles the rules with Numba where it exists; elsewhere the same source runs as it is.

Numba's own cache looks only at the file of the function that is called, not at the files of the
functions which that one calls. So ours lies in a folder named after a hash of all the sources:
after an upgrade or an edit nothing stale can be found.
"""

import os
import shutil
import time
import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from platformdirs import user_cache_path

from .sources import Sources

Function = TypeVar("Function", bound=Callable[..., Any])

PLAIN = "BAGHDAD_PLAIN"
"""Environment variable: set to 1 to run the rules uncompiled, for debugging and for tests."""

UNCACHED = "BAGHDAD_UNCACHED"
"""Environment variable: set to 1 to compile everything anew and to keep nothing of it."""

PACKAGE = __name__.partition(".")[0]

KEEP_SECONDS = 30 * 24 * 3600
"""Folders of other versions go after a month without use: long enough for two side by side."""


def _load_numba() -> Any:
    if os.environ.get(PLAIN, "0") not in ("", "0"):
        return None
    try:
        numba: Any = import_module("numba")
    except ModuleNotFoundError as error:
        if error.name != "numba":
            warnings.warn(f"the rules run uncompiled, far slower: {error}", stacklevel=2)
        return None
    except ImportError as error:
        warnings.warn(f"the rules run uncompiled, far slower: {error}", stacklevel=2)
        return None
    return None if numba.config.DISABLE_JIT else numba


numba = _load_numba()
COMPILED: bool = numba is not None


def cache_folder(sources: Sources) -> Path | None:
    """The folder for the compiled code of these sources; none where nothing can be written."""
    if os.environ.get(UNCACHED, "0") not in ("", "0"):
        return None
    root = user_cache_path("baghdad") / "compiled"
    mine = root / sources.name
    try:
        mine.mkdir(parents=True, exist_ok=True)
        os.utime(mine)
    except OSError:
        return None
    for other in root.iterdir():
        try:
            if time.time() - other.stat().st_mtime > KEEP_SECONDS:
                shutil.rmtree(other, ignore_errors=True)
        except OSError:
            continue  # another process was faster
    return mine if os.access(mine, os.W_OK) else None


def on_first_compile(callback: Callable[[], None]) -> None:
    """Have `callback` called once, when a function of ours must be compiled: that takes a while."""
    if numba is None:
        return
    event = import_module("numba.core.event")

    class Once(event.Listener):  # type: ignore[misc, name-defined]
        def on_start(self, event_: Any) -> None:
            if event_.data["dispatcher"].py_func.__module__.startswith(PACKAGE):
                event.unregister("numba:compile", self)
                callback()

        def on_end(self, event_: Any) -> None:
            pass

    event.register("numba:compile", Once())


def compiler(sources: Sources, **options: Any) -> Callable[[Function], Function]:
    """A decorator that compiles functions written in these sources; options are Numba's."""
    if numba is None:
        return lambda function: function
    cache = cache_folder(sources)
    # Small functions that call each other all the time: inlined they run twice as fast.
    options = {"nogil": True, "forceinline": True} | options

    def compile_(function: Function) -> Function:
        # Files that were edited since they were imported belong into another folder.
        if cache is None or not sources.unchanged():
            return _widen_integers(numba.njit(**options)(function))
        # Numba asks for its cache folder once, while it decorates, and only through this setting.
        # It is put back at once, so that nobody else's functions land in our folder.
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(cache)
        try:
            return _widen_integers(numba.njit(cache=True, **options)(function))
        finally:
            numba.config.CACHE_DIR = before

    return compile_


def _widen_integers(compiled: Any) -> Any:
    """Compile a function once, not anew for every constant and size of number it is called with.

    That is Numba's habit, and would double the time that people wait for the first game.
    """
    types, find = numba.types, compiled.get_call_template

    def one(kind: Any) -> Any:
        signed = isinstance(kind, types.Integer) and kind.signed
        return types.int64 if signed else types.unliteral(kind)

    def find_one(args: Any, kws: Any) -> Any:
        return find(tuple(map(one, args)), {name: one(kind) for name, kind in kws.items()})

    compiled.get_call_template = find_one
    return compiled
