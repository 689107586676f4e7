"""Who is next where many wait for few: watched ones first, then all creators in turn."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

Item = TypeVar("Item")

UNWATCHED_EVERY = 8
"""Of so many that are taken, one is of those that nobody watches, if there are any: they go on
slowly, but they go on."""
REMEMBERED = 1_000
"""Creators of whom is known when they were served last, also while nothing of theirs waits: more
than ever wait at a time."""


@dataclass(frozen=True, slots=True)
class Claim:
    """For whom something waits."""

    creator: str
    """All of one creator together get as much as all of any other, however many they are."""
    watched: Callable[[], bool]
    """Whether somebody is there who waits for it: asked in the moment of choosing, since people
    come and go while it waits."""


class FairQueue(Generic[Item]):
    """Items that wait. The creator who was served longest ago comes first, whose items in order."""

    def __init__(self) -> None:
        self._waiting: dict[str, list[tuple[Claim, Item]]] = {}
        self._length = 0
        self._served: OrderedDict[str, int] = OrderedDict()
        """By creator: when, counted in items."""
        self._taken = 0
        self._watched_in_a_row = 0

    def __len__(self) -> int:
        return self._length

    def put(self, claim: Claim, item: Item) -> None:
        self._waiting.setdefault(claim.creator, []).append((claim, item))
        self._length += 1

    def take(self) -> Item:
        """The one whose turn it is. Raises `IndexError` where nothing waits."""
        patient = self._watched_in_a_row >= UNWATCHED_EVERY - 1
        watched = not patient
        found = self._next(watched=watched)
        if found is None:
            watched = patient
            found = self._next(watched=watched)
        if found is None:
            raise IndexError("nothing waits")
        self._watched_in_a_row = self._watched_in_a_row + 1 if watched else 0
        return self._remove(*found)

    def _next(self, *, watched: bool) -> tuple[str, int] | None:
        """Of those that are watched, or are not: the creator whose turn it is, and which one."""
        # In this order, so that of creators who were never served the first to wait is the first.
        for creator in sorted(self._waiting, key=lambda each: self._served.get(each, 0)):
            for place, (claim, _) in enumerate(self._waiting[creator]):
                if claim.watched() == watched:
                    return creator, place
        return None

    def _remove(self, creator: str, place: int) -> Item:
        line = self._waiting[creator]
        _, item = line.pop(place)
        if not line:
            del self._waiting[creator]
        self._length -= 1
        self.count(creator)
        return item

    def count(self, creator: str) -> None:
        """Something of a creator is served; also where nothing had to wait."""
        self._taken += 1
        self._served[creator] = self._taken
        self._served.move_to_end(creator)
        if len(self._served) > REMEMBERED:
            self._served.popitem(last=False)
