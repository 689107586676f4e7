"""Secrets, codes and limits."""

import hashlib
import hmac
import secrets
import time
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network

from baghdad.server.domain.events import PersonNumber
from baghdad.server.domain.table import Table

CODE_LETTERS = "23456789BCDFGHJKMNPQRSTVWXZ"
"""No vowels, so that no word comes out, and nothing that is mistaken for another letter."""
CODE_LENGTH = 6
"""Some 390 million: short enough to be called across a room, too many to guess at our rates."""
SECRET_BYTES = 18
"""144 bits, as 24 letters."""
TICKET_BYTES = 16
"""128 bits, as 22 letters: short, so that the QR code is easy to scan."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one client may ask for. Beyond it requests are refused, never people."""

    body: int = 256 * 1024
    """Bytes of a request: a long game record fits in twice."""
    frame: int = 4 * 1024
    """Bytes of a message on a socket: the longest command has some 500."""
    tables_an_hour: int = 60
    """Tables set up from one address: a club evening behind one router stays below."""
    tickets_an_hour: int = 30
    """To take seats to other devices, of one address: a family behind one router stays below."""
    requests_a_second: float = 50.0
    """Of one address, lasting; polls of a busy household stay below."""
    messages_a_second: float = 10.0
    """On one socket, lasting: nobody clicks faster."""
    burst: int = 60
    """How far one may run ahead of these rates for a moment."""
    addresses: int = 10_000
    """Remembered at a time; the longest silent are forgotten first, so memory is bounded."""


def new_code() -> str:
    """A table's short name."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def is_code(text: str) -> bool:
    """Whether that could be a table's short name."""
    return len(text) == CODE_LENGTH and all(letter in CODE_LETTERS for letter in text)


def new_secret() -> str:
    """What opens a seat."""
    return secrets.token_urlsafe(SECRET_BYTES)


def new_ticket() -> str:
    """What takes seats to another device."""
    return secrets.token_urlsafe(TICKET_BYTES)


def hashed(secret: str) -> str:
    """How a secret is kept. It has 144 random bits, so a plain hash can't be turned back."""
    return hashlib.sha256(secret.encode()).hexdigest()


def people_of(table: Table, given: Iterable[str]) -> tuple[PersonNumber, ...]:
    """The people whose secrets were given, in that order."""
    found = []
    for secret in given:
        digest = hashed(secret)
        for person in table.people.values():
            if hmac.compare_digest(person.secret, digest) and person.number not in found:
                found.append(person.number)
    return tuple(found)


def waiting_of(table: Table, given: Iterable[str]) -> tuple[PersonNumber, str] | None:
    """Who of those that have knocked has one of these secrets, and which."""
    for secret in given:
        digest = hashed(secret)
        for person in table.waiting:
            if hmac.compare_digest(person.secret, digest):
                return person.number, secret
    return None


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

    def take(self) -> bool:
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class AddressLimiter:
    """A bucket for each address, of bounded number."""

    def __init__(self, rate: float, burst: int, most: int) -> None:
        self._rate = rate
        self._burst = burst
        self._most = most
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, address: str) -> bool:
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = TokenBucket(self._rate, self._burst)
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(address)
        return bucket.take()
