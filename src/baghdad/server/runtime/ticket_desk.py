"""Tickets of all processes: each is kept by the one that has made it, and asked for there."""

from typing import Literal

import msgspec
from msgspec import Struct

from baghdad.server.domain.refusals import RefusedError
from baghdad.server.wire.replies import TransferPeek
from baghdad.server.wire.requests import NewTransfer

from .clock import Clock
from .credentials import mark_of
from .members import Members
from .transfers import Transfer, Transfers

QUESTION = "ticket"


class Wanted(Struct, frozen=True):
    """What is to be done with a ticket."""

    kind: Literal["attach", "peek", "claim"]
    ticket: str
    code: str = ""
    secrets: tuple[str, ...] = ()
    claimant: str = ""


class Outcome(Struct, frozen=True):
    """What came of it."""

    refused: str | None = None
    peek: TransferPeek | None = None
    transfer: Transfer | None = None


encode = msgspec.msgpack.Encoder().encode
decode_wanted = msgspec.msgpack.Decoder(Wanted).decode
decode_outcome = msgspec.msgpack.Decoder(Outcome).decode


class TicketDesk:
    """Where tickets are made and used. All raise `RefusedError`, as `Transfers` do."""

    def __init__(self, clock: Clock, members: Members | None = None) -> None:
        self.transfers = Transfers(clock, "" if members is None else members.lease.id)
        self._members = members
        if members is not None:
            members.answers[QUESTION] = self._answer

    def make(self, asked: NewTransfer) -> str:
        return self.transfers.make(asked)

    async def attach(self, ticket: str, code: str, secrets: list[str]) -> None:
        await self._ask(Wanted("attach", ticket, code, tuple(secrets)))

    async def peek(self, ticket: str) -> TransferPeek:
        found = (await self._ask(Wanted("peek", ticket))).peek
        assert found is not None, "else it is refused"
        return found

    async def claim(self, ticket: str, claimant: str) -> Transfer:
        found = (await self._ask(Wanted("claim", ticket, claimant=claimant))).transfer
        assert found is not None, "else it is refused"
        return found

    async def _ask(self, wanted: Wanted) -> Outcome:
        members, process = self._members, self._process_of(wanted.ticket)
        if process is None or members is None or members.links is None:
            outcome = self._carry_out(wanted)
        else:
            try:
                body = await members.links.ask(process, QUESTION, encode(wanted))
            except TimeoutError:
                raise RefusedError("no_ticket") from None
            outcome = decode_outcome(body)
        if outcome.refused is not None:
            raise RefusedError(outcome.refused)
        return outcome

    def _process_of(self, ticket: str) -> str | None:
        """The other process that keeps a ticket."""
        others = set() if self._members is None else self._members.living
        return next((each for each in others if ticket.startswith(mark_of(each))), None)

    async def _answer(self, body: bytes) -> bytes:
        return encode(self._carry_out(decode_wanted(body)))

    def _carry_out(self, wanted: Wanted) -> Outcome:
        try:
            if wanted.kind == "attach":
                self.transfers.attach(wanted.ticket, wanted.code, list(wanted.secrets))
                return Outcome()
            if wanted.kind == "peek":
                return Outcome(peek=self.transfers.peek(wanted.ticket))
            return Outcome(transfer=self.transfers.claim(wanted.ticket, wanted.claimant))
        except RefusedError as error:
            return Outcome(refused=error.key.partition(".")[2])
