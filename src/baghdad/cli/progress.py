"""A bar for whatever takes more than a second; nothing where no person is watching."""

import sys
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from tqdm import tqdm

Item = TypeVar("Item")


def bar(total: float, label: str) -> Any:
    """A bar on standard error, to be moved by `update`."""
    return tqdm(desc=label, total=total, delay=1, disable=_nobody_watches(), leave=False)


def progress(items: Iterable[Item], total: int, label: str) -> Iterator[Item]:
    """The items, with a bar while they are worked through."""
    yield from tqdm(items, label, total, delay=1, disable=_nobody_watches(), leave=False)


def _nobody_watches() -> bool | None:
    """None leaves it to tqdm, which looks whether there is a terminal."""
    return True if sys.stderr is None else None
