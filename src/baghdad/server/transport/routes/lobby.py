"""Before a table: the lobby, the opponents there are, addresses to invite with."""

from fastapi import APIRouter, Request, Response

from baghdad.bots import LEVELS
from baghdad.server.transport.http import language_of, reply, services_of
from baghdad.server.wire.openapi import answers
from baghdad.server.wire.replies import LevelInfo, Levels, Lobby, Reach
from baghdad.text import say

router = APIRouter(default_response_class=Response)


@router.get(
    "/api/tables",
    operation_id="lobby",
    summary="Tables that anybody may join",
    responses=answers(Lobby, 429),
)
async def lobby(request: Request) -> Response:
    return reply(await services_of(request).lobby.get())


@router.get(
    "/api/levels",
    operation_id="levels",
    summary="Opponents, the weakest first",
    responses=answers(Levels),
)
async def levels(request: Request) -> Response:
    language = language_of(request)
    return reply(Levels(tuple(LevelInfo(name, say(f"bot.{name}", language)) for name in LEVELS)))


@router.get(
    "/api/server",
    operation_id="server",
    summary="Addresses to invite with; the machine's own are told in its own room alone",
    responses=answers(Reach, 429),
)
async def server(request: Request) -> Response:
    peer = request.client.host if request.client else ""
    return reply(services_of(request).endpoint.reach_for(peer, request.headers))
