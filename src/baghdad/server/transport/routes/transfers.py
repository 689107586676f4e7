"""Plain HTTP: taking one's seats to another device.

The old device makes a ticket, and posts it to each of its tables, where the cookie is. The new one
looks how much it carries, claims it, and posts it to each of those tables, which sets the cookie
there and keeps what the device had. No answer has a secret in it, except in such a cookie.
"""

from fastapi import APIRouter, Request, Response

from baghdad.server.domain.refusals import RefusedError
from baghdad.server.runtime.credentials import people_of
from baghdad.server.runtime.transfers import TICKET_SECONDS
from baghdad.server.transport.auth import visit, with_secrets, worth_keeping
from baghdad.server.transport.http import Code, address_of, read_body, reply, services_of
from baghdad.server.wire.openapi import answers, body
from baghdad.server.wire.replies import ClaimedTransfer, SeatCount, TransferPeek
from baghdad.server.wire.requests import NewTransfer, TransferClaim, TransferTicket

router = APIRouter(default_response_class=Response)


@router.post(
    "/api/transfers",
    operation_id="make_transfer",
    summary="A ticket that takes seats to another device; it works once, and for minutes",
    openapi_extra=body(NewTransfer),
    responses=answers(TransferTicket, 400, 413, 429),
)
async def make_transfer(request: Request) -> Response:
    services = services_of(request)
    asked = await read_body(request, NewTransfer)
    if not services.tickets.take(address_of(request)):
        raise RefusedError("too_fast")
    return reply(TransferTicket(services.transfers.make(asked), TICKET_SECONDS))


@router.post(
    "/api/tables/{code}/transfer",
    operation_id="attach_seats",
    summary="Let a ticket carry this device's seats at a table",
    openapi_extra=body(TransferTicket),
    responses=answers(SeatCount, 400, 404, 409, 413, 429),
)
async def attach_seats(request: Request, code: Code) -> Response:
    services = services_of(request)
    asked = await read_body(request, TransferTicket)
    here = await visit(request, code)
    own = [secret for secret in here.secrets if people_of(here.actor.table, [secret])]
    await services.transfers.attach(asked.ticket, here.actor.table.code, list(dict.fromkeys(own)))
    return reply(SeatCount(len(here.people)))


@router.post(
    "/api/transfers/peek",
    operation_id="peek_transfer",
    summary="How much a ticket carries; it can still be used",
    openapi_extra=body(TransferTicket),
    responses=answers(TransferPeek, 400, 409, 413, 429),
)
async def peek_transfer(request: Request) -> Response:
    asked = await read_body(request, TransferTicket)
    return reply(await services_of(request).transfers.peek(asked.ticket))


@router.post(
    "/api/transfers/claim",
    operation_id="claim_transfer",
    summary="Use a ticket; the same device may ask again for two minutes",
    openapi_extra=body(TransferClaim),
    responses=answers(ClaimedTransfer, 400, 409, 413, 429),
)
async def claim_transfer(request: Request) -> Response:
    asked = await read_body(request, TransferClaim)
    transfer = await services_of(request).transfers.claim(asked.ticket, asked.claimant)
    return reply(ClaimedTransfer(transfer.asked.name, transfer.asked.games))


@router.post(
    "/api/tables/{code}/transfer/claim",
    operation_id="claim_seats",
    summary="Take the seats at a table that a ticket carries; those held already stay",
    openapi_extra=body(TransferClaim),
    responses=answers(SeatCount, 400, 404, 409, 413, 429),
)
async def claim_seats(request: Request, code: Code) -> Response:
    services = services_of(request)
    asked = await read_body(request, TransferClaim)
    here = await visit(request, code)
    transfer = await services.transfers.claim(asked.ticket, asked.claimant)
    actor = here.actor
    given = [*here.secrets, *transfer.secrets.get(actor.table.code, ())]
    held = worth_keeping(actor.table, given)
    answer = reply(SeatCount(len(people_of(actor.table, held))))
    return with_secrets(services, answer, actor.table.code, held) if held else answer
