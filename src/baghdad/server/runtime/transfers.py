"""Seats on their way from one device to another, by a ticket that works once.

All of it is kept in memory, and only for minutes: a device that is too late, or comes after a
restart, asks for another ticket.
"""

from dataclasses import dataclass, field

from baghdad.server.domain.events import Milliseconds
from baghdad.server.domain.refusals import RefusedError
from baghdad.server.wire.replies import TransferPeek
from baghdad.server.wire.requests import MOST_GAMES, NewTransfer

from .clock import Clock
from .credentials import hashed, new_ticket

TICKET_SECONDS = 600
"""To fetch the phone, and to scan the picture with it."""
CLAIM_SECONDS = 120
"""In which the device that came first may ask again, where its network broke."""
MOST_TRANSFERS = 1_000
"""At a time, so that memory is bounded; as many as that are never under way."""


@dataclass(slots=True)
class Transfer:
    """What one ticket is good for."""

    asked: NewTransfer
    ends: Milliseconds
    secrets: dict[str, list[str]] = field(default_factory=dict)
    """By the code of a table: what opens the seats there."""
    claimant: str | None = None
    """The hash of the name that the device gave itself which came first."""


class Transfers:
    """All tickets that are under way, known by their hashes."""

    def __init__(self, clock: Clock, process: str = "") -> None:
        """`process`: this one, where several share a database."""
        self.clock = clock
        self._process = process
        self._transfers: dict[str, Transfer] = {}

    def make(self, asked: NewTransfer) -> str:
        """A new ticket. Raises `RefusedError` where too many are under way."""
        now = self.clock.now()
        self._transfers = {key: each for key, each in self._transfers.items() if each.ends > now}
        if len(self._transfers) >= MOST_TRANSFERS:
            raise RefusedError("too_fast")
        ticket = new_ticket(self._process)
        self._transfers[hashed(ticket)] = Transfer(asked, now + 1000 * TICKET_SECONDS)
        return ticket

    def attach(self, ticket: str, code: str, secrets: list[str]) -> None:
        """Let a ticket carry what opens the seats at a table; not once somebody has used it."""
        transfer = self._find(ticket)
        if transfer.claimant is not None:
            raise RefusedError("no_ticket")
        if code not in transfer.secrets and len(transfer.secrets) >= MOST_GAMES:
            raise RefusedError("too_long")
        transfer.secrets[code] = secrets

    def peek(self, ticket: str) -> TransferPeek:
        """How much a ticket carries; it works as often as before."""
        transfer = self._find(ticket)
        if transfer.claimant is not None:
            raise RefusedError("no_ticket")
        seats = sum(map(len, transfer.secrets.values()))
        left = (transfer.ends - self.clock.now()) // 1000
        return TransferPeek(len(transfer.asked.games), seats, left)

    def claim(self, ticket: str, claimant: str) -> Transfer:
        """All that a ticket carries, for the device that comes first, and for that one alone."""
        transfer = self._find(ticket)
        if transfer.claimant is None:
            transfer.claimant = hashed(claimant)
            transfer.ends = self.clock.now() + 1000 * CLAIM_SECONDS
        elif transfer.claimant != hashed(claimant):
            raise RefusedError("no_ticket")
        return transfer

    def _find(self, ticket: str) -> Transfer:
        """Raises the same error for a ticket that never was, is used, or is too old."""
        transfer = self._transfers.get(hashed(ticket))
        if transfer is None or transfer.ends <= self.clock.now():
            raise RefusedError("no_ticket")
        return transfer
