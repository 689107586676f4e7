"""Firefox and Safari's WebKit: a round of the page in each, and the one file from a disk."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from baghdad import Options
from baghdad.alone.page import write_file
from benchmarks.wasm import steps

from .conftest import Served, build_page
from .other_browsers import OTHERS, OtherBrowser
from .test_replay import RECORD, STEPS

pytestmark = pytest.mark.xdist_group(__name__)
SETTINGS = """localStorage['baghdad-settings'] ??= '{"pace": "off", "sound": false}'"""
STEP = "document.querySelector('[data-step]')?.dataset.step"
TABLE_HERE = "/t/0"
"""How the address of a table on this device goes on."""


@pytest.fixture(scope="module", params=OTHERS)
def browser(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[OtherBrowser]:
    with OTHERS[request.param](tmp_path_factory.mktemp(request.param)) as browser:
        yield browser
        assert not browser.complaints()


def start(browser: OtherBrowser, address: str, beside: str = "") -> None:
    """Open the page, which has kept already that pieces don't travel; `beside` is of its origin."""
    browser.open(beside or address)
    browser.run(SETTINGS)
    browser.open("about:blank")
    browser.open(address)


def take_device(browser: OtherBrowser) -> None:
    """Whoever's turn it is says to hold the device, where others must not see the hand."""
    browser.wait("document.querySelector('[data-mine=true][data-settled=true], .cover')")
    if browser.run("return !!document.querySelector('.cover')"):
        browser.click(".cover button")
        browser.wait_for("[data-mine=true][data-settled=true]")


def move(browser: OtherBrowser) -> None:
    """A guard where they are placed; else the end of the turn."""
    take_device(browser)
    before = browser.run(f"return {STEP}")
    target = browser.run("return !!document.querySelector('[data-target]')")
    browser.click("[data-target]" if target else "[data-end]")
    browser.wait(f"document.querySelector('.cover') || {STEP} !== arguments[0]", before)


def share_a_device(browser: OtherBrowser, moves: int) -> None:
    """Two people, by the rules in WebAssembly, with a reload before the last of their moves."""
    browser.choose("Set up")
    for _ in range(moves):
        move(browser)
    browser.reload()
    take_device(browser)
    assert int(browser.run(f"return {STEP}")) > moves
    move(browser)


def look_at_a_replay(browser: OtherBrowser) -> None:
    browser.paste("textarea", RECORD)
    browser.click("form button.act")
    browser.wait_for("[data-palace]")
    browser.run("document.querySelector('input[type=range]').focus()")
    browser.press("End")
    browser.wait(f"{STEP} === arguments[0]", str(STEPS))


def test_a_round_of_the_page(browser: OtherBrowser, served: Served, tmp_path: Path) -> None:
    start(browser, served.address, f"{served.address}/licences.txt")
    browser.wait_for("button.go")
    browser.photograph(tmp_path / "start.png")
    browser.open(f"{served.address}/rules")
    browser.wait_for("#R27")
    browser.wait_for("figure")
    browser.photograph(tmp_path / "rules.png")
    browser.open(f"{served.address}/new")
    browser.choose("Only here")
    share_a_device(browser, 9)
    browser.photograph(tmp_path / "table.png")
    assert TABLE_HERE in browser.run("return location.pathname")
    browser.open(f"{served.address}/replay")
    look_at_a_replay(browser)
    browser.photograph(tmp_path / "replay.png")


def test_a_game_at_a_table_of_the_server(
    browser: OtherBrowser, served: Served, tmp_path: Path
) -> None:
    start(browser, served.address, f"{served.address}/licences.txt")
    browser.choose("Play against bots")
    for _ in range(2):
        browser.wait_for("[data-mine=true][data-settled=true]")
        before = browser.run(f"return {STEP}")
        browser.click("[data-target]")
        browser.wait(f"{STEP} !== arguments[0]", before)
    browser.wait_for("[data-mine=true][data-settled=true]")
    browser.photograph(tmp_path / "against.png")


def test_the_one_file_from_a_disk(browser: OtherBrowser, tmp_path: Path) -> None:
    build_page()
    write_file(tmp_path / "baghdad.html")
    address = (tmp_path / "baghdad.html").as_uri()
    start(browser, address)
    browser.choose("Set up a table")
    share_a_device(browser, 2)
    browser.photograph(tmp_path / "file.png")
    start(browser, f"{address}#/replay")
    look_at_a_replay(browser)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_module_plays_what_native_code_plays(browser: OtherBrowser, players: int) -> None:
    table = Options(players, "neutral", "smuggle", "seen", "chosen")
    native = steps.natively(table, 2, 500)
    browser.open("about:blank")
    played = steps.in_module(browser.evaluate, table, 2, 500)
    assert (played.games, played.seen) == (native.games, native.seen)
