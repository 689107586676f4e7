"""The page without any server: one HTML file from a disk, and a folder on a static host."""

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page, expect

from baghdad.alone.page import write_file, write_site
from baghdad.cli import main
from baghdad.text import LANGUAGES, catalogue

from .conftest import SLOWEST, build_page
from .playing import play_now
from .test_access import examine, narrow
from .test_bots_here import INSTEAD, look_at_the_log, pass_on
from .test_giving_up import give_up
from .test_replay import FOUR, STEPS, at, paste

pytestmark = pytest.mark.xdist_group(__name__)
SETTINGS = """localStorage['baghdad-settings'] ??= '{"pace": "off", "sound": false}'"""


class Site:
    """A static host, with the game deep below its top."""

    def __init__(self, top: Path) -> None:
        class Quiet(SimpleHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

        self.folder = top / "school" / "games" / "baghdad"
        write_site(self.folder)
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(top)))
        Thread(target=self.server.serve_forever).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}/school/games/baghdad/"

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A phone, on which nothing may fail or be asked of a server."""
    context = chromium.new_context(
        locale="en-GB", reduced_motion="reduce", viewport={"width": 390, "height": 844}
    )
    context.set_default_timeout(SLOWEST)
    context.add_init_script(SETTINGS)
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.on("request", lambda asked: wrong.append(asked.url) if "/api/" in asked.url else None)
    yield page
    context.close()
    assert not wrong


@pytest.fixture
def game(tmp_path: Path) -> str:
    """The address of the one file."""
    build_page()
    write_file(tmp_path / "baghdad.html")
    return (tmp_path / "baghdad.html").as_uri()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    build_page()
    site = Site(tmp_path)
    yield site
    site.stop()


def look_around(page: Page) -> None:
    """Through all that is there: by links, back, by a reload, at an address that leads nowhere."""
    expect(page.get_by_text("needs no server")).to_be_visible()
    examine(page)
    assert narrow(page) == []
    page.get_by_role("link", name="Rules").click()
    page.locator("#R27").wait_for()
    page.reload()
    page.locator("#R27").wait_for()
    page.go_back()
    page.get_by_role("link", name="Set up a table").wait_for()
    page.evaluate("location.hash = '#/nowhere'")
    page.get_by_role("heading", name="Nothing here").or_(page.locator("main nav")).first.wait_for()
    page.evaluate("location.hash = '#/t/F7KQXM'")  # a server's
    page.get_by_role("heading", name="There is no such table").wait_for()
    page.evaluate("location.hash = '#/rules#R12'")
    expect(page.locator("#R12")).to_be_focused()
    for language in LANGUAGES:
        page.goto(page.url.partition("#")[0].partition("?")[0] + f"?lang={language}#/rules")
        page.get_by_text(catalogue("rules", language)["R27"][:20]).first.wait_for()
    page.evaluate("location.hash = '#/replay'")
    page.get_by_role("textbox").fill(FOUR)
    page.locator("form button.act").click()
    page.locator("[data-palace]").first.wait_for()


def share_a_device(page: Page) -> None:
    """Two people at one device: guards are placed, and the game is there after a reload."""
    page.get_by_role("link", name="Set up a table").click()
    page.get_by_role("radio", name="On this device").check(force=True)
    page.get_by_role("button", name="Set up", exact=True).click()
    cover = page.get_by_role("button", name="I am")
    palace = page.locator("[data-palace]")
    palace.first.or_(cover).first.wait_for()
    for _ in range(3):
        page.locator("[data-palace] [aria-disabled=false], [data-palace].lit").first.click()
    page.reload()
    palace.first.or_(cover).first.wait_for()
    give_up(page)
    page.get_by_role("button", name="Was the deal fair?").click()
    expect(page.locator("dialog[open]")).to_contain_text("fair:")


def play_a_bot(page: Page) -> None:
    """A few turns against the strongest, who needs all that there is."""
    play_now(page, 2, "Scheherazade")
    for _ in range(6):
        pass_on(page)
    look_at_the_log(page)
    expect(page.get_by_text(INSTEAD)).to_have_count(0)


def test_one_file_holds_the_whole_game(page: Page, game: str) -> None:
    page.context.set_offline(True)
    page.goto(game)
    look_around(page)


def test_bots_play_in_one_file(page: Page, game: str) -> None:
    page.context.set_offline(True)
    page.goto(game)
    play_a_bot(page)


def test_people_share_a_device_with_one_file(page: Page, game: str) -> None:
    page.context.set_offline(True)
    page.goto(game)
    share_a_device(page)


def test_a_folder_opens_at_any_address_and_without_its_host(page: Page, site: Site) -> None:
    page.goto(site.address)
    page.get_by_text("This device has kept the page").wait_for()
    site.server.shutdown()
    site.server.server_close()
    page.goto(f"{site.address}index.html")
    look_around(page)
    words = catalogue("web", LANGUAGES[-1])
    page.get_by_role("button", name=words["replay.share"]).click()
    link = page.get_by_label(words["replay.link"]).input_value()
    other = page.context.new_page()
    other.goto(link)
    other.locator("[data-palace]").first.wait_for()
    page.goto(f"{site.address}?lang=en#/")
    play_a_bot(page)


def test_people_share_a_device_with_a_folder(page: Page, site: Site) -> None:
    page.goto(site.address)
    share_a_device(page)


def test_a_replay_steps_to_its_end(page: Page, game: str) -> None:
    page.goto(f"{game}#/replay")
    paste(page)
    page.keyboard.press("End")
    at(page, STEPS)
    page.get_by_role("button", name="Share this game").click()
    page.get_by_role("button", name="Save the game record").wait_for()
    # Nobody else could open it.
    expect(page.get_by_label("Link to this replay")).to_have_count(0)


def test_a_folder_that_cannot_be_written_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build_page()
    folder = str(tmp_path / ("long" * 100))
    assert main(["--lang", "en", "export-site", folder]) == 2
    assert f"{folder} can't be written: " in capsys.readouterr().err
