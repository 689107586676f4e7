"""Finished games: records, replays, proofs of their deals."""

from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response

from baghdad.replay.steps import Replay
from baghdad.server.transport.auth import visit
from baghdad.server.transport.http import (
    GONE,
    Code,
    LongAnswer,
    address_of,
    count_heavy,
    language_of,
    read_body,
    reply,
    services_of,
    unless_gone,
)
from baghdad.server.wire.games import finished_game, played_games
from baghdad.server.wire.openapi import EXAMPLES, answers, body
from baghdad.server.wire.replies import PlayedGames, Proof
from baghdad.server.wire.requests import ReplayRequest, VerifyRequest

GameNumber = Annotated[int, Path(ge=1, le=1_000_000, examples=[1])]
LONG_LIST = 100
"""Games of a table whose list takes a part of a millisecond; a thousand take several."""
RECORD = answers(
    None, 400, 403, 404, 409, 429, media="text/plain", example=EXAMPLES[ReplayRequest]["record"]
)

router = APIRouter(default_response_class=Response)


@router.get(
    "/api/tables/{code}/games",
    operation_id="games",
    summary="All games of this table, the one that is played included",
    responses=answers(PlayedGames, 400, 404, 429),
)
async def table_games(request: Request, code: Code) -> Response:
    here = await visit(request, code)
    if here.actor.table.games > LONG_LIST:
        count_heavy(request)
    return reply(played_games(here.actor.table, here.players))


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
    responses=answers(Replay, 400, 403, 404, 409, 413, 429, 503),
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
    responses=answers(Replay, 400, 403, 404, 409, 413, 429, 503),
)
async def game_replay(request: Request, code: Code, number: GameNumber) -> Response:
    return await send_replay(request, code, number)


@router.post(
    "/api/verify",
    operation_id="verify",
    summary="Prove that all chance of a record follows from what was promised before",
    openapi_extra=body(VerifyRequest),
    responses=answers(Proof, 400, 409, 413, 429, 503),
)
async def verify(request: Request) -> Response:
    asked, language = await read_body(request, VerifyRequest), language_of(request)
    records, who = services_of(request).records, address_of(request)
    return await read_through(
        request,
        lambda: records.proof(who, asked.record, language, asked.promise, asked.number),
    )


@router.post(
    "/api/replay",
    operation_id="replay",
    summary="Any game record step by step; a mistake is told with its line, column and rule",
    openapi_extra=body(ReplayRequest),
    responses=answers(Replay, 400, 409, 413, 429, 503),
)
async def replay(request: Request) -> Response:
    asked, language = await read_body(request, ReplayRequest), language_of(request)
    records, who = services_of(request).records, address_of(request)
    return await read_through(request, lambda: records.replay(who, asked.record, language))


async def send_record(request: Request, code: str, number: int | None) -> Response:
    here = await visit(request, code)
    game = finished_game(here.actor.table, number, here.players)
    name = f'attachment; filename="baghdad-{here.actor.table.code}-{game.number}.txt"'
    return Response(
        game.record, media_type="text/plain; charset=utf-8", headers={"Content-Disposition": name}
    )


async def send_replay(request: Request, code: str, number: int | None) -> Response:
    here = await visit(request, code)
    text = finished_game(here.actor.table, number, here.players).record
    records, who = services_of(request).records, address_of(request)
    return await read_through(request, lambda: records.replay(who, text, language_of(request)))


async def read_through(
    request: Request, work: Callable[[], Coroutine[Any, Any, bytes]]
) -> Response:
    """Wait for a record that is played through elsewhere, and send what comes of it.

    The client has its place until all of it is sent, so that nobody collects long answers.
    """
    count_heavy(request)
    with ExitStack() as place:
        place.enter_context(services_of(request).records.place(address_of(request)))
        body = await unless_gone(request, work())
        return (
            Response(status_code=GONE) if body is None else LongAnswer(body, place.pop_all().close)
        )
