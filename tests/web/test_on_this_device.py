"""Tables on one's own device: the network is cut, the page is loaded again, two tabs look on."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from .conftest import Visitor
from .playing import quicken, settled, step, stepped
from .test_access import examine
from .test_giving_up import give_up

pytestmark = pytest.mark.xdist_group(__name__)

CUT = "INTERNET_DISCONNECTED"
"""What the browser says of a network that is not there: the list of open tables, for one."""


def set_up(page: Page, *names: str) -> str:
    """A table for several people at this device, without the network from then on."""
    page.get_by_label("Your name").fill("Anna")
    with (
        page.expect_event("requestfinished", lambda request: "/worker-" in request.url),
        page.expect_event("requestfinished", lambda request: "/why.en-" in request.url),
    ):
        page.get_by_role("radio", name="Only here").check(force=True)
    page.get_by_role("radio", name=str(len(names) + 1), exact=True).check(force=True)
    for place, name in enumerate(names):
        page.get_by_role("radio", name="On this device").nth(place).check(force=True)
        page.get_by_label("Your name").nth(place + 1).fill(name)
    page.context.set_offline(True)
    page.get_by_role("button", name="Set up", exact=True).click()
    page.locator("[data-palace]").first.wait_for()
    found = re.search(r"/t/(0\w+)$", page.url)
    assert found, page.url
    return found[1]


def take_device(page: Page) -> None:
    """Whoever's turn it is says to hold the device, where others must not see the hand."""
    page.locator("[data-mine=true], .cover, dialog[open]").first.wait_for()
    if page.locator(".cover").count():
        page.locator(".cover button").click()


def move(page: Page) -> None:
    """A guard where they are placed; else the end of the turn."""
    take_device(page)
    before = step(page)
    settled(page)
    target = page.locator("[data-target]")
    (target if target.count() else page.locator("[data-end]")).first.click()
    stepped(page, before)


def test_a_game_goes_on_without_a_network_and_after_a_reload(visitor: Visitor) -> None:
    page = visitor("/new", CUT)
    quicken(page)
    code = set_up(page, "Ben")
    for _ in range(8):
        move(page)
    for _ in range(4):
        move(page)
    assert not page.locator("[data-state]").count()  # there is nobody to be connected with
    before = 1 + 1 + 12
    page.context.set_offline(False)
    page.reload()
    take_device(page)
    assert step(page) == before
    move(page)
    page.goto("/")
    row = page.locator(f"[data-game='{code}']")
    expect(row).to_contain_text("on this device")
    examine(page)
    row.locator("a").first.click()
    take_device(page)
    assert step(page) == before + 1


def test_the_browser_is_asked_to_keep_games_also_where_room_is_short(visitor: Visitor) -> None:
    page = visitor(None)
    page.add_init_script("navigator.storage.persist = async () => (window.asked = true)")
    page.goto("/new")
    quicken(page)
    assert not page.evaluate("window.asked"), "as long as there is none"
    page.get_by_role("radio", name="Only here").check(force=True)
    page.wait_for_function("() => window.asked")


def test_what_a_game_needs_is_seen_to_come(visitor: Visitor) -> None:
    page = visitor("/new")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/*.wasm", hold)
    page.get_by_role("radio", name="Only here").check(force=True)
    page.get_by_role("progressbar", name="The game is being loaded").wait_for()
    examine(page)
    held[0].continue_()
    expect(page.get_by_role("progressbar")).to_have_count(0)
    page.get_by_role("button", name="Set up", exact=True).click()
    page.locator("[data-palace]").first.wait_for()


def test_giving_up_and_all_that_comes_after_the_end(visitor: Visitor) -> None:
    page = visitor("/new", CUT)
    quicken(page)
    code = set_up(page, "Ben")
    for _ in range(9):
        move(page)
    take_device(page)
    # What has not been opened yet comes over the network, where no service worker keeps it.
    page.context.set_offline(False)
    give_up(page)
    page.get_by_role("button", name="Was the deal fair?").click()
    expect(page.locator("dialog[open]")).to_contain_text("fair:")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download the game").click()
    record = Path(saved.value.path()).read_text("utf-8")
    assert f'[Event "Baghdad {code}"]' in record
    assert '[Termination "resigned"]' in record
    page.get_by_role("dialog").get_by_role("link", name="Replay").click()
    expect(page.locator("[data-palace]").first).to_be_visible()


def test_two_tabs_show_the_same_table(visitor: Visitor) -> None:
    page = visitor("/new", CUT)
    quicken(page)
    set_up(page, "Ben")
    page.context.set_offline(False)
    other = also(page.context, page.url)
    move(page)
    move(other)
    move(page)
    expect(other.locator("[data-step='5']")).to_be_attached()
    page.close()
    move(other)
    assert step(other) == 6


def test_a_table_is_gone_where_it_is_erased_in_another_tab(visitor: Visitor) -> None:
    page = visitor("/new", CUT)
    quicken(page)
    code = set_up(page, "Ben")
    page.context.set_offline(False)
    other = also(page.context, page.url)
    move(other)
    page.goto("/")
    page.locator(f"[data-game='{code}'] button").click()
    page.get_by_role("link", name="Set up a table").click()
    expect(other.get_by_role("heading", name="There is no such table")).to_be_visible()


def test_all_that_the_browser_keeps_is_cleared_in_the_middle_of_a_game(visitor: Visitor) -> None:
    page = visitor("/new", CUT)
    quicken(page)
    set_up(page, "Ben")
    page.context.set_offline(False)
    move(page)
    origin = page.evaluate("location.origin")
    page.context.new_cdp_session(page).send(
        "Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "indexeddb"}
    )
    page.locator("[data-target]").first.click()
    page.get_by_role("heading", name="There is no such table").wait_for()
    # The next one is kept again.
    page.get_by_role("link", name="Back to the start page").click()
    page.get_by_role("link", name="Set up a table").click()
    page.get_by_role("radio", name="Only here").check(force=True)
    page.get_by_role("button", name="Set up", exact=True).click()
    move(page)
    take_device(page)  # bots have moved, too
    before = step(page)
    page.reload()
    take_device(page)
    assert step(page) == before


def also(context: BrowserContext, url: str) -> Page:
    """Another tab of the same browser."""
    page = context.new_page()
    quicken(page)
    page.goto(url)
    return page
