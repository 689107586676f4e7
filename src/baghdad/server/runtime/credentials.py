"""Codes that name tables and secrets that open seats: how they are made, kept and recognized."""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Collection, Iterable

from baghdad.server.domain.codes import CODE_LETTERS
from baghdad.server.domain.events import Person, PersonNumber
from baghdad.server.domain.table import Table

SECRET_BYTES = 18
"""144 bits, as 24 letters."""
TICKET_BYTES = 16
"""128 bits, as 22 letters: short, so that the QR code is easy to scan."""


def new_code(length: int) -> str:
    """A table's short name."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(length))


def new_secret() -> str:
    """What opens a seat."""
    return secrets.token_urlsafe(SECRET_BYTES)


def new_ticket(process: str = "") -> str:
    """What takes seats to another device.

    With several processes it begins with the mark of the one that keeps it.
    """
    mark = mark_of(process)
    return mark + secrets.token_urlsafe(TICKET_BYTES)[len(mark) :]


def mark_of(process: str) -> str:
    """Four letters by which a process is known among those that share a database; none for one
    that has it alone."""
    if not process:
        return ""
    digest = hashlib.blake2b(process.encode(), digest_size=3).digest()
    return base64.urlsafe_b64encode(digest).decode()


class Creators:
    """Names by which tables of one address are known, in one run of the server.

    The key of the hash is forgotten with it: without it there are so few addresses that all could
    be tried.
    """

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)

    def of(self, address: str) -> str:
        return hashlib.blake2b(address.encode(), key=self._key, digest_size=8).hexdigest()


def hashed(secret: str) -> str:
    """How a secret is kept. It has 144 random bits, so a plain hash can't be turned back."""
    return hashlib.sha256(secret.encode()).hexdigest()


def people_of(table: Table, given: Iterable[str]) -> tuple[PersonNumber, ...]:
    """The people whose secrets were given, in that order."""
    return _found(table.people.values(), given)


def gone_of(table: Table, given: Iterable[str]) -> tuple[PersonNumber, ...]:
    """The same of those who played here and have gone: nothing but their games is open to them."""
    return _found(table.gone.values(), given)


def _found(people: Collection[Person], given: Iterable[str]) -> tuple[PersonNumber, ...]:
    found = []
    for secret in given:
        digest = hashed(secret)
        for person in people:
            if hmac.compare_digest(person.secret, digest) and person.number not in found:
                found.append(person.number)
    return tuple(found)


def is_known(table: Table, given: Iterable[str]) -> bool:
    """Whether one of these secrets is somebody's who is at the table, waits, or has played here."""
    held = list(given)
    inside = people_of(table, held) or gone_of(table, held)
    return bool(inside) or waiting_of(table, held) is not None


def waiting_of(table: Table, given: Iterable[str]) -> tuple[PersonNumber, str] | None:
    """The person among those who have knocked who has one of these secrets, and which."""
    for secret in given:
        digest = hashed(secret)
        for person in table.waiting:
            if hmac.compare_digest(person.secret, digest):
                return person.number, secret
    return None
