"""Who is connected, counted by address, so that there is room for the others."""

import logging
from collections.abc import Container

from baghdad.server.domain.limits import Limits
from baghdad.server.ops import metrics

from .rates import networks_of

log = logging.getLogger(__name__)


class Doors:
    """Lets connections in: a number of each address, and as many as there are files for.

    `proxies`: addresses that speak for others, which the application counts instead.
    `most`: for all together.
    """

    def __init__(
        self, limits: Limits, proxies: Container[str] = (), most: int | None = None
    ) -> None:
        self._limits = limits
        self._proxies = proxies
        self._most = most
        self.open = 0
        self._connected: dict[str, int] = {}
        self._unfinished: dict[str, int] = {}

    def enter(self, host: str) -> "Entry | None":
        """None where there is no room: then the connection is to be cut."""
        if self._most is not None and self.open >= self._most:
            self.short()
            return None
        networks = () if host in self._proxies else networks_of(host)
        if self._is_full(networks):
            metrics.REFUSED_CONNECTIONS.labels("address").inc()
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
