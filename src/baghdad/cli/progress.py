"""A bar for whatever takes more than a second; nothing where no person is watching."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from tqdm import tqdm

Item = TypeVar("Item")


def progress(items: Iterable[Item], total: int | None, label: str) -> Iterator[Item]:
    """The items, with a bar on standard error while they are worked through."""
    yield from tqdm(items, label, total, delay=1, disable=None, leave=False)
