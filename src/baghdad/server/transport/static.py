"""The browser game: the built page and its files, or how to build them."""

import gzip
from functools import cache
from html import escape
from mimetypes import guess_type
from pathlib import Path
from typing import NamedTuple

from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from baghdad.text import LANGUAGES, say

STATIC = Path(__file__).parents[1] / "static"
PAGES = (
    "/",
    "/new",
    "/couch",
    "/t/{code}",
    "/t/{code}/screen",
    "/t/{code}/hand",
    "/t/{code}/replay",
    "/t/{code}/{game:game}",
    "/t/{code}/{game:game}/replay",
    "/rules",
    "/learn",
    "/learn/{code}",
    "/replay",
    "/move",
    "/puzzles",
    "/puzzles/{id}",
)
"""Addresses that the page itself makes sense of."""
FOREVER = "public, max-age=31536000, immutable"
"""Built files are named after their contents."""
FOR_A_DAY = "public, max-age=86400"
ASK = "no-cache"
"""Kept, but asked for again each time: what it says has to be what is true now."""
FILES = {
    "icon.svg": FOR_A_DAY,
    **{f"icon-{kind}.png": FOR_A_DAY for kind in ("any-192", "any-512", "touch-180")},
    **{f"icon-maskable-{size}.png": FOR_A_DAY for size in (192, 512)},
    **{f"manifest.{language}.webmanifest": ASK for language in LANGUAGES},
    "sw.js": ASK,
    "offline.html": ASK,
    "licences.txt": ASK,
}
"""Files with a name of their own, and how long they are kept."""
SQUEEZABLE = {".js", ".css", ".html", ".svg", ".json", ".txt", ".webmanifest", ".wasm"}
NO_PAGES = ("/api/", "/assets/")
"""Addresses below which programs ask, not people."""


class GameConvertor(Convertor[str]):
    """The number of a game in an address; no table has played more, whatever somebody types."""

    regex = "[0-9]{1,7}"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("game", GameConvertor())


class File(NamedTuple):
    """A file as it is sent."""

    media: str
    plain: bytes
    squeezed: bytes | None


def page_routes(folder: Path = STATIC) -> list[Route]:
    """The routes of the page. Its files are read and compressed once: there are few, and small."""

    async def page(request: Request) -> Response:
        if not (folder / "index.html").is_file():
            return HTMLResponse(not_built(), 503)
        return send(request, read(folder, "index.html"), ASK)

    async def slashless(request: Request) -> Response:
        # By its path alone: Starlette's own redirects name the host that the client did.
        query = request.url.query
        path = request.url.path.rstrip("/")
        return RedirectResponse(f"{path}?{query}" if query else path)

    async def asset(request: Request) -> Response:
        return send(request, read(folder, f"assets/{request.path_params['name']}"), FOREVER)

    async def named(request: Request) -> Response:
        name = request.url.path[1:]
        return send(request, read(folder, name), FILES[name])

    return [
        *(Route(path, page) for path in PAGES),
        *(Route(f"{path}/", slashless) for path in PAGES[1:]),
        Route("/assets/{name}", asset),
        *(Route(f"/{name}", named) for name in FILES),
    ]


def nothing_here(request: Request, folder: Path = STATIC) -> Response | None:
    """The page for an unknown address, where a person asks with a browser: it knows what to say.

    None for programs, and where the page was not built: they get the reason as JSON.
    """
    person = request.method in ("GET", "HEAD") and "text/html" in request.headers.get("accept", "")
    if not person or request.url.path.startswith(NO_PAGES):
        return None
    if not (folder / "index.html").is_file():
        return None
    answer = send(request, read(folder, "index.html"), ASK)
    answer.status_code = 404
    answer.headers["Vary"] = "Accept, Accept-Encoding"
    return answer


def read(folder: Path, name: str) -> File:
    """A file of the page. Raises 404 where there is none, or where it lies elsewhere."""
    try:
        path = (folder / name).resolve()
        found = path.is_relative_to(folder.resolve()) and path.is_file()
    except (OSError, ValueError):  # no file can have such a name
        found = False
    if not found:
        raise HTTPException(404)
    return load(path)


@cache
def load(path: Path) -> File:
    plain = path.read_bytes()
    media = "text/javascript" if path.suffix == ".js" else guess_type(path.name)[0]
    squeezed = gzip.compress(plain, 9) if path.suffix in SQUEEZABLE else None
    return File(media or "application/octet-stream", plain, squeezed)


def send(request: Request, file: File, cache: str) -> Response:
    headers = {"Cache-Control": cache}
    body = file.plain
    if file.squeezed is not None:
        headers["Vary"] = "Accept-Encoding"
        if "gzip" in request.headers.get("accept-encoding", ""):
            body, headers["Content-Encoding"] = file.squeezed, "gzip"
    return Response(body, media_type=file.media, headers=headers)


def not_built() -> str:
    """What is shown where the page was not built: from a checkout, before `make`."""
    words = "".join(
        f'<p lang="{language}">{escape(say("server.no_static", language))}</p>'
        for language in LANGUAGES
    )
    return f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Baghdad</title>{words}'
