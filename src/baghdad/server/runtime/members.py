"""This process among those that share a database: it keeps its lease, and takes over what others
have left behind."""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Protocol

from baghdad.server.ops import metrics
from baghdad.server.storage.errors import StorageError
from baghdad.server.storage.ownership import LEASE_SECONDS, Lease, Process

from .actor import PAUSE_SECONDS
from .clock import steady
from .registry import TableRegistry

log = logging.getLogger(__name__)

RENEW_SECONDS = LEASE_SECONDS / 4
"""Between two looks at who lives: several may fail before the lease ends."""
APART_SECONDS = 2 * RENEW_SECONDS
"""Without the bus, until it is looked whether others have it: they say it twice a second, and a bus
that starts again is away from all of them."""
LOOK = "look"
"""Said to all by a process that has come, or hands its tables over: it is looked at once."""
AT_ONCE = 20
"""Tables that are taken over together: few enough that all who live get some."""


class SecondError(Exception):
    """Another process has the database, and one of the two has no bus."""


class Links(Protocol):
    """The bus, and what goes on over it."""

    @property
    def linked(self) -> bool:
        """Whether the bus is reached."""

    def gone(self, process: str | None, /) -> None:
        """A process is gone; None: this one was away, and whatever went on begins anew."""

    def looked(self) -> None:
        """It is known again who lives."""

    async def ask(self, process: str, kind: str, body: bytes, /) -> bytes:
        """What a process answers. Raises `TimeoutError`, also where it is gone."""

    def call(self, kind: str, body: bytes = b"", /) -> None:
        """Tell all processes something."""


