"""Plain HTTP: everything that the socket does, and tables, lobby, records, proofs."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, TypeVar

import msgspec
from fastapi import APIRouter, Path, Query, Request, Response, WebSocket
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from baghdad.bots import LEVELS
from baghdad.replay.steps import Replay
from baghdad.server.domain.commands import Join, NewTable
from baghdad.server.domain.events import PersonNumber
from baghdad.server.domain.refusals import RefusedError
from baghdad.server.runtime.actor import TableActor
from baghdad.server.runtime.records import finished_game, lobby_of, played_games
from baghdad.server.runtime.registry import TableRegistry
from baghdad.server.storage.event_store import StorageError
from baghdad.server.wire.codec import encode, understood
from baghdad.server.wire.messages import Answer, Page, Snapshot
from baghdad.server.wire.openapi import EXAMPLES, answers, body
from baghdad.server.wire.replies import (
    LevelInfo,
    Levels,
    Lobby,
    PlayedGames,
    Problem,
    Proof,
    Reach,
    Summary,
    Welcome,
)
from baghdad.server.wire.requests import CommandMessage, ReplayRequest, VerifyRequest
from baghdad.server.wire.uploads import proof_of, replay_of_record
from baghdad.text import LANGUAGES, say

from .auth import (
    CODE_LENGTH,
    AddressLimiter,
    Limits,
    is_code,
    network_of,
)
from .reach import Endpoint
from .transfers import Transfers
from .websocket import (
    LATER,
    NO_TABLE,
    NOT_YOURS,
    RESTART,
    Connections,
    same_origin,
)

Kind = TypeVar("Kind")
LONGEST_POLL = 25.0
"""Seconds: below the 30 after which many proxies lose patience."""
COOKIE_SECONDS = 400 * 86_400
"""As long as browsers keep any; a game by correspondence may take that."""
CODES = {
    "too_fast": 429,
    "too_long": 413,
    "no_table": 404,
    "no_game": 404,
    "no_secret": 403,
    "hidden": 403,
}
LONGEST_REASON = 120
"""Bytes of a reason to close a socket; the protocol allows 123."""
CLOSES = {"server.no_table": NO_TABLE, "server.no_secret": NOT_YOURS, "server.too_fast": LATER}
READERS = 2
"""Records that are read at a time."""
RESULTS = {"accepted": 200, "refused": 409, "stale": 412, "failed": 503}

Code = Annotated[str, Path(pattern=f"^[2-9A-Za-z]{{{CODE_LENGTH}}}$", examples=["F7KQXM"])]
Language = Annotated[str, Query(alias="lang", max_length=20, examples=["de"])]
Viewer = Annotated[int | None, Query(alias="as", ge=0, le=1_000_000)]
After = Annotated[int, Query(ge=0, le=2**53)]

GameNumber = Annotated[int, Path(ge=1, le=1_000_000, examples=[1])]
RECORD = answers(
    None, 400, 403, 404, 409, 429, media="text/plain", example=EXAMPLES[ReplayRequest]["record"]
)

router = APIRouter(default_response_class=Response)


class Services:
    """What the routes need, kept with the app."""

    def __init__(
        self,
        registry: TableRegistry,
        connections: Connections,
        limits: Limits,
        endpoint: Endpoint,
        *,
        secure: bool,
    ) -> None:
        self.registry = registry
        self.connections = connections
        self.limits = limits
        self.endpoint = endpoint
        self.secure = secure
        self.requests = AddressLimiter(limits.requests_a_second, limits.burst * 2, limits.addresses)
        self.tables = AddressLimiter(
            limits.tables_an_hour / 3600, limits.tables_an_hour, limits.addresses
        )
        self.tickets = AddressLimiter(
            limits.tickets_an_hour / 3600, limits.tickets_an_hour, limits.addresses
        )
        self.transfers = Transfers(registry.clock)
        self._reading = asyncio.Semaphore(READERS)

    async def read_through(
        self, work: Callable[[str, str], Kind], text: str, language: str
    ) -> Kind:
        """Long work on a record, away from the tables; few at a time, so that moves come first."""
        async with self._reading:
            return await asyncio.to_thread(work, text, language)


class Visit:
    """A request to a table: the actor, and for whom the client holds secrets."""

    def __init__(
        self, actor: TableActor, secrets: list[str], people: tuple[PersonNumber, ...]
    ) -> None:
        self.actor = actor
        self.secrets = secrets
        self.people = people

    def person(self, wanted: PersonNumber | None) -> PersonNumber | None:
        """Whose eyes to look with: the one asked for, or the first; None for a spectator."""
        if wanted is None:
            return self.people[0] if self.people else None
        if wanted not in self.people:
            raise RefusedError("no_secret")
        return wanted


def services_of(request: Request | WebSocket) -> Services:
    services: Services = request.app.state.services
    return services


def language_of(request: Request | WebSocket) -> str:
    """The language asked for in the address, or by the browser."""
    wanted = [request.query_params.get("lang", "")]
    wanted += request.headers.get("accept-language", "").split(",")
    for each in wanted:
        if each.strip()[:2].lower() in LANGUAGES:
            return each.strip()[:2].lower()
    return "en"


def address_of(request: Request | WebSocket) -> str:
    return network_of(request.client.host) if request.client else ""


def number_in(websocket: WebSocket, name: str) -> int | None:
    """A number in the address of a socket; None where it is not there, or none."""
    text = websocket.query_params.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else None


def secrets_of(request: Request | WebSocket, code: str) -> list[str]:
    """Secrets from the bearer token and from the table's cookie."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    secrets = token.split(".") if scheme.lower() == "bearer" and token else []
    secrets += request.cookies.get(f"baghdad-{code}", "").split(".")
    return [secret for secret in secrets if secret][:8]


