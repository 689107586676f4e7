"""Several people at one device: it is covered as soon as there is something to hide."""

import pytest
from playwright.sync_api import Page, expect

from .conftest import Visitor

pytestmark = pytest.mark.xdist_group(__name__)


def share(visitor: Visitor, seen: bool = False) -> Page:
    page = visitor("/new")
    page.get_by_label("Your name").fill("Anna")
    page.get_by_role("radio", name="On this device").check(force=True)
    page.get_by_label("Your name").last.fill("Ben")
    if seen:
        page.get_by_text("More options").click()
        page.get_by_role("radio", name="Visible", exact=True).check(force=True)
    page.get_by_role("button", name="Set up", exact=True).click()
    return page


def test_nothing_is_covered_while_guards_are_placed_with_no_cards(visitor: Visitor) -> None:
    page = share(visitor)
    placed = []
    for _ in range(8):  # four guards each
        expect(page.locator("[data-settled=true], .cover").first).to_be_attached()
        assert not page.locator(".cover").count()
        before = page.locator("[data-step]").get_attribute("data-step")
        placed.append(page.locator(".turn[data-player]").get_attribute("data-player"))
        page.locator("[data-target]").first.click()
        expect(page.locator("[data-step]").or_(page.locator(".cover"))).not_to_have_attribute(
            "data-step", before or ""
        )
    assert placed == ["0", "1"] * 4
    # Now everybody has cards: whoever begins has to take the device, even the one who saw it last.
    expect(page.locator(".cover")).to_be_visible()
    assert not page.locator("[data-piece^=card]").count()
    page.locator(".cover button").click()
    expect(page.locator("[data-settled=true]")).to_be_attached()
    assert page.locator("[data-piece^=card]:not(.none)").count()
    page.locator("[data-end]").first.click()
    expect(page.locator(".cover")).to_be_visible()


def test_cards_that_are_seen_while_placing_are_covered(visitor: Visitor) -> None:
    page = share(visitor, seen=True)
    for _ in range(2):
        expect(page.locator(".cover")).to_be_visible()
        page.locator(".cover button").click()
        expect(page.locator("[data-settled=true]")).to_be_attached()
        page.locator("[data-target]").first.click()
    expect(page.locator(".cover")).to_be_visible()
