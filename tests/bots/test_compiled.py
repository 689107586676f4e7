"""What a player's folder compiles depends on no source that its cache is not named after."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from baghdad.bots import heuristic, neural, search
from baghdad.jit.compiler import COMPILED
from baghdad.jit.sources import Sources

PLAYERS = [heuristic, search, neural]


def folders(sources: Sources) -> Iterator[Path]:
    yield sources._folder
    for below in sources.below:
        yield from folders(below)


def compiled_functions(package: Any) -> Iterator[Any]:
    for path in sorted(Path(package.__file__).parent.glob("*.py")):
        module = import_module(f"{package.__name__}.{path.stem}")
        for each in vars(module).values():
            if hasattr(each, "py_func") and each.py_func.__module__ == module.__name__:
                yield each.py_func


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled here")
@pytest.mark.parametrize("package", PLAYERS, ids=lambda package: package.__name__)
def test_compiled_functions_call_only_what_their_cache_is_named_after(package: Any) -> None:
    known, found = set(folders(package.SOURCES)), 0
    for function in compiled_functions(package):
        for name in function.__code__.co_names:
            called = function.__globals__.get(name)
            if hasattr(called, "py_func"):
                assert Path(called.py_func.__code__.co_filename).parent in known, (function, name)
                found += 1
    assert found > 5
