"""Who begins (R5): the host chooses any chair, or chance, until the game starts."""

import pytest
from playwright.sync_api import Page, expect

from .conftest import Visitor
from .playing import known
from .test_access import examine

pytestmark = pytest.mark.xdist_group(__name__)


def order(page: Page) -> list[int]:
    """By seat: its chair."""
    found: list[int] = known(page)["table"]["order"]
    return found


def test_every_chair_can_be_chosen_where_a_table_is_set_up(visitor: Visitor) -> None:
    page = visitor("/new", viewport={"width": 320, "height": 640})
    page.get_by_label("Your name").fill("Amira")
    page.get_by_role("radio", name="3", exact=True).check(force=True)
    page.get_by_role("group", name="Chair 2").get_by_label("On this device").check(force=True)
    page.get_by_label("Your name").nth(1).fill("Benedikt")
    page.get_by_role("group", name="Chair 3").get_by_label("Bot").check(force=True)
    page.get_by_label("Opponent").select_option("kasim")
    page.get_by_text("More options").click()
    chairs = page.get_by_role("group", name="Who begins?").get_by_role("radio")
    words = [chair.evaluate("each => each.labels[0].textContent.trim()") for chair in chairs.all()]
    assert words == ["Chance decides", "I do", "Benedikt", "Kasim (bot)"]
    chairs.nth(2).check(force=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.get_by_role("button", name="Set up", exact=True).click()
    page.locator("[data-palace], .cover").first.wait_for()
    assert order(page) == [1, 2, 0]


def test_the_host_changes_in_the_gathering_who_begins(visitor: Visitor) -> None:
    host = visitor("/new", viewport={"width": 390, "height": 844})
    host.get_by_label("Your name").fill("Amira")
    host.get_by_role("button", name="Set up", exact=True).click()
    guest = visitor(None, viewport={"width": 390, "height": 844})
    host.get_by_label("Link to this table").wait_for()
    guest.goto(host.get_by_label("Link to this table").input_value())
    expect(guest.get_by_text("Who begins? Chance decides")).to_be_visible()
    guest.get_by_label("Your name").fill("Benedikt")
    guest.get_by_role("button", name="Sit down").click()
    begins = host.get_by_label("Who begins?")
    expect(begins.get_by_role("option")).to_have_text(
        ["Chance decides", "Chair 1: Amira", "Chair 2: Benedikt"]
    )
    begins.select_option("Chair 2: Benedikt")
    expect(guest.get_by_text("Who begins? Benedikt")).to_be_visible()
    expect(guest.get_by_role("log", name="What happens")).to_have_text("Benedikt will begin")
    examine(host)
    begins.select_option("Chair 1: Amira")
    expect(guest.get_by_text("Who begins? Amira")).to_be_visible()
    begins.select_option("Chair 2: Benedikt")
    expect(guest.get_by_text("Who begins? Benedikt")).to_be_visible()
    host.get_by_role("button", name="Begin the game").click()
    host.locator("[data-palace]").first.wait_for()
    assert order(host) == [1, 0]
