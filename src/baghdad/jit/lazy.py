"""Modules that load at first use, so that importing the package does not load Numba."""

from importlib import import_module
from typing import Any


class LazyModule:
    """Stands in for a module until one of its names is asked for.

    >>> json = LazyModule("json")
    >>> json.dumps([1])
    '[1]'
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        value = getattr(import_module(self._name), attribute)
        setattr(self, attribute, value)
        return value
