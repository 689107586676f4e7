"""What makes a function one of the module's: its name, and what each parameter is in memory.

A parameter that is a record or an array says so in its annotation. From Python the function is
called with NumPy's; the module is given the address of the same bytes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from inspect import getdoc, signature
from typing import Annotated, Any, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

from baghdad.jit.compiler import compiler

from . import SOURCES

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Record:
    """One element of an array of a structured type."""

    name: str
    dtype: np.dtype[Any]


@dataclass(frozen=True)
class Cells:
    """An array of numbers: of a fixed length, or as long as another parameter says."""

    name: str
    dtype: npt.DTypeLike
    length: int | str


@dataclass(frozen=True)
class Records:
    """An array of records: of a fixed length, or as long as another parameter says."""

    record: Record
    length: int | str


Kind: TypeAlias = type | Record | Cells | Records
"""What a parameter is: `int` or `float`, or how it lies in memory."""


@dataclass(frozen=True)
class Export:
    """A function of the module."""

    function: Callable[..., Any]

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def doc(self) -> str:
        """What it does."""
        return getdoc(self.function) or ""

    @cached_property
    def parameters(self) -> dict[str, Kind]:
        """By name: `int` or `float`, or how it lies in memory."""
        hints = get_type_hints(self.function, include_extras=True)
        return {name: _layout(hints[name]) for name in signature(self.function).parameters}

    @cached_property
    def returns(self) -> type | None:
        """`int`, `float`, `bool`, or None."""
        hint = get_type_hints(self.function)["return"]
        return None if hint is type(None) else hint

    @cached_property
    def native(self) -> Callable[..., Any]:
        """The same function compiled for this machine: given NumPy's records and arrays."""
        return compiler(SOURCES)(self.function)


def _layout(hint: Any) -> Kind:
    if get_origin(hint) is Annotated:
        for extra in get_args(hint)[1:]:
            if isinstance(extra, Record | Cells | Records):
                return extra
    if hint not in (int, float):
        raise TypeError(f"a function of the module can't be given {hint}")
    kind: type = hint
    return kind


MARKED: dict[str, Export] = {}
"""By name: all functions that were marked. `all_exports` has them in order."""


def export(function: Function) -> Function:
    """Make a function one of the module's."""
    if function.__name__ in MARKED:
        raise ValueError(f"there are two functions {function.__name__}")
    MARKED[function.__name__] = Export(function)
    return function
