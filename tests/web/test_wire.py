"""The browser speaks the server's own language, and is given its files."""

import asyncio
from pathlib import Path

import httpx
from starlette.applications import Starlette
from starlette.types import ASGIApp

from baghdad.server.app import make_app
from baghdad.server.transport.static import page_routes
from baghdad.text import LANGUAGES, say
from support.programs import load


def test_the_browsers_types_are_those_of_the_server() -> None:
    tool = load("tools/wire_types.py")
    for file, text in tool.files().items():
        assert file.read_text("utf-8") == text, f"{file.name}: call tools/wire_types.py"


class Browser:
    """Asks an app without a network in between."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    def get(self, address: str, **headers: str) -> httpx.Response:
        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(app=self.app)
            async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
                return await client.get(address, headers=headers)

        return asyncio.run(ask())


def built(folder: Path) -> Browser:
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html>the page", "utf-8")
    (folder / "assets" / "index-12345678.js").write_text("play()", "utf-8")
    (folder / "icon.svg").write_text("<svg/>", "utf-8")
    (folder / "licences.txt").write_text("MIT", "utf-8")
    return Browser(Starlette(routes=page_routes(folder)))


def test_every_address_of_the_game_is_the_same_page_and_never_kept(tmp_path: Path) -> None:
    client = built(tmp_path / "static")
    for address in (
        "/",
        "/t/F7KQXM",
        "/rules",
        "/new",
        "/learn",
        "/replay",
        "/move",
        "/t/F7KQXM/replay",
    ):
        answer = client.get(address)
        assert "the page" in answer.text
        assert answer.headers["cache-control"] == "no-cache"


def test_built_files_are_kept_forever_and_compressed(tmp_path: Path) -> None:
    client = built(tmp_path / "static")
    answer = client.get("/assets/index-12345678.js", **{"Accept-Encoding": "gzip"})
    assert answer.text == "play()"
    assert answer.headers["content-encoding"] == "gzip"
    assert "immutable" in answer.headers["cache-control"]
    plain = client.get("/assets/index-12345678.js", **{"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers


def test_notices_of_what_is_in_the_page_can_be_read(tmp_path: Path) -> None:
    answer = built(tmp_path / "static").get("/licences.txt")
    assert (answer.text, answer.headers["content-type"]) == ("MIT", "text/plain; charset=utf-8")


def test_nothing_outside_the_folder_is_given_away(tmp_path: Path) -> None:
    (tmp_path / "secret.js").write_text("secret", "utf-8")
    client = built(tmp_path / "static")
    for address in (
        "/assets/..%2f..%2fsecret.js",
        "/assets/%2e%2e/index.html",
        "/assets/none.js",
        "/assets/%00",
        f"/assets/{'x' * 300}",
    ):
        assert client.get(address).status_code == 404


def test_a_page_that_was_not_built_says_how_to_in_four_languages(tmp_path: Path) -> None:
    answer = Browser(Starlette(routes=page_routes(tmp_path / "none"))).get("/")
    assert answer.status_code == 503
    for language in LANGUAGES:
        assert say("server.no_static", language) in answer.text.replace("&#x27;", "'")


def test_the_page_may_load_nothing_from_elsewhere(tmp_path: Path) -> None:
    app = make_app(f"sqlite+aiosqlite:///{tmp_path}/none.db")
    answer = Browser(app).get("/")
    assert "default-src 'self'" in answer.headers["content-security-policy"]
