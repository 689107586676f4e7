"""Rates, by token buckets: of a client, and of an address."""

import time
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network

from baghdad.server.domain.limits import Limits

HOUSEHOLD, SITE = 56, 48
"""Bits of an IPv6 address: what providers give to a household (RIPE-690), and the most that anybody
gets for one place without being a provider."""
HOUSEHOLDS = Limits().households
LONGEST_NAME = 64
"""Letters of what is no address of IPv6: a proxy that is trusted may send anything."""


@lru_cache(10_000)
def networks_of(host: str) -> tuple[str, ...]:
    """For whom to count an address, the smallest first; what may have more comes after.

    >>> networks_of("2001:db8:0:1ff:aaaa::1"), networks_of("::ffff:192.0.2.7")
    (('2001:db8:0:100::/56', '2001:db8::/48'), ('192.0.2.7',))
    >>> networks_of("192.0.2.7"), networks_of("testclient")
    (('192.0.2.7',), ('testclient',))
    """
    try:
        address = IPv6Address(host)
    except ValueError:
        return (host[:LONGEST_NAME],)
    if address.ipv4_mapped is not None:
        return (str(address.ipv4_mapped),)
    return tuple(str(IPv6Network((address, bits), strict=False)) for bits in (HOUSEHOLD, SITE))


def network_of(host: str) -> str:
    """Whom an address stands for, where one name is needed: with IPv6, a household.

    >>> network_of("2001:db8:0:1ff:aaaa::1"), network_of("192.0.2.7")
    ('2001:db8:0:100::/56', '192.0.2.7')
    """
    return networks_of(host)[0]


@lru_cache(10_000)
def site_of(network: str) -> str | None:
    """The network that a household's is a part of; None for an address of IPv4.

    >>> site_of("2001:db8:0:100::/56"), site_of("192.0.2.7")
    ('2001:db8::/48', None)
    """
    try:
        return str(IPv6Network(network).supernet(new_prefix=SITE))
    except ValueError:
        return None


class TokenBucket:
    """Lets `rate` things a second pass, and `burst` at once."""

    __slots__ = ("_at", "_burst", "_left", "_rate", "spent")

    def __init__(self, rate: float, burst: int) -> None:
        self._rate = rate
        self._burst = burst
        self._left = float(burst)
        self.spent = 0.0
        """Since somebody last asked."""
        self._at = time.monotonic()

    def take(self, cost: float = 1.0) -> bool:
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < cost:
            return False
        self._left -= cost
        self.spent += cost
        return True

    def drain(self, cost: float) -> None:
        """So much was taken elsewhere; whoever was too fast there waits for it here as well."""
        self._left = max(self._left - cost, -self._burst)

    def lacks(self, cost: float = 1.0) -> bool:
        """Whether it would not pass; nothing is taken."""
        return self._left + (time.monotonic() - self._at) * self._rate < cost


class Buckets:
    """A bucket for each of many names, of bounded number: the longest silent are forgotten."""

    def __init__(self, rate: float, burst: int, most: int) -> None:
        self.rate = rate
        self._burst = burst
        self._most = most
        self._buckets: OrderedDict[Hashable, TokenBucket] = OrderedDict()

    def of(self, name: Hashable) -> TokenBucket:
        bucket = self._buckets.get(name)
        if bucket is None:
            bucket = self._buckets[name] = TokenBucket(self.rate, self._burst)
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(name)
        return bucket

    def spent(self, least: float) -> Iterator[tuple[Hashable, float]]:
        """What was taken since the last time, by those who took at least so much."""
        for name, bucket in self._buckets.items():
            taken, bucket.spent = bucket.spent, 0.0
            if taken and taken >= least:
                yield name, taken

    def lacks(self, name: Hashable, cost: float = 1.0) -> bool:
        """Whether it would not pass; nothing is taken, and nobody remembered for it."""
        bucket = self._buckets.get(name)
        return bucket is not None and bucket.lacks(cost)

    def __len__(self) -> int:
        return len(self._buckets)


class AddressLimiter:
    """A bucket for each address; with IPv6 for a household, and a larger one for its site.

    `households`: how many of one site may do all that they may.
    """

    def __init__(self, rate: float, burst: int, most: int, households: int = HOUSEHOLDS) -> None:
        self._addresses = Buckets(rate, burst, most)
        self._sites = Buckets(rate * households, burst * households, most)

    def take(self, address: str, cost: float = 1.0) -> bool:
        """`address`: as `network_of` has it."""
        site = site_of(address)
        if site is None:
            return self._addresses.of(address).take(cost)
        # What is refused is counted nowhere: one household must not use up what its neighbours
        # have, nor keep its own where they have used up everything.
        if self._addresses.lacks(address, cost) or self._sites.lacks(site, cost):
            return False
        return self._sites.of(site).take(cost) and self._addresses.of(address).take(cost)

    @property
    def buckets(self) -> tuple[Buckets, Buckets]:
        """Those of addresses, and of sites."""
        return self._addresses, self._sites

    def all_of(self, address: str) -> tuple[TokenBucket, ...]:
        """The buckets that count for an address, to be kept at hand."""
        site, own = site_of(address), self._addresses.of(address)
        return (own,) if site is None else (own, self._sites.of(site))

    def is_spent(self, address: str) -> bool:
        """Whether the next thing would not pass; nothing is taken."""
        site = site_of(address)
        return self._addresses.lacks(address) or (site is not None and self._sites.lacks(site))


class TableLimiter:
    """Tables that one creator may set up, and the strong bots at them."""

    def __init__(self, limits: Limits) -> None:
        most = limits.tables_an_hour
        self._limits = limits
        self._creators = Buckets(most / 3600, most, limits.addresses)

    def take(self, creator: str | None, tables: int, strong: int) -> bool:
        """False, and nothing counted, where they are too many."""
        if creator is None:  # set up before there was a limit to keep
            return True
        # However low an operator sets the limit, one table of any kind can be set up.
        cost = min(tables + strong * self._limits.strong_bot, self._limits.tables_an_hour)
        return self._creators.of(creator).take(cost)
