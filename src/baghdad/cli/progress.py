"""A bar for whatever takes more than a second; nothing where no person is watching."""

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from tqdm import tqdm

Item = TypeVar("Item")


def bar(total: float, label: str) -> Any:
    """A bar on standard error, to be moved by `update`."""
    return tqdm(desc=label, total=total, delay=1, disable=None, leave=False)


def progress(items: Iterable[Item], total: int, label: str) -> Iterator[Item]:
    """The items, with a bar while they are worked through."""
    yield from tqdm(items, label, total, delay=1, disable=None, leave=False)
