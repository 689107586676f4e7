"""The page without a network: kept by the browser, renewed when somebody wants it, installed."""

import json
import re
import shutil
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Page, expect

from baghdad.alone.page import one_file
from baghdad.server.transport.static import FILES, PAGES, STATIC
from baghdad.text import LANGUAGES, catalogue

from .conftest import Served, Visitor
from .gathering import KASIM, begin
from .test_access import examine, narrow

pytestmark = pytest.mark.xdist_group(__name__)
KEPT = "This device has kept the page"
NO_NETWORK = ("Failed to load resource", "ERR_")
"""What browsers complain of, rightly, where there is no network."""


def kept(visitor: Visitor, path: str = "/", **options: object) -> Page:
    """A visitor whose browser has kept the page."""
    page = visitor(path, *NO_NETWORK, service_workers="allow", **options)
    page.get_by_role("region", name="Without a network").get_by_text(KEPT).wait_for()
    return page


def test_once_loaded_the_page_opens_without_its_server_in_every_language(
    visitor: Visitor, served: Served
) -> None:
    page = kept(visitor, viewport={"width": 390, "height": 844})
    served.stop()
    try:
        page.reload()
        expect(page.get_by_text("The server does not answer.")).to_be_visible()
        examine(page)
        assert narrow(page) == []
        for language in LANGUAGES:
            page.goto(f"/rules?lang={language}#R12")
            page.get_by_text(catalogue("rules", language)["R27"][:20]).first.wait_for()
            assert page.evaluate("document.documentElement.lang") == language
            manifest = page.locator("link[rel=manifest]").get_attribute("href")
            assert manifest == f"/manifest.{language}.webmanifest"
            for path in ("/", "/new", "/couch", "/replay", "/learn", "/move", "/t/F7KQXM/2/replay"):
                page.goto(f"{path}?lang={language}")
                page.get_by_role("heading", level=1).wait_for()
                assert page.evaluate("document.documentElement.lang") == language
        assert page.evaluate("fetch('/api/tables').then(() => true, () => false)") is False
    finally:
        served.start()
    page.goto("/")
    page.get_by_role("button", name="Play against bots").click()
    page.locator("[data-palace]").first.wait_for()


def test_a_first_visit_is_enough_also_for_what_was_not_opened_yet(visitor: Visitor) -> None:
    page = kept(visitor)
    page.context.set_offline(True)
    page.get_by_role("link", name="Rules").click()
    page.locator("#R27").wait_for()
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name="Deutsch").check(force=True)
    expect(page.get_by_role("heading", level=1)).to_have_text("Regeln")


def test_nothing_of_the_server_is_kept_but_the_files_of_the_page(visitor: Visitor) -> None:
    page = kept(visitor)
    begin(page, 2, KASIM)
    page.goto("/replay")
    addresses: list[str] = page.evaluate(
        """async () => {
          const caches_ = await Promise.all((await caches.keys()).map(name => caches.open(name)))
          const all = await Promise.all(caches_.map(cache => cache.keys()))
          return all.flat().map(request => new URL(request.url).pathname)
        }"""
    )
    files = {f"/assets/{file.name}" for file in (STATIC / "assets").iterdir()}
    named = {f"/{name}" for name in FILES if not name.startswith("icon-") and name != "sw.js"}
    assert sorted(addresses) == sorted({"/", *files, *named})


def test_where_browsers_keep_no_page_it_says_so_and_offers_one_file(
    visitor: Visitor, tmp_path: Path
) -> None:
    page = visitor(None)
    page.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false })")
    page.goto("/")
    region = page.get_by_role("region", name="Without a network")
    expect(region).to_contain_text("http")
    with page.expect_download() as saved:
        region.get_by_role("button", name="Save the game as one file").click()
    saved.value.save_as(tmp_path / "baghdad.html")
    assert (tmp_path / "baghdad.html").read_text("utf-8") == one_file()


# The server's part


def test_the_worker_knows_the_addresses_that_the_page_makes_sense_of() -> None:
    found = re.search(r"PAGES = (\[.*\])", (STATIC / "sw.js").read_text("utf-8"))
    assert found
    first = {path.split("/")[1] for path in PAGES}
    assert set(json.loads(found[1].replace("'", '"'))) == first


def test_every_file_beside_the_page_is_served(visitor: Visitor) -> None:
    page = visitor("/rules")
    names = {file.name for file in STATIC.iterdir() if file.is_file()}
    assert names - {"index.html", "built-from.txt"} == set(FILES)
    for name, cache in FILES.items():
        answer = page.request.get(f"/{name}")
        assert answer.ok
        assert answer.headers["cache-control"] == cache


# Installing


