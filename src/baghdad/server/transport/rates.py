"""Rates, by token buckets: of a client, and of an address."""

import time
from collections import OrderedDict
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network

from baghdad.server.domain.limits import Limits


@lru_cache(10_000)
def network_of(host: str) -> str:
    """Whom to count an address for: with IPv6 every household has 2^64 of them.

    >>> network_of("2001:db8:0:1:aaaa::1"), network_of("::ffff:192.0.2.7")
    ('2001:db8:0:1::/64', '192.0.2.7')
    >>> network_of("192.0.2.7"), network_of("testclient")
    ('192.0.2.7', 'testclient')
    """
    try:
        address = IPv6Address(host)
    except ValueError:
        return host
    return str(address.ipv4_mapped or IPv6Network((address, 64), strict=False))


class TokenBucket:
    """Lets `rate` things a second pass, and `burst` at once."""

    __slots__ = ("_at", "_burst", "_left", "_rate")

    def __init__(self, rate: float, burst: int) -> None:
        self._rate = rate
        self._burst = burst
        self._left = float(burst)
        self._at = time.monotonic()

    def take(self, cost: float = 1.0) -> bool:
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < cost:
            return False
        self._left -= cost
        return True

    @property
    def is_spent(self) -> bool:
        return self._left + (time.monotonic() - self._at) * self._rate < 1


class AddressLimiter:
    """A bucket for each address, of bounded number."""

    def __init__(self, rate: float, burst: int, most: int) -> None:
        self._rate = rate
        self._burst = burst
        self._most = most
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, address: str, cost: float = 1.0) -> bool:
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = TokenBucket(self._rate, self._burst)
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(address)
        return bucket.take(cost)

    def is_spent(self, address: str) -> bool:
        """Whether the next thing would not pass; nothing is taken."""
        bucket = self._buckets.get(address)
        return bucket is not None and bucket.is_spent


class TableLimiter:
    """Tables that one creator may set up, and the strong bots at them."""

    def __init__(self, limits: Limits) -> None:
        most = limits.tables_an_hour
        self._limits = limits
        self._creators = AddressLimiter(most / 3600, most, limits.addresses)

    def take(self, creator: str | None, tables: int, strong: int) -> bool:
        """False, and nothing counted, where they are too many."""
        if creator is None:  # set up before there was a limit to keep
            return True
        # However low an operator sets the limit, one table of any kind can be set up.
        cost = min(tables + strong * self._limits.strong_bot, self._limits.tables_an_hour)
        return self._creators.take(creator, cost)
