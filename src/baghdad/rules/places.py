"""Where the fields of a state lie among its bytes: to read there costs a tenth of a NumPy field.

All but `turn` are numbers of one byte, and only `named` and `winner` can be below 0.
"""

from typing import TypeAlias

from .engine.state import STATE

Place: TypeAlias = int | slice | tuple[slice, ...]
"""Of a number, of a list of numbers, or of rows of them."""


def start_of(name: str) -> int:
    """Of a field's first number."""
    assert STATE.fields is not None, "a record has fields"
    return int(STATE.fields[name][1])


def rows_of(name: str) -> tuple[slice, ...]:
    """Of a field's numbers, by row; a list is one row.

    >>> rows_of("chests"), len(rows_of("hands"))
    ((slice(54, 60, None),), 4)
    """
    start, width = start_of(name), STATE[name].shape[-1]
    end = start + STATE[name].itemsize
    return tuple(slice(at, at + width) for at in range(start, end, width))


def place_of(name: str) -> Place:
    """Of all of a field."""
    shape = STATE[name].shape
    if not shape:
        return start_of(name)
    return rows_of(name) if len(shape) > 1 else rows_of(name)[0]