def test_it_can_be_installed_and_has_a_manifest_in_each_language(visitor: Visitor) -> None:
    page = kept(visitor)
    devtools = page.context.new_cdp_session(page)
    errors = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [each["errorId"] for each in errors] == ["in-incognito"], "as every test is"
    for language in LANGUAGES:
        manifest = page.request.get(f"/manifest.{language}.webmanifest").json()
        assert manifest["name"] == catalogue("web", language)["title"]
        assert manifest["lang"] == language
        assert all(page.request.get(f"/{icon['src']}").ok for icon in manifest["icons"])
        for shortcut in manifest["shortcuts"]:
            page.goto(shortcut["url"].replace("./", "/"))
            assert page.url.endswith(shortcut["url"].partition("#")[2])


def test_the_browser_is_asked_to_install_it_by_a_button_of_ours(visitor: Visitor) -> None:
    page = kept(visitor)
    button = page.get_by_role("button", name="Install the game")
    expect(button).to_have_count(0)
    page.evaluate(
        """() => {
          const offer = new Event('beforeinstallprompt', { cancelable: true })
          offer.prompt = async () => { window.prompted = true }
          window.dispatchEvent(offer)
          window.stopped = offer.defaultPrevented
        }"""
    )
    assert page.evaluate("stopped"), "no bar of the browser's over a game"
    examine(page)
    button.click()
    expect(button).to_have_count(0)
    assert page.evaluate("prompted")


def test_on_an_iphone_one_is_told_how_to_install_it(visitor: Visitor) -> None:
    page = visitor(None)
    page.add_init_script("navigator.standalone = false")
    page.goto("/")
    region = page.get_by_role("region", name="Without a network")
    expect(region).to_contain_text("Add to Home Screen")


# A newer version


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """The built page in a folder of its own, and where it is served."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    folder = tmp_path / "page"
    shutil.copytree(STATIC, folder)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    Thread(target=server.serve_forever).start()
    yield folder, f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def renew(folder: Path) -> None:
    """A newer version of the page: it has no file any more that the older one may still need."""
    worker = folder / "sw.js"
    text = worker.read_text("utf-8")
    found = re.search(r"VERSION = '(\w+)'", text)
    (gone,) = (folder / "assets").glob("RulePictures-*.js")
    assert found
    text = text.replace(found[1], f"newer{found[1]}")
    text, dropped = re.subn(rf'"assets/{gone.name}":"[^"]*",', "", text)
    assert dropped
    worker.write_text(text, "utf-8")
    gone.unlink()


def version(page: Page) -> str:
    """Of the page that this window shows: which worker has answered."""
    names: list[str] = page.evaluate("caches.keys()")
    return " ".join(names)


def test_a_newer_version_is_offered_and_taken_when_somebody_wants_it(
    visitor: Visitor, site: tuple[Path, str]
) -> None:
    folder, address = site
    page = visitor(None, *NO_NETWORK, service_workers="allow")
    page.goto(address)
    page.get_by_text(KEPT).wait_for()
    other = page.context.new_page()
    other.goto(address)
    other.get_by_text(KEPT).wait_for()
    for each in (page, other):
        each.evaluate("window.before = true")
    offer = page.get_by_text("A newer version of the game is here.")
    expect(offer).to_have_count(0)

    renew(folder)
    page.evaluate("navigator.serviceWorker.ready.then(kept => kept.update())")
    expect(offer).to_be_visible()
    expect(other.get_by_text("A newer version")).to_be_visible()
    assert page.evaluate("window.before"), "nothing was loaded again"
    examine(page)
    page.reload()
    expect(offer).to_be_visible()
    assert "newer" in version(page), "it lies ready,"
    assert len(version(page).split("baghdad")) == 3, "beside the one that is in use"

    page.evaluate("window.before = true")
    page.get_by_role("button", name="Use it now").click()
    page.wait_for_function("() => !window.before")
    expect(offer).to_have_count(0)
    assert other.evaluate("window.before"), "another window is left alone,"
    expect(other.get_by_text("A newer version")).to_have_count(0)
    other.get_by_role("link", name="Rules").click()
    other.locator("#R27").wait_for()
    other.locator("figure").first.wait_for()
    other.close()
    page.reload()
    page.get_by_text(KEPT).wait_for()
    page.wait_for_function("async () => (await caches.keys()).length === 1")


def test_what_is_not_what_was_built_is_never_kept(visitor: Visitor, site: tuple[Path, str]) -> None:
    """As where a hotel's network answers in the page's place."""
    folder, address = site
    (folder / "licences.txt").write_text("Welcome to our hotel! Please sign in.")
    page = visitor(None, *NO_NETWORK, "integrity", service_workers="allow")
    page.add_init_script(
        """const { register } = ServiceWorkerContainer.prototype
        ServiceWorkerContainer.prototype.register = function (...given) {
          const coming = register.apply(this, given)
          window.begun = coming.then(() => true, () => true)
          return coming
        }"""
    )
    page.goto(address)
    page.wait_for_function("() => window.begun")  # else there is none yet, and not none any more
    page.wait_for_function(
        """async () => {
          const [kept] = await navigator.serviceWorker.getRegistrations()
          return !kept || (!kept.active && !kept.installing && !kept.waiting)
        }"""
    )
    expect(page.get_by_text(KEPT)).to_have_count(0)