class Members:
    """Who lives, and whether this process does as far as others can know."""

    def __init__(
        self,
        registry: TableRegistry,
        lease: Lease,
        links: Links | None = None,
    ) -> None:
        """`links`: to other processes; None where there are to be none."""
        self.registry = registry
        self.lease = lease
        self.living: set[str] = set()
        """Others, by the last look."""
        self.links = links
        self.answers: dict[str, Callable[[bytes], Awaitable[bytes]]] = {}
        """By kind of question: what other processes are answered."""
        self.heard: dict[str, Callable[[bytes], None]] = {LOOK: lambda _: self.look()}
        """By kind: who is told what a process says to all."""
        self.every: list[Callable[[], None]] = []
        """Called about twice a second."""
        self._until = 0.0
        """By our own clock: the database may let the lease end a little later, never sooner."""
        self._linked_at = steady()
        """When the bus was last reached."""
        self._apart = False
        """Whether all tables were given up, since others reach the bus and we don't."""
        self._left = False
        self._look = asyncio.Event()
        self._keeping: asyncio.Task[None] | None = None
        self._sweeps: dict[str, asyncio.Task[None]] = {}
        registry.may_own = lambda: self.valid

    @property
    def valid(self) -> bool:
        """Whether this process may own tables now. Alone it does, whatever it has slept through:
        the database refuses what it should not write."""
        if self.links is None:
            return not self._left
        return not self._left and not self._apart and steady() < self._until

    @property
    def _linked(self) -> bool | None:
        return None if self.links is None else self.links.linked

    async def join(self) -> None:
        """Take the lease, and know who else lives before anybody comes. Raises `SecondError` where
        somebody is there who does not share."""
        self.lease.linked = self._linked
        known = await join(self.lease)
        self._until = steady() + LEASE_SECONDS
        self._take_in({each.id: each for each in known if each.id != self.lease.id})
        if self.links is not None:
            self.links.call(LOOK)
        self._keeping = asyncio.create_task(self._keep(), name="lease")

    async def leave(self) -> None:
        """Hand all tables over, and tell nobody any more that we live."""
        if self._left:
            return
        self._left = True
        await self._stop()
        try:
            await self.registry.hand_over()
        except StorageError as error:
            log.error("the lease runs out by itself: %s", error)
        if self.links is not None:
            self.links.call(LOOK)

    async def _stop(self) -> None:
        tasks = [each for each in (self._keeping, *self._sweeps.values()) if each is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def look(self) -> None:
        """Look at once who lives: somebody does not answer, or says that it goes."""
        self._look.set()

    async def _keep(self) -> None:
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._look.wait(), RENEW_SECONDS)
            self._look.clear()
            try:
                await self._once()
            except StorageError as error:
                log.error("the lease is not renewed: %s", error)
                if self.links is not None and not self.valid and self.registry.actors:
                    self._lose("the lease is over")
            except Exception:
                log.exception("the lease is not renewed")
            for each in self.every:
                try:
                    each()
                except Exception:  # whatever it is, the lease must be held
                    log.exception("not done")

    async def _once(self) -> None:
        began = steady()
        self.lease.linked = self._linked
        holding = not (self._apart and self._linked is False)
        known = await self.lease.renew() if holding else await self.lease.look()
        # The database decides, also where our own clock says that there was time left.
        late = self.links is not None and (began >= self._until or self.lease.lapsed)
        if late:
            self._until = 0.0
        others = {each.id: each for each in known if each.id != self.lease.id}
        self._take_in(others)
        was_apart, apart = self._apart, self._is_apart(others)
        self._apart = apart  # first of all: clients come again at once, and are not for here
        if apart and not was_apart:
            self._lose("others reach the bus, and this process does not")
            await self.lease.leave()
        if apart or not holding:
            return
        if late and not was_apart:
            await self._look_through()
        self._until = began + LEASE_SECONDS
        if late:
            self.registry.wake()
        for each in others.values():
            if not each.living and each.id not in self._sweeps:
                self._sweeps[each.id] = asyncio.create_task(self._sweep(each.id))

    def _is_apart(self, others: dict[str, Process]) -> bool:
        """Whether others reach the bus, and this process does not, for longer than they take to
        say so."""
        if self._linked is not False:
            self._linked_at = steady()
            return False
        if steady() - self._linked_at < APART_SECONDS:
            return self._apart
        return any(each.living and each.linked for each in others.values())

    def _take_in(self, others: dict[str, Process]) -> None:
        now = {each.id for each in others.values() if each.living}
        came, went = now - self.living, self.living - now
        self.living = now
        metrics.PROCESSES.set(len(now) + 1)
        if came or went:
            versions = {each.version for each in others.values() if each.living}
            about = {"came": sorted(came), "went": sorted(went), "versions": sorted(versions)}
            log.info("other processes", extra=about)
        if self.links is not None:
            for each in went:
                self.links.gone(each)
            self.links.looked()

    async def _look_through(self) -> None:
        """Give up what others have taken over while this process was away."""
        self.lease.begin_term()
        actors = list(self.registry.actors.values())
        ours = await self.lease.still_ours([actor.table.code for actor in actors])
        lost = [actor for actor in actors if actor.table.code not in ours]
        for actor in lost:
            actor.lose()
        about = {"tables": len(actors), "lost": len(lost)}
        log.warning("this process was away for longer than its lease", extra=about)
        if self.links is not None:
            self.links.gone(None)

    def _lose(self, why: str) -> None:
        log.warning("all tables are given up: %s", why)
        self.registry.lose_all()
        self.lease.begin_term()
        if self.links is not None:
            self.links.gone(None)

    async def _sweep(self, dead: str) -> None:
        """Go on at the tables of a process that is gone, where something is to be done."""
        try:
            since = self.registry.clock.now() - 1000 * PAUSE_SECONDS
            codes = await self.lease.orphans(dead, since)
            random.shuffle(codes)  # others do the same
            for start in range(0, len(codes), AT_ONCE):
                if not self.valid:
                    return
                ours = await self.lease.claim_all(codes[start : start + AT_ONCE], dead)
                await self.registry.take_over(ours)
            await self.lease.forget(dead)
        except StorageError as error:
            log.error("tables are not taken over yet: %s", error)
        finally:
            del self._sweeps[dead]


async def join(lease: Lease) -> Sequence[Process]:
    """Take a lease; returns who has one. Raises `SecondError` where somebody is there who does not
    share."""
    end = steady() + LEASE_SECONDS + RENEW_SECONDS
    while True:
        known = await lease.renew()
        alone = [
            each
            for each in known
            if each.living and each.id != lease.id and None in (each.linked, lease.linked)
        ]
        if not alone:
            return known
        await lease.leave()
        if steady() > end:  # else it may just have been killed
            raise SecondError
        await asyncio.sleep(RENEW_SECONDS)
