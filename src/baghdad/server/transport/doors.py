"""Who is connected, counted by address, so that there is room for the others."""

import logging
from collections.abc import Container

from baghdad.server.domain.limits import Limits
from baghdad.server.ops import metrics

from .rates import AddressLimiter, networks_of

log = logging.getLogger(__name__)

ADDRESS_IS_FULL = metrics.REFUSED_CONNECTIONS.labels("address")
"""To find a counter takes longer than to count."""


class Doors:
    """Lets connections in: a number of each address, so many a second, as long as there are files.

    `proxies`: addresses that speak for others, which the application counts instead.
    `most`: for all together. `arrivals`: whether new ones are counted, too.
    """

    def __init__(
        self,
        limits: Limits,
        proxies: Container[str] = (),
        most: int | None = None,
        *,
        arrivals: bool = True,
    ) -> None:
        self._limits = limits
        self._proxies = proxies
        self._most = most
        self.open = 0
        self._arrivals = (
            AddressLimiter(
                limits.arrivals_a_second,
                limits.arrivals_at_once,
                limits.addresses,
                limits.households,
            )
            if arrivals
            else None
        )
        self._connected: dict[str, int] = {}
        self._unfinished: dict[str, int] = {}

    def enter(self, host: str) -> "Entry | None":
        """None where there is no room: then the connection is to be cut."""
        if self._most is not None and self.open >= self._most:
            self.short()
            return None
        networks = () if host in self._proxies else networks_of(host)
        if self._is_full(networks) or self._too_soon(networks):
            ADDRESS_IS_FULL.inc()
            log.warning("too many connections of one address: %s", host)
            return None
        return Entry(self, networks)

    def _is_full(self, networks: tuple[str, ...]) -> bool:
        limits, times = self._limits, 1
        for network in networks:
            if (
                self._connected.get(network, 0) >= limits.connections * times
                or self._unfinished.get(network, 0) >= limits.handshakes * times
            ):
                return True
            times = limits.households
        return False

    def _too_soon(self, networks: tuple[str, ...]) -> bool:
        limiter = self._arrivals
        return bool(networks) and limiter is not None and not limiter.take(networks[0])

    def short(self) -> None:
        """No file is left for a connection."""
        metrics.REFUSED_CONNECTIONS.labels("files").inc()
        log.error("no file is left for new connections: raise the limit of open files (ulimit -n)")


class Entry:
    """One connection's place among those of its address."""

    __slots__ = ("_doors", "_finished", "_networks")

    def __init__(self, doors: Doors, networks: tuple[str, ...]) -> None:
        self._doors = doors
        self._networks = networks
        self._finished = False
        doors.open += 1
        _add(doors._connected, networks)
        _add(doors._unfinished, networks)

    def finish(self) -> None:
        """A whole request has come: from now on it is no half one."""
        if not self._finished:
            self._finished = True
            _remove(self._doors._unfinished, self._networks)

    def leave(self) -> None:
        """The connection has gone."""
        self.finish()
        self._doors.open -= 1
        _remove(self._doors._connected, self._networks)


def _add(counts: dict[str, int], names: tuple[str, ...]) -> None:
    for name in names:
        counts[name] = counts.get(name, 0) + 1


def _remove(counts: dict[str, int], names: tuple[str, ...]) -> None:
    """What is no longer there takes no memory."""
    for name in names:
        if counts[name] == 1:
            del counts[name]
        else:
            counts[name] -= 1
