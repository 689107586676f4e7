"""Small things that tripped guests and hosts: where they land, who is there, what is cut off."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from .conftest import Served, Visitor
from .gathering import finished, wants
from .test_access import examine
from .test_couch import sit_around

pytestmark = pytest.mark.xdist_group(__name__)
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}}
SMALL: dict[str, Any] = {"viewport": {"width": 320, "height": 640}}


def sit(page: Page, name: str, button: str = "Sit down") -> None:
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name=button, exact=True).click()


def gathered(visitor: Visitor, *sizes: Mapping[str, Any]) -> list[Page]:
    """A host and guests, before the game."""
    host = visitor("/new", **sizes[0])
    host.get_by_role("radio", name=str(len(sizes)), exact=True).check(force=True)
    sit(host, "Amira", "Set up")
    host.get_by_label("Link to this table").wait_for()
    pages = [host]
    for name, size in zip(("Benedikt", "Chidi"), sizes[1:], strict=False):
        pages.append(visitor(f"/t/{host.url.rpartition('/')[2]}", **size))
        sit(pages[-1], name)
        expect(pages[-1].get_by_text("The host begins the game")).to_be_visible()
    return pages


def test_a_phone_without_a_seat_is_led_to_the_board(visitor: Visitor) -> None:
    screen, _ = sit_around(visitor)
    late = visitor(screen.url.replace("/screen", "/hand"), **SMALL)
    expect(late.get_by_text("You have no seat in this game.")).to_be_visible()
    examine(late)
    late.get_by_role("link", name="Watch the game").click()
    late.locator("[data-palace]").first.wait_for()
    expect(late.locator(".words p")).to_contain_text("The game begins · You are watching.")


def test_who_shares_a_device_is_not_away(visitor: Visitor, served: Served) -> None:
    table = finished(served.data, 1, chairs=[{"kind": "human", "name": "Benedikt"}])
    page = table.visit(visitor, 0, 1, **PHONE)
    page.get_by_role("button", name="Play again").click()
    page.get_by_role("button", name="Begin the game").click()
    expect(page.locator("[data-player]")).to_have_count(2)
    expect(page.locator("[data-player].away")).to_have_count(0)
    wants(page, "move", action="@R")
    # What has happened and what is expected are two sentences.
    expect(page.locator(".words p")).to_contain_text(". Place a guard")


def test_a_game_begins_at_its_top(visitor: Visitor) -> None:
    host, guest = gathered(visitor, PHONE, SMALL)
    guest.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert guest.evaluate("scrollY") > 0
    host.get_by_role("button", name="Begin the game").click()
    guest.locator("[data-palace]").first.wait_for()
    guest.wait_for_function("scrollY === 0")


def test_the_host_reads_names_whole(visitor: Visitor) -> None:
    for size in (PHONE, SMALL):
        host, _ = gathered(visitor, size, PHONE)
        name = host.get_by_role("list").get_by_text("Benedikt", exact=True)
        assert lines(name) == 1
        assert name.evaluate("e => e.scrollWidth <= e.clientWidth")
        assert host.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_names_in_a_result_are_not_broken(visitor: Visitor, served: Served) -> None:
    table = finished(served.data, 3)
    page = table.visit(visitor, 0, **SMALL)
    rows = page.get_by_role("dialog").locator("tbody th > span:last-child")
    expect(rows).to_have_count(3)
    assert [lines(row) for row in rows.all()] == [1, 1, 1]


LINES = """e => {
  const text = document.createRange()
  const words = ({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim()
  text.selectNodeContents([...e.childNodes].find(words))
  return new Set([...text.getClientRects()].map(({ top }) => Math.round(top))).size
}"""


def lines(words: Locator) -> int:
    """How many lines a text takes."""
    return int(words.evaluate(LINES))


def test_speech_of_several_people_leaves_each_other_free(visitor: Visitor) -> None:
    pages = gathered(visitor, {"viewport": {"width": 1366, "height": 768}}, PHONE, PHONE)
    pages[0].get_by_role("button", name="Begin the game").click()
    for page in pages:
        page.locator("[data-palace]").first.wait_for()
    for page in pages:
        wants(page, "chat", text="What a lovely evening, shall we have more of that tea?")
    for page in pages:
        speech = page.locator("[data-speech]")
        expect(speech).to_have_count(3)
        boxes = [box for each in speech.all() if (box := each.bounding_box())]
        assert len(boxes) == 3
        for one, other in combinations(boxes, 2):
            beside = (
                one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
            )
            below = (
                one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
            )
            assert beside or below, (one, other)
