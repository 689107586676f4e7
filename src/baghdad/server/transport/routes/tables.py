"""Tables over plain HTTP and the socket: set up, join, look, command."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response, WebSocket

from baghdad.server.domain.commands import Join, NewTable
from baghdad.server.domain.events import EventNumber, PersonNumber
from baghdad.server.domain.refusals import RefusedError
from baghdad.server.runtime.actor import TableActor
from baghdad.server.storage.errors import StorageError
from baghdad.server.transport.auth import same_origin, visit, with_secrets, worth_keeping
from baghdad.server.transport.http import (
    Code,
    Viewer,
    address_of,
    count_heavy,
    language_of,
    read_body,
    reply,
    services_of,
)
from baghdad.server.transport.websocket import (
    LATER,
    NO_TABLE,
    NOT_YOURS,
    RESTART,
    close_with_reason,
)
from baghdad.server.wire.messages import Answer, Page, Snapshot
from baghdad.server.wire.openapi import answers, body
from baghdad.server.wire.replies import Summary, Welcome
from baghdad.server.wire.requests import CommandMessage

LONGEST_POLL = 25.0
"""Seconds: below the 30 after which many proxies lose patience."""
CLOSES = {
    "server.no_table": NO_TABLE,
    "server.no_secret": NOT_YOURS,
    "server.too_fast": LATER,
    "server.many_misses": LATER,
}
RESULTS = {"accepted": 200, "refused": 409, "stale": 412, "failed": 503}

After = Annotated[int, Query(ge=0, le=2**53)]

router = APIRouter(default_response_class=Response)


@router.post(
    "/api/tables",
    operation_id="create_table",
    summary="Set up a table; the host takes the first chair, or is its screen",
    openapi_extra=body(NewTable),
    responses=answers(Welcome, 400, 409, 413, 429),
)
async def create_table(request: Request) -> Response:
    services = services_of(request)
    command = await read_body(request, NewTable)
    address = address_of(request)
    if services.set_up.is_spent(address):
        raise RefusedError("too_fast")
    welcome = await services.registry.create(command, address)
    services.set_up.take(address)
    secrets = [key.secret for key in welcome.keys]
    return with_secrets(services, reply(welcome), welcome.code, secrets)


@router.post(
    "/api/tables/{code}/join",
    operation_id="join_table",
    summary="Sit down at a table, or knock where the host wants to be asked",
    openapi_extra=body(Join),
    responses=answers(Welcome, 400, 403, 404, 409, 413, 429),
)
async def join_table(request: Request, code: Code) -> Response:
    services = services_of(request)
    command = await read_body(request, Join)
    here = await visit(request, code)
    if not services.joins.take(address_of(request)):
        raise RefusedError("too_fast")
    welcome = await services.registry.join(here.actor.table.code, command, here.secrets)
    held = [*here.secrets, *(key.secret for key in welcome.keys)]
    kept = worth_keeping(here.actor.table, held)
    return with_secrets(services, reply(welcome), welcome.code, kept)


@router.get(
    "/api/tables/{code}",
    operation_id="look",
    summary="Everything that this seat, or a spectator, may know now",
    responses=answers(Snapshot, 400, 403, 404, 429),
)
async def look(request: Request, code: Code, viewer: Viewer = None) -> Response:
    here = await visit(request, code)
    here.actor.saw(here.people)
    return reply(here.actor.snapshot(here.person(viewer), here.people))


@router.get(
    "/api/tables/{code}/summary",
    operation_id="summary",
    summary="Who plays, how it stands, whose turn it is: for a list of games",
    responses=answers(Summary, 400, 404, 429),
)
async def table_summary(request: Request, code: Code) -> Response:
    # Somebody who looks at a list of games is not at the table: nobody is seen here.
    here = await visit(request, code, listing=True)
    return reply(here.actor.summary(here.people))


@router.get(
    "/api/tables/{code}/events",
    operation_id="events",
    summary="What happened after an event; waits a while where there is nothing yet",
    responses=answers(Page, 400, 403, 404, 429),
)
async def table_events(
    request: Request,
    code: Code,
    after: After = 0,
    wait: Annotated[float, Query(ge=0, le=LONGEST_POLL)] = 0.0,
    whole: Annotated[bool, Query(description="Old events, too, page by page")] = False,
    viewer: Viewer = None,
) -> Response:
    here = await visit(request, code)
    actor, person = here.actor, here.person(viewer)
    actor.saw(here.people)
    if whole:
        return await page_of(request, actor, after, person)
    await actor.know(after)
    if after >= actor.table.number and wait:
        await services_of(request).connections.wait(actor, person, here.people, wait)
    found = actor.missing(after, person)
    if found is None:
        view = actor.snapshot(person, here.people)
        return reply(Page(actor.table.number, (), view))
    return reply(Page(actor.table.number, tuple(found)))


async def page_of(
    request: Request, actor: TableActor, after: EventNumber, person: PersonNumber | None
) -> Response:
    """Old events, made anew: what takes long, unless there are none."""
    if after < actor.table.number:
        count_heavy(request)
    pages, who = services_of(request).pages, address_of(request)
    with pages.place(who):
        async with pages.turn(who):
            return reply(await actor.page(after, person))


@router.post(
    "/api/tables/{code}/commands",
    operation_id="command",
    summary="Move, take back, start, chat …; happens once, however often it is sent",
    openapi_extra=body(CommandMessage),
    responses=answers(Answer, 400, 403, 404, 413, 429)
    | {
        code: {
            "description": meaning,
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Answer"}}},
        }
        for code, meaning in (
            (409, "Refused: the rule and the reason; nothing has changed."),
            (412, "The version is out of date; the answer has what was missed."),
            (503, "Not stored; nothing has changed, try again."),
        )
    },
)
async def command(request: Request, code: Code) -> Response:
    wanted = await read_body(request, CommandMessage)
    here = await visit(request, code)
    person = here.person(wanted.person)
    if person is None:
        raise RefusedError("no_secret")
    rates = services_of(request).message_rates(here.actor.table.code, person, address_of(request))
    if not all(rate.take() for rate in rates):
        raise RefusedError("too_fast")
    answer = await here.actor.submit(person, wanted, language_of(request))
    return reply(answer, RESULTS[answer.result])


@router.websocket("/api/tables/{code}/socket")
async def socket(websocket: WebSocket, code: str) -> None:
    services = services_of(websocket)
    if not same_origin(websocket, services.endpoint.public):
        await websocket.close(NOT_YOURS)
        return
    try:
        here = await visit(websocket, code)
        person = here.person(number_in(websocket, "as"))
        after = number_in(websocket, "after")
        await here.actor.know(after or 0)
    except RefusedError as error:
        reason = error.said(language_of(websocket))
        await close_with_reason(websocket, CLOSES[error.key], reason)
        return
    except StorageError:
        await websocket.accept()  # else it would be told that it is not allowed
        await websocket.close(RESTART)
        return
    rates = services.message_rates(here.actor.table.code, person, address_of(websocket))
    await services.connections.serve(
        websocket, here.actor, here.people, person, after, language_of(websocket), rates
    )


def number_in(websocket: WebSocket, name: str) -> int | None:
    """A number in the address of a socket; None where it is missing, or not a number."""
    text = websocket.query_params.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else None
