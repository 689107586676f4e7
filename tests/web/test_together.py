"""Several people at one table: invited, cut off, back again; and several at one device."""

import pytest
from playwright.sync_api import Page, expect

from .conftest import Served, Visitor
from .playing import Patience, play_a_turn, play_now, state, step, type_a_turn

pytestmark = pytest.mark.xdist_group(__name__)
NAMES = ("Amira", "Benedikt", "Chidi", "Dorotheia")


def gather(visitor: Visitor) -> list[Page]:
    """Four browsers at one table, the game begun."""
    host = visitor("/new", viewport={"width": 1280, "height": 800})
    host.get_by_label("Your name").fill(NAMES[0])
    host.get_by_role("radio", name="4", exact=True).check(force=True)
    host.get_by_role("button", name="Set up", exact=True).click()
    host.get_by_role("heading", name="Waiting for players").wait_for()
    link = host.get_by_label("Link to this table").input_value()
    pages = [host]
    for name in NAMES[1:]:
        page = visitor(None, viewport={"width": 360, "height": 740})
        page.goto(link)
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Sit down").click()
        expect(host.get_by_role("list").get_by_text(name, exact=True)).to_be_visible()
        pages.append(page)
    host.get_by_role("button", name="Begin the game").click()
    for page in pages:
        page.locator("[data-palace]").first.wait_for()
    return pages


def on_turn(pages: list[Page]) -> Page | None:
    """The one whose turn it is; None when the game is over."""
    patience = Patience()
    while True:
        patience.spend([step(page) for page in pages])
        for page in pages:
            if page.locator("dialog[open]").count():
                return None
            if page.locator("[data-mine=true]").count():
                return page


def test_four_browsers_a_network_drop_and_a_restart(visitor: Visitor, served: Served) -> None:
    pages = gather(visitor)
    for page in pages:
        page.evaluate("window.loaded = 'once'")
    turns = 0
    while (on := on_turn(pages)) is not None:
        turns += 1
        if turns == 12:  # all guards stand: somebody has no network for a while
            absent = pages[(pages.index(on) + 1) % 4]
            absent.context.set_offline(True)
            expect(absent.locator("[data-state=lost]")).to_be_visible()
            type_a_turn(on)
            absent.context.set_offline(False)
            expect(absent.locator("[data-state=open]")).to_be_visible()
        elif turns == 14:
            served.stop()
            expect(pages[0].locator("[data-state=lost]")).to_be_visible()
            served.start()
            for each in pages:
                expect(each.locator("[data-state=open]")).to_be_visible()
        else:
            type_a_turn(on)
    for page in pages:
        page.locator("dialog[open]").wait_for()
    last = {step(page) for page in pages}
    assert len(last) == 1
    assert all(page.evaluate("window.loaded") == "once" for page in pages)
    for page in pages:
        page.get_by_role("dialog").get_by_role("heading", name="w").first.wait_for()


def test_a_table_has_the_clock_that_its_host_has_chosen(visitor: Visitor) -> None:
    page = visitor("/new", viewport={"width": 320, "height": 740})
    page.get_by_text("More options").click()
    grace = page.get_by_role("group", name="How long do we wait")
    expect(grace).to_have_count(0)
    for label, choice in (("Time for a turn", "3 minutes"), ("whole game", "10 minutes")):
        page.get_by_role("group", name=label).get_by_label(choice).check(force=True)
    grace.get_by_label("Not at all").check(force=True)
    page.get_by_role("button", name="Set up", exact=True).click()
    expect(page.get_by_text("Time for a turn: 3 minutes")).to_be_visible()
    code = page.url.rpartition("/")[2]
    agreed = page.request.get(f"/api/tables/{code}").json()["table"]["agreement"]
    assert (agreed["move_seconds"], agreed["game_seconds"], agreed["grace_seconds"]) == (
        180,
        600,
        0,
    )
    page.get_by_label("Chair 2", exact=True).select_option("kasim")
    page.get_by_role("button", name="Begin the game").click()
    expect(page.get_by_role("timer", name="Time left:")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_two_people_at_one_device_never_see_each_others_cards(visitor: Visitor) -> None:
    page = visitor("/new")
    page.get_by_label("Your name").fill(NAMES[0])
    page.get_by_role("radio", name="On this device").check(force=True)
    page.get_by_label("Your name").nth(1).fill(NAMES[1])
    page.get_by_role("button", name="Set up", exact=True).click()
    seen = set()
    for _ in range(10):
        found = page.locator("[data-mine=true], .cover").first
        found.wait_for()
        if page.locator(".cover").count():
            assert not page.locator("[data-home]").count()
            page.get_by_role("button", name="I am").click()
            page.locator("[data-mine=true]").wait_for()
        seen.add(page.locator(".turn[data-player]").get_attribute("aria-label"))
        play_a_turn(page)
    assert len({str(name).partition(" ")[0] for name in seen}) == 2


def test_what_is_not_allowed_is_explained_and_taken_back(visitor: Visitor) -> None:
    page = visitor(viewport={"width": 1280, "height": 800})
    play_now(page, 2)
    while page.locator("[data-target]").count() or not page.locator("[data-end]").count():
        state(page)
        if page.locator("[data-target]").count():
            play_a_turn(page)
    page.locator("[data-piece^=guard]").first.click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="End turn").first.wait_for()
    page.keyboard.press("/")
    page.keyboard.insert_text("R>R(R)")
    page.keyboard.press("Enter")
    page.get_by_role("alert").get_by_role("link", name="Rule R13").click()
    dialog = page.get_by_role("dialog", name="Rules")
    expect(dialog.locator("#R13")).to_be_focused()
    dialog.get_by_role("searchbox").fill("dancer")
    expect(dialog.locator("#R13")).to_have_count(0)
    expect(dialog.locator("#R17")).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)


def test_an_earlier_position_can_be_seen_again(visitor: Visitor) -> None:
    page = visitor(viewport={"width": 1280, "height": 800})
    play_now(page, 2)
    state(page)
    before = page.locator("[data-piece^=guard]").count()
    play_a_turn(page)
    state(page)
    page.reload()  # what a new page has not seen it asks for
    state(page)
    page.get_by_role("button", name="The game begins").click()
    expect(page.get_by_text("You are looking at an earlier position.")).to_be_visible()
    assert page.locator("[data-piece^=guard]").count() < before + 1
    page.get_by_role("button", name="Back to now").click()
    expect(page.locator("[data-mine=true]")).to_be_visible()


def test_who_leaves_a_running_game_gives_up(visitor: Visitor) -> None:
    page = visitor("/")
    page.get_by_role("button", name="Play against bots").click()
    expect(page.locator("[data-palace]")).to_have_count(6)
    table = page.url
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="End the game early").click()
    page.get_by_role("button", name="Leave the table: you give up").click()
    page.get_by_role("button", name="Yes, leave for good").click()
    expect(page.get_by_role("button", name="Play against bots")).to_be_visible()
    page.goto(table)
    expect(page.get_by_role("log").or_(page.locator("[data-palace]")).first).to_be_visible()
    expect(page.get_by_text("Guest leaves the table")).to_be_attached()
    expect(page.get_by_role("dialog").get_by_text("gave up").first).to_be_visible()