def count(request: Request | WebSocket) -> None:
    """Raises `RefusedError` where an address asks too fast."""
    if not services_of(request).requests.take(address_of(request)):
        raise RefusedError("too_fast")


async def visit(request: Request | WebSocket, code: str) -> Visit:
    """Raises `RefusedError` where there is no such table."""
    registry, code = services_of(request).registry, code.upper()
    if not is_code(code):
        raise RefusedError("no_table", code=code)
    # What was posted has been counted. Sockets count their messages; but guessing codes counts.
    if request.scope.get("method") == "GET" or code not in registry.actors:
        count(request)
    actor = await registry.actor(code)
    secrets = secrets_of(request, code)
    people = registry.who(actor, secrets)
    return Visit(actor, secrets, people)


async def read(request: Request, kind: type[Kind]) -> Kind:
    """The body of a request. Forms of foreign pages never come as JSON."""
    count(request)
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != "application/json":
        raise RefusedError("json_only")
    raw = bytearray()
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > services_of(request).limits.body:
            raise RefusedError("too_long")
    return understood(msgspec.json.Decoder(kind).decode, bytes(raw))


def reply(message: Any, code: int = 200) -> Response:
    return Response(
        encode(message), code, media_type="application/json", headers={"Cache-Control": "no-store"}
    )


def refuse(error: RefusedError, language: str) -> Response:
    key = error.key.partition(".")[2]
    code = CODES.get(key, 400 if key in ("not_understood", "json_only") else 409)
    return reply(Problem(error.said(language), error.key, error.rule), code)


# Tables


@router.post(
    "/api/tables",
    operation_id="create_table",
    summary="Set up a table; the host takes the first chair, or is its screen",
    openapi_extra=body(NewTable),
    responses=answers(Welcome, 400, 409, 413, 429),
)
async def create_table(request: Request) -> Response:
    services = services_of(request)
    wish = await read(request, NewTable)
    if not services.tables.take(address_of(request)):
        raise RefusedError("too_fast")
    welcome = await services.registry.create(wish)
    return with_cookie(services, reply(welcome), welcome, [])


@router.get(
    "/api/tables",
    operation_id="lobby",
    summary="Tables that anybody may join",
    responses=answers(Lobby, 429),
)
async def lobby(request: Request) -> Response:
    count(request)
    return reply(await lobby_of(services_of(request).registry))


