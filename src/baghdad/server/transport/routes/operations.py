"""For the operator of the server: does it live, is it ready, what are its figures."""

import asyncio

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from baghdad.server.domain.refusals import RefusedError
from baghdad.server.storage.errors import StorageError
from baghdad.server.transport.http import language_of, reply, services_of
from baghdad.server.wire.openapi import answers
from baghdad.server.wire.replies import Problem

DATABASE_SECONDS = 5
"""For the database to answer: enough for one that is busy, and less than the 10 s after which most
who watch over services ask again."""

router = APIRouter(default_response_class=Response)
figures = APIRouter(default_response_class=Response)
"""By itself: an operator may want it where only Prometheus can ask."""


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
    summary="The database takes what is written, at the last trial or since",
    tags=["operation"],
    responses=answers(None, 503, example={"status": "ready"}),
)
async def ready(request: Request) -> Response:
    services = services_of(request)
    try:
        if services.members is not None and not services.members.valid:
            raise StorageError("no lease")
        await asyncio.wait_for(services.registry.storage.check_writing(), DATABASE_SECONDS)
    except (StorageError, TimeoutError):
        text = RefusedError("no_writing").said(language_of(request))
        return reply(Problem(text, "server.no_writing"), 503)
    return reply({"status": "ready"})


@figures.get(
    "/metrics",
    operation_id="metrics",
    summary="For Prometheus",
    tags=["operation"],
    responses=answers(None, media="text/plain", example="baghdad_sockets 4.0\n"),
)
async def metrics() -> Response:
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)