@router.post(
    "/api/tables/{code}/join",
    operation_id="join_table",
    summary="Sit down at a table, or knock where the host wants to be asked",
    openapi_extra=body(Join),
    responses=answers(Welcome, 400, 403, 404, 409, 413, 429),
)
async def join_table(request: Request, code: Code) -> Response:
    services = services_of(request)
    wish = await read(request, Join)
    here = await visit(request, code)
    welcome = await services.registry.join(here.actor.table.code, wish, here.secrets)
    # Not those of people who have left: only so many are looked at.
    held = [secret for secret in here.secrets if services.registry.who(here.actor, [secret])]
    return with_cookie(services, reply(welcome), welcome, held)


@router.get(
    "/api/tables/{code}",
    operation_id="look",
    summary="Everything that this seat, or a spectator, may know now",
    responses=answers(Snapshot, 400, 403, 404, 429),
)
async def look(request: Request, code: Code, viewer: Viewer = None) -> Response:
    registry = services_of(request).registry
    here = await visit(request, code)
    registry.saw(here.actor, here.people)
    return reply(registry.snapshot(here.actor, here.person(viewer), here.people))


@router.get(
    "/api/tables/{code}/summary",
    operation_id="summary",
    summary="Who plays, how it stands, whose turn it is: for a list of games",
    responses=answers(Summary, 400, 404, 429),
)
async def table_summary(request: Request, code: Code) -> Response:
    # Whoever looks at a list of games is not at the table: nobody is seen here.
    here = await visit(request, code)
    return reply(services_of(request).registry.summary(here.actor, here.people))


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
    registry = services_of(request).registry
    here = await visit(request, code)
    actor, person = here.actor, here.person(viewer)
    registry.saw(actor, here.people)
    if whole:
        return reply(await registry.page(actor, after, person))
    if after >= actor.table.number and wait:
        await services_of(request).connections.wait(actor, person, here.people, wait)
    found = registry.missing(actor, after, person)
    if found is None:
        view = registry.snapshot(actor, person, here.people)
        return reply(Page(actor.table.number, (), view))
    return reply(Page(actor.table.number, tuple(found)))


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
    registry = services_of(request).registry
    wanted = await read(request, CommandMessage)
    here = await visit(request, code)
    person = here.person(wanted.person)
    if person is None:
        raise RefusedError("no_secret")
    answer = await registry.submit(here.actor, person, wanted, language_of(request))
    return reply(answer, RESULTS[answer.result])


@router.get(
    "/api/tables/{code}/games",
    operation_id="games",
    summary="All games of this table, the one that is played included",
    responses=answers(PlayedGames, 400, 404, 429),
)
async def table_games(request: Request, code: Code) -> Response:
    here = await visit(request, code)
    return reply(played_games(here.actor.table, here.people))


@router.get(
    "/api/tables/{code}/record",
    operation_id="record",
    summary="The latest finished game as a game record, with its seed",
    responses=RECORD,
)
async def record(request: Request, code: Code) -> Response:
    return await send_record(request, code, None)


@router.get(
    "/api/tables/{code}/replay",
    operation_id="table_replay",
    summary="The latest finished game step by step",
    responses=answers(Replay, 400, 403, 404, 409, 429),
)
async def table_replay(request: Request, code: Code) -> Response:
    return await send_replay(request, code, None)


@router.get(
    "/api/tables/{code}/games/{number}/record",
    operation_id="game_record",
    summary="A finished game of this table as a game record, with its seed",
    responses=RECORD,
)
async def game_record(request: Request, code: Code, number: GameNumber) -> Response:
    return await send_record(request, code, number)


@router.get(
    "/api/tables/{code}/games/{number}/replay",
    operation_id="game_replay",
    summary="A finished game of this table step by step",
    responses=answers(Replay, 400, 403, 404, 409, 429),
)
async def game_replay(request: Request, code: Code, number: GameNumber) -> Response:
    return await send_replay(request, code, number)


@router.websocket("/api/tables/{code}/socket")
async def socket(websocket: WebSocket, code: str) -> None:
    services = services_of(websocket)
    if not same_origin(websocket, services.endpoint.public):
        await websocket.close(NOT_YOURS)
        return
    try:
        here = await visit(websocket, code)
        person = here.person(number_in(websocket, "as"))
    except RefusedError as error:
        await websocket.accept()  # a browser learns the reason of an open socket only
        reason = error.said(language_of(websocket)).encode()[:LONGEST_REASON]
        await websocket.close(CLOSES[error.key], reason.decode(errors="ignore"))
        return
    except StorageError:
        await websocket.accept()  # else it would be told that it is not allowed
        await websocket.close(RESTART)
        return
    after = number_in(websocket, "after")
    await services.connections.serve(
        websocket, here.actor, here.people, person, after, language_of(websocket)
    )


# Beside the tables


@router.get(
    "/api/server",
    operation_id="server",
    summary="Addresses to invite with; the machine's own are told in its own room alone",
    responses=answers(Reach, 429),
)
async def server(request: Request) -> Response:
    count(request)
    peer = request.client.host if request.client else ""
    return reply(services_of(request).endpoint.reach_for(peer, request.headers))


@router.get(
    "/api/levels",
    operation_id="levels",
    summary="Opponents, the weakest first",
    responses=answers(Levels),
)
async def levels(request: Request) -> Response:
    language = language_of(request)
    return reply(Levels(tuple(LevelInfo(name, say(f"bot.{name}", language)) for name in LEVELS)))


@router.post(
    "/api/verify",
    operation_id="verify",
    summary="Prove that all chance of a record follows from what was promised before",
    openapi_extra=body(VerifyRequest),
    responses=answers(Proof, 400, 409, 413, 429),
)
async def verify(request: Request) -> Response:
    wish, language = await read(request, VerifyRequest), language_of(request)
    return reply(
        await services_of(request).read_through(partial(proof_of, wish), wish.record, language)
    )


@router.post(
    "/api/replay",
    operation_id="replay",
    summary="Any game record step by step; a mistake is told with its line, column and rule",
    openapi_extra=body(ReplayRequest),
    responses=answers(Replay, 400, 409, 413, 429),
)
async def replay(request: Request) -> Response:
    wish, language = await read(request, ReplayRequest), language_of(request)
    return reply(await services_of(request).read_through(replay_of_record, wish.record, language))


@router.get(
    "/health",
    operation_id="health",
    summary="The process lives",
    tags=["operation"],
    responses=answers(None, example={"status": "alive"}),
)
async def health() -> Response:
    return reply({"status": "alive"})


@router.get(
    "/ready",
    operation_id="ready",
    summary="The database answers",
    tags=["operation"],
    responses=answers(None, 503, example={"status": "ready"}),
)
async def ready(request: Request) -> Response:
    try:
        await asyncio.wait_for(services_of(request).registry.storage.ping(), 5)
    except Exception:
        text = RefusedError("failed").said(language_of(request))
        return reply(Problem(text, "server.failed"), 503)
    return reply({"status": "ready"})


@router.get(
    "/metrics",
    operation_id="metrics",
    summary="For Prometheus",
    tags=["operation"],
    responses=answers(None, media="text/plain", example="baghdad_sockets 4.0\n"),
)
async def metrics() -> Response:
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)


# Inside


async def send_record(request: Request, code: str, number: int | None) -> Response:
    here = await visit(request, code)
    game = finished_game(here.actor.table, number, here.people)
    name = f'attachment; filename="baghdad-{here.actor.table.code}-{game.number}.txt"'
    return Response(
        game.record, media_type="text/plain; charset=utf-8", headers={"Content-Disposition": name}
    )


async def send_replay(request: Request, code: str, number: int | None) -> Response:
    here = await visit(request, code)
    text = finished_game(here.actor.table, number, here.people).record
    return reply(
        await services_of(request).read_through(replay_of_record, text, language_of(request))
    )


def with_cookie(
    services: Services, response: Response, welcome: Welcome, held: list[str]
) -> Response:
    """Let the browser keep the secrets of a table that was set up or joined."""
    secrets = [*held, *(key.secret for key in welcome.keys)]
    return with_secrets(services, response, welcome.code, secrets)


def with_secrets(services: Services, response: Response, code: str, secrets: list[str]) -> Response:
    """Let the browser keep the secrets: out of reach of scripts, for this table's paths alone."""
    response.set_cookie(
        f"baghdad-{code}",
        ".".join(dict.fromkeys(secrets)),
        max_age=COOKIE_SECONDS,
        path=f"/api/tables/{code}",
        httponly=True,
        samesite="lax",
        secure=services.secure,
    )
    return response
